"""``truecase punctuate``: put marks and case into words that have neither."""

from __future__ import annotations

import argparse

from truecase.cli.commands import Command
from truecase.cli.model import model_of, require_truecaser
from truecase.cli.rules import UsageError
from truecase.cli.streams import open_output
from truecase.cli.transform import on_terminal, text_progress

DESCRIPTION = """\
Put commas, full stops and question marks between words that have none, and case the sentences: for
what comes out of speech recognition. Line breaks of the input may be anywhere, or nowhere; a blank
line ends a text. Marks that are there stay, and only what is missing is added: nothing but marks
and case changes, and the words come out in their order. Memory is that of some hundred words,
however long the text is.
"""

EXAMPLES = """\
examples:
  echo "so how are you today i am fine" | truecase punctuate
  truecase punctuate --lines sentences -i recognised.txt -o sentences.txt
  truecase punctuate --marks ".?" < recognised.txt
  truecase punctuate --input-case keep < names-are-cased.txt
"""


def run(arguments: argparse.Namespace) -> None:
    """Carry the command out."""
    from truecase.errors import ModelError
    from truecase.files.encoding import FileEncoding
    from truecase.files.read import read_pieces
    from truecase.truecaser.punctuation import Punctuation

    if arguments.marks is not None and not arguments.marks:
        raise UsageError("--marks names none: use truecase apply to case text only")
    model = require_truecaser(
        model_of(arguments), f"{arguments.model}: a model of Moses' truecaser puts no marks"
    )
    try:
        stream = Punctuation(
            model, arguments.lines, arguments.marks, arguments.input_case or "ignore"
        )
    except ModelError as error:
        raise ModelError(f"{arguments.model or 'en'}: {error}") from None
    is_typed = on_terminal(arguments)
    found = FileEncoding()
    with (
        text_progress(arguments, "punctuating") as progress,
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


STEPS = {
    "": Command(
        DESCRIPTION,
        EXAMPLES,
        run,
        flags={
            "text": "input output encoding lines quiet",
            "model": "model lang decode-with names",
            "what changes": "marks input-case",
        },
    )
}
