"""Tables that are text, JSON lines, CSV and TSV: block by block, in several threads."""

from __future__ import annotations

from collections.abc import Iterator

from truecase.base.encoding import FileEncoding, TextEncoder
from truecase.base.progress import Progress
from truecase.base.read import display_name, iter_blocks, read_blocks
from truecase.base.threads import ordered_map
from truecase.tables.caser import ColumnCaser
from truecase.tables.csv_rows import CsvRows
from truecase.tables.errors import BadRows
from truecase.tables.job import TableJob
from truecase.tables.json_rows import JsonRows
from truecase.tables.row_blocks import case_rows
from truecase.tables.summary import TableSummary
from truecase.truecaser import Truecaser

_BLOCK_BYTES = 1 << 18


def case_text_table(
    path: str,
    job: TableJob,
    truecaser: Truecaser,
    summary: TableSummary,
    progress: Progress | None = None,
) -> Iterator[bytes | memoryview]:
    """The bytes of a file with its texts cased, in pieces.

    Parameters
    ----------
    path : str
        The file, plain or compressed; ``-`` for standard input.
    job : TableJob
    truecaser : Truecaser
    summary : TableSummary
        Complete when all pieces are there.
    progress : Progress, optional
        Told of bytes, rows and words.
    """
    found = FileEncoding()
    read = iter_blocks if job.threads > 1 else read_blocks
    blocks = read([path], _BLOCK_BYTES, progress=progress, encoding=job.encoding, found=found)
    caser = ColumnCaser(truecaser, job.casing)
    bad = BadRows(display_name(path), job.skip_bad)
    encoder = TextEncoder(found)
    cased = ordered_map(
        lambda block: case_rows(block, job.columns, caser),
        _reader(path, job).blocks(blocks),
        job.threads,
        eager=True,
    )
    for rows in cased:
        for row in rows.bad:
            bad.add(row)
        yield encoder.encode(rows.data)
        summary.add(rows.n_rows, rows.n_changed, bad)
        if progress is not None:
            progress.add_rows(rows.n_rows)
            progress.add_words(rows.n_words)
    yield encoder.encode(b"", True)


def _reader(path: str, job: TableJob) -> JsonRows | CsvRows:
    columns: dict[str, None] = {}
    for one in job.columns:
        for column in (one.column, one.source, one.alignment):
            if column is not None:
                columns[column] = None
    name = display_name(path)
    if job.format == "jsonl":
        return JsonRows(name, list(columns))
    delimiter = "\t" if job.format == "tsv" else job.delimiter or ","
    return CsvRows(name, list(columns), delimiter, job.has_header, job.has_quotes)
