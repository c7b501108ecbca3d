"""``truecase align``: word alignment of a bitext."""

from __future__ import annotations

import argparse

from truecase.cli.notes import add_quiet, shows_progress
from truecase.cli.options import add_encoding, language, whole_number
from truecase.errors import UsageError

DESCRIPTION = """\
Align the words of a text with those of its translation, line by line, and write the links in
Pharaoh form (0-0 1-2: source word - target word, counted from 0), as bilingual training and
casing read it. Words are what stands between white space; punctuation and clitics are split off
while words are aligned, so the text need not be tokenised. Chinese, Japanese or Thai, written
without spaces, must be segmented first. Both texts are held in memory.

Needs eflomal or sil-thot (pip install 'truecase-crf[align]'). sil-thot needs no C compiler and
gives the same links each time, but takes twice as long. Other tools' alignments can be used, too.
"""

EPILOG = """\
examples:
  truecase align train.fr train.en -o train.align
  truecase align train.fr.gz train.en.gz -o train.align --source-language fr --target-language en
  truecase align train.fr train.en -o train.align --save fr-en.aligner
  truecase align new.fr new.en -o new.align --with fr-en.aligner
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
    parser.add_argument(
        "--save",
        metavar="PATH",
        help="keep what this text tells in a file, to align other text with; needs eflomal",
    )
    parser.add_argument(
        "--with",
        dest="known",
        metavar="PATH",
        help="align with such a file, and cut the text into tokens as that one was; needs eflomal",
    )
    add_encoding(parser)
    add_quiet(parser)


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from truecase.alignment.link_formats import format_pharaoh
    from truecase.alignment.parallel import Reading, read_parallel
    from truecase.alignment.word_aligner import (
        SAVING_LIBRARIES,
        AlignerOptions,
        SavedAligner,
        align_bitext,
        import_library,
        learn_aligner,
    )
    from truecase.base.progress import Progress
    from truecase.cli.streams import check_model_output, check_output, open_output

    _check(arguments)
    texts = [arguments.source, arguments.target]
    check_output(arguments.output, [*texts, arguments.known])
    if arguments.save is not None:
        check_model_output(arguments.save, texts)
    options = AlignerOptions(
        segmentation=arguments.segmentation or "raw",
        source_language=arguments.source_language,
        target_language=arguments.target_language,
        seed=arguments.seed,
    )
    # Before anything is read, not after.
    import_library(
        options.libraries if arguments.save is arguments.known is None else SAVING_LIBRARIES
    )
    known = None if arguments.known is None else SavedAligner.load(arguments.known)
    saved = None
    with Progress.for_files([arguments.target], "reading", shows_progress(arguments)) as progress:
        reading = Reading(progress=progress, encoding=arguments.encoding)
        blocks = read_parallel(arguments.source, arguments.target, reading)
        if arguments.save is not None:
            links, saved = learn_aligner(blocks, options, progress.phase)
        elif known is not None:
            links = align_bitext(blocks, options, progress.phase, known=known)
        else:
            links = align_bitext(blocks, options, progress.phase)
    if saved is not None:
        saved.save(arguments.save)
    with open_output(arguments.output) as output:
        output.write(format_pharaoh(links))
    return 0


def _check(arguments: argparse.Namespace) -> None:
    """Refuse options that do not go together, or would do nothing."""
    if arguments.save is None and arguments.known is None:
        return
    if arguments.seed is not None:
        raise UsageError("--seed: needs sil-thot, but --save and --with need eflomal")
    if arguments.known is None:
        if arguments.save in ("-", arguments.output):
            raise UsageError("--save: give it a file of its own")
        return
    if arguments.save is not None:
        raise UsageError("--save does not go together with --with: one text makes a file")
    for name in ("segmentation", "source_language", "target_language"):
        if getattr(arguments, name):
            raise UsageError(f"--{name.replace('_', '-')}: with --with it is that of the file")
