"""``truecase capitalize``: capitalise the first word of every sentence."""

from __future__ import annotations

import argparse

from truecase.cli.notes import add_quiet, shows_progress
from truecase.cli.options import (
    add_input_output,
    add_line_buffered,
    add_segmentation,
    add_threads,
)

DESCRIPTION = """\
Capitalise the first word of every sentence, also of the later ones in a line. Nothing is
lowercased: COVID and iPhone stay as they are. Opening quotes, brackets, bullets and numbers
such as "1." are skipped; the period of an abbreviation (mr., e.g., J.) ends no sentence.
This is the inverse of normalize, for the output of models trained on normalised text.
"""

EPILOG = """\
examples:
  echo '"why not?" he said. then mr. brown left.' | truecase capitalize
  truecase capitalize -i translated.txt -o final.txt -j 4
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_input_output(parser)
    add_segmentation(parser)
    add_threads(parser)
    add_line_buffered(parser)
    add_quiet(parser)


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from truecase.cli.transform import transform
    from truecase.smartcase.capitalize import Capitalizer

    transform(
        Capitalizer(arguments.segmentation, arguments.language),
        arguments.input,
        arguments.output,
        threads=arguments.threads,
        line_buffered=arguments.line_buffered,
        encoding=arguments.encoding,
        label="capitalising",
        progress=shows_progress(arguments),
    )
    return 0
