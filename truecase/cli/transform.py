"""Text through a function, block by block: what `apply`, `normalize` and `capitalize` do."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from truecase.base.encoding import FileEncoding
from truecase.base.progress import Progress
from truecase.base.read import STDIN, iter_blocks, read_blocks
from truecase.base.threads import ordered_map
from truecase.cli.streams import STDOUT, open_output

# Some ten milliseconds of work: threads are busy, and what is under way stays small.
BLOCK_SIZE = 1 << 18


def on_terminal(source: str, target: str) -> bool:
    """Whether somebody types the text or reads along."""
    return (source == STDIN and sys.stdin is not None and sys.stdin.isatty()) or (
        target == STDOUT and sys.stdout is not None and sys.stdout.isatty()
    )


def transform(
    function: Callable[[Any], bytes],
    source: str,
    target: str,
    *,
    threads: int = 1,
    line_buffered: bool | None = None,
    label: str = "",
    progress: bool | None = None,
    encoding: str | None = None,
    regroup: Callable[[Iterator[bytes]], Iterator[Any]] | None = None,
) -> None:
    """Write the function of every block of whole lines, in constant memory.

    Parameters
    ----------
    function : callable
        Bytes to bytes, line by line; must be usable from several threads.
    source, target : str
        Files, or ``-``.
    threads : int
        How many blocks are worked on at a time.
    line_buffered : bool, optional
        Read and write each line at once; by default if a terminal is involved.
    label : str
        What the progress bar says.
    progress : bool, optional
        Show it; by default if standard error is a terminal.
    encoding : str, optional
        How the text is written, and the result; by default as it seems to be.
    regroup : callable, optional
        Makes other blocks of the text's, such as whole documents, or blocks of which more is
        known; `function` gets what it makes.
    """
    if line_buffered is None:
        line_buffered = on_terminal(source, target)
    # A bar and the text would overwrite each other on a terminal.
    enabled = False if on_terminal(source, target) else progress
    found = FileEncoding()
    with (
        Progress.for_files([source], label, enabled) as shown,
        open_output(target, found) as output,
    ):
        read = iter_blocks if threads > 1 else read_blocks
        blocks: Iterator[Any] = read(
            [source],
            BLOCK_SIZE,
            eager=line_buffered,
            progress=shown,
            encoding=encoding,
            found=found,
        )
        if regroup is not None:
            blocks = regroup(blocks)
        for block in ordered_map(function, blocks, threads, eager=True):
            output.write(block)
            output.flush()
            count_words(block, shown)


def counted_blocks(
    paths: Sequence[str], progress: Progress, encoding: str | None = None
) -> Iterator[bytes]:
    """The blocks of texts; the progress is told how many words they have, about."""
    for block in read_blocks(paths, progress=progress, encoding=encoding):
        yield block
        count_words(block, progress)


def count_words(block: bytes, progress: Progress) -> None:
    """Tell the progress about how many words a block has."""
    if progress.is_shown:
        progress.add_words(block.count(b" ") + block.count(b"\n"))
