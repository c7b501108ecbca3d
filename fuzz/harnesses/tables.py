"""Tables of every format: their texts are cased, and nothing else changes."""

from __future__ import annotations

import io
from collections.abc import Iterator

from draw import Draw
from judge import expect, one_line, only_case
from models import truecaser
from scratch import written

from truecase.errors import TruecaseError
from truecase.formats.case_table import case_table_into
from truecase.formats.tables import TableJob, column_jobs
from truecase.options import Casing

GUIDES = ("truecase.formats", "truecase.truecaser", "truecase.base")
MAX_LENGTH = 2500

_COLUMNS = ("text", "1", "2", "a.b", "turns[].text", "a[].b[].c", 'te"xt', "", "[]", "é", "a..b")
_COLUMNS += ("01", "a", "turns", "turns[]", "a.b.c")
_ENCODINGS = (None, None, None, "utf-8", "latin-1", "utf-16", "auto")
_FORMATS = ("csv", "jsonl", "tsv", "csv", "jsonl", "arrow", "parquet")


def check(data: bytes) -> None:
    draw = Draw(data)
    format = draw.choice(_FORMATS)
    column, beside = draw.choice(_COLUMNS), draw.byte()
    how = draw.byte()
    encoding = draw.choice(_ENCODINGS)
    columns = [column, _COLUMNS[beside // 16]][: 1 + beside // 8 % 2]
    sources = [_COLUMNS[beside // 2 % 4]] * len(columns) * (beside % 2)
    try:
        job = TableJob(
            format,
            column_jobs(columns, sources),
            Casing(context="document" if how & 1 else "line"),
            encoding=encoding if format not in ("arrow", "parquet") else None,
            delimiter=";" if how & 2 and format == "csv" else None,
            has_header=not how & 4 or format not in ("csv", "tsv"),
            has_quotes=not how & 8 or format not in ("csv", "tsv"),
            skip_bad=how & 16 != 0,
            threads=1 + how // 32 % 2,
        )
        before = draw.rest()
        path = written(f"x.{format}", before)
        sink = io.BytesIO()
        summary = case_table_into(sink, str(path), job, truecaser("bilingual"))
    except TruecaseError as error:
        one_line(error)
        return
    after = sink.getvalue()
    expect(summary.n_rows >= 0, "fewer rows than none")
    if format == "csv" and encoding in (None, "utf-8") and before[:1] not in _NO_TEXT:
        only_case(before, after, "the table")


# What compressed data and text with a byte order mark begin with.
_NO_TEXT = tuple(bytes([n]) for n in (*b"\x1f\xfdB(\xff\xfe", *range(0x50, 0x60)))


def seeds() -> Iterator[bytes]:
    csv = 'n,text,é\n1,"mary ""took"" us\nto new york",b\r\n2,the us bill,"c"\n\n3,x\n'.encode()
    json = (
        b'{"text":"mary took us to \\"new\\" york \\u00e9\\ud83d\\ude00","a":{"b":"c d"},'
        b'"n":1.5e3}\n'
        b'{"turns":[{"text":"the us bill"},{"text":null}],"a":[{"b":[{"c":"x"}]}],"text":[]}\n'
    )
    for column in range(len(_COLUMNS)):
        for how in (0, 1, 4, 16, 32):
            yield bytes((0, column, how, how, 0)) + csv
            yield bytes((1, column, 16 * (how % 3), how, 0)) + json
            yield bytes((2, column, 1, how, 0)) + csv.replace(b",", b"\t")
    yield bytes((0, 0, 0, 2, 0)) + csv.replace(b",", b";")
    yield bytes((0, 0, 0, 0, 5)) + csv.decode().encode("utf-16")
    yield bytes((1, 0, 0, 0, 0)) + b'{"text":' + b"[" * 1500
    yield from _of_pyarrow()


def _of_pyarrow() -> Iterator[bytes]:
    try:
        import pyarrow as pa
        import pyarrow.feather as feather
        import pyarrow.parquet as parquet
    except ImportError:
        return
    table = pa.table({"text": ["mary took us", None, "the us bill"], "n": [1, 2, 3]})
    for n in range(2):
        file = io.BytesIO()
        if n:
            parquet.write_table(table, file)
        else:
            feather.write_feather(table, file, "uncompressed")
        yield bytes((5 + n, 0, 0, 0, 0)) + file.getvalue()
