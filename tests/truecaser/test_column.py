"""Columns come out as each of their rows would, whatever way they are laid out in memory."""

import gc
import itertools
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from raw_arrow import Raw

from truecase import Truecaser, name_list
from truecase.errors import AlignmentError, ColumnError, WrongTypeError
from truecase.truecaser._column import InputColumn, lines_of_rows, texts_of_lines

pa = pytest.importorskip("pyarrow", reason="columns are tested with pyarrow")

ROWS = [
    "mary took the bill to london",
    None,
    "the post of oslo\nthe bridge is in lyon .",
    "",
    "a",
    "\n\n",
    "ßa ŉ ǆ İstanbul of łukasz and 𐐨𐐩",
    "the post of washington and of peru , " * 9,
]
TYPES = {"string": pa.string(), "large_string": pa.large_string(), "string_view": pa.string_view()}
# pyarrow 24 ends the process when it hands out a dictionary of string views, to whomever.
HANDED_OUT = sorted(TYPES if int(pa.__version__.split(".")[0]) > 24 else {*TYPES} - {"string_view"})

TEXTS = st.lists(
    st.none()
    | st.lists(
        st.sampled_from("mary the POST of london ŉa ßa 𐐨 . \n \r x".split(" ")), max_size=8
    ).map(" ".join),
    max_size=20,
)
COLUMNS = settings(max_examples=60, deadline=None)


@pytest.fixture(scope="module")
def model(neural_model_file):
    return Truecaser.load(neural_model_file)


def cased(model, rows, *more, **options):
    return [None if row is None else model(row, *more, **options) for row in rows]


def checked(column):
    """The array of a column, which pyarrow finds sound."""
    array = pa.array(column)
    array.validate(full=True)
    return array


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("threads", [1, 3])
def test_types(name, threads, model):
    array = pa.array(ROWS * 400, TYPES[name])
    column = model.column(array, threads)
    made = checked(column)
    assert made.type == array.type
    assert made.to_pylist() == cased(model, ROWS) * 400
    assert (column.type, len(column), column.null_count) == (name, 3200, 400)
    assert repr(column) == f"<Column: 3,200 rows of {name}, 400 null>"


@COLUMNS
@given(rows=TEXTS, name=st.sampled_from(sorted(TYPES)), cut=st.tuples(*[st.integers(0, 9)] * 2))
def test_each_row_is_as_by_a_call(rows, name, cut, model):
    array = pa.array(rows, TYPES[name]).slice(*cut)
    rows = rows[cut[0] : cut[0] + cut[1]]
    made = checked(model.column(array))
    assert made.to_pylist() == cased(model, rows)
    assert made.null_count == rows.count(None)
    assert model.column(array).to_pylist() == made.to_pylist()


@COLUMNS
@given(rows=TEXTS, cuts=st.lists(st.integers(0, 20)), name=st.sampled_from(sorted(TYPES)))
def test_chunks(rows, cuts, name, model):
    places = sorted({0, len(rows), *(min(cut, len(rows)) for cut in cuts)})
    chunks = [pa.array(rows[a:b], TYPES[name]) for a, b in zip(places, places[1:], strict=False)]
    given = pa.chunked_array(chunks, TYPES[name])
    column = model.column(given)
    made = pa.chunked_array(column)
    made.validate(full=True)
    assert made.to_pylist() == cased(model, rows)
    assert made.type == given.type
    assert made.num_chunks == given.num_chunks
    if given.num_chunks != 1:
        with pytest.raises(AttributeError, match="take it as a stream"):
            column.__arrow_c_array__()


