"""Parquet and Arrow IPC: the columns of text change, and all else stays as it was."""

import datetime
import decimal

import pytest

from truecase import Truecaser, case_table
from truecase.errors import TableError, TableOptionError

pa = pytest.importorskip("pyarrow", reason="Parquet and Arrow IPC need pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

TEXTS = ["the post of london", None, "mary took the bill\nto oslo", "", "the bridge is in lyon ."]
N = len(TEXTS)
BESIDE = {
    "int8": pa.array([1, None, -3, 4, 5], pa.int8()),
    "uint32": pa.array([1, None, 3, 4, 2**32 - 1], pa.uint32()),
    "float": pa.array([1.5, None, float("nan"), -0.0, 5], pa.float32()),
    "bool": pa.array([True, None, False, True, True]),
    "binary": pa.array([b"the", None, b"\xff", b"", b"x"]),
    "fixed": pa.array([b"ab", None, b"cd", b"ef", b"gh"], pa.binary(2)),
    "decimal": pa.array([decimal.Decimal("1.10"), None, None, None, None], pa.decimal128(9, 2)),
    "date": pa.array([datetime.date(2020, 1, 2)] * N),
    "time": pa.array([datetime.time(1, 2, 3)] * N, pa.time64("us")),
    "when": pa.array([datetime.datetime(2020, 1, 2, 3)] * N, pa.timestamp("ns", "Europe/Oslo")),
    "other": pa.array(["the london"] * N),
    "kind": pa.array(["the", "mary", None, "the", "mary"]).dictionary_encode(),
    "list": pa.array([["the"], None, [], [None, "mary"], ["a", "b"]]),
    "struct": pa.array([{"a": 1, "b": "the"}, None, {"a": None, "b": None}, {"a": 2}, {"a": 3}]),
    "map": pa.array([[("the", 1)], None, [], [("a", 2)], []], pa.map_(pa.string(), pa.int64())),
    "vector": pa.array([[1.0, 2.0]] * N, pa.list_(pa.float64(), 2)),
    "none": pa.nulls(N),
    "large": pa.array(["the"] * N, pa.large_string()),
}
KINDS = ["string", "large_string"]
if int(pa.__version__.split(".")[0]) >= 20:
    KINDS.append("string_view")  # of which older versions know little more than the name
IPC = [(".arrow", "file"), (".arrow", "stream")]


def table_of(kind="string", **more):
    text = pa.array(TEXTS, getattr(pa, kind)())
    fields = {"id": pa.array(range(N)), "text": text, **BESIDE, **more}
    schema = pa.schema(
        [
            pa.field(name, array.type, metadata={"of": name} if name in ("id", "text") else None)
            for name, array in fields.items()
        ],
        {"pandas": '{"columns": []}', "own": "kept\0\xff"},
    )
    return pa.table(list(fields.values()), schema=schema)


def cased(model, texts=TEXTS, **options):
    return [None if text is None else model(text, **options) for text in texts]


def write_ipc(path, table, how, **options):
    new = pa.ipc.new_file if how == "file" else pa.ipc.new_stream
    with new(str(path), table.schema, options=pa.ipc.IpcWriteOptions(**options)) as writer:
        writer.write_table(table, max_chunksize=2)


def read_ipc(path, how):
    with pa.OSFile(str(path)) as file:
        return (pa.ipc.open_file if how == "file" else pa.ipc.open_stream)(file).read_all()


def check(given, made, model):
    """Only the column `text` is another one."""
    made.validate(full=True)
    assert made.schema.equals(given.schema, check_metadata=True)
    assert made["text"].to_pylist() == cased(model, given["text"].to_pylist())
    before, after = (table.drop_columns(["text"]).to_pydict() for table in (given, made))
    assert repr(after) == repr(before)


@pytest.mark.parametrize("kind", KINDS)
def test_parquet_keeps_every_type(kind, model, tmp_path):
    path, out = tmp_path / "t.parquet", tmp_path / "out.parquet"
    pq.write_table(table_of(kind), path, row_group_size=2)
    summary = case_table(path, out, "text", model)
    check(pq.read_table(path), pq.read_table(out), model)
    assert (summary.format, summary.n_rows, summary.n_changed, summary.n_bad) == (
        "Parquet",
        5,
        3,
        0,
    )
    groups = [pq.ParquetFile(one).metadata for one in (path, out)]
    for metadata in groups:
        assert [metadata.row_group(i).num_rows for i in range(3)] == [2, 2, 1]


@pytest.mark.parametrize(("suffix", "how"), IPC)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("codec", [None, "lz4", "zstd"])
def test_ipc_keeps_every_type(suffix, how, kind, codec, model, tmp_path):
    path, out = tmp_path / f"t{suffix}", tmp_path / f"out{suffix}"
    table = table_of(kind)
    write_ipc(path, table, how, compression=codec)
    assert case_table(path, out, "text", model).n_rows == N
    made = read_ipc(out, how)
    check(table, made, model)
    assert [len(chunk) for chunk in made["id"].chunks] == [2, 2, 1]
    # of the same size as pyarrow makes it of the same texts, and so of the same compression
    again = tmp_path / "again.arrow"
    write_ipc(again, made, how, compression=codec)
    assert abs(out.stat().st_size - again.stat().st_size) < 200


@pytest.mark.parametrize(
    "options",
    [
        {"compression": "NONE"},
        {"compression": "GZIP"},
        {"compression": "LZ4"},
        {"compression": {"id": "SNAPPY", "text": "ZSTD", "other": "BROTLI"}},
        {"use_dictionary": False},
        {"use_dictionary": ["text", "other"]},
        {"write_statistics": False},
        {"write_statistics": ["id", "text"]},
        {"data_page_version": "2.0"},
        {"version": "1.0"},
        {"version": "2.4"},
        {"store_schema": False},
        {"write_page_index": True},
        {"use_dictionary": False, "column_encoding": {"id": "DELTA_BINARY_PACKED"}},
        {"use_dictionary": False, "column_encoding": {"text": "DELTA_BYTE_ARRAY"}},
        {"use_deprecated_int96_timestamps": True},
        {"use_compliant_nested_type": False},
    ],
    ids=str,
)
def test_parquet_is_written_as_it_was(options, model, tmp_path):
    path, out = tmp_path / "t.parquet", tmp_path / "out.parquet"
    table = table_of().drop_columns(["when"])
    if "use_deprecated_int96_timestamps" in options:
        table = table.append_column("when", pa.array([0] * N, pa.timestamp("us")))
    pq.write_table(table, path, **options)
    case_table(path, out, "text", model)
    check(pq.read_table(path), pq.read_table(out), model)
    before, after = (pq.ParquetFile(one).metadata for one in (path, out))
    stored = [b"ARROW:schema" in (metadata.metadata or {}) for metadata in (before, after)]
    assert stored == [options.get("store_schema", True)] * 2
    assert (before.format_version == "1.0") == (after.format_version == "1.0")
    # The second page version is read off the pages: written again with the same option, the
    # columns that are not cased take the same bytes.
    for i in range(before.num_columns):
        one, other = (metadata.row_group(0).column(i) for metadata in (before, after))
        names = ["path_in_schema", "physical_type", "compression", "encodings", "is_stats_set"]
        names += ["has_dictionary_page", "has_offset_index"]
        if not one.path_in_schema.startswith("text"):
            names += ["total_compressed_size", "total_uncompressed_size"]
        for name in names:
            assert getattr(one, name) == getattr(other, name), (name, one.path_in_schema)


def test_sorting_columns(model, tmp_path):
    path, out = tmp_path / "t.parquet", tmp_path / "out.parquet"
    for columns, kept in (([0, 1], [0]), ([1, 0], []), ([0], [0])):
        sorting = [pq.SortingColumn(i) for i in columns]
        pq.write_table(table_of(), path, sorting_columns=sorting)
        case_table(path, out, "text", model)
        found = pq.ParquetFile(out).metadata.row_group(0).sorting_columns
        assert [one.column_index for one in found] == kept


@pytest.mark.parametrize("kind", KINDS)
def test_dictionaries(kind, model, tmp_path):
    texts = [TEXTS[i % N] for i in range(40)]
    given = pa.array(texts).dictionary_encode()
    dictionary = given.dictionary.cast(getattr(pa, kind)())
    table = pa.table({"text": pa.DictionaryArray.from_arrays(given.indices, dictionary)})
    # Parquet takes no views in dictionaries.
    for suffix, how in ((".parquet", ""), *IPC)[kind == "string_view" :]:
        path, out = tmp_path / f"t{how}{suffix}", tmp_path / f"out{how}{suffix}"
        if how:
            write_ipc(path, table, how)
        else:
            pq.write_table(table, path, row_group_size=16)
        case_table(path, out, "text", model)
        made = read_ipc(out, how) if how else pq.read_table(out)
        assert made.schema == (table if how else pq.read_table(path)).schema
        assert made["text"].to_pylist() == cased(model, texts)


def test_nested_texts(model, tmp_path):
    path, out = tmp_path / "t.parquet", tmp_path / "out.parquet"
    rows = [
        {
            "meta": {"title": "the london", "n": 1},
            "turns": [{"text": "mary"}, None],
            "tags": ["oslo"],
        },
        {"meta": None, "turns": None, "tags": []},
        {"meta": {"title": None, "n": None}, "turns": [], "tags": None},
        {"meta": {"title": "the\npost", "n": 3}, "turns": [{"text": None}], "tags": [None, "the"]},
    ]
    for large in (False, True):
        table = pa.Table.from_pylist(rows)
        if large:
            tags = table["tags"].cast(pa.large_list(pa.large_string()))
            table = table.set_column(2, "tags", tags)
        pq.write_table(table, path, row_group_size=3)
        case_table(path, out, ["meta.title", "turns[].text", "tags[]"], model)
        made = pq.read_table(out)
        made.validate(full=True)
        assert made.schema.equals(pq.read_table(path).schema, check_metadata=True)
        assert made.to_pylist() == [
            {
                "meta": None if row["meta"] is None else {
                    "title": cased(model, [row["meta"]["title"]])[0], "n": row["meta"]["n"]
                },
                "turns": None if row["turns"] is None else [
                    None if turn is None else {"text": cased(model, [turn["text"]])[0]}
                    for turn in row["turns"]
                ],
                "tags": None if row["tags"] is None else cased(model, row["tags"]),
            }
            for row in rows
        ]  # fmt: skip


def test_two_fields_of_one_struct(model, tmp_path):
    path, out = tmp_path / "t.parquet", tmp_path / "out.parquet"
    pq.write_table(pa.table({"m": [{"a": "the london", "b": "mary"}] * 3}), path)
    assert case_table(path, out, ["m.a", "m.b"], model).n_changed == 6
    assert (
        pq.read_table(out)["m"].to_pylist() == [{"a": model("the london"), "b": model("mary")}] * 3
    )


def test_new_columns(model, tmp_path):
    path, out = tmp_path / "t.parquet", tmp_path / "out.parquet"
    pq.write_table(table_of(), path, row_group_size=2, compression="zstd")
    case_table(path, out, "text", model, suffix="_cased", confidence_columns="sure")
    given, made = pq.read_table(path), pq.read_table(out)
    assert made.column_names == [*given.column_names, "text_cased", "sure"]
    assert made.drop_columns(["text_cased", "sure"]).equals(given) or repr(
        made.drop_columns(["text_cased", "sure"]).to_pydict()
    ) == repr(given.to_pydict())
    assert made["text_cased"].to_pylist() == cased(model)
    expected = model.column(pa.array(TEXTS), confidence=True).confidence.to_pylist()
    assert made["sure"].to_pylist() == expected
    assert made.schema.field("sure").type == pa.float64()
    assert made.schema.metadata == given.schema.metadata
    metadata = pq.ParquetFile(out).metadata
    assert {metadata.row_group(1).column(i).compression for i in range(metadata.num_columns)} == {
        "ZSTD"
    }
    for options in ({"suffix": "8"}, {"confidence_columns": "id"}):
        columns = "int" if "suffix" in options else "text"
        table = pa.table({"int": ["a"], "int8": ["b"], "text": ["c"], "id": [1]})
        pq.write_table(table, path)
        with pytest.raises(TableError, match="already"):
            case_table(path, out, columns, model, **options)


def test_empty_tables(model, tmp_path):
    table = table_of().slice(0, 0)
    path, out = tmp_path / "t.parquet", tmp_path / "out.parquet"
    pq.write_table(table, path)
    assert case_table(path, out, "text", model).n_rows == 0
    check(pq.read_table(path), pq.read_table(out), model)
    pq.ParquetWriter(path, table.schema).close()
    assert pq.ParquetFile(path).metadata.num_row_groups == 0
    case_table(path, out, "text", model)
    check(pq.read_table(path), pq.read_table(out), model)
    for suffix, how in IPC:
        path, out = tmp_path / f"t{suffix}", tmp_path / f"out{suffix}"
        write_ipc(path, table, how)
        case_table(path, out, "text", model)
        check(table, read_ipc(out, how), model)
        batch = pa.RecordBatch.from_arrays([pa.array([], pa.string())], ["text"])
        new = pa.ipc.new_file if how == "file" else pa.ipc.new_stream
        with new(str(path), batch.schema) as writer:
            writer.write_batch(batch)
        case_table(path, out, "text", model)
        assert read_ipc(out, how).num_rows == 0


def test_metadata_of_batches(model, tmp_path):
    path, out = tmp_path / "t.arrow", tmp_path / "out.arrow"
    batch = pa.RecordBatch.from_pydict({"text": ["the london"]})
    with pa.ipc.new_stream(str(path), batch.schema) as writer:
        writer.write_batch(batch, custom_metadata={"n": "1"})
        writer.write_batch(batch)
    case_table(path, out, "text", model)
    with pa.OSFile(str(out)) as file:
        found = list(pa.ipc.open_stream(file).iter_batches_with_custom_metadata())
    assert [
        None if one.custom_metadata is None else dict(one.custom_metadata) for one in found
    ] == [{b"n": b"1"}, None]


def test_threads_give_the_same_bytes(model, tmp_path):
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"text": TEXTS * 4000}), path, row_group_size=7000)
    outs = []
    for threads in (1, 3):
        outs.append(tmp_path / f"{threads}.parquet")
        case_table(path, outs[-1], "text", model, threads=threads)
    assert outs[0].read_bytes() == outs[1].read_bytes()


