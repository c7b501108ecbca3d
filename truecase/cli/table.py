"""``truecase table``: case columns of tables."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, get_args

from truecase.cli.notes import add_quiet, note, shows_progress
from truecase.cli.options import (
    add_house_style,
    add_model,
    add_sentence_start,
    add_threads,
    encoding,
)
from truecase.cli.streams import STDOUT, check_output, open_output
from truecase.errors import TableOptionError, UsageError
from truecase.formats.tables import BINARY, TABLES
from truecase.options import Context, InputCase, Style

if TYPE_CHECKING:
    from truecase.formats.tables import TableJob, TableSummary


DESCRIPTION = """\
Restore the case of columns of text in a table. Everything else stays: of Parquet and Arrow IPC
the other columns, their types and order, metadata, row groups or batches, and compression; of JSON
lines, CSV and TSV every byte outside of these texts. Memory does not grow with the number of
rows; of Parquet and Arrow IPC it grows with the largest row group or batch.

  parquet   .parquet, .pq                 needs pyarrow
  arrow     .arrow, .arrows, .feather, .ipc, files and streams; needs pyarrow
  jsonl     .jsonl, .ndjson, .json        an object a line; plain or compressed
  csv, tsv  .csv, .tsv, .tab              RFC 4180; plain or compressed

A column is named as in the table, or, but for CSV and TSV, by the path to a text within it:
meta.title is a member of an object or struct, turns[].text one of each item of a list.
"""

EPILOG = """\
examples:
  truecase table in.parquet --column text -o out.parquet
  truecase table in.parquet --column text --column meta.title -o out.parquet -j 4
  truecase table in.parquet --column text --suffix _cased --confidence-column sure -o out.parquet
  truecase table talks.jsonl.gz --column 'turns[].text' -o cased.jsonl.gz
  truecase table mt.csv --column en --source-column fr -m fr-en -o cased.csv
  truecase table pairs.tsv --no-header --no-quotes --column 2 -o cased.tsv
  truecase table --format csv --delimiter ';' --column text < in.txt > out.txt
  zcat in.jsonl.gz | truecase table --format jsonl --column text --skip-bad | sender
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("file", metavar="FILE", nargs="?", help="the same as --input FILE")
    parser.add_argument(
        "-i",
        "--input",
        metavar="FILE",
        help="table to read; JSON lines, CSV and TSV also compressed (gz, xz, bz2, zst); default: "
        "standard input, but for Parquet and for files of Arrow IPC, which are read from their end",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        default=STDOUT,
        help="where to write, in the same format; may be the input. A file appears whole or not "
        "at all; JSON lines, CSV and TSV are compressed if its name ends in .gz, .xz, .bz2 or "
        ".zst; default: standard output",
    )
    parser.add_argument(
        "-c",
        "--column",
        metavar="NAME",
        action="append",
        required=True,
        help="a column of text; may be repeated",
    )
    parser.add_argument(
        "--source-column",
        metavar="NAME",
        action="append",
        default=[],
        help="the column of the sentences that the texts are translations of, with models that "
        "look at them; for several columns, one for each, in their order",
    )
    parser.add_argument(
        "--alignment-column",
        metavar="NAME",
        action="append",
        default=[],
        help="the column of the alignments of their words, in Pharaoh's form (0-0 1-2, the "
        "source's word first)",
    )
    parser.add_argument(
        "--suffix",
        metavar="TEXT",
        help="leave the columns as they are, and write new ones with this behind their names; "
        "Parquet and Arrow IPC only",
    )
    parser.add_argument(
        "--confidence-column",
        metavar="NAME",
        action="append",
        default=[],
        help="a new column of the probability of each row's least certain word; Parquet and Arrow "
        "IPC only",
    )
    parser.add_argument(
        "--skip-bad",
        action="store_true",
        help="leave rows that cannot be cased as they are, and count them at the end; else the "
        "first is an error that names it",
    )
    parser.add_argument(
        "--format",
        choices=TABLES,
        help=f"what the table is: {', '.join(TABLES)}; default: by its name",
    )
    parser.add_argument(
        "--encoding",
        metavar="NAME",
        type=encoding,
        help="character encoding of JSON lines, CSV and TSV, any that Python knows; the output "
        "has the same; default: as a byte order mark says, or UTF-8",
    )
    parser.add_argument(
        "--delimiter", metavar="SIGN", help="of CSV, what stands between fields; default: a comma"
    )
    parser.add_argument(
        "--no-header",
        action="store_true",
        help="the first row of CSV or TSV is one like the others; columns are named by their "
        "numbers, from 1",
    )
    parser.add_argument(
        "--no-quotes",
        action="store_true",
        help="quotation marks in CSV or TSV are text, and no field stands in them",
    )
    add_model(parser)
    add_threads(parser)
    parser.add_argument(
        "--input-case",
        choices=get_args(InputCase),
        help="what upper case in texts means, as for truecase apply; default: ignore",
    )
    parser.add_argument(
        "--style",
        choices=get_args(Style),
        metavar="STYLE",
        default="sentence",
        help="how texts come out, as for truecase apply; default: sentence",
    )
    parser.add_argument(
        "--context",
        choices=get_args(Context),
        default="line",
        help="line: each line of a text is one or more sentences (default); document: sentences "
        "run over the line ends of a text",
    )
    add_sentence_start(parser)
    add_house_style(parser)
    add_quiet(parser)


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    if arguments.file is not None and arguments.input is not None:
        raise UsageError("FILE and --input FILE are the same: give one")
    _check_style(arguments)
    source = arguments.file or arguments.input or "-"
    try:
        job = _job(arguments, source)
    except TableOptionError as error:
        raise UsageError(_of_option(error)) from None
    check_output(arguments.output)
    _check_terminal(arguments, job)
    from truecase.base.progress import Progress
    from truecase.base.read import display_name
    from truecase.cli import model as models
    from truecase.formats.case_table import case_table_into
    from truecase.truecaser import Truecaser

    model = models.load_model(
        arguments.model,
        arguments.decode_with,
        names=arguments.names,
        after_colon=arguments.after_colon,
        offices=arguments.offices,
    )
    if not isinstance(model, Truecaser):
        raise UsageError("table: models of Moses' truecaser case lines alone; use one of truecase")
    if arguments.source_column:
        models.require_source_model(model)
    try:
        with (
            Progress.for_files([source], "casing", _shows_progress(arguments)) as progress,
            open_output(arguments.output) as output,
        ):
            summary = case_table_into(output, source, job, model, progress)
    except TableOptionError as error:
        raise UsageError(_of_option(error)) from None
    note(arguments, f"truecase: {display_name(source)}: {_told(summary)}")
    return 0