@COLUMNS
@given(rows=TEXTS, name=st.sampled_from(HANDED_OUT), cut=st.tuples(*[st.integers(0, 9)] * 2))
def test_dictionaries(rows, name, cut, model):
    array = pa.array([*rows, "the", "THE", "The"], TYPES["string"]).dictionary_encode()
    array = pa.DictionaryArray.from_arrays(array.indices, array.dictionary.cast(TYPES[name]))
    expected = cased(model, [*rows, "the", "THE", "The"])
    for part, texts in ((array, expected), (array.slice(*cut), expected[cut[0] : cut[0] + cut[1]])):
        column = model.column(part)
        made = checked(column)
        assert made.type == part.type
        assert made.to_pylist() == texts
        assert column.to_pylist() == texts
        # as pandas' categories have to be
        assert len(set(made.dictionary.to_pylist())) == len(made.dictionary)


def test_texts_of_a_dictionary_are_cased_once(model):
    class Counts:
        n = 0

    array = pa.DictionaryArray.from_arrays(pa.array([0, 1, None] * 1000, pa.int8()), ["a b", "b"])
    made = checked(model.column(array, confidence=True).text)
    assert made.indices.type == pa.int8()
    assert made.to_pylist() == cased(model, ["a b", "b", None]) * 1000
    ordered = pa.DictionaryArray.from_arrays(pa.array([0], pa.uint16()), ["a"], ordered=True)
    assert checked(model.column(ordered)).type == ordered.type


def test_all_null_and_nothing(model):
    assert checked(model.column(pa.nulls(3))).to_pylist() == [None] * 3
    for array in (
        pa.array([], pa.string()),
        pa.array([], pa.string_view()),
        pa.array([None] * 9, pa.string()),
        pa.array([None] * 3).dictionary_encode(),
    ):
        assert checked(model.column(array)).to_pylist() == array.to_pylist()
    empty = pa.chunked_array([], pa.string())
    assert pa.chunked_array(model.column(empty)).to_pylist() == []


def test_columns_of_type_null_beside_others(model, bilingual):
    texts = pa.array(["a b", None, "b"])
    for rows, source in itertools.product((texts, pa.nulls(3)), repeat=2):
        made = checked(bilingual.column(rows, source=source))
        expected = bilingual.column(rows.cast(pa.string()), source=source.cast(pa.string()))
        assert made.to_pylist() == expected.to_pylist()
        assert model.column(rows, confidence=True).confidence.null_count == rows.null_count
        with pytest.raises(ColumnError, match="there are 2 rows, and more texts"):
            bilingual.column(rows, source=pa.nulls(2))
        with pytest.raises(ColumnError, match="there are 4 rows, and 3 texts"):
            bilingual.column(rows, source=pa.nulls(4))
    nothing = pa.array([], pa.string()).dictionary_encode()
    assert checked(model.column(nothing)).to_pylist() == []


def test_the_column_lives_by_itself(model):
    column = model.column(pa.array(ROWS))
    arrays = [pa.array(column) for _ in range(3)]
    stream = column.__arrow_c_stream__()
    schema = column.__arrow_c_schema__()
    del column
    gc.collect()
    assert [array.to_pylist() for array in arrays] == [cased(model, ROWS)] * 3
    # unused capsules let go of theirs
    del stream, schema
    gc.collect()