def test_in_place(model, tmp_path):
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"text": TEXTS}), path)
    case_table(path, path, "text", model)
    assert pq.read_table(path)["text"].to_pylist() == cased(model)


def broken_texts(rows):
    """A column in which the rows that are bytes are not UTF-8."""
    made = pa.array([row if isinstance(row, bytes) else row.encode() for row in rows], pa.binary())
    return pa.Array.from_buffers(pa.string(), len(made), made.buffers())


@pytest.mark.parametrize("suffix", [".parquet", ".arrow"])
def test_bad_rows(suffix, model, tmp_path):
    path, out = tmp_path / f"t{suffix}", tmp_path / f"out{suffix}"
    rows = ["the london", "mary", "oslo \xff", "the", b"\xff", "a"] * 3
    texts = broken_texts([row.encode("latin-1") if row == rows[2] else row for row in rows])
    table = pa.table({"text": texts, "title": ["the"] * len(rows)})
    if suffix == ".parquet":
        pq.write_table(table, path, row_group_size=4)
    else:
        write_ipc(path, table, "file")
    with pytest.raises(TableError) as error:
        case_table(path, out, ["title", "text"], model)
    told = f"{path}: row 3: text: is not UTF-8: invalid start byte"
    hint = "; --skip-bad, in Python skip_bad=True, leaves such rows as they are"
    assert str(error.value) == told + hint
    assert not out.exists()
    more = {"suffix": "_cased", "confidence_columns": ["a", "b"]}
    for options in ({}, more):
        summary = case_table(path, out, ["title", "text"], model, skip_bad=True, **options)
        assert (summary.n_rows, summary.n_bad) == (18, 6)
        assert summary.first_bad == "row 3: text: is not UTF-8: invalid start byte"
        made = pq.read_table(out) if suffix == ".parquet" else read_ipc(out, "file")
        new = "_cased" if options else ""
        bad = [i % 6 in (2, 4) for i in range(18)]
        binary = [value.as_py() for value in made["text" + new].cast(pa.binary())]
        given = [value.as_py() for value in table["text"].cast(pa.binary())]
        for i, row in enumerate(bad):
            assert binary[i] == (given[i] if row else model(given[i].decode()).encode())
            assert made["title" + new][i].as_py() == ("the" if row else "The")
            if options:
                assert (made["a"][i].as_py() is None) == row
                assert (made["b"][i].as_py() is None) == row
    broken = pa.DictionaryArray.from_arrays(pa.array([0, 1]), broken_texts(["a", b"\xff"]))
    write_ipc(tmp_path / "d.arrow", pa.table({"text": broken}), "stream")
    with pytest.raises(TableError, match="column text: its dictionary: is not UTF-8"):
        case_table(tmp_path / "d.arrow", out.with_suffix(".arrow"), "text", model, skip_bad=True)


