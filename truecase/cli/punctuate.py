"""``truecase punctuate``: put marks and case into words that have neither."""

from __future__ import annotations

import argparse
from typing import get_args

from truecase.cli.notes import add_quiet, shows_progress
from truecase.cli.options import add_input_output, add_model
from truecase.cli.streams import open_output
from truecase.errors import UsageError
from truecase.options import InputCase

DESCRIPTION = """\
Put commas, full stops and question marks between words that have none, and case the sentences: for
what comes out of speech recognition. Line breaks of the input may be anywhere, or nowhere; a blank
line ends a text. Marks that are there stay, and only what is missing is added: nothing but marks
and case changes, and the words come out in their order. Memory is that of some hundred words,
however long the text is.
"""

EPILOG = """\
examples:
  echo "so how are you today i am fine" | truecase punctuate
  truecase punctuate --lines sentences -i recognised.txt -o sentences.txt
  truecase punctuate --marks ".?" < recognised.txt
  truecase punctuate --input-case keep < names-are-cased.txt
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_input_output(parser)
    add_model(parser)
    parser.add_argument(
        "--lines",
        choices=("keep", "sentences"),
        default="keep",
        help="keep: white space stays as it is (default); sentences: a sentence per line, and an "
        "empty line between texts",
    )
    parser.add_argument(
        "--marks",
        metavar="MARKS",
        help="those of the model's marks that may be put, such as .?; default: all of them",
    )
    parser.add_argument(
        "--input-case",
        choices=get_args(InputCase),
        default="ignore",
        help="what upper case in the input means; see truecase apply; default: ignore",
    )
    add_quiet(parser)


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from truecase.base.encoding import FileEncoding
    from truecase.base.progress import Progress
    from truecase.base.read import read_pieces
    from truecase.cli.model import load_model
    from truecase.cli.transform import on_terminal
    from truecase.errors import ModelError
    from truecase.truecaser import Truecaser
    from truecase.truecaser.punctuation import Punctuation

    if arguments.marks is not None and not arguments.marks:
        raise UsageError("--marks names none: use truecase apply to case text only")
    model = load_model(arguments.model, decode_with=arguments.decode_with, names=arguments.names)
    if not isinstance(model, Truecaser):
        raise UsageError(f"{arguments.model}: a model of Moses' truecaser puts no marks")
    try:
        stream = Punctuation(model, arguments.lines, arguments.marks, arguments.input_case)
    except ModelError as error:
        raise ModelError(f"{arguments.model or 'en'}: {error}") from None
    is_typed = on_terminal(arguments.input, arguments.output)
    found = FileEncoding()
    with (
        Progress.for_files(
            [arguments.input], "punctuating", False if is_typed else shows_progress(arguments)
        ) as progress,
        open_output(arguments.output, found) as output,
    ):
        pieces = read_pieces(
            arguments.input, progress=progress, encoding=arguments.encoding, found=found
        )
        for piece in pieces:
            output.write(stream.push(piece))
            if is_typed:
                output.flush()
        output.write(stream.close())
    return 0
