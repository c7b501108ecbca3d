"""``truecase align``: word alignment of a bitext."""

from __future__ import annotations

import argparse

from truecase.cli.notes import add_quiet, shows_progress
from truecase.cli.options import add_encoding, language, whole_number

DESCRIPTION = """\
Align the words of a text with those of its translation, line by line, and write the links in
Pharaoh form (0-0 1-2: source word - target word, counted from 0), as bilingual training and
casing read it. Words are what stands between white space; punctuation and clitics are split off
while words are aligned, so the text need not be tokenised. Both texts are held in memory.

Needs eflomal or sil-thot (pip install 'truecase-crf[align]'). sil-thot needs no C compiler and
gives the same links each time, but takes twice as long. Other tools' alignments can be used, too.
"""

EPILOG = """\
examples:
  truecase align train.fr train.en -o train.align
  truecase align train.fr.gz train.en.gz -o train.align --source-language fr --target-language en
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("source", metavar="SOURCE", help="text, plain or compressed")
    parser.add_argument(
        "target", metavar="TARGET", help="its translation, line by line; - is standard input"
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        default="-",
        help="where to write; a file is put in place when it is complete; default: standard output",
    )
    parser.add_argument(
        "--segmentation",
        choices=("raw", "space"),
        default="raw",
        help="raw: any text; space: tokenised text; default: raw",
    )
    parser.add_argument(
        "--source-language",
        metavar="CODE",
        type=language,
        default="",
        help="language of the source, such as fr",
    )
    parser.add_argument(
        "--target-language",
        metavar="CODE",
        type=language,
        default="",
        help="language of the target, such as en",
    )
    parser.add_argument(
        "--seed",
        metavar="N",
        type=whole_number(1, 2**31 - 1),
        help="the same seed gives the same alignment; needs sil-thot",
    )
    add_encoding(parser)
    add_quiet(parser)


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from truecase.alignment.aligner_libraries import import_library
    from truecase.alignment.parallel import read_parallel
    from truecase.alignment.pharaoh import format_pharaoh
    from truecase.alignment.word_aligner import AlignerOptions, align_bitext
    from truecase.cli.streams import check_output, open_output
    from truecase.files.progress import Progress

    check_output(arguments.output, [arguments.source, arguments.target])
    options = AlignerOptions(
        segmentation=arguments.segmentation,
        source_language=arguments.source_language,
        target_language=arguments.target_language,
        seed=arguments.seed,
    )
    # Before anything is read, not after.
    import_library(options.libraries)
    with Progress.for_files([arguments.target], "reading", shows_progress(arguments)) as progress:
        links = align_bitext(
            read_parallel(
                arguments.source,
                arguments.target,
                progress=progress,
                encoding=arguments.encoding,
            ),
            options,
            progress.phase,
        )
    with open_output(arguments.output) as output:
        output.write(format_pharaoh(links))
    return 0
