"""Tables cased from Python, with the same bytes as by ``truecase table``."""

from __future__ import annotations

import os
from collections.abc import Iterable

from truecase.files.atomic import atomic_write
from truecase.files.compress import compressed, suffix_of
from truecase.files.progress import Progress
from truecase.files.read import STDIN
from truecase.options import Context, InputCase, SentenceStart, Style
from truecase.tables.arrow_sink import Sink
from truecase.tables.caser import ColumnCaser
from truecase.tables.errors import TableOptionError
from truecase.tables.job import BINARY, FORMATS, Casing, TableJob, column_jobs
from truecase.tables.pyarrow_here import import_pyarrow
from truecase.tables.summary import TableSummary
from truecase.tables.text_table import case_text_table
from truecase.truecaser import Truecaser

_EXTENSIONS = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".arrows": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
}


def table_format(path: str) -> str | None:
    """What a file is by its name, one of `FORMATS`, or None.

    Parameters
    ----------
    path : str
    """
    name = path.lower()
    suffix = suffix_of(name)
    _, extension = os.path.splitext(name.removesuffix(suffix or ""))
    return _EXTENSIONS.get(extension)


def check_table_paths(path: str, output: str, format: str) -> None:
    """Refuse names that promise something else than what is read and written.

    Raises
    ------
    TableOptionError
    """
    kind = FORMATS[format]
    promised = table_format(output)
    if promised is not None and promised != format:
        raise TableOptionError(
            f"output: {output} would be {FORMATS[promised]}, and the table stays {kind}"
        )
    if format not in BINARY:
        return
    if path == STDIN and format == "parquet":
        raise TableOptionError("input: Parquet is read from its end: give the name of a file")
    for name in (path, output):
        if suffix_of(name) is not None:
            raise TableOptionError(
                f"{name}: {kind} is compressed inside: give a name without {suffix_of(name)}"
            )


def case_table_into(
    sink: Sink, path: str, job: TableJob, truecaser: Truecaser, progress: Progress | None = None
) -> TableSummary:
    """Write a table with its columns cased.

    Parameters
    ----------
    sink : Sink
    path : str
        The table; ``-`` for standard input.
    job : TableJob
    truecaser : Truecaser
    progress : Progress, optional

    Raises
    ------
    TableError, OSError
        As `case_table`.
    """
    summary = TableSummary(FORMATS[job.format])
    if job.format not in BINARY:
        for piece in case_text_table(path, job, truecaser, summary, progress):
            sink.write(piece)
        return summary
    import_pyarrow(summary.format)
    caser = ColumnCaser(truecaser, job.casing, job.threads)
    if job.format == "parquet":
        from truecase.tables.parquet import case_parquet

        case_parquet(path, sink, job, caser, summary, progress)
    else:
        from truecase.tables.ipc import case_ipc

        case_ipc(path, sink, job, caser, summary, progress)
    return summary


def case_table(
    path: str | os.PathLike[str],
    output: str | os.PathLike[str],
    columns: str | Iterable[str],
    model: Truecaser | str | os.PathLike[str] | None = None,
    *,
    source_columns: str | Iterable[str] = (),
    alignment_columns: str | Iterable[str] = (),
    confidence_columns: str | Iterable[str] = (),
    suffix: str | None = None,
    format: str | None = None,
    encoding: str | None = None,
    delimiter: str | None = None,
    header: bool = True,
    quotes: bool = True,
    input_case: InputCase = "ignore",
    style: Style = "sentence",
    sentence_start: SentenceStart = "always",
    context: Context = "line",
    skip_bad: bool = False,
    threads: int = 1,
) -> TableSummary:
    """Case columns of a table; everything else stays.

    Parquet and Arrow IPC keep their other columns, types, metadata, row groups or batches and
    compression; JSON lines, CSV and TSV keep every byte outside of these texts. Memory does not
    grow with the number of rows; it does with the largest row group or batch.

    Parameters
    ----------
    path : path-like
        The table; JSON lines, CSV and TSV plain or compressed.
    output : path-like
        Where to write it, in the same format; may be `path`. It appears whole or not at all.
    columns : str or iterable of str
        Names of columns of text; of Parquet, Arrow IPC and JSON lines also paths such as
        ``meta.title`` and ``turns[].text``; of tables without a header, their numbers from 1.
    model : Truecaser or path-like, optional
        A truecaser, the path of a model, or the name of an embedded one; ``en`` by default.
    source_columns, alignment_columns : str or iterable of str
        For each of `columns`, that of the sentences that its rows are translations of, and of
        their alignments in Pharaoh's form.
    confidence_columns : str or iterable of str
        For each of `columns`, a new one with the probability of each row's least certain word.
        Parquet and Arrow IPC only.
    suffix : str, optional
        Leave the columns as they are, and write new ones whose names end in this. Parquet and
        Arrow IPC only.
    format : {"parquet", "arrow", "jsonl", "csv", "tsv"}, optional
        By default what the name says.
    encoding : str, optional
        Of JSON lines, CSV and TSV; by default as a byte order mark says, or UTF-8.
    delimiter : str, optional
        Of CSV, between fields; a comma by default.
    header : bool
        The first row of CSV and TSV has the names of the columns.
    quotes : bool
        Fields of CSV and TSV may stand in quotation marks; else these are text.
    input_case, style, sentence_start, context
        As for `truecase.Truecaser.column`.
    skip_bad : bool
        Leave rows that cannot be cased as they are, and count them.
    threads : int
        The output does not depend on it.

    Returns
    -------
    TableSummary

    Raises
    ------
    TableOptionError
        Options do not go together.
    TableError
        The table is not what it should be; the message names the row where it can.
    OSError
        A file cannot be read or written.
    """
    source, target = os.fspath(path), os.fspath(output)
    kind = format or table_format(source)
    if kind is None:
        raise TableOptionError(
            f"format: the name {source} does not tell it: give one of {', '.join(FORMATS)}"
        )
    job = TableJob(
        kind,
        column_jobs(*map(_names, (columns, source_columns, alignment_columns, confidence_columns))),
        Casing(input_case, style, sentence_start, context),
        suffix,
        encoding,
        delimiter,
        header,
        quotes,
        skip_bad,
        threads,
    )
    check_table_paths(source, target, kind)
    truecaser = model if isinstance(model, Truecaser) else Truecaser.load(model)
    with atomic_write(target) as file, compressed(file, target) as packed:
        return case_table_into(packed, source, job, truecaser)


def _names(names: str | Iterable[str]) -> list[str]:
    return [names] if isinstance(names, str) else list(names)