def test_sources(bilingual_model_file, tmp_path):
    path, out = tmp_path / "t.parquet", tmp_path / "out.parquet"
    model = Truecaser.load(bilingual_model_file)
    rows = ["the house of mary", None, "mary came", "the house"]
    sources = ["La Maison de Marie", "x", "Marie vint", None]
    links = ["0-0 1-1 2-2 3-3", None, "0-0", "9-9"]
    table = pa.table({"en": rows, "meta": [{"fr": source} for source in sources], "a": links})
    pq.write_table(table, path, row_group_size=2)
    options = {"source_columns": "meta.fr", "alignment_columns": "a"}
    with pytest.raises(TableError, match=r"row 4: en: alignment: link '9-9'"):
        case_table(path, out, "en", model, **options)
    assert case_table(path, out, "en", model, skip_bad=True, **options).n_bad == 1
    sound = model.column(
        pa.array(rows[:3]), source=pa.array(sources[:3]), alignment=pa.array(links[:3])
    )
    assert pq.read_table(out)["en"].to_pylist() == [*sound.to_pylist(), "the house"]
    case_table(path, out, "en", model, source_columns=["meta.fr"])
    expected = model.column(pa.array(rows), source=pa.array(sources)).to_pylist()
    assert pq.read_table(out)["en"].to_pylist() == expected
    kinds = pa.table({"en": pa.array(rows).dictionary_encode(), "fr": sources})
    pq.write_table(kinds, path)
    with pytest.raises(TableError, match="column en is a dictionary"):
        case_table(path, out, "en", model, source_columns="fr")
    pq.write_table(kinds.rename_columns(["fr", "en"]), path)
    case_table(path, out, "en", model, source_columns="fr")
    expected = model.column(pa.array(sources), source=pa.array(rows)).to_pylist()
    assert pq.read_table(out)["en"].to_pylist() == expected


