"""Text with its source through a model, and the files of its alignment."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from truecase.cli.transform import BLOCK_SIZE, count_words, is_line_buffered, text_progress

if TYPE_CHECKING:
    from truecase.alignment.alignment_file import AlignmentFile
    from truecase.alignment.errors import SkippedLines
    from truecase.alignment.parallel import ParallelBlock
    from truecase.alignment.phrases import Phrases
    from truecase.files.encoding import FileEncoding
    from truecase.files.progress import Progress

#: Cases lines with their sources and what is known of their alignment.
CaseAligned = Callable[[bytes, bytes, "Phrases | None"], bytes]

#: How an alignment is written.
ALIGNMENT_FLAGS = "alignment threshold subwords source-subwords target-subwords soft-alignment"


def alignment_file(arguments: argparse.Namespace, side: str = "") -> AlignmentFile | None:
    """Make the alignment file of the options in `ALIGNMENT_FLAGS`.

    Parameters
    ----------
    arguments : Namespace
    side : str
        ``dev_``: that of the development text, written as the other one is.
    """
    path, source_subwords, target_subwords = (
        getattr(arguments, f"{side}{name}")
        for name in ("alignment", "source_subwords", "target_subwords")
    )
    if path is None or arguments.alignment is None:
        return None
    from truecase.alignment.alignment_file import AlignmentFile

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

    Parameters
    ----------
    case : callable
        Must be usable from several threads.
    arguments : Namespace
        As for `truecase.cli.transform.transform`, and those of the source and its alignment.
    label : str
        What the progress bar says.
    """
    from truecase.alignment.errors import SkippedLines
    from truecase.cli.streams import open_output
    from truecase.files.encoding import FileEncoding
    from truecase.runtime.threads import ordered_map

    skipped = SkippedLines() if arguments.skip_bad_alignments else None

    def case_pair(pair: tuple[ParallelBlock, Phrases | None]) -> bytes:
        block, phrases = pair
        return case(block.target, block.source, phrases)

    found = FileEncoding()
    with (
        text_progress(arguments, label) as progress,
        open_output(arguments.output, found) as output,
    ):
        blocks = _read(arguments, skipped, progress, found)
        for block in ordered_map(case_pair, blocks, arguments.threads, eager=True):
            output.write(block)
            output.flush()
            count_words(block, progress)
    if skipped is not None:
        skipped.report()


def _read(
    arguments: argparse.Namespace,
    skipped: SkippedLines | None,
    progress: Progress,
    found: FileEncoding,
) -> Iterator[tuple[ParallelBlock, Phrases | None]]:
    from truecase.alignment.moses_trace import read_trace
    from truecase.alignment.parallel import read_aligned

    eager, encoding = is_line_buffered(arguments), arguments.encoding
    if arguments.moses_trace:
        yield from read_trace(
            arguments.source,
            arguments.input,
            BLOCK_SIZE,
            skipped=skipped,
            eager=eager,
            progress=progress,
            encoding=encoding,
            found=found,
        )
        return
    yield from read_aligned(
        arguments.source,
        arguments.input,
        alignment_file(arguments),
        BLOCK_SIZE,
        skipped=skipped,
        eager=eager,
        progress=progress,
        encoding=encoding,
        found=found,
    )
