"""Source, target and alignment files read side by side, in blocks of the same lines."""

from __future__ import annotations

import contextlib
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

from truecase.alignment.alignment_file import AlignmentFile
from truecase.alignment.errors import SkippedLines
from truecase.alignment.pharaoh import parse_pharaoh
from truecase.alignment.phrases import Phrases
from truecase.base.encoding import FileEncoding
from truecase.base.progress import Progress
from truecase.base.read import BLOCK_SIZE, display_name, iter_blocks, read_blocks
from truecase.errors import ReadError
from truecase.options import StrPath
from truecase.text._words import count_lines, count_words, find_line_end


@dataclass(frozen=True)
class ParallelBlock:
    """The same lines of a bitext.

    Attributes
    ----------
    first_line : int
        Number of the first line, from 1.
    source, target : bytes
        The lines; the very last one ends as its file does.
    alignment : bytes, optional
        Lines of the third file, if there is one.
    """

    first_line: int
    source: bytes
    target: bytes
    alignment: bytes | None = None


class _Lines:
    """Lines of one file, as many at a time as are wanted."""

    def __init__(self, path: StrPath, blocks: Iterator[bytes]) -> None:
        self.name = display_name(path)
        self._blocks = blocks
        self._block = b""
        self._start = 0

    def take(self, n_lines: int) -> tuple[bytes, int]:
        """The next lines, and how many they are: fewer at the end of the file."""
        parts: list[bytes] = []
        n_taken = 0
        while True:
            # A view, since a block may be taken line by line.
            rest = memoryview(self._block)[self._start :]
            end, n_found = find_line_end(rest, n_lines - n_taken)
            n_taken += n_found
            if n_taken == n_lines:
                parts.append(bytes(rest[:end]))
                self._start += end
                return b"".join(parts), n_taken
            parts.append(bytes(rest))
            # A block ends in a line feed, or is the last.
            is_open = len(rest) > end
            if not self._next_block():
                return b"".join(parts), n_taken + is_open

    def has_more(self) -> bool:
        """Whether there are lines left."""
        return self._start < len(self._block) or self._next_block()

    def _next_block(self) -> bool:
        self._block = next(self._blocks, b"")
        self._start = 0
        return bool(self._block)


def read_parallel(
    source: StrPath,
    target: StrPath,
    alignment: StrPath | None = None,
    block_size: int = BLOCK_SIZE,
    *,
    eager: bool = False,
    progress: Progress | None = None,
    encoding: str | None = None,
    found: FileEncoding | None = None,
) -> Generator[ParallelBlock, None, None]:
    """Read files side by side, plain or compressed, as blocks of the same lines.

    Parameters
    ----------
    source, target, alignment : path
        One of them may be ``-``, standard input.
    block_size : int
        Bytes that the target side of a block has at least, all but the last.
    eager : bool
        Give lines away as soon as the target has them, as from a pipe.
    progress : Progress, optional
        Told of the bytes read of the target.
    encoding : str, optional
        How source and target are written; by default as their byte order marks say, or UTF-8.
        An alignment has nothing but ASCII.
    found : FileEncoding, optional
        Told how the target is written.

    Yields
    ------
    ParallelBlock
        Never empty.

    Raises
    ------
    ReadError
        The files have different numbers of lines; the block where it is found is not given.
        Also as `iter_blocks`.
    OSError
        A file cannot be opened.
    """
    others = [(source, encoding), *([] if alignment is None else [(alignment, None)])]
    blocks = read_beside(
        target,
        others,
        block_size,
        eager=eager,
        progress=progress,
        encoding=encoding,
        found=found,
    )
    with contextlib.closing(blocks):
        for first_line, block, beside in blocks:
            yield ParallelBlock(first_line, beside[0], block, beside[1] if beside[1:] else None)


