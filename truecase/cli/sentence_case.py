"""``truecase sentence-case``: put titles of works into sentence case."""

from __future__ import annotations

import argparse

from truecase.cli.notes import add_quiet, shows_progress
from truecase.cli.options import UsageError, add_input_output, add_line_buffered, add_model

DESCRIPTION = """\
Put titles of books, papers and articles into sentence case, one title a line: names and
acronyms keep their capitals, other words lose those of Title Case. What a title's own case
tells is used: acronyms (BERT), inner capitals (iPhone, mRNA) and words in lower case stay as
they are. Titles in capitals, and titles of which every word has a capital, are cased by the
model alone. LaTeX mathematics and commands, what is between braces, addresses and tags stay
as they are.
"""

EPILOG = """\
examples:
  echo "A Survey Of Tone Recognition For Mandarin" | truecase sentence-case
  truecase sentence-case -i titles.txt -o cased.txt --after-colon lower
  truecase sentence-case --names products.txt < titles-in-capitals.txt
  echo "BERT in the United States: A Review" | truecase sentence-case --braces

From sentence case to Title Case: truecase --style title --input-case keep
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_input_output(parser)
    add_model(parser)
    parser.add_argument(
        "--after-colon",
        choices=("capital", "lower"),
        default="capital",
        help="whether the first word after a colon has a capital; default: capital",
    )
    parser.add_argument(
        "--braces",
        action="store_true",
        help="put braces round words that must keep their case, as BibTeX wants it: {BERT}, "
        "{Mandarin}",
    )
    add_line_buffered(parser)
    add_quiet(parser)


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from truecase.cli.model import load_model
    from truecase.cli.transform import transform
    from truecase.titles.sentence_case import SentenceCaser
    from truecase.truecaser import Truecaser

    model = load_model(arguments.model, arguments.decode_with, names=arguments.names)
    if not isinstance(model, Truecaser):
        raise UsageError(
            "sentence-case: models of Moses' truecaser do not say how sure they are; use a model "
            "of truecase"
        )
    caser = SentenceCaser(model, arguments.after_colon, arguments.braces)
    transform(
        caser.case_block,
        arguments.input,
        arguments.output,
        line_buffered=arguments.line_buffered,
        encoding=arguments.encoding,
        label="casing",
        progress=shows_progress(arguments),
    )
    return 0
