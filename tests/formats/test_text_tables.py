"""JSON lines, CSV and TSV through a model: in blocks, by several threads, with sources."""

import csv
import gzip
import io
import json

import pytest

from truecase import Truecaser, case_table
from truecase.errors import TableError

TEXTS = ["the post of london", "", "mary took the bill\nto oslo", 'the "bridge" is in lyon .']


def json_lines(rows):
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def csv_rows(rows):
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()


WRITES = {"jsonl": json_lines, "csv": csv_rows}


def read(path):
    data = path.read_bytes().decode()
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in data.split("\n") if line]
    return list(csv.DictReader(io.StringIO(data, newline="")))


@pytest.mark.parametrize("kind", WRITES)
def test_threads_and_blocks(kind, model, tmp_path):
    path, out = tmp_path / f"t.{kind}", tmp_path / f"out.{kind}"
    rows = [{"id": str(i), "text": TEXTS[i % 4], "more": "the london"} for i in range(20_000)]
    path.write_bytes(WRITES[kind](rows))
    assert path.stat().st_size > 1 << 19
    made = []
    for threads in (1, 3):
        summary = case_table(path, out, "text", model, threads=threads)
        assert (summary.n_rows, summary.n_changed) == (20_000, 15_000)
        made.append(out.read_bytes())
    assert made[0] == made[1]
    expected = [model(text) for text in TEXTS]
    assert read(out) == [{**row, "text": expected[i % 4]} for i, row in enumerate(rows)]
    path.write_bytes(path.read_bytes() + b'"\xff"\n')
    for threads in (1, 3):
        with pytest.raises(TableError, match=rf"t.{kind}: row 20001"):
            case_table(path, out, "text", model, threads=threads)
        assert out.read_bytes() == made[0]
        assert sorted(one.name for one in tmp_path.iterdir()) == [out.name, path.name]


@pytest.mark.parametrize("kind", WRITES)
def test_sources(kind, bilingual_model_file, tmp_path):
    model = Truecaser.load(bilingual_model_file)
    path, out = tmp_path / f"t.{kind}", tmp_path / f"out.{kind}"
    rows = [
        {"en": "the house of mary", "fr": "La Maison de Marie", "a": "0-0 1-1 2-2 3-3"},
        {"en": "mary came", "fr": "Marie vint", "a": "0-0"},
        {"en": "", "fr": "Marie", "a": ""},
        {"en": "the house", "fr": "", "a": ""},
        {"en": "the house", "fr": "Maison", "a": "9-9"},
    ]
    path.write_bytes(WRITES[kind](rows))
    options = {"source_columns": "fr", "alignment_columns": "a"}
    with pytest.raises(TableError, match=r"row 5.*: en: alignment: link '9-9'"):
        case_table(path, out, "en", model, **options)
    summary = case_table(path, out, "en", model, skip_bad=True, **options)
    assert (summary.n_rows, summary.n_bad) == (5, 1)
    expected = [
        model(row["en"], source=row["fr"], alignment=row["a"])
        if row["en"] and row["fr"]
        else model(row["en"])
        for row in rows[:4]
    ]
    assert read(out) == [{**row, "en": text} for row, text in zip(rows, expected, strict=False)] + [
        rows[4]
    ]
    case_table(path, out, "en", model, source_columns="fr")
    assert read(out)[1]["en"] == model("mary came", source="Marie vint")


def test_a_row_is_cased_whole_or_not(model, tmp_path):
    path, out = tmp_path / "t.csv", tmp_path / "out.csv"
    path.write_bytes(b"a,b\nthe london,mary\nthe london,mary \xff\n")
    for columns in (["a", "b"], ["b", "a"]):
        summary = case_table(path, out, columns, model, skip_bad=True)
        assert (summary.n_changed, summary.n_bad) == (2, 1)
        assert summary.first_bad == "row 2 (line 3): b: is not UTF-8: invalid start byte"
        made = [model("the london").encode(), model("mary").encode()]
        assert out.read_bytes() == b"a,b\n%s,%s\nthe london,mary \xff\n" % tuple(made)


@pytest.mark.parametrize("suffix", ["", ".gz", ".xz", ".bz2"])
def test_compressed(suffix, model, tmp_path):
    path, out = tmp_path / "t.jsonl.gz", tmp_path / f"out.jsonl{suffix}"
    path.write_bytes(gzip.compress(b'{"text": "the london"}\n'))
    case_table(path, out, "text", model)
    plain = tmp_path / "plain.jsonl"
    case_table(out, plain, "text", model, style="upper")
    assert plain.read_bytes() == b'{"text": "THE LONDON"}\n'
    path.write_bytes(path.read_bytes()[:-3])
    with pytest.raises(ValueError, match="data ends too early"):
        case_table(path, out, "text", model)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32-be", "cp1252"])
def test_encodings(encoding, model, tmp_path):
    path, out = tmp_path / "t.csv", tmp_path / "out.csv"
    text = "id,text\r\n\u00e9,the caf\u00e9 in london\r\n"
    path.write_bytes(text.encode(encoding))
    options = {} if encoding in ("utf-8-sig", "utf-16") else {"encoding": encoding}
    case_table(path, out, "text", model, **options)
    expected = text.replace("the caf\u00e9 in london", model("the caf\u00e9 in london"))
    assert out.read_bytes() == expected.encode(encoding)


def test_empty_files(model, tmp_path):
    for name, data in (("t.jsonl", b""), ("t.csv", b""), ("t.csv", b"text\n"), ("t.jsonl", b"\n")):
        path, out = tmp_path / name, tmp_path / f"out.{name}"
        path.write_bytes(data)
        assert case_table(path, out, "text", model).n_rows == 0
        assert out.read_bytes() == data
