"""Reads source, target and alignment files side by side, in blocks of the same lines."""

from __future__ import annotations

import contextlib
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

from truecase.alignment.lines import AlignedLines, BadLines, Phrases, SkippedLines
from truecase.alignment.link_formats import SystemAlignment, parse_pharaoh
from truecase.base.argument_types import check_arguments
from truecase.base.encoding import FileEncoding
from truecase.base.progress import Progress
from truecase.base.read import BLOCK_SIZE, display_name, read_blocks
from truecase.errors import AlignmentError, ReadError
from truecase.kernels._segment import count_lines, count_words, find_line_end
from truecase.options import StrPath, SubwordForm


@dataclass(frozen=True)
class AlignmentFile:
    """A word alignment in a file, and its format; AlignmentError if they contradict each other.

    Parameters
    ----------
    path : path-like
        Lines of links in Pharaoh's form, ``0-0 1-2``, the source's word first.
    subwords : {"sentencepiece", "bpe", "wordpiece"}, optional
        The links are between subwords with these marks, not between words.
    source_subwords, target_subwords : path-like, optional
        The files of these subwords, between spaces, line by line.
    is_soft : bool
        Lines are matrices of attention between subwords instead of links.
    threshold : float, optional
        Links of smaller probability are dropped; by default none, and 0.3 for soft alignments.
    """

    path: StrPath
    subwords: SubwordForm | None = None
    source_subwords: StrPath | None = None
    target_subwords: StrPath | None = None
    is_soft: bool = False
    threshold: float | None = None

    def __post_init__(self) -> None:
        check_arguments(AlignmentFile, vars(self))
        files = (self.source_subwords, self.target_subwords)
        if self.subwords is None:
            if self.is_soft or files != (None, None):
                raise AlignmentError("subwords: say how they are marked, such as sentencepiece")
        elif None in files:
            raise AlignmentError(
                "subwords: an alignment over them needs source_subwords and target_subwords"
            )

    @property
    def subword_files(self) -> tuple[StrPath, ...]:
        """The files of source and target subwords; empty for links between words."""
        if self.source_subwords is None or self.target_subwords is None:
            return ()
        return self.source_subwords, self.target_subwords

    def links(
        self,
        alignment: bytes,
        source: bytes,
        target: bytes,
        subwords: Sequence[bytes],
        bad: BadLines = BadLines(),
    ) -> Phrases:
        """Links of the words of some lines; parameters and errors of `SystemAlignment.links`."""
        if self.subwords is None:
            counts, least = (count_words(source), count_words(target)), self.threshold or 0.0
            return parse_pharaoh(alignment, *counts, threshold=least, bad=bad)
        source_file, target_file = map(display_name, self.subword_files)
        names = source_file, target_file
        system = SystemAlignment(self.subwords, self.is_soft, self.threshold, names)
        return system.links(alignment, source, target, subwords, bad)


@dataclass(frozen=True)
class Reading:
    """How files are read side by side.

    Attributes
    ----------
    block_size : int
        Least bytes of the target in a block, except the last.
    eager : bool
        Yield lines as soon as the target has them, as from a pipe.
    progress, found : optional
        As for `read_blocks`, of the target.
    encoding : str, optional
        As for `read_blocks`, of all texts.
    """

    block_size: int = BLOCK_SIZE
    eager: bool = False
    progress: Progress | None = None
    encoding: str | None = None
    found: FileEncoding | None = None


class _Lines:
    """Lines of one file, in blocks of any number."""

    def __init__(self, path: StrPath, blocks: Iterator[bytes]) -> None:
        self.name = display_name(path)
        self._blocks = blocks
        self._block = b""
        self._start = 0

    def take(self, n_lines: int) -> tuple[bytes, int]:
        """The next lines and their number, which is smaller at the end of the file."""
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
        """Whether lines are left."""
        return self._start < len(self._block) or self._next_block()

    def _next_block(self) -> bool:
        self._block = next(self._blocks, b"")
        self._start = 0
        return bool(self._block)


