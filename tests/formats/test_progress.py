"""What is told while a table is cased: bytes, rows and words."""

import io

import pytest

from truecase.base.progress import Progress
from truecase.formats.case_table import case_table_into
from truecase.formats.tables import TableJob, column_jobs

ROWS = [["the post of london"], None, ["mary", None], []]


def told(path, kind, model, *columns):
    """Rows and words that a bar was told of, and what it showed."""
    with Progress.for_files([path], "casing", True) as progress:
        case_table_into(
            io.BytesIO(), str(path), TableJob(kind, column_jobs(columns)), model, progress
        )
        assert progress.n_bytes > 0
        return progress.n_rows, progress.n_words


def test_text(model, tmp_path, capsys):
    path = tmp_path / "t.csv"
    path.write_bytes(b"id,text\n1,the post\n2,\n3,mary took it\n")
    assert told(path, "csv", model, "text") == (3, 5)
    shown = capsys.readouterr().err
    assert "casing" in shown
    assert "rows/s" in shown
    assert "words/s" in shown
    path.write_bytes(b'{"text": "the post"}\n{"text": null}\n')
    assert told(path, "jsonl", model, "text") == (2, 2)


def test_arrow(model, tmp_path, capsys):
    pa = pytest.importorskip("pyarrow", reason="needs pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    texts = pa.array(["the post of london", None, "mary", ""])
    table = pa.table(
        {"text": texts, "kind": texts.dictionary_encode(), "list": ROWS, "none": pa.nulls(4)}
    )
    path = tmp_path / "t.parquet"
    pq.write_table(table, path, row_group_size=3)
    assert told(path, "parquet", model, "text", "kind", "list[]", "none") == (4, 17)
    with pa.ipc.new_file(str(path), table.schema) as writer:
        writer.write_table(table)
    assert told(path, "arrow", model, "text", "kind") == (4, 12)
    assert capsys.readouterr().err.count("rows/s") >= 2
