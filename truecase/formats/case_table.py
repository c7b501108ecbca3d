"""Cases tables from Python, with the same bytes as ``truecase table``."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable
from contextlib import closing
from functools import partial

from truecase.base.argument_types import check_arguments
from truecase.base.compression import suffix_of, write_file
from truecase.base.encoding import FileEncoding, TextEncoder
from truecase.base.progress import Progress
from truecase.base.read import STDIN, display_name, read_blocks
from truecase.base.threads import ordered_map
from truecase.errors import TableError, TableOptionError
from truecase.formats import tables
from truecase.formats.csv_rows import CsvRows
from truecase.formats.format import format_by_extension
from truecase.formats.json_rows import JsonRows
from truecase.formats.rows import CasedRows, case_rows, case_texts
from truecase.options import Casing, Context, InputCase, SentenceStart, StrPath, Style
from truecase.truecaser import Truecaser
from truecase.truecaser.column import missing_languages
from truecase.truecaser.multilingual import MultilingualTruecaser, loaded


def table_format(path: str) -> str:
    """The name of the format that a file's extension belongs to; TableOptionError if unknown."""
    found = format_by_extension(path, tables.TABLES)
    if found is None:
        raise TableOptionError(
            f"format: the name {display_name(path)} does not show it: give one of "
            f"{', '.join(tables.TABLES)}; save a workbook as CSV"
        )
    return found


def check_table_paths(path: str, output: str, format: str) -> None:
    """Raise TableOptionError for names that promise another format or compression."""
    kind = tables.TABLES[format].title
    promised = format_by_extension(output, tables.TABLES)
    if promised is not None and promised != format:
        raise TableOptionError(
            f"output: {output} would be {tables.TABLES[promised].title}, and the table stays {kind}"
        )
    if not tables.TABLES[format].is_binary:
        return
    if path == STDIN and format == "parquet":
        raise TableOptionError("input: Parquet is read from its end: give the name of a file")
    for name in (path, output):
        if suffix_of(name) is not None:
            raise TableOptionError(
                f"{name}: {kind} is compressed inside: give a name without {suffix_of(name)}"
            )


_SKIP = "; --skip-bad, in Python skip_bad=True, leaves such rows as they are"


def case_table_into(
    sink: tables.Sink,
    path: str,
    job: tables.TableJob,
    truecaser: Truecaser | MultilingualTruecaser,
    progress: Progress | None = None,
) -> tables.TableSummary:
    """Write a table with its columns cased; errors are those of `case_table`.

    `path` is ``-`` for standard input. `progress` counts bytes, rows and words.
    """
    summary = tables.TableSummary(job.kind.title)
    # Colons, offices and odds are as the truecaser has them.
    own = {"after_colon": None, "offices": None, "min_odds": None}
    truecaser = truecaser.with_casing(**{**job.casing._asdict(), **own})
    cased = _cased_text
    if job.kind.is_binary:
        try:
            from truecase.formats.arrow_files import cased_arrow as cased
        except ModuleNotFoundError:
            raise TableError(f"{summary.format} needs pyarrow: pip install pyarrow") from None
    with closing(cased(path, sink, job, truecaser, progress)) as written:
        for rows in written:
            for row in rows.bad:
                if not job.skip_bad:
                    raise TableError(f"{display_name(path)}: {row}{_SKIP}")
                summary.n_bad += 1
                summary.first_bad = summary.first_bad or str(row)
            summary.n_rows += rows.n_rows
            summary.n_changed += rows.n_changed
            if progress is not None:
                progress.add_rows(rows.n_rows)
                progress.add_words(rows.n_words)
    return summary


