"""``truecase punctuate``: put marks and case into words that have neither."""

from __future__ import annotations

import argparse

from truecase.base.encoding import FileEncoding
from truecase.base.read import read_pieces
from truecase.cli.commands import Command
from truecase.cli.model import auto_model, model_of, require_truecaser
from truecase.cli.streams import open_output
from truecase.cli.transform import on_terminal, text_progress, transform
from truecase.errors import UsageError, named


def run(arguments: argparse.Namespace) -> None:
    """Run the command."""
    from truecase.truecaser.punctuation import Punctuation

    if arguments.marks is not None and not arguments.marks:
        raise UsageError("--marks names none: use truecase apply to case text only")
    mixed = auto_model(arguments)
    if mixed is not None:
        from truecase.truecaser.document import document_blocks

        how = {name: getattr(arguments, name) for name in "lines marks input_case threads".split()}
        arguments.line_buffered, arguments.threads = None, 1
        transform(
            bytes,
            arguments,
            "punctuating",
            lambda text: mixed.punctuated(document_blocks(text), how),
        )
        return
    model = require_truecaser(
        model_of(arguments), f"{arguments.model}: a model of Moses' truecaser puts no marks"
    )
    with named(arguments.model or "en"):
        stream = Punctuation(model, arguments.lines, arguments.marks, arguments.input_case)
    is_typed = on_terminal(arguments)
    found = FileEncoding()
    with (
        text_progress(arguments, "punctuating") as progress,
        open_output(arguments.output, found) as output,
    ):
        pieces = read_pieces(
            arguments.input, progress=progress, encoding=arguments.encoding, found=found
        )
        for cased in stream.cased(pieces, arguments.threads):
            output.write(cased)
            if is_typed:
                output.flush()


STEPS = {
    "": Command(
        run,
        flags={
            "text": "input output encoding lines threads quiet",
            "model": "model lang decode-with names",
            "what changes": "marks input-case",
        },
    )
}
