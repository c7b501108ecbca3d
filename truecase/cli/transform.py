"""Text through a function, alone or beside its source, and messages on standard error."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from truecase.base.encoding import FileEncoding
from truecase.base.progress import Progress
from truecase.base.read import STDIN, read_blocks
from truecase.base.threads import ordered_map
from truecase.cli.streams import STDOUT, complain, open_output

if TYPE_CHECKING:
    from truecase.alignment.lines import AlignedLines
    from truecase.alignment.parallel import AlignmentFile, Reading

# Some ten milliseconds of work: threads are busy, and few bytes are under way.
BLOCK_SIZE = 1 << 18


def shows_progress(arguments: argparse.Namespace) -> bool | None:
    """Return `enabled` of `Progress`: False for --quiet, else None (only on a terminal)."""
    return False if arguments.quiet else None


def shows_beside_output(arguments: argparse.Namespace) -> bool | None:
    """Return `enabled` of `Progress`, False if the bar and the output share a terminal."""
    return False if writes_to_terminal(arguments) else shows_progress(arguments)


def writes_to_terminal(arguments: argparse.Namespace) -> bool:
    """Whether somebody can read the output as it is written."""
    return arguments.output == STDOUT and sys.stdout is not None and sys.stdout.isatty()


def on_terminal(arguments: argparse.Namespace) -> bool:
    """Whether somebody types the text or reads along."""
    types = arguments.input == STDIN and sys.stdin is not None and sys.stdin.isatty()
    return types or writes_to_terminal(arguments)


def is_line_buffered(arguments: argparse.Namespace) -> bool:
    """Whether each line is read and written at once; the default if a terminal is involved."""
    chosen: bool | None = arguments.line_buffered
    return on_terminal(arguments) if chosen is None else chosen


def file_progress(arguments: argparse.Namespace, paths: Sequence[str], label: str) -> Progress:
    """Make the progress of work that reads these files."""
    return Progress.for_files(paths, label, shows_progress(arguments))


def text_progress(arguments: argparse.Namespace, label: str) -> Progress:
    """Make the progress of reading ``--input``, hidden where somebody types or reads along."""
    enabled = False if on_terminal(arguments) else shows_progress(arguments)
    return Progress.for_files([arguments.input], label, enabled)


def reading(arguments: argparse.Namespace, progress: Progress, found: FileEncoding) -> Reading:
    """Say how several texts are read side by side."""
    from truecase.alignment.parallel import Reading

    eager = is_line_buffered(arguments)
    return Reading(BLOCK_SIZE, eager, progress, arguments.encoding, found)


def given(arguments: argparse.Namespace, names: str) -> dict[str, Any]:
    """Name the values of options that are not None, for a function with these parameters."""
    values = {name: getattr(arguments, name) for name in names.split()}
    return {name: value for name, value in values.items() if value is not None}


def note(arguments: argparse.Namespace, text: str) -> None:
    """Write whole lines to standard error, unless there is ``--quiet``."""
    if text and not arguments.quiet:
        complain(text if text.endswith("\n") else text + "\n")


def transform(
    function: Callable[[Any], Any],
    arguments: argparse.Namespace,
    label: str = "",
    regroup: Callable[[Iterator[bytes]], Iterator[Any]] | None = None,
    finish: Callable[[Any], bytes] = bytes,
) -> None:
    """Write the function of every block of whole lines, in constant memory.

    Parameters
    ----------
    function : callable
        Bytes to bytes, line by line; several threads may call it.
    arguments : Namespace
        Those of input, output, encoding, line buffering, quiet and, for several, threads.
    label : str
        Title of the progress bar.
    regroup : callable, optional
        Makes the blocks that `function` gets, such as whole documents, out of the text's blocks.
    finish : callable
        Makes the bytes to be written out of what `function` returns, one after the other.
    """
    threads = getattr(arguments, "threads", 1)

    def cased(progress: Progress, found: FileEncoding) -> Iterator[bytes]:
        blocks: Iterator[Any] = read_blocks(
            [arguments.input],
            BLOCK_SIZE,
            ahead=threads == 1,
            eager=is_line_buffered(arguments),
            progress=progress,
            encoding=arguments.encoding,
            found=found,
        )
        if regroup is not None:
            blocks = regroup(blocks)
        return map(finish, ordered_map(function, blocks, threads, eager=True))

    write_blocks(cased, arguments, label)


def looked_at(blocks: Iterable[bytes], language: str) -> Iterator[bytes]:
    """Pass blocks on; warn if their beginning is evidently in another language than this one."""
    from truecase.model.embedded import SAMPLE, warn_of_language

    sample = b""
    is_looked_at = not language
    for block in blocks:
        if not is_looked_at:
            sample += block[:SAMPLE]
            is_looked_at = len(sample) >= SAMPLE
            if is_looked_at:
                warn_of_language(sample.decode("utf-8", "ignore"), language)
        yield block
    if not is_looked_at:
        warn_of_language(sample.decode("utf-8", "ignore"), language)


def write_blocks(
    blocks_of: Callable[[Progress, FileEncoding], Iterator[bytes]],
    arguments: argparse.Namespace,
    label: str,
) -> None:
    """Write blocks to ``--output`` as they come, and count their words.

    `blocks_of` makes them, and fills in the encoding of the text that it reads.
    """
    found = FileEncoding()
    with (
        text_progress(arguments, label) as progress,
        open_output(arguments.output, found) as output,
    ):
        for block in blocks_of(progress, found):
            output.write(block)
            output.flush()
            progress.add_text(block)


def counted_blocks(
    paths: Sequence[str], progress: Progress, encoding: str | None = None
) -> Iterator[bytes]:
    """Read the blocks of texts, and add their words, about counted, to the progress."""
    for block in read_blocks(paths, progress=progress, encoding=encoding):
        yield block
        progress.add_text(block)


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


def transform_aligned(
    case: Callable[..., Any],
    arguments: argparse.Namespace,
    label: str = "",
    finish: Callable[[Any], bytes] = bytes,
) -> None:
    """Write the text of ``--input``, cased with its source, in constant memory.

    Several threads may call `case`, with a block of lines, its `source` and its `phrases`, if
    these are known; `label` and `finish` are as for `transform`.
    """
    from truecase.alignment.lines import SkippedLines
    from truecase.alignment.moses_trace import read_trace
    from truecase.alignment.parallel import read_aligned

    skipped = SkippedLines() if arguments.skip_bad_alignments else None

    def case_lines(lines: AlignedLines) -> Any:
        return case(lines.target, source=lines.source, phrases=lines.phrases)

    def cased(progress: Progress, found: FileEncoding) -> Iterator[bytes]:
        how = reading(arguments, progress, found)
        texts = arguments.source, arguments.input
        if arguments.moses_trace:
            blocks = read_trace(*texts, how, skipped=skipped)
        else:
            blocks = read_aligned(*texts, alignment_file(arguments), how, skipped=skipped)
        return map(finish, ordered_map(case_lines, blocks, arguments.threads, eager=True))

    write_blocks(cased, arguments, label)
    if skipped is not None:
        skipped.report()
