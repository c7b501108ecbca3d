"""``truecase merge``: add up files of counts."""

from __future__ import annotations

import argparse

from truecase.cli.count import told
from truecase.cli.notes import add_quiet, note, shows_progress
from truecase.cli.streams import check_model_output

DESCRIPTION = """\
Add up files that `truecase count` has made: of words, or of n-grams that were counted with the
same words. The result is the file that counting the whole text at once makes, byte for byte,
however the text was cut and in whatever order its parts are given. Results can be merged again.

Words need memory for all of them, n-grams for a few thousand of each part.
"""

EPILOG = """\
examples:
  truecase merge part*.words -o all.words
  truecase merge part*.counts -o all.counts
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "part", metavar="PART", nargs="+", help="files of counts, all of words or all of n-grams"
    )
    parser.add_argument(
        "-o", "--output", metavar="COUNTS", required=True, help="where their sum goes"
    )
    add_quiet(parser)


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from truecase.base.progress import Progress
    from truecase.training.count_text import merge_counts

    check_model_output(arguments.output, arguments.part)
    with Progress.for_files(arguments.part, "merging", shows_progress(arguments)) as progress:
        about = merge_counts(arguments.part, arguments.output, progress=progress)
    note(arguments, f"{arguments.output}: {told(about)}")
    return 0