def case_table(
    path: StrPath,
    output: StrPath,
    columns: str | Iterable[str],
    model: Truecaser | MultilingualTruecaser | StrPath | None = None,
    *,
    source_columns: str | Iterable[str] = (),
    alignment_columns: str | Iterable[str] = (),
    confidence_columns: str | Iterable[str] = (),
    language_column: str | None = None,
    suffix: str | None = None,
    format: str | None = None,
    encoding: str | None = None,
    delimiter: str | None = None,
    header: bool = True,
    quotes: bool = True,
    input_case: InputCase = "evidence",
    style: Style = "sentence",
    sentence_start: SentenceStart = "always",
    context: Context = "line",
    skip_bad: bool = False,
    threads: int = 1,
) -> tables.TableSummary:
    """Case columns of a table; everything else stays.

    Parquet and Arrow IPC keep their other columns, types, metadata, row groups or batches and
    compression; JSON lines, CSV and TSV keep every byte outside of these texts. Memory does not
    grow with the number of rows; it does with the largest row group or batch.

    Parameters
    ----------
    path : path-like
        The table; JSON lines, CSV and TSV plain or compressed.
    output : path-like
        The new table, in the same format; may be `path`. It is written completely or not at all.
    columns : str or iterable of str
        Names of columns of text; of Parquet, Arrow IPC and JSON lines also paths such as
        ``meta.title`` and ``turns[].text``; of tables without a header, their numbers from 1.
    model : Truecaser or path-like, optional
        A truecaser, the path of a model, or the name of an installed one; ``en`` by default.
        ``auto``: for each row, the model of the installed languages in which it is likeliest.
    source_columns, alignment_columns : str or iterable of str
        For each of `columns`, the column of the sentences that its rows translate, and that of
        their alignments in Pharaoh's form.
    confidence_columns : str or iterable of str
        For each of `columns`, a new one with the probability of each row's least certain word.
        Parquet and Arrow IPC only.
    language_column : str, optional
        The column with the tag or name of each row's language. The language's installed model cases
        the row; `model` cases rows without a language, or in its own. A row whose language has no
        model is a bad one.
    suffix : str, optional
        Leave the columns unchanged, and write new ones whose names end in this. Parquet and Arrow
        IPC only.
    format : {"parquet", "arrow", "jsonl", "csv", "tsv"}, optional
        By default by the name of `path`.
    encoding : str, optional
        The character set of JSON lines, CSV and TSV; by default that of a byte order mark, or
        UTF-8.
    delimiter : str, optional
        The character between fields of CSV; a comma by default.
    header : bool
        The first row of CSV and TSV has the names of the columns.
    quotes : bool
        Fields of CSV and TSV may stand in quotation marks; otherwise quotation marks are text.
    input_case, style, sentence_start, context
        As for `truecase.options.Casing`.
    skip_bad : bool
        Leave rows that cannot be cased unchanged, and count them.
    threads : int
        The output does not depend on it.

    Returns
    -------
    TableSummary

    Raises
    ------
    TableOptionError
        Options contradict each other.
    TableError
        The table is broken, or lacks a column; the message names the row if there is one.
    OSError
        A file cannot be read or written.
    """
    check_arguments(case_table, locals())
    source, target = os.fspath(path), os.fspath(output)
    kind = format or table_format(source)
    lists = map(_names, (columns, source_columns, alignment_columns, confidence_columns))
    jobs = tables.column_jobs(*lists, language=language_column)
    casing = Casing(input_case, style, sentence_start, context)
    layout = (suffix, encoding, delimiter, header, quotes)
    job = tables.TableJob(kind, jobs, casing, *layout, skip_bad, threads)
    check_table_paths(source, target, kind)
    truecaser = loaded(model)
    with write_file(target) as packed:
        return case_table_into(packed, source, job, truecaser)


def _names(names: str | Iterable[str]) -> list[str]:
    return [names] if isinstance(names, str) else list(names)


_BLOCK_BYTES = 1 << 18


def _cased_text(
    path: str,
    sink: tables.Sink,
    job: tables.TableJob,
    truecaser: Truecaser | MultilingualTruecaser,
    progress: Progress | None,
) -> Generator[CasedRows, None, None]:
    """Case the rows of a text format; each block is written after it was yielded."""
    named = (
        name
        for one in job.columns
        for name in (one.column, one.source, one.alignment, one.language)
    )
    columns = list(dict.fromkeys(name for name in named if name is not None))
    reader: CsvRows | JsonRows
    if job.format == "jsonl":
        for one in job.columns:
            one.check_lists(lambda column: tables.ITEMS in tables.parse_path(column))
        reader = JsonRows(display_name(path), columns)
    else:
        delimiter = job.delimiter or job.kind.delimiter
        reader = CsvRows(display_name(path), columns, delimiter, job.has_header, job.has_quotes)
    found = FileEncoding()
    blocks = read_blocks(
        [path],
        _BLOCK_BYTES,
        ahead=job.threads == 1,
        progress=progress,
        encoding=job.encoding,
        found=found,
    )
    encoder = TextEncoder(found)
    case, missing = partial(case_texts, truecaser), partial(missing_languages, truecaser)
    for rows in ordered_map(
        lambda block: case_rows(block, job.columns, case, missing),
        reader.blocks(blocks),
        job.threads,
        eager=True,
    ):
        yield rows
        sink.write(encoder.encode(rows.data))
    sink.write(encoder.encode(b"", True))