@pytest.mark.parametrize(
    ("column", "message"),
    [
        ("texts", "there is no column texts; did you mean text?"),
        ("struct.c", "there is no column struct.c; did you mean struct.b"),
        ("zzz", "there are: text, other, kind, list[], struct.b, "),
        ("int8", "column int8: expected text, found int8"),
        ("binary", "column binary: expected text, found binary: cast it to string"),
        ("list", "found list<element: string>; list[] leads to its items"),
        ("struct", "; struct.a is a field of it"),
        ("struct.a", "column struct.a: expected text, found int64"),
        ("map", "expected text, found map<string, int64"),
        ("vector[]", "there is no column vector[]"),
    ],
)
def test_columns_that_are_no_text(column, message, model, tmp_path):
    path, out = tmp_path / "t.parquet", tmp_path / "out.parquet"
    pq.write_table(table_of(), path)
    with pytest.raises(TableError) as error:
        case_table(path, out, column, model)
    assert message in str(error.value)
    assert str(error.value).startswith(f"{path}: ")
    assert not out.exists()


def test_columns_of_null_and_of_the_same_name(model, tmp_path):
    path, out = tmp_path / "t.arrow", tmp_path / "out.arrow"
    table = pa.table([["the"], pa.nulls(1), ["a"]], names=["a", "none", "a"])
    write_ipc(path, table, "file")
    case_table(path, out, "none", model, confidence_columns="sure")
    assert read_ipc(out, "file")["sure"].to_pylist() == [None]
    with pytest.raises(TableError, match="there are 2 columns a"):
        case_table(path, out, "a", model)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"columns": []}, "column: expected the name of at least one"),
        ({"columns": ["text", "text"]}, "column: one is named twice"),
        ({"source_columns": ["a", "b"]}, "source-column: expected one for each column, 1, found 2"),
        ({"alignment_columns": "a"}, "alignment-column: an alignment needs its source"),
        ({"source_columns": "text"}, "source-column: text is the column that is to be cased"),
        ({"columns": ["list[]"], "source_columns": "text"}, "source-column: list[] has any number"),
        ({"columns": ["list[]"], "confidence_columns": "x"}, "confidence-column: list[] has any"),
        ({"source_columns": "list[]"}, "source-column: list[] is a list"),
        ({"columns": ["struct.b"], "suffix": "_x"}, "suffix: struct.b is within another"),
        ({"suffix": ""}, "suffix: is empty"),
        ({"encoding": "latin-1"}, "encoding: Parquet is always in UTF-8"),
        ({"delimiter": ";"}, "delimiter: only CSV and TSV have this, not Parquet"),
        ({"header": False}, "no-header: only CSV"),
        ({"quotes": False}, "no-quotes: only CSV"),
        ({"format": "xlsx"}, "format 'xlsx': expected one of parquet"),
        ({"source_columns": "other", "context": "document"}, "context document: sources go"),
    ],
)
def test_options_that_do_not_go_together(options, message, model, tmp_path):
    path, out = tmp_path / "t.parquet", tmp_path / "out.parquet"
    pq.write_table(table_of(), path)
    with pytest.raises(TableOptionError) as error:
        case_table(path, out, **{"columns": "text", "model": model, **options})
    assert message in str(error.value)
    assert not out.exists()


