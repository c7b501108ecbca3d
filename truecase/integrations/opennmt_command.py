"""``python -m``: case as OpenNMT's Tokenizer writes it, in and out."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import partial

from truecase.cli import main as run_main
from truecase.cli.commands import Command, read_step
from truecase.cli.flags import Flag
from truecase.integrations import opennmt

PROGRAM = f"python -m {__name__.removesuffix('_command')}"

_OPENNMT = f"""\
Write the case of tokenised text as OpenNMT's Tokenizer does, and read it back: as features of
words in lower case (C, L, U, M or N after each), or as markup between them
(mrk_case_modifier_C and the like). Words stand between spaces; each line comes out with one space
between its words.

examples:
  {PROGRAM} to-features < tokenised.en > features.en
  {PROGRAM} to-markup --soft-case-regions -i tokenised.en -o markup.en
  translate < markup.en | {PROGRAM} from-markup
"""


def _run(convert: Callable[[str], str], arguments: argparse.Namespace) -> None:
    from truecase.base.read import display_name
    from truecase.cli.transform import transform

    if getattr(arguments, "soft_case_regions", False):
        convert = partial(opennmt.to_markup, soft_regions=True)
    name = display_name(arguments.input)
    n_lines = 0

    def convert_lines(block: bytes) -> bytes:
        nonlocal n_lines
        first_line = n_lines + 1
        n_lines += block.count(b"\n")
        return opennmt.convert_block(convert, block, name, first_line)

    transform(convert_lines, arguments, "converting")


_SOFT = Flag(
    "one region for words in capitals that follow each other, also over numbers, marks and single "
    "letters",
    default=False,
)


def _step(convert: Callable[[str], str], summary: str, flags: str = "") -> Command:
    return Command(
        partial(_run, convert),
        flags={"options": f"input output encoding line-buffered quiet {flags}"},
        changes={"soft-case-regions": _SOFT._asdict()},
        summary=summary,
        help=summary[0].upper() + summary[1:],
    )


STEPS = {
    "": Command(help=_OPENNMT),
    "to-features": _step(opennmt.to_features, "words in lower case, the case behind each"),
    "from-features": _step(opennmt.from_features, "words in the case behind each"),
    "to-markup": _step(
        opennmt.to_markup, "words in lower case, markup between them", "soft-case-regions"
    ),
    "from-markup": _step(opennmt.from_markup, "words in the case of the markup"),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code of `truecase.cli.main`."""
    return run_main(argv, lambda words: read_step(STEPS, PROGRAM, words))