def read_beside(
    path: StrPath,
    others: Sequence[tuple[StrPath, str | None]],
    block_size: int = BLOCK_SIZE,
    *,
    eager: bool = False,
    progress: Progress | None = None,
    encoding: str | None = None,
    found: FileEncoding | None = None,
    opened_first: bool = False,
) -> Generator[tuple[int, bytes, list[bytes]], None, None]:
    """Read a file in blocks of lines, and the same lines of others.

    Parameters
    ----------
    path : path
        The file that says how large blocks are.
    others : sequence of (path, str or None)
        Other files and how they are written.
    block_size, eager, progress, encoding, found
        As for `read_parallel`; about the first file.
    opened_first : bool
        Open the others and wait for what they begin with before the first file is read: whoever
        writes a named pipe waits for its reader.

    Yields
    ------
    first_line : int
        Number of the first line, from 1.
    block : bytes
        Never empty.
    beside : list of bytes
        The lines of the others.

    Raises
    ------
    ReadError, OSError
        As `read_parallel`.
    """
    read = iter_blocks if eager else read_blocks
    with contextlib.ExitStack() as stack:

        def open_blocks(path: StrPath, **options: Any) -> Iterator[bytes]:
            blocks = read([path], block_size, eager=eager, **options)
            # Generators both: a thread that reads ahead must not outlive its consumer.
            return stack.enter_context(
                contextlib.closing(cast("Generator[bytes, None, None]", blocks))
            )

        beside = [_Lines(other, open_blocks(other, encoding=how)) for other, how in others]
        if opened_first:
            for lines in beside:
                lines.has_more()
        n_before = 0

        def take(lines: _Lines, n_lines: int) -> bytes:
            block, n_found = lines.take(n_lines)
            if n_found < n_lines:
                raise _different(lines.name, n_before + n_found, display_name(path))
            return block

        for block in open_blocks(path, progress=progress, encoding=encoding, found=found):
            n_lines = count_lines(block)
            yield n_before + 1, block, [take(lines, n_lines) for lines in beside]
            n_before += n_lines
        for lines in beside:
            if lines.has_more():
                raise _different(display_name(path), n_before, lines.name)


def _different(shorter: str, n_lines: int, longer: str) -> ReadError:
    return ReadError(
        f"{shorter}: ends after line {n_lines}, but {longer} has more lines; the files must "
        "have the same number"
    )


def read_aligned(
    source: StrPath,
    target: StrPath,
    alignment: StrPath | AlignmentFile | None = None,
    block_size: int = BLOCK_SIZE,
    *,
    possible: bool = True,
    skipped: SkippedLines | None = None,
    eager: bool = False,
    progress: Progress | None = None,
    encoding: str | None = None,
    found: FileEncoding | None = None,
) -> Generator[tuple[ParallelBlock, Phrases], None, None]:
    """Read a bitext and its word alignment side by side.

    Parameters
    ----------
    source, target, block_size, eager, progress, encoding, found
        As for `read_parallel`.
    alignment : path or AlignmentFile, optional
        A path by itself: lines of Pharaoh's form. Without it nothing is known of any line.
    possible, skipped
        As for `parse_pharaoh`.

    Yields
    ------
    block : ParallelBlock
    phrases : Phrases
        Source words of each target word of the block.

    Raises
    ------
    AlignmentError, ReadError, OSError
        As `parse_pharaoh` and `read_parallel`, before the block is given.
    """
    if alignment is not None and not isinstance(alignment, AlignmentFile):
        alignment = AlignmentFile(alignment)
    others = [(source, encoding)]
    if alignment is not None:
        others += [(alignment.path, None)]
        others += [(path, encoding) for path in alignment.subword_files]
    blocks = read_beside(
        target,
        others,
        block_size,
        eager=eager,
        progress=progress,
        encoding=encoding,
        found=found,
    )
    with contextlib.closing(blocks):
        for first_line, block, (of_source, *beside) in blocks:
            if alignment is None:
                phrases = Phrases.unknown(count_words(block))
            elif alignment.subwords is not None:
                links, *parts = beside
                phrases = alignment.system.links(
                    links, of_source, block, *parts, first_line=first_line, skipped=skipped
                )
            else:
                phrases = parse_pharaoh(
                    beside[0],
                    count_words(of_source),
                    count_words(block),
                    threshold=alignment.threshold or 0.0,
                    possible=possible,
                    name=display_name(alignment.path),
                    first_line=first_line,
                    skipped=skipped,
                )
            yield ParallelBlock(first_line, of_source, block, *beside[:1]), phrases