def test_files_that_are_something_else(model, tmp_path):
    other = tmp_path / "other"
    for data, kind, message in (
        (b"id,text\n", "parquet", "cannot be read as Parquet"),
        (b"", "parquet", "cannot be read as Parquet"),
        (b"id,text\n", "arrow", "cannot be read as Arrow IPC"),
        (b"FEA1" + b"\0" * 20, "arrow", "is Feather of version 1"),
        (b"ARROW1\0\0" + b"\0" * 20, "arrow", "cannot be read as Arrow IPC"),
    ):
        other.write_bytes(data)
        with pytest.raises(TableError) as error:
            case_table(other, tmp_path / "out", "text", model, format=kind)
        assert message in str(error.value)
        assert "\n" not in str(error.value)
    for kind in ("parquet", "arrow"):
        for missing in (tmp_path / "none", tmp_path):
            with pytest.raises(OSError) as error:
                case_table(missing, tmp_path / "out", "text", model, format=kind)
            assert error.value.filename == str(missing)
    with pytest.raises(TableOptionError, match=r"format: the name .* does not show it"):
        case_table(other, tmp_path / "out", "text", model)
    for path, out, message in (
        ("t.parquet", "out.csv", "output: out.csv would be CSV, and the table stays Parquet"),
        ("t.parquet.gz", "out.parquet", "Parquet is compressed inside"),
        ("t.parquet", "out.parquet.zst", "Parquet is compressed inside"),
        ("-", "out.parquet", "read from its end"),
    ):
        with pytest.raises(TableOptionError, match=message):
            case_table(path, out, "text", model, format="parquet")


