"""``truecase align``, and alignments that other commands read with their text."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from truecase.cli.commands import Command
from truecase.cli.flags import Flag
from truecase.cli.transform import BLOCK_SIZE, file_progress, is_line_buffered, write_blocks
from truecase.errors import UsageError

if TYPE_CHECKING:
    from truecase.alignment.lines import AlignedLines, Phrases
    from truecase.alignment.parallel import AlignmentFile
    from truecase.base.encoding import FileEncoding
    from truecase.base.progress import Progress


def run(arguments: argparse.Namespace) -> None:
    """Run the command."""
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
    from truecase.cli.streams import check_model_output, check_output, open_output

    known_path = getattr(arguments, "with")
    if arguments.save is not None and arguments.save in ("-", arguments.output):
        raise UsageError("--save: give it a file of its own")
    texts = [arguments.source, arguments.target]
    check_output(arguments.output, [*texts, known_path])
    if arguments.save is not None:
        check_model_output(arguments.save, texts)
    options = AlignerOptions(
        segmentation=arguments.segmentation or "raw",
        source_language=arguments.source_language,
        target_language=arguments.target_language,
        seed=arguments.seed,
    )
    # Before the texts are read, not after.
    import_library(options.libraries if arguments.save is known_path is None else SAVING_LIBRARIES)
    known = None if known_path is None else SavedAligner.load(known_path)
    saved = None
    with file_progress(arguments, [arguments.target], "reading") as progress:
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


STEPS = {
    "": Command(
        run,
        {"source": Flag("SOURCE"), "target": Flag("TARGET")},
        {
            "text": "output segmentation source-language target-language encoding quiet",
            "alignment": "seed save with",
        },
        {"source-language": {"default": ""}, "target-language": {"default": ""}},
    )
}


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
