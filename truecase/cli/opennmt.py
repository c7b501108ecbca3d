"""``truecase opennmt``: case as OpenNMT's Tokenizer writes it, in and out."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial

from truecase.cli.notes import add_quiet, shows_progress
from truecase.cli.options import add_input_output, add_line_buffered
from truecase.errors import UsageError

DESCRIPTION = """\
Write the case of tokenised text as OpenNMT's Tokenizer does, and read it back: as features of
words in lower case (C, L, U, M or N after each), or as markup between them
(mrk_case_modifier_C and the like). Words stand between spaces; each line comes out with one space
between its words.
"""

EPILOG = """\
examples:
  truecase opennmt to-features < tokenised.en > features.en
  truecase opennmt to-markup --soft-case-regions -i tokenised.en -o markup.en
  translate < markup.en | truecase opennmt from-markup
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "step",
        metavar="STEP",
        choices=("to-features", "from-features", "to-markup", "from-markup"),
        help="to-features, from-features, to-markup or from-markup",
    )
    add_input_output(parser)
    parser.add_argument(
        "--soft-case-regions",
        action="store_true",
        help="for to-markup: one region for words in capitals that follow each other, also over "
        "numbers, marks and single letters",
    )
    add_line_buffered(parser)
    add_quiet(parser)


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from truecase.base.read import display_name
    from truecase.cli.transform import transform
    from truecase.compat import opennmt

    if arguments.soft_case_regions and arguments.step != "to-markup":
        raise UsageError(f"--soft-case-regions: {arguments.step} makes no regions")
    functions: dict[str, Callable[[str], str]] = {
        "to-features": opennmt.to_features,
        "from-features": opennmt.from_features,
        "to-markup": partial(opennmt.to_markup, soft_regions=arguments.soft_case_regions),
        "from-markup": opennmt.from_markup,
    }
    convert = functions[arguments.step]
    name = display_name(arguments.input)
    n_lines = 0

    def convert_lines(block: bytes) -> bytes:
        nonlocal n_lines
        first_line = n_lines + 1
        n_lines += block.count(b"\n")
        return opennmt.convert_block(convert, block, name, first_line)

    transform(
        convert_lines,
        arguments.input,
        arguments.output,
        line_buffered=arguments.line_buffered,
        encoding=arguments.encoding,
        label="converting",
        progress=shows_progress(arguments),
    )
    return 0