@pytest.mark.parametrize("suffix", [".parquet", ".arrow"])
def test_files_that_are_cut_short(suffix, model, tmp_path):
    path, out = tmp_path / f"t{suffix}", tmp_path / f"out{suffix}"
    table = pa.table({"text": TEXTS * 50})
    if suffix == ".parquet":
        pq.write_table(table, path)
    else:
        write_ipc(path, table, "stream")
    data = path.read_bytes()
    out.write_bytes(b"before")
    for end in (3, len(data) // 2, len(data) - 17):
        path.write_bytes(data[:end])
        with pytest.raises(TableError, match="cannot be read as"):
            case_table(path, out, "text", model)
        assert out.read_bytes() == b"before"


def test_offsets_that_lead_outside(model, tmp_path):
    path, out = tmp_path / "t.arrow", tmp_path / "out.arrow"
    offsets = pa.array([0, 3, 1 << 30, 6], pa.int32()).buffers()[1]
    texts = pa.Array.from_buffers(pa.string(), 3, [None, offsets, pa.py_buffer(b"the  a")])
    kinds = pa.DictionaryArray.from_arrays(pa.array([0, 1]), ["a", "b"])
    codes = pa.array([0, 7], pa.int64()).buffers()
    broken = pa.DictionaryArray.from_buffers(kinds.type, 2, codes, kinds.dictionary)
    within = pa.StructArray.from_arrays([broken_texts(["a", b"\xff"]), broken], ["a", "b"])
    for array in (texts, broken, within):
        for name in ("text", "other"):
            columns = [pa.array(["a"] * len(array)), array]
            table = pa.table(columns, names=["other" if name == "text" else "text", name])
            with pa.ipc.new_stream(str(path), table.schema) as writer:
                writer.write_table(table)
            for skip_bad in (False, True):
                with pytest.raises(TableError, match=r"cannot be read as Arrow IPC|expected text"):
                    case_table(path, out, "text", model, skip_bad=skip_bad)
                assert not out.exists()


def test_damaged_pages(model, tmp_path):
    path, out = tmp_path / "t.parquet", tmp_path / "out.parquet"
    pq.write_table(pa.table({"text": TEXTS * 50}), path, compression="zstd", row_group_size=100)
    data = bytearray(path.read_bytes())
    column = pq.ParquetFile(path).metadata.row_group(1).column(0)
    at = column.dictionary_page_offset
    data[at : at + column.total_compressed_size] = b"\xff" * column.total_compressed_size
    path.write_bytes(data)
    with pytest.raises(TableError, match="row group 2: cannot be read as Parquet"):
        case_table(path, out, "text", model)
    assert not out.exists()
