"""Aligned text that a model is trained on: its arguments."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING

from truecase.cli.aligned import (
    ALIGNMENT_OPTIONS,
    add_alignment_form,
    alignment_file,
    check_alignment,
    refuse,
)
from truecase.cli.options import language, size
from truecase.errors import UsageError

if TYPE_CHECKING:
    from truecase.alignment.parallel import AlignmentFile
    from truecase.training.recipe import Recipe

_DEV_FILES = ("dev_source", "dev_alignment", "dev_source_subwords", "dev_target_subwords")

#: Options that name files that are read.
READ_FILES = (
    "source",
    "target",
    "alignment",
    "source_subwords",
    "target_subwords",
    *_DEV_FILES,
)


def add_bitext(parser: argparse.ArgumentParser) -> None:
    """Arguments of training on aligned text."""
    group = parser.add_argument_group("with the presets bilingual and bilingual-sparse")
    group.add_argument("--source", metavar="FILE", help="source side of the aligned text, cased")
    group.add_argument("--target", metavar="FILE", help="its target side, as many lines")
    group.add_argument(
        "--alignment",
        metavar="FILE",
        help="which of their words are aligned, in Pharaoh's form (0-0 1-2), the source's word "
        "first; `truecase align` makes it",
    )
    add_alignment_form(group)
    group.add_argument("--dev-source", metavar="FILE", help="source side of the --dev text")
    group.add_argument(
        "--dev-alignment", metavar="FILE", help="its alignment, written as the other one is"
    )
    group.add_argument(
        "--dev-source-subwords",
        metavar="FILE",
        help="with --subwords: source side of the --dev text as the system had it",
    )
    group.add_argument("--dev-target-subwords", metavar="FILE", help="the same of the --dev text")
    group.add_argument(
        "--skip-bad-alignments",
        action="store_true",
        help="do without the alignment of lines where it is broken, and say how many there were",
    )
    group.add_argument(
        "--source-language",
        metavar="CODE",
        type=language,
        help="language of the source; only tr and az differ, in their dotted and dotless i",
    )
    group.add_argument(
        "--phrases",
        choices=("naive", "words"),
        help="learn the weights of bilingual with phrases that the naive phrase aligner makes "
        "of the --dev text (default), or with its words' links as they are",
    )
    group.add_argument(
        "--table-size",
        metavar="SIZE",
        type=size,
        help="bytes for the translation tables of bilingual, part of --max-size; default: "
        "1 million",
    )


def check_bitext(arguments: argparse.Namespace, recipe: Recipe) -> None:
    """Refuse arguments that do not go together.

    Raises
    ------
    UsageError
    """
    if recipe.source is None:
        names = ("source", "target", *ALIGNMENT_OPTIONS, *_DEV_FILES, "skip_bad_alignments")
        refuse(arguments, names, ": only the bilingual presets use it")
        if not arguments.corpus and arguments.counts is None:
            raise UsageError("there is neither a CORPUS to train on nor --counts")
        return
    for name in ("source", "target", "alignment"):
        if getattr(arguments, name) is None:
            raise UsageError(f"--preset {arguments.preset} needs --source, --target, --alignment")
    if (arguments.dev is None) != (arguments.dev_source is None):
        raise UsageError("--dev and --dev-source: each needs the other")
    if arguments.dev_alignment is not None and arguments.dev is None:
        raise UsageError("--dev-alignment needs --dev and --dev-source")
    check_alignment(arguments)
    dev_subwords = (arguments.dev_source_subwords, arguments.dev_target_subwords)
    if arguments.subwords is None or arguments.dev_alignment is None:
        refuse(
            arguments,
            ("dev_source_subwords", "dev_target_subwords"),
            " needs --subwords and --dev-alignment",
        )
    elif None in dev_subwords:
        raise UsageError(
            "--subwords: the --dev-alignment needs --dev-source-subwords and --dev-target-subwords"
        )


def dev_alignment_file(arguments: argparse.Namespace) -> AlignmentFile | None:
    """The alignment of the development text, written as that of the training text is."""
    alignment = alignment_file(arguments)
    if arguments.dev_alignment is None or alignment is None:
        return None
    return replace(
        alignment,
        path=arguments.dev_alignment,
        source_subwords=arguments.dev_source_subwords,
        target_subwords=arguments.dev_target_subwords,
    )
