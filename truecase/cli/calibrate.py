"""``truecase calibrate``: make a model right as often as it says it is."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from truecase.cli.notes import add_quiet, note, shows_progress
from truecase.cli.options import add_encoding, add_threads
from truecase.cli.streams import check_model_output, naming_errors
from truecase.errors import UsageError

if TYPE_CHECKING:
    from truecase.training.calibration import TextFigures

DESCRIPTION = """\
Learn how often a model is right that says how sure it is of a word, on cased text that training has
not seen. A model is too sure of text that is unlike its training's, and of words to which it knows
one form only. The calibrated model cases as before; the probabilities change that --confidence,
--confidence-column and explain tell, and review goes by.

Give a text for each kind of text that the model is to case: every TEXT counts the same, however
long it is, and then the more, the worse its probabilities still are. Of each, the first 100,000
words with case are looked at.

A table on standard error tells, before and after, how sure the model is of each text in the mean
and the expected calibration error: the mean difference between probability and share of right words
among words that are about as probable. The last column is the error with weights that were learned
without the text; of a single text, each half with weights that were learned on the other.

What adapt makes, and what is left with --decode-with ngram or unigram, has other scores and no
calibration: calibrate an adapted model anew.
"""

EPILOG = """\
examples:
  truecase calibrate en news.txt manuals.txt web.txt.gz -o sure.truecase
  truecase calibrate my.truecase dev.txt -o my-sure.truecase
  truecase -m sure.truecase --confidence < in.txt
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("base", metavar="MODEL", help="the model to calibrate")
    parser.add_argument(
        "text",
        metavar="TEXT",
        nargs="+",
        help="cased text, a sentence or segment per line, plain or compressed; - is standard input",
    )
    parser.add_argument(
        "-o", "--output", metavar="MODEL", required=True, help="where the calibrated model goes"
    )
    add_encoding(parser)
    add_threads(parser)
    add_quiet(parser)


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from truecase.base.progress import Progress
    from truecase.model.model import Model
    from truecase.training.calibration import calibrate

    if len(set(arguments.text)) < len(arguments.text):
        raise UsageError("a text is given twice: every text counts the same")
    check_model_output(arguments.output, arguments.text)
    model = Model.load(arguments.base)
    with Progress.for_files(arguments.text, "reading", shows_progress(arguments)) as progress:
        calibrated = calibrate(
            model,
            arguments.text,
            threads=arguments.threads,
            progress=progress,
            encoding=arguments.encoding,
        )
    note(arguments, calibration_table(arguments.text, calibrated.texts))
    with naming_errors(arguments.output):
        calibrated.model.save(arguments.output)
    return 0


def calibration_table(names: Sequence[str], texts: Sequence[TextFigures]) -> str:
    """How sure the model is, how often it is right, and the errors, in %, a row for each text."""
    width = max(4, *(len(name) for name in names))
    rows = [
        f"{'':{width}}  {'':>9} {'':>7} {'before':>15} {'after':>15} {'left out':>9}",
        f"{'text':{width}}  {'words':>9} {'right':>7} {'sure':>7} {'error':>7} {'sure':>7} "
        f"{'error':>7} {'error':>9}",
    ]
    for name, one in zip(names, texts, strict=True):
        shares = (one.accuracy, one.before, one.error_before, one.after, one.error_after)
        cells = " ".join(f"{100 * share:7.2f}" for share in shares)
        rows.append(f"{name:{width}}  {one.words:9,} {cells} {100 * one.error_left_out:9.2f}")
    return "\n".join(rows) + "\n"