def read_parallel(
    source: StrPath, target: StrPath, reading: Reading = Reading()
) -> Generator[AlignedLines, None, None]:
    """Read two texts side by side, plain or compressed, as blocks of the same, unaligned, lines.

    One of them may be ``-``, standard input. Raises as `read_side_by_side`.
    """
    blocks = read_side_by_side(target, [(source, reading.encoding)], reading)
    with contextlib.closing(blocks):
        for _, block, (of_source,) in blocks:
            yield AlignedLines(block, of_source)


def read_side_by_side(
    path: StrPath,
    others: Sequence[tuple[StrPath, str | None]],
    reading: Reading = Reading(),
    *,
    opened_first: bool = False,
) -> Generator[tuple[int, bytes, list[bytes]], None, None]:
    """Yield the number of a block's first line, the block of the file, and the others' same lines.

    Parameters
    ----------
    path : path
        The target: the file that `reading` describes.
    others : sequence of (path, str or None)
        Other files and their encodings.
    reading : Reading, optional
    opened_first : bool
        Open the others and wait for their first bytes before the first file is read, since the
        writer of a named pipe waits for its reader.

    Raises
    ------
    ReadError
        The files have different numbers of lines; the block with the difference is not yielded.
        Also as `read_blocks`.
    OSError
        A file cannot be opened.
    """
    with contextlib.ExitStack() as stack:

        def open_blocks(path: StrPath, **options: Any) -> Iterator[bytes]:
            options.update(ahead=not reading.eager, eager=reading.eager)
            blocks = read_blocks([path], reading.block_size, **options)
            # Generators both: a thread that reads ahead must not outlive its consumer.
            return stack.enter_context(
                contextlib.closing(cast("Generator[bytes, None, None]", blocks))
            )

        side_files = [_Lines(other, open_blocks(other, encoding=how)) for other, how in others]
        if opened_first:
            for lines in side_files:
                lines.has_more()
        n_before = 0

        def take(lines: _Lines, n_lines: int) -> bytes:
            block, n_found = lines.take(n_lines)
            if n_found < n_lines:
                raise _different(lines.name, n_before + n_found, display_name(path))
            return block

        first = open_blocks(
            path, progress=reading.progress, encoding=reading.encoding, found=reading.found
        )
        for block in first:
            n_lines = count_lines(block)
            yield n_before + 1, block, [take(lines, n_lines) for lines in side_files]
            n_before += n_lines
        for lines in side_files:
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
    reading: Reading = Reading(),
    *,
    skipped: SkippedLines | None = None,
) -> Generator[AlignedLines, None, None]:
    """Read a bitext and its word alignment side by side.

    Parameters
    ----------
    source, target, reading
        As for `read_parallel`.
    alignment : path or AlignmentFile, optional
        A path: lines of Pharaoh's form. Without it all lines are unaligned.
    skipped
        As for `BadLines`.

    Raises
    ------
    AlignmentError, ReadError, OSError
        As `parse_pharaoh` and `read_side_by_side`, before the block is yielded.
    """
    if alignment is not None and not isinstance(alignment, AlignmentFile):
        alignment = AlignmentFile(alignment)
    others = [(source, reading.encoding)]
    if alignment is not None:
        others += [(alignment.path, None)]
        others += [(path, reading.encoding) for path in alignment.subword_files]
    blocks = read_side_by_side(target, others, reading)
    with contextlib.closing(blocks):
        for first_line, block, (of_source, *links) in blocks:
            if alignment is None:
                phrases = Phrases.unknown(count_words(block))
            else:
                bad = BadLines(display_name(alignment.path), first_line, skipped)
                phrases = alignment.links(links[0], of_source, block, links[1:], bad)
            yield AlignedLines(block, of_source, phrases)
