"""``truecase marks``: prepare text for translation systems of speech."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from truecase.cli.notes import add_quiet, shows_progress
from truecase.cli.options import add_input_output, add_line_buffered, add_step, add_threads

DESCRIPTION = """\
Prepare text for translation systems of speech, whose input has no marks, as SAMT does (Zollmann et
al. 2006): take the marks off the source side, and shift end marks of the target side in front of
their sentences, where the first word tells which it is; then shift them back in what was
translated. To put marks into text that has none, see truecase punctuate.
"""

EPILOG = """\
examples:
  truecase marks off < source.txt > spoken-source.txt
  truecase marks shift < target.txt > shifted.txt
  truecase marks back < translated.txt > readable.txt
"""

_STEPS = {
    "off": (
        "take the marks off",
        "Take off the marks around words. Signs within words stay (don't, 3.5), and so do signs "
        "that are read out (%, &).",
        '  echo "Well, is it 3.5 %?" | truecase marks off',
    ),
    "shift": (
        "shift end marks in front of their sentences",
        "Put each end mark in front of its sentence: a word of its own as it is, one that is "
        "joined to a word as ￭. (OpenNMT's sign), and ￭ alone before a sentence without one behind "
        "others. The step back gives the same bytes.",
        '  echo "how are you ? i am fine ." | truecase marks shift',
    ),
    "back": (
        "shift end marks behind their sentences",
        "Put marks that stand in front of sentences behind them. Every end mark that is a word of "
        "its own begins another sentence, wherever it stands.",
        '  echo "? how are you . i am fine" | truecase marks back',
    ),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    steps = parser.add_subparsers(dest="step", metavar="STEP", required=True)
    for name, (does, description, example) in _STEPS.items():
        step = add_step(steps, name, does, description, f"example:\n{example}\n")
        add_input_output(step)
        add_threads(step)
        add_line_buffered(step)
        add_quiet(step)


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from truecase.cli.transform import transform
    from truecase.errors import ShiftError
    from truecase.marks.shift import shift_back, shift_marks
    from truecase.marks.take_off import take_off_marks

    def of_block(numbered: tuple[int, bytes]) -> bytes:
        first_line, block = numbered
        text = block.decode("utf-8", "surrogateescape")
        if arguments.step == "shift":
            came = shift_marks(text, first_line)
        else:
            came = take_off_marks(text) if arguments.step == "off" else shift_back(text)
        return came.encode("utf-8", "surrogateescape")

    try:
        transform(
            of_block,
            arguments.input,
            arguments.output,
            threads=arguments.threads,
            line_buffered=arguments.line_buffered,
            encoding=arguments.encoding,
            label="marks",
            progress=shows_progress(arguments),
            regroup=_numbered,
        )
    except ShiftError as error:
        from truecase.base.read import display_name

        raise ShiftError(f"{display_name(arguments.input)}: {error}") from None
    return 0


def _numbered(blocks: Iterator[bytes]) -> Iterator[tuple[int, bytes]]:
    """Blocks with the numbers of their first lines."""
    line = 1
    for block in blocks:
        yield line, block
        line += block.count(b"\n")