def test_released_in_another_thread(model):
    held = [pa.array(model.column(pa.array(ROWS * 100))) for _ in range(8)]
    threads = [threading.Thread(target=held.pop) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert held == []


def test_options(model):
    rows = ["the POST of london", "the bridge", None]
    array = pa.array(rows)
    named = model.with_names(name_list(["!bRidge"]))
    assert named.column(array).to_pylist() == cased(named, rows)
    for case in ("keep", "auto"):
        assert model.column(array, input_case=case).to_pylist() == cased(model, rows, case)
    for style in ("title", "upper", "title-apa"):
        assert model.column(array, style=style).to_pylist() == cased(model, rows, style=style)
    learned = {"sentence_start": "learned"}
    assert model.column(array, **learned).to_pylist() == cased(model, rows, **learned)


def test_rows_as_documents(model):
    rows = [
        "the post of\nlondon . the\nbridge is\n\nin oslo",
        None,
        "",
        "mary",
        "- the post\n- the bridge",
        "a line\n\n\n",
    ]
    expected = [None if row is None else "\n".join(model.document(row.split("\n"))) for row in rows]
    for repeated in (1, 3000):
        made = model.column(pa.array(rows * repeated), context="document").to_pylist()
        assert made == expected * repeated


def test_confidence(model):
    for array in (pa.array(ROWS), pa.array(ROWS).dictionary_encode()):
        text, sure = model.column(array, confidence=True)
        assert checked(text).to_pylist() == cased(model, ROWS)
        expected = []
        for row in ROWS:
            words = [] if row is None else [w for line in model.posteriors(row) for w in line]
            least = min((word.posterior for word in words), default=1.0)
            expected.append(None if row is None else pytest.approx(least, abs=1e-12))
        made = checked(sure)
        assert made.type == pa.float64()
        assert made.to_pylist() == expected
        assert sure.to_pylist() == expected
    both = model.column(pa.chunked_array([ROWS, ROWS[:3]]), confidence=True)
    assert pa.chunked_array(both.confidence).to_pylist() == expected + expected[:3]
    assert np.isnan(np.asarray(sure, dtype=float)).sum() == 1


SOURCES = ["Marie a", None, "Le Pont\nDe Oslo", "x", "La Poste", "a", "b", "c"]


def sourced(model, rows, sources, alignments=None):
    """Each row by a call, with as many lines of its source as it has."""
    made = []
    for i, (row, source) in enumerate(zip(rows, sources, strict=True)):
        if not row or not source:
            made.append(row if not row else model(row))
            continue
        n = row.count("\n") + 1
        lines = source.split("\n")
        if len(lines) != n:
            lines = [" ".join(lines)] * n
        if row.endswith("\n"):
            lines.pop()
        more = {} if alignments is None else {"alignment": alignments[i] or ""}
        made.append(model(row, source="\n".join(lines), **more))
    return made


@pytest.mark.parametrize("threads", [1, 2])
def test_sources(threads, bilingual):
    many = 500
    array, sources = pa.array(ROWS * many), pa.array(SOURCES * many)
    expected = sourced(bilingual, ROWS, SOURCES) * many
    assert bilingual.column(array, threads, source=sources).to_pylist() == expected
    # cut in other places
    cut = pa.chunked_array([(SOURCES * many)[:777], (SOURCES * many)[777:]])
    assert bilingual.column(array, threads, source=cut).to_pylist() == expected
    cut = pa.chunked_array([(ROWS * many)[:1], (ROWS * many)[1:]], pa.string_view())
    column = bilingual.column(cut, threads, source=sources.cast(pa.large_string()))
    assert column.to_pylist() == expected


def test_alignments(bilingual):
    rows = ["the house of mary", None, "mary came", "the house"]
    sources = ["La Maison de Marie", "x", "Marie vint", None]
    links = ["0-0 1-1 2-2 3-3", None, "0-0", None]
    expected = sourced(bilingual, rows, sources, links)
    column = bilingual.column(pa.array(rows), source=pa.array(sources), alignment=pa.array(links))
    assert column.to_pylist() == expected
    with pytest.raises(AlignmentError):
        bilingual.column(pa.array(rows), source=pa.array(sources), alignment=pa.array(["9-9"] * 4))
    with pytest.raises(ColumnError, match="row 1 of a chunk: has a line end in it"):
        bilingual.column(
            pa.array(["a", "a\nb"]), source=pa.array(["a", "b"]), alignment=pa.array(["", ""])
        )


@pytest.mark.parametrize(
    ("n", "message"), [(7, "source: there are 7 rows, and more"), (9, "are 9 rows, and 8 texts")]
)
def test_sources_of_another_length(n, message, bilingual):
    with pytest.raises(ColumnError, match=message):
        bilingual.column(pa.array(ROWS), source=pa.array((SOURCES * 2)[:n]))


def test_dictionaries_have_no_sources(bilingual):
    words = pa.array(["a", "b"])
    for options in ({"source": words.dictionary_encode()}, {}):
        given = words if options else words.dictionary_encode()
        with pytest.raises(ColumnError, match="dictionary of string"):
            bilingual.column(given, **(options or {"source": words}))


WRONG = [
    (pa.array([1]), "column: expected text, found int64"),
    (pa.array([1.5], pa.float32()), "found float"),
    (pa.array([True]), "found bool"),
    (pa.array([b"a"]), "found binary: cast it to string"),
    (pa.array([{"a": "b"}]), "found struct: take one of its fields"),
    (pa.array([[("a", "b")]], pa.map_(pa.string(), pa.string())), "found map: take one"),
    (pa.array([["a"]]), "found list"),
    (pa.array([0], pa.timestamp("s")), "found timestamp"),
    (pa.array([1]).dictionary_encode(), "found dictionary of int64"),
    (pa.array([0.5, None]).dictionary_encode(), "found dictionary of double"),
    (pa.table({"a": ["b"]}), "found struct"),
    (pa.array([b"ab"], pa.binary(2)), "found fixed_size_binary"),
]


@pytest.mark.parametrize(("array", "message"), WRONG)
def test_other_types(array, message, model):
    with pytest.raises(ColumnError, match=message):
        model.column(array)
    with pytest.raises(ColumnError, match="source: expected text"):
        model.column(pa.array(["a"]), source=array)


@pytest.mark.parametrize("given", [3, ["a"], "a", None, np.array(["a"])])
def test_no_column(given, model):
    with pytest.raises(WrongTypeError, match="column: expected an Arrow column, such as one of"):
        model.column(given)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"threads": 0}, "threads 0"),
        ({"threads": "2"}, "threads: expected an int"),
        ({"input_case": "x"}, "input_case 'x'"),
        ({"style": "x"}, "style 'x'"),
        ({"context": "x"}, "context 'x'"),
        ({"alignment": pa.array(["0-0"])}, "an alignment needs its source"),
        ({"context": "document", "source": pa.array(["a"])}, "sources go with the context line"),
    ],
)
def test_wrong_options(options, message, model):
    with pytest.raises(ValueError, match=message):
        model.column(pa.array(["a"]), **options)


