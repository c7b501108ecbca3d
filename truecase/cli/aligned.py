"""Text with its source through a model, and the files of its alignment."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from truecase.cli.transform import BLOCK_SIZE, is_line_buffered, write_blocks

if TYPE_CHECKING:
    from truecase.alignment.lines import AlignedLines, Phrases
    from truecase.alignment.parallel import AlignmentFile
    from truecase.base.encoding import FileEncoding
    from truecase.base.progress import Progress


#: Cases lines with their sources and, if known, their alignment.
CaseAligned = Callable[[bytes, bytes, "Phrases | None"], bytes]

#: Options about the format of an alignment.
ALIGNMENT_FLAGS = "alignment threshold subwords source-subwords target-subwords soft-alignment"


def alignment_file(arguments: argparse.Namespace, side: str = "") -> AlignmentFile | None:
    """Make the alignment file of the options in `ALIGNMENT_FLAGS`.

    `side` is ``dev_`` for that of the development text, which has the same format.
    """
    path, source_subwords, target_subwords = (
        getattr(arguments, f"{side}{name}")
        for name in ("alignment", "source_subwords", "target_subwords")
    )
    if path is None or arguments.alignment is None:
        return None
    from truecase.alignment.parallel import AlignmentFile

    return AlignmentFile(
        path,
        arguments.subwords,
        source_subwords,
        target_subwords,
        is_soft=arguments.soft_alignment,
        threshold=arguments.threshold,
    )


def transform_aligned(case: CaseAligned, arguments: argparse.Namespace, label: str = "") -> None:
    """Write the text of ``--input``, cased with its source, in constant memory.

    Several threads may call `case`; `label` is the title of the progress bar.
    """
    from truecase.alignment.lines import SkippedLines
    from truecase.alignment.moses_trace import read_trace
    from truecase.alignment.parallel import Reading, read_aligned
    from truecase.base.threads import ordered_map

    skipped = SkippedLines() if arguments.skip_bad_alignments else None

    def case_lines(lines: AlignedLines) -> bytes:
        return case(lines.target, lines.source, lines.phrases)

    def cased(progress: Progress, found: FileEncoding) -> Iterator[bytes]:
        eager = is_line_buffered(arguments)
        reading = Reading(BLOCK_SIZE, eager, progress, arguments.encoding, found)
        texts = arguments.source, arguments.input
        if arguments.moses_trace:
            blocks = read_trace(*texts, reading, skipped=skipped)
        else:
            blocks = read_aligned(*texts, alignment_file(arguments), reading, skipped=skipped)
        return ordered_map(case_lines, blocks, arguments.threads, eager=True)

    write_blocks(cased, arguments, label)
    if skipped is not None:
        skipped.report()
