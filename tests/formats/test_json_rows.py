"""JSON lines: each byte outside of the texts that are cased stays."""

import json

import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from truecase.errors import TableError
from truecase.formats.json_rows import N_CHECKED, JsonRows
from truecase.formats.rows import case_rows
from truecase.formats.tables import ITEMS, ColumnJob, parse_path, write_path


class Raises:
    """Stands for a caser: raises all letters of ASCII, or changes nothing."""

    def __init__(self, change=True):
        self._change = change

    def __call__(self, texts, sources=None, alignments=None):
        return [raised(text.decode()).encode() if self._change else text for text in texts]


def raised(text):
    return "".join(c.upper() if c.isascii() or c in "éä𐐨" else c for c in text)


def cased(data, *columns, change=True, cuts=()):
    """A file with its texts raised, and its bad rows, read in blocks of so many lines."""
    lines = data.splitlines(keepends=True)
    places = sorted({0, *(min(cut, len(lines)) for cut in cuts), len(lines)})
    blocks = [b"".join(lines[a:b]) for a, b in zip(places, places[1:], strict=False)]
    jobs = [ColumnJob(column) for column in columns]
    done = [
        case_rows(block, jobs, Raises(change))
        for block in JsonRows("t.jsonl", columns).blocks(b for b in blocks if b)
    ]
    return b"".join(one.data for one in done), [bad for one in done for bad in one.bad]


TEXT = st.text(
    st.sampled_from('aZ éäß𐐨\U0001f600"\\/\n\t\r\x08\x0c\0\u2028') | st.characters(codec="utf-8"),
    max_size=12,
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda below: (
        st.lists(below, max_size=4)
        | st.dictionaries(st.sampled_from(["a", "text", "b.c", "é", ""]), below, max_size=4)
    ),
    max_leaves=8,
)
ROWS = st.fixed_dictionaries(
    {"text": st.none() | TEXT},
    optional={
        "more": VALUES,
        "meta": st.none() | st.fixed_dictionaries({"title": TEXT}, optional={"x": VALUES}),
        "turns": st.lists(st.none() | st.fixed_dictionaries({"text": TEXT, "n": VALUES})),
        "embedding": st.lists(st.floats(), max_size=5),
    },
)


@st.composite
def files(draw):
    """Rows, and a file of them in any spelling."""
    rows = draw(st.lists(ROWS, min_size=1, max_size=8))
    lines = []
    for row in rows:
        separators = draw(st.sampled_from([(", ", ": "), (",", ":"), (" ,\t", " : ")]))
        line = json.dumps(row, ensure_ascii=draw(st.booleans()), separators=separators)
        if draw(st.booleans()):
            line = line.replace("/", "\\/").replace("\\u00e9", "\\u00E9")
        lines.append(draw(st.sampled_from(["", " ", "\t"])) + line)
    end = draw(st.sampled_from(["\n", "\r\n", "\n\n"]))
    text = end.join(lines) + draw(st.sampled_from(["", end]))
    return rows, text.encode("utf-8", "surrogatepass")


def in_place(row, path):
    """The row as a value, with the texts at a path raised."""
    if not path:
        return raised(row) if isinstance(row, str) else row
    if path[0] is ITEMS:
        return [in_place(item, path[1:]) for item in row] if isinstance(row, list) else row
    if not isinstance(row, dict) or path[0] not in row:
        return row
    return {**row, path[0]: in_place(row[path[0]], path[1:])}


@examples(150)
@given(file=files(), cuts=st.lists(st.integers(0, 8)))
def test_only_the_texts_change(file, cuts):
    rows, data = file
    columns = ["text"]
    # such as no row has would be an error
    columns += ["meta.title"] if any((row.get("meta") or 0) != 0 for row in rows) else []
    has_turn = any(turn for row in rows for turn in row.get("turns") or [])
    columns += ["turns[].text"] if has_turn else []
    assert cased(data, *columns, change=False, cuts=cuts) == (data, [])
    made, bad = cased(data, *columns, cuts=cuts)
    assert bad == []
    assert len(made) == len(data)
    expected = rows
    for column in columns:
        expected = [in_place(row, parse_path(column)) for row in expected]
    found = [json.loads(line) for line in made.split(b"\n") if line.strip()]
    assert repr(found) == repr(expected)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (rb'{"text": "caf\u00e9 \u00E9 \ud801\udc28 \n \/ \u0041 \"b\""}',
         rb'{"text": "CAF\u00c9 \u00C9 \ud801\udc00 \n \/ \u0041 \"B\""}'),
        (rb'{"text": "half \ud801 of a pair"}', rb'{"text": "HALF \ud801 OF A PAIR"}'),
        (rb'{"te\u0078t":"a","x":1e400,"y":-0.0E+7,"z":[ ]}',
         rb'{"te\u0078t":"A","x":1e400,"y":-0.0E+7,"z":[ ]}'),
        (b'{"turns":[null, null],"text":"a"}', b'{"turns":[null, null],"text":"A"}'),
        (b'{"text":"a","text":"b"}', b'{"text":"A","text":"B"}'),
        (b'{"other":{"text":"a"},"text":"a"}', b'{"other":{"text":"a"},"text":"A"}'),
    ],
)  # fmt: skip
def test_spellings(line, expected):
    assert cased(line + b"\n", "text") == (expected + b"\n", [])


