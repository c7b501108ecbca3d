"""``truecase table``: case columns of tables."""

from __future__ import annotations

import argparse

from truecase.base.progress import Progress, count_of
from truecase.base.read import display_name
from truecase.cli import model as models
from truecase.cli.commands import FILE_ARGUMENT, Command
from truecase.cli.streams import check_output, open_output
from truecase.cli.transform import given, note, shows_beside_output, writes_to_terminal
from truecase.errors import TableOptionError, UsageError
from truecase.formats.tables import TABLES, TableJob, TableSummary, column_jobs
from truecase.options import DEFAULT_CASING


def run(arguments: argparse.Namespace) -> None:
    """Run the command."""
    try:
        summary = _case(arguments)
    except TableOptionError as error:
        # The message begins with an option of `case_table`, which the command has, too.
        name = str(error).split(":")[0].split()[0]
        is_option = name in STEPS[""].options()
        raise UsageError(f"--{error}" if is_option else str(error)) from None
    note(arguments, f"truecase: {display_name(arguments.input)}: {_told(summary)}")


_FORMAT = f"the format of the table: {', '.join(TABLES)}; default: by its name"

STEPS = {
    "": Command(
        run,
        FILE_ARGUMENT,
        {
            "table": "input output column language-column source-column alignment-column "
            "confidence-column suffix skip-bad format encoding delimiter no-header no-quotes "
            "threads quiet",
            "model": "model lang decode-with names",
            "case": "input-case style context sentence-start after-colon offices min-odds",
        },
        {"format": {"choices": TABLES, "help": _FORMAT}},
    )
}


def _case(arguments: argparse.Namespace) -> TableSummary:
    job = _job(arguments)
    check_output(arguments.output)
    if job.kind.is_binary and writes_to_terminal(arguments):
        raise UsageError(f"--output: {job.kind.title} is nothing for a terminal: name a file")
    from truecase.formats.case_table import case_table_into

    model = models.auto_model(arguments) or models.require_truecaser(
        models.model_of(arguments),
        "table: models of Moses' truecaser case lines alone; use one of truecase",
    )
    if arguments.source_column:
        models.require_source_model(model)
    enabled = shows_beside_output(arguments)
    with (
        Progress.for_files([arguments.input], "casing", enabled) as progress,
        open_output(arguments.output) as output,
    ):
        return case_table_into(output, arguments.input, job, model, progress)


def _job(arguments: argparse.Namespace) -> TableJob:
    from truecase.formats.case_table import check_table_paths, table_format

    source = arguments.input
    kind = arguments.format or table_format(source)
    job = TableJob(
        kind,
        column_jobs(
            arguments.column,
            arguments.source_column,
            arguments.alignment_column,
            arguments.confidence_column,
            language=arguments.language_column,
        ),
        DEFAULT_CASING.but(**given(arguments, "input_case style sentence_start context")),
        has_header=not arguments.no_header,
        has_quotes=not arguments.no_quotes,
        **given(arguments, "suffix encoding delimiter skip_bad threads"),
    )
    check_table_paths(source, arguments.output, kind)
    return job


def _told(summary: TableSummary) -> str:
    told = (
        f"{summary.format}: {count_of(summary.n_rows, 'row')}, "
        f"{count_of(summary.n_changed, 'text')} changed"
    )
    if summary.n_bad:
        how = "it was" if summary.n_bad == 1 else "they were, the first"
        told += f"; {count_of(summary.n_bad, 'bad row')} left as {how}: {summary.first_bad}"
    return told