# --- what nobody should offer --------------------------------------------------------------------


def numbers(kind, *values):
    return np.array(values, kind).tobytes()


def view(size, prefix=b"", buffer=0, offset=0):
    return numbers("i4", size) + prefix.ljust(4, b"\0") + numbers("i4", buffer, offset)


LONG = b"x" * 20
FAR = view(20, b"xxxx", 0, 0)
A = Raw(b"u", 1, None, numbers("i4", 0, 1), b"a")
HOSTILE = [
    (Raw(b"u", 2, None, numbers("i4", 0, 3, 1), b"abc"), "row 1 .* offsets fall"),
    (Raw(b"u", 1, None, numbers("i4", -5, 3), b"abc"), "row 0 .* offsets fall"),
    (Raw(b"U", 2, None, numbers("i8", 0, 2, -1), b"abc"), "row 1 .* offsets fall"),
    (Raw(b"u", 1, None, numbers("i4", 0, 3), None), "has no text"),
    (Raw(b"u", 1, None, None, b"abc"), "has no offsets"),
    (Raw(b"u", 1, None, numbers("i4", 0, 3)), "a chunk of string has 2 buffers"),
    (Raw(b"u", -1, None, numbers("i4", 0), b""), "has -1 rows from row 0"),
    (Raw(b"u", 1, None, numbers("i4", 0), b"", offset=-1), "has 1 rows from row -1"),
    (Raw(b"u", 2**62, None, numbers("i4", 0), b"", offset=2**62), "rows from row"),
    (Raw(None, 0), "does not tell its type"),
    (Raw(b"?", 0), "found '\\?'"),
    (Raw(b"", 0), "found ''"),
    (Raw(b"vu", 1, None, view(-1), LONG, numbers("i8", 20)), "views point outside"),
    (Raw(b"vu", 1, None, view(20, b"x", 1), LONG, numbers("i8", 20)), "views point outside"),
    (Raw(b"vu", 1, None, view(20, b"x", -1), LONG, numbers("i8", 20)), "views point outside"),
    (Raw(b"vu", 1, None, view(20, b"x", 0, 1), LONG, numbers("i8", 20)), "views point outside"),
    (Raw(b"vu", 1, None, view(20, b"x", 0, -1), LONG, numbers("i8", 20)), "views point outside"),
    (Raw(b"vu", 1, None, view(2**31 - 1, b"x", 0, 2**31 - 1), LONG, numbers("i8", 20)), "outside"),
    (Raw(b"vu", 1, None, FAR, None, numbers("i8", 20)), "views point outside"),
    (Raw(b"vu", 1, None, FAR, numbers("i8")), "views point outside"),
    (Raw(b"vu", 1, None, FAR, LONG, None), "does not tell how long its buffers are"),
    (Raw(b"vu", 1, None, None, LONG, numbers("i8", 20)), "has no views"),
    (Raw(b"c", 2, None, numbers("i1", 0, -1), dictionary=A), "row 1 .* no text -1 in"),
    (
        Raw(b"c", 2, None, numbers("i1", 0, 1), dictionary=A),
        "row 1 .* no text 1 in its dictionary of 1",
    ),
    (Raw(b"L", 1, None, numbers("u8", 2**64 - 1), dictionary=A), "no text 18446744073709551615"),
    (Raw(b"c", 1, None, None, dictionary=A), "has no numbers"),
    (Raw(b"c", 1, None, dictionary=A), "has 1 buffers"),
    (Raw(b"g", 1, None, LONG, dictionary=A), "expected text, found dictionary of string"),
]