def _job(arguments: argparse.Namespace, source: str) -> TableJob:
    """What is to be done.

    Raises
    ------
    TableOptionError, UsageError
    """
    from truecase.formats.case_table import check_table_paths, table_format
    from truecase.formats.tables import Casing, TableJob, column_jobs

    kind = arguments.format or table_format(source)
    if kind is None:
        what = "standard input has no name" if source == "-" else f"the name {source} does not"
        what += " that tells it" if source == "-" else " tell it"
        raise UsageError(f"--format: {what}: give one of {', '.join(TABLES)}")
    job = TableJob(
        kind,
        column_jobs(
            arguments.column,
            arguments.source_column,
            arguments.alignment_column,
            arguments.confidence_column,
        ),
        Casing(
            arguments.input_case or "ignore",
            arguments.style,
            arguments.sentence_start or "always",
            arguments.context,
        ),
        arguments.suffix,
        arguments.encoding,
        arguments.delimiter,
        not arguments.no_header,
        not arguments.no_quotes,
        arguments.skip_bad,
        arguments.threads,
    )
    check_table_paths(source, arguments.output, kind)
    return job


def _of_option(error: TableOptionError) -> str:
    """The message, as of an option of the command line."""
    message = str(error)
    name = message.split(":")[0].split()[0]
    return f"--{message}" if name in _OPTIONS else message


_OPTIONS = (
    "column source-column alignment-column confidence-column suffix format encoding delimiter "
    "no-header no-quotes context output input threads"
).split()


def _check_style(arguments: argparse.Namespace) -> None:
    """Refuse options that a style has no use for."""
    if arguments.style != "upper":
        return
    for name in (
        "source_column",
        "input_case",
        "decode_with",
        "sentence_start",
        "after_colon",
        "offices",
        "names",
    ):
        if getattr(arguments, name):
            option = f"--{name.replace('_', '-')}"
            raise UsageError(f"{option}: --style upper raises all letters whatever it says")
    if arguments.context == "document":
        raise UsageError("--context: --style upper raises all letters whatever it says")


def _check_terminal(arguments: argparse.Namespace, job: TableJob) -> None:
    if job.format in BINARY and _is_on_terminal(arguments):
        title = TABLES[job.format].title
        raise UsageError(f"--output: {title} is nothing for a terminal: name a file")


def _is_on_terminal(arguments: argparse.Namespace) -> bool:
    return arguments.output == STDOUT and sys.stdout is not None and sys.stdout.isatty()


def _shows_progress(arguments: argparse.Namespace) -> bool | None:
    """A bar and the table would overwrite each other on a terminal."""
    return False if _is_on_terminal(arguments) else shows_progress(arguments)


def _told(summary: TableSummary) -> str:
    """What was done, in one line."""
    rows = "row" if summary.n_rows == 1 else "rows"
    texts = "text" if summary.n_changed == 1 else "texts"
    told = f"{summary.format}: {summary.n_rows:,} {rows}, {summary.n_changed:,} {texts} changed"
    if summary.n_bad:
        bad = "row" if summary.n_bad == 1 else "rows"
        told += f"; {summary.n_bad:,} bad {bad} left as they were, the first: {summary.first_bad}"
    return told