BROKEN = [
    (b'{"text": "a"', "broken JSON at character 13"),
    (b'{"text": "a" "b"}', "broken JSON"),
    (b'{"text": "a",}', "broken JSON"),
    (b'{"text": "a"}}', "broken JSON"),
    (b'{"text": "a"} {}', "broken JSON"),
    (b'{"text": "\\x"}', "broken JSON"),
    (b'{"text": "a\tb"}', "broken JSON"),
    (b'{"n": 01, "text": "a"}', "broken JSON"),
    (b'{"n": [1, 2, "text": "a"}', "broken JSON"),
    (b'{"n": [1, 2}', "broken JSON"),
    (b'{"n": {"a": 1]}', "broken JSON"),
    (b'{"n": ' + b"[" * 101, "nested more than 100 deep"),
    (b'["a"]', "expected one JSON object a line, found an array"),
    (b'"text"', "found no object"),
    (b'{"text": 5}', "text: expected text, found a number"),
    (b'{"text": true}', "found a truth value"),
    (b'{"text": ["a"]}', "text: expected text, found a list; [] after its name"),
    (b'{"text": [1, 2]}', "found a list"),
    (b'{"text": {"a": 1}}', "found an object"),
    (b'{"text": {"a": "b"}, "n": ', "found an object"),
    (b'{"meta": "a"}', "meta.title: expected an object, found text"),
    (b'{"meta": [{"title": "a"}]}', "meta.title: expected an object, found a list"),
    (b'{"turns": {"text": "a"}}', "turns[].text: expected a list, found an object"),
    (b'{"turns": ["a"]}', "turns[].text: expected an object, found text"),
    (b'{"turns": [1, 2]}', "turns[].text: expected an object, found a list of numbers"),
]


@pytest.mark.parametrize(("line", "reason"), BROKEN)
def test_bad_rows_stay_and_are_named(line, reason):
    good = b'{"text": "a", "meta": {"title": "b"}, "turns": [{"text": "c"}]}\n'
    made, bad = cased(good + line + b"\n" + good, "text", "meta.title", "turns[].text")
    upper = good.replace(b'"a"', b'"A"').replace(b'"b"', b'"B"').replace(b'"c"', b'"C"')
    assert made == upper + line + b"\n" + upper
    assert [(one.row, one.line) for one in bad] == [(2, None)]
    assert reason in bad[0].reason
    assert str(bad[0]).startswith("row 2: ")


def test_columns_that_no_row_has():
    row = b'{"texts": "a", "meta": {"a.b": "c"}, "n": 1}\n'
    with pytest.raises(TableError, match="there is no column text; did you mean texts"):
        cased(row, "text")
    with pytest.raises(TableError, match=r"no column x; there are: texts, meta\.a\\\.b$"):
        cased(row, "x")
    with pytest.raises(TableError, match="in the first 10,000 rows"):
        cased(row * N_CHECKED, "x", cuts=range(0, N_CHECKED, 1000))
    with pytest.raises(TableError, match=r"no column meta\.c; did you mean"):
        cased(row, "meta.c")
    for line in (b'{"a": null}\n', b'{"a": []}\n', b'{"a": [null]}\n', b'{"a": [{"b": null}]}\n'):
        assert cased(line, "a[].b") == (line, [])
    with pytest.raises(TableError, match=r"no column a\[\]\.b; there is none at all"):
        cased(b'{"a": [{}]}\n', "a[].b")
    # null is a column without texts, and an empty table has any
    assert cased(b'{"text": null}\n', "text") == (b'{"text": null}\n', [])
    assert cased(b"\n \n", "text") == (b"\n \n", [])
    late = row * (N_CHECKED - 1) + b'{"x": "a"}\n'
    assert cased(late, "x", cuts=[9000])[0].endswith(b'{"x": "A"}\n')


@pytest.mark.parametrize(
    "row",
    [
        b'{"title":"caf\xe9"}',
        b'{"caf\xe9":"a","title":"b"}',
        b'{"\\u0061\xe9":"a","title":"b"}',
        b'{"title":"a","n":' + b"9" * 5000 + b"}",
    ],
)
def test_a_missing_column_among_rows_that_are_not_read(row):
    """Bytes that are no UTF-8 and numbers of many digits are refused where they are texts alone."""
    with pytest.raises(TableError, match=r"^t\.jsonl: there is no column text.*title"):
        cased(row + b"\n", "text")
    assert cased(row + b"\n", "title", change=False)[0] == row + b"\n"


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("text", ("text",)),
        ("meta.title", ("meta", "title")),
        ("turns[].text", ("turns", ITEMS, "text")),
        ("a[][]", ("a", ITEMS, ITEMS)),
        (r"a\.b\[\]\\", ("a.b[]\\",)),
        ("é ü", ("é ü",)),
    ],
)
def test_paths(text, path):
    assert parse_path(text) == path
    assert write_path(path) == text


@pytest.mark.parametrize(
    "text", ["", ".", "a.", ".a", "a..b", "a[", "a]b", "a[0]", "a\\", "[]", "[].a"]
)
def test_no_paths(text):
    with pytest.raises(TableError, match="is no path"):
        parse_path(text)


@examples(50)
@given(st.lists(st.text("a.[]\\é", min_size=1), min_size=1))
def test_any_path_can_be_written(names):
    assert parse_path(write_path(tuple(names))) == tuple(names)