@pytest.mark.parametrize(("array", "message"), HOSTILE)
def test_places_that_cannot_be(array, message, model):
    with pytest.raises(ColumnError, match=message):
        model.column(array)


def test_null_rows_may_be_nonsense(model):
    # A null's view, or its number in a dictionary, says nothing.
    views = Raw(b"vu", 2, b"\x02", view(-7) + view(1, b"a"), numbers("i8"))
    assert model.column(views).to_pylist() == [None, model("a")]
    coded = Raw(b"c", 2, b"\x02", numbers("i1", 99, 0), dictionary=A)
    assert model.column(coded).to_pylist() == [None, model("a")]


@pytest.mark.parametrize(
    ("valid", "ends", "text", "rows"),
    [
        (0b000, (5, 7, 16, 31), None, [None, None, None]),
        (0b000, (5, 7, 16, 2**31 - 1), b"", [None, None, None]),
        (0b010, (0, 9, 9, 2**31 - 1), None, [None, "", None]),
        (0b001, (0, 3, 2**31 - 2, 2**31 - 1), b"the", ["the", None, None]),
        (0b011, (0, 3, 7, 2**31 - 1), b"thepost", ["the", "post", None]),
    ],
)
@pytest.mark.parametrize("letters", [b"u", b"U"])
def test_null_rows_may_lie_outside_their_buffer(letters, valid, ends, text, rows, model):
    offsets = numbers("i8" if letters == b"U" else "i4", *ends)
    array = Raw(letters, 3, bytes([valid]), offsets, text)
    assert model.column(array).to_pylist() == cased(model, rows)


def test_nothing_may_have_no_buffers(model):
    for array in (Raw(b"u", 0, None, None, None), Raw(b"vu", 0, None, None, None)):
        assert model.column(array).to_pylist() == []


