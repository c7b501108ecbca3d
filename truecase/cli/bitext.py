"""Aligned text that commands learn from or judge by: their arguments, and how it is read."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

from truecase.cli.options import UsageError, size

if TYPE_CHECKING:
    from truecase.bilingual.aligned_lines import AlignedLines
    from truecase.bilingual.alignment_errors import SkippedLines
    from truecase.corpus.progress import Progress


def add_bitext(parser: argparse.ArgumentParser) -> None:
    """Arguments of training on aligned text."""
    group = parser.add_argument_group("with the presets bilingual and bilingual-fine")
    group.add_argument("--source", metavar="FILE", help="source side of the aligned text, cased")
    group.add_argument("--target", metavar="FILE", help="its target side, as many lines")
    group.add_argument(
        "--alignment",
        metavar="FILE",
        help="which of their words are aligned, in Pharaoh's form (0-0 1-2), the source's word "
        "first; `truecase align` makes it",
    )
    group.add_argument("--dev-source", metavar="FILE", help="source side of the --dev text")
    group.add_argument("--dev-alignment", metavar="FILE", help="its alignment")
    group.add_argument(
        "--skip-bad",
        action="store_true",
        help="do without the alignment of lines where it is broken, and say how many there were",
    )
    group.add_argument(
        "--source-language",
        metavar="CODE",
        default="",
        help="language of the source; only tr and az differ, in their dotted and dotless i",
    )
    group.add_argument(
        "--phrases",
        choices=("naive", "words"),
        default="naive",
        help="learn the weights of bilingual with phrases that the naive phrase aligner makes "
        "of the --dev text (default), or with its words' links as they are",
    )
    group.add_argument(
        "--table-size",
        metavar="SIZE",
        type=size,
        default=1_000_000,
        help="bytes for the translation tables of bilingual, part of --max-size; default: "
        "1 million",
    )


def check_bitext(arguments: argparse.Namespace) -> None:
    """Refuse arguments that do not go together, and files that are not there.

    Raises
    ------
    UsageError, OSError
    """
    if not arguments.preset.startswith("bilingual"):
        for name in ("source", "target", "alignment", "dev_source", "dev_alignment"):
            if getattr(arguments, name) is not None:
                raise UsageError(f"--{name.replace('_', '-')}: only the bilingual presets use it")
        if not arguments.corpus:
            raise UsageError("there is no CORPUS to train on")
        return
    for name in ("source", "target", "alignment"):
        if getattr(arguments, name) is None:
            raise UsageError(f"--preset {arguments.preset} needs --source, --target, --alignment")
    if (arguments.dev is None) != (arguments.dev_source is None):
        raise UsageError("--dev and --dev-source: each needs the other")
    if arguments.dev_alignment is not None and arguments.dev is None:
        raise UsageError("--dev-alignment needs --dev and --dev-source")
    for path in (arguments.source, arguments.target, arguments.alignment, arguments.dev_source):
        if path is not None and path != "-":
            with open(path, "rb"):
                pass


def read_bitext(
    source: str,
    target: str,
    alignment: str | None,
    skipped: SkippedLines | None = None,
    progress: Progress | None = None,
) -> Iterator[AlignedLines]:
    """The lines of three files side by side, in blocks."""
    from truecase.bilingual.aligned_lines import AlignedLines
    from truecase.bilingual.parallel import read_aligned

    for block, phrases in read_aligned(
        source, target, alignment, skipped=skipped, progress=progress
    ):
        yield AlignedLines(block.target, block.source, phrases)


def read_development(
    arguments: argparse.Namespace, skipped: SkippedLines | None = None
) -> AlignedLines | None:
    """The development text with its source, if there is one."""
    from truecase.bilingual.aligned_lines import AlignedLines

    if arguments.dev is None:
        return None
    parts = list(read_bitext(arguments.dev_source, arguments.dev, arguments.dev_alignment, skipped))
    return AlignedLines.join(parts) if parts else None
