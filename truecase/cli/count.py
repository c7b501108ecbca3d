"""``truecase count``: count a text, or a part of one, into a file."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from truecase.cli.notes import add_quiet, note, shows_progress
from truecase.cli.options import add_encoding, add_segmentation, size, whole_number
from truecase.cli.recipe import with_flags
from truecase.cli.streams import check_model_output
from truecase.errors import UsageError

if TYPE_CHECKING:
    from truecase.training.count_files import About

DESCRIPTION = """\
Count a text that is too much for one run of `truecase train`, part by part and on any number of
machines. Which words begin sentences depends on the abbreviations and names of the whole text, so
there are two steps: first the words of each part, which `truecase merge` adds up; then, with the
words of all parts, each part's n-grams, which it adds up, too.

The model of merged counts is the one of the whole text, byte for byte, however the text was cut
and in whatever order its parts were merged.
"""

EPILOG = """\
examples:
  truecase count part1.txt.gz -o part1.words         # on each machine
  truecase merge part*.words -o all.words
  truecase count part1.txt.gz --words all.words -o part1.counts
  truecase merge part*.counts -o all.counts
  truecase train --counts all.counts -o en.truecase
  truecase count part1.txt --words all.words --order 5 --memory 2G -o part1.counts
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "corpus",
        metavar="CORPUS",
        nargs="+",
        help="text, one sentence or segment per line, plain or compressed (gz, xz, bz2, zst); - is "
        "standard input",
    )
    parser.add_argument(
        "-o", "--output", metavar="COUNTS", required=True, help="where the counts go"
    )
    parser.add_argument(
        "--words",
        metavar="FILE",
        help="the words of all parts, as `truecase merge` has added them up: count n-grams. "
        "Without it, words are counted",
    )
    parser.add_argument(
        "--order",
        metavar="N",
        type=whole_number(1, 5),
        help="with --words: length of the n-grams, 1 to 5; models can be made of this order or a "
        "lower one; default: 3",
    )
    text = parser.add_argument_group("the text; of n-grams it is read as for their words")
    add_segmentation(text)
    text.add_argument(
        "--clean",
        action="store_const",
        const=True,
        help="take out markup tags, and lines that are mostly in upper case",
    )
    add_encoding(text)
    parser.add_argument(
        "--memory",
        metavar="SIZE",
        type=size,
        help="memory to use, such as 2G; more goes to temporary files. The counts are the same",
    )
    add_quiet(parser)
    # What is not given is as usual for words, and as of the words for n-grams.
    parser.set_defaults(segmentation=None, language=None)


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from truecase.base.progress import Progress
    from truecase.errors import TrainingError
    from truecase.training.count_text import count_text

    check_model_output(arguments.output, [*arguments.corpus, arguments.words])
    with Progress.for_files(arguments.corpus, "counting", shows_progress(arguments)) as progress:
        try:
            about = count_text(
                arguments.corpus,
                arguments.output,
                words=arguments.words,
                order=arguments.order,
                segmentation=arguments.segmentation,
                language=arguments.language,
                clean=arguments.clean,
                memory=arguments.memory,
                progress=progress,
                encoding=arguments.encoding,
            )
        except TrainingError as error:
            raise UsageError(with_flags(str(error))) from None
    note(arguments, f"{arguments.output}: {told(about)}")
    return 0


def told(about: About) -> str:
    """What a file of counts holds, in a line."""
    lines = f"of {about.n_lines:,} lines"
    if about.n_junk:
        lines += f", {about.n_junk:,} left out"
    if about.kind == "words":
        return f"{about.n_words:,} words {lines}"
    return f"{about.n_ngrams:,} {about.order}-grams {lines}"