@pytest.mark.parametrize("n_before", [0, 5, 30_000])
def test_bytes_that_are_no_text(n_before, model):
    rows = [b"good \xc3\xa9"] * n_before + [b"bad \xff"]
    ends = np.cumsum([0, *map(len, rows)])
    array = Raw(b"u", len(rows), None, numbers("i4", *ends), b"".join(rows))
    with pytest.raises(ColumnError, match=f"row {n_before} of a chunk is not UTF-8"):
        model.column(array)


@pytest.mark.parametrize("kind", TYPES.values(), ids=TYPES)
def test_line_feeds_in_some_rows_and_in_what_is_null(kind, model):
    rows = ["mary took the bill", "the post\nof oslo", None, "a\n", "london", "", "\n"] * 3
    whole = pa.array(rows, kind)
    for begin in range(7):
        for end in range(begin, 16):
            part = whole[begin:end]
            assert model.column(part).to_pylist() == cased(model, rows[begin:end])
    ends = numbers("i4", 0, 3, 6, 10)
    array = Raw(b"u", 3, bytes([0b101]), ends, b"the" + b"\n\xff\n" + b"post")
    assert model.column(array).to_pylist() == cased(model, ["the", None, "post"])


@pytest.mark.parametrize("n_feeds", [1, 2])
@pytest.mark.parametrize("rows", [["a", "bc"], ["a\n", None, "", "\n\nb"], ["x\nyz", ""]])
def test_blocks_of_other_lines(n_feeds, rows):
    (chunk,) = InputColumn(pa.array(rows))
    block = lines_of_rows(chunk, 0, len(rows), n_feeds)
    texts, ends = texts_of_lines(chunk, 0, len(rows), block, n_feeds)
    found = [bytes(texts[a:b]).decode() for a, b in zip([0, *ends], ends, strict=False)]
    assert found == [row or "" for row in rows]
    with pytest.raises(ValueError, match="more than the case of a text"):
        texts_of_lines(chunk, 0, len(rows), block.strip(b"\n"), n_feeds)


@pytest.mark.parametrize("threads", [2, 3])
def test_small_chunks_in_threads(threads, model):
    for n in (1, 400, 1_000, 3_000):
        rows = [None if i % 11 == 5 else f"mary took bill {i} to london ." for i in range(n)]
        wanted = model.column(pa.array(rows)).to_pylist()
        assert model.column(pa.array(rows), threads).to_pylist() == wanted
        assert model.column(pa.array(rows).dictionary_encode(), threads).to_pylist() == wanted


def test_sources_that_are_no_text(bilingual):
    rows = pa.array(["a\nb", None, "c", "d"])
    ends = numbers("i4", 0, 1, 1, 2, 3)
    sources = Raw(b"u", 4, None, ends, b"x\xffz")
    with pytest.raises(ColumnError, match="source: row 2 of a chunk is not UTF-8"):
        bilingual.column(rows, source=sources)


def test_a_failing_stream(model):
    def batches():
        yield pa.record_batch({"a": ["x"]})
        raise RuntimeError("the disk is gone")

    class Offered:
        def __arrow_c_stream__(self, requested_schema=None):
            reader = pa.RecordBatchReader.from_batches(pa.schema({"a": pa.string()}), batches())
            return reader.__arrow_c_stream__()

    with pytest.raises(ColumnError, match="found struct"):
        model.column(Offered())


@pytest.mark.slow
def test_two_gigabytes_do_not_fit_into_string(model):
    # The last letter of each row takes a byte more in upper case; offsets of 32 bits do not reach
    # so far. Blanks take half the time of words.
    row = " " * 32_765 + "-ɐ"
    array = pa.array([row], pa.string())
    n = (2**31 - 1) // len(row.encode())
    assert n * (len(row.encode()) + 1) >= 2**31
    many = pa.DictionaryArray.from_arrays(pa.array(np.zeros(n, np.int16)), array).cast(pa.string())
    with pytest.raises(ColumnError, match="2 GiB or more, too many for string: cast the column to"):
        model.column(many, style="upper")
