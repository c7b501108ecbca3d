"""Training material: text with or without its source, in blocks, folds and pieces."""

import os
import pickle
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Generic, NamedTuple, TypeVar

import numpy as np

from truecase.alignment.lines import AlignedLines, Phrases, SkippedLines
from truecase.alignment.parallel import AlignmentFile, Reading, read_aligned
from truecase.base.argument_types import check_type
from truecase.base.atomic import errors_for
from truecase.base.progress import Progress
from truecase.base.read import STDIN, read_blocks
from truecase.base.spool import Bools, Int8s, Int32s, UInt8s, UInt64s
from truecase.errors import TrainingError, WrongTypeError
from truecase.kernels.text import line_slices
from truecase.options import StrPath

# Blocks and pieces

#: Weights learn from pieces of at most this many bytes, which are smaller than blocks: neighbouring
#: lines are of one kind or author, a list of titles say, and weights would adopt their habits if
#: many of them came last.
PIECE_BYTES = 1 << 13
_SMALLEST_PIECE = 1 << 8

# Weights move once for one or several pieces: the pieces of a small text are small, too.
_MIN_PIECES = 2000

#: The largest block.
BLOCK_BYTES = 1 << 18
_SMALLEST = 1 << 10

#: Text is judged in parts of so many bytes, which threads share.
PART_BYTES = 1 << 16

#: A small text has at least this many blocks, so that its folds resemble each other.
MIN_BLOCKS = 96

Piece = TypeVar("Piece", bytes, AlignedLines)


def block_size(n_bytes: int) -> int:
    """Bytes of a block of a text of `n_bytes`."""
    return min(BLOCK_BYTES, max(_SMALLEST, n_bytes // MIN_BLOCKS))


class Blocks(Generic[Piece]):
    """Blocks of neighbouring lines in a temporary file.

    Neighbours stay together: they share names, which folds of every second line would not hold out.
    Fold ``f`` of ``n`` has the blocks ``f``, ``f + n``, …; fold 0 of 1 means that none is left out.
    """

    def __init__(self) -> None:
        # Not closed by a `with`: it lives as long as the object.
        self._file: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115

    def __len__(self) -> int:
        raise NotImplementedError

    def __getitem__(self, index: int) -> Piece:
        raise NotImplementedError

    def without_fold(self, fold: int = 0, n_folds: int = 1) -> Iterator[Piece]:
        """All blocks outside a fold."""
        return (self[i] for i in range(len(self)) if n_folds == 1 or i % n_folds != fold)

    def text(self, fold: int = 0, n_folds: int = 1) -> Iterator[bytes]:
        """Text for the language model: that to be cased of all blocks outside a fold."""
        return (target_of(block) for block in self.without_fold(fold, n_folds))

    def close(self) -> None:
        """Close the file."""
        self._file.close()


class TextBlocks(Blocks[bytes]):
    """Blocks of a text, given in `parts` of whole lines, and the pieces that they consist of."""

    def __init__(self, parts: Iterable[bytes]) -> None:
        super().__init__()
        size = 0
        with errors_for(None):
            for part in parts:
                size += self._file.write(part)
            self._file.flush()
        self._starts = [0]
        self._blocks: list[range] = []
        wanted = block_size(size)
        of_piece = min(PIECE_BYTES, max(_SMALLEST_PIECE, size // _MIN_PIECES))
        while self.n_bytes < size:
            first = self.n_pieces
            end = self._line_start(min(size, self.n_bytes + wanted))
            while self.n_bytes < end:
                self._starts.append(self._line_start(min(end, self.n_bytes + of_piece)))
            self._blocks.append(range(first, self.n_pieces))

    def _line_start(self, place: int) -> int:
        """Start of the first line that begins at or after `place`."""
        self._file.seek(place - 1)
        self._file.readline()
        return self._file.tell()

    def __len__(self) -> int:
        return len(self._blocks)

    def __getitem__(self, index: int) -> bytes:
        return self._read(self._blocks[index])

    def _read(self, pieces: range) -> bytes:
        self._file.seek(self._starts[pieces.start])
        return self._file.read(self._starts[pieces.stop] - self._starts[pieces.start])

    @property
    def n_bytes(self) -> int:
        """Size of the text."""
        return self._starts[-1]

    @property
    def n_pieces(self) -> int:
        """Number of pieces in all blocks."""
        return len(self._starts) - 1

    def n_pieces_by_fold(self, n_folds: int) -> list[int]:
        """Number of pieces of each fold."""
        return [sum(map(len, self._blocks[fold::n_folds])) for fold in range(n_folds)]

    def shuffled(self, seed: int) -> Iterator[tuple[int, bytes]]:
        """All pieces with the numbers of their blocks, in an order that depends on `seed` alone."""
        block_of = np.repeat(np.arange(len(self)), [len(pieces) for pieces in self._blocks])
        for piece in np.random.default_rng(seed).permutation(self.n_pieces).tolist():
            yield int(block_of[piece]), self._read(range(piece, piece + 1))


class BitextBlocks(Blocks[AlignedLines]):
    """Blocks of aligned lines; `more` is target text without source, for the language model.

    Attributes
    ----------
    n_bytes : int
        Size of the text that is to be cased.
    """

    def __init__(self, parts: Iterable[AlignedLines], more: Iterable[bytes] = ()) -> None:
        super().__init__()
        self.n_bytes = 0
        self._starts: list[int] = []
        held: list[AlignedLines] = []
        with errors_for(None):
            for part in parts:
                self.n_bytes += len(part.target)
                # Until the text is known to be large, its blocks stay small.
                held.append(part)
                if self.n_bytes > MIN_BLOCKS * BLOCK_BYTES:
                    self._write(held)
                    held = []
            self._write(held)
            self._file.flush()
        self._more = TextBlocks(more)

    def _write(self, parts: list[AlignedLines]) -> None:
        for part in parts:
            # Joined, a last line that lacks its end gets one.
            for block in AlignedLines.join([part]).parts(block_size(self.n_bytes)):
                self._starts.append(self._file.tell())
                pickle.dump(block, self._file, pickle.HIGHEST_PROTOCOL)

    def __len__(self) -> int:
        return len(self._starts)

    def __getitem__(self, index: int) -> AlignedLines:
        self._file.seek(self._starts[index])
        lines = pickle.load(self._file)  # a temporary file that nobody else can open
        assert isinstance(lines, AlignedLines)
        return lines

    def fold(self, fold: int, n_folds: int) -> list[AlignedLines]:
        """The blocks of a fold."""
        return [self[index] for index in range(fold, len(self), n_folds)]

    def text(self, fold: int = 0, n_folds: int = 1) -> Iterator[bytes]:
        """As `Blocks.text`, then the further text."""
        yield from super().text(fold, n_folds)
        yield from self._more.text()

    def close(self) -> None:
        """Close the files."""
        super().close()
        self._more.close()


# Held-out text

_LINES_PER_RUN = 64
_FIRST_STEP = 10


class Holdout:
    """Splits a stream of text in two, in one pass and constant memory.

    Of a large text, between half of `words` and all of them are held out; `runs` has them once
    `training` has come to its end.
    """

    def __init__(self, blocks: Iterable[bytes], words: int = 1_500_000) -> None:
        self._blocks = blocks
        self._words = words
        self.runs: list[bytes] = []

    def training(self) -> Iterator[bytes]:
        """The rest of the text, in another order."""
        step, n_runs, n_words = _FIRST_STEP, 0, 0
        for run in _runs(self._blocks):
            n_runs += 1
            # The middle run of each step: a text's first lines are often unlike the others.
            if n_runs % step != step // 2:
                yield run
                continue
            self.runs.append(run)
            n_words += len(run.split())
            if n_words > self._words:
                # Every second run goes back: those left are as far apart as the next ones.
                step *= 2
                kept = [run for number, run in enumerate(self.runs) if number % 2 == 0]
                yield from self.runs[1::2]
                self.runs = kept
                n_words = sum(len(run.split()) for run in kept)

    def text(self) -> bytes:
        """The held-out text in one piece; TrainingError if the whole text was too short."""
        if not self.runs:
            least = (_FIRST_STEP // 2 - 1) * _LINES_PER_RUN
            raise TrainingError(
                f"the text has {least} lines or fewer, too few to hold some of it out: give more "
                "text, or a development text"
            )
        return b"".join(self.runs)


def _runs(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """The lines of a text, some at a time, independent of its blocks."""
    lines: list[bytes] = []
    for block in blocks:
        lines += bytes(block).splitlines(keepends=True)
        for start in range(0, len(lines) - _LINES_PER_RUN, _LINES_PER_RUN):
            yield b"".join(lines[start : start + _LINES_PER_RUN])
        rest = max(0, len(lines) - 1) // _LINES_PER_RUN * _LINES_PER_RUN
        lines = lines[rest:]
    if lines:
        # Another run may still follow it.
        yield b"".join(lines).removesuffix(b"\n") + b"\n"


# Words


class Vectors(NamedTuple):
    """What a network reads of the words of a text, an entry for each word.

    Attributes
    ----------
    word, pair : uint64 ndarray
        Keys of the word, and of the pair with the word before.
    suffix, prefix : int32 ndarray
        Rows of its last and first letters.
    facts : uint8 ndarray, shape (n_words, 32)
        Numbers in steps of 1/32, counted from 128.
    is_open : bool ndarray
        The word has several candidates.
    gold : int8 ndarray
        The text's case; -1 without such a candidate, or if the word has no case.
    length : int32 ndarray
        Words of each sentence.
    """

    word: UInt64s
    pair: UInt64s
    suffix: Int32s
    prefix: Int32s
    facts: UInt8s
    is_open: Bools
    gold: Int8s
    length: Int32s


# Files

#: Files, plain or compressed; or a function that gives blocks of whole lines.
Text = StrPath | Sequence[StrPath] | Callable[[], Iterable[bytes]]

#: The same for text with its source.
AlignedText = StrPath | Callable[[], Iterable[AlignedLines]]

#: Lines without a source, or with one.
Lines = bytes | AlignedLines


@dataclass(frozen=True)
class Bitext:
    """Files of a text and its source, line by line.

    Attributes
    ----------
    text, source : path-like
        Cased text and its source, with equally many lines.
    alignment : path-like or AlignmentFile, optional
        Word alignment in Pharaoh's form (``0-0 1-2``), the source's word first.
    """

    text: StrPath
    source: StrPath
    alignment: StrPath | AlignmentFile | None = None


def target_of(lines: Lines) -> bytes:
    """The text that is to be cased."""
    return lines if isinstance(lines, bytes) else lines.target


def sides(lines: Lines) -> tuple[bytes, bytes | None, Phrases | None]:
    """The text that is to be cased, its source and its phrases, if there are some."""
    if isinstance(lines, bytes):
        return lines, None, None
    return lines.target, lines.source, lines.phrases


def parts_of(lines: Lines, size: int = PART_BYTES) -> Iterator[Lines]:
    """Parts of whole lines, of about `size` bytes of text each."""
    if isinstance(lines, bytes):
        return (lines[part] for part in line_slices(lines, size))
    return lines.parts(size)


def file_names(text: object) -> list[str]:
    """Names of files; a single path, even a str, is one file."""
    if callable(text):
        return []
    if isinstance(text, (str, os.PathLike)):
        return [os.fspath(text)]
    if isinstance(text, AlignmentFile):
        return [os.fspath(path) for path in (text.path, *text.subword_files)]
    if isinstance(text, Bitext):
        parts = (text.text, text.source, text.alignment)
        return [name for part in parts if part is not None for name in file_names(part)]
    if isinstance(text, Sequence):
        for place, path in enumerate(text):
            check_type(f"text[{place}]", path, (str, os.PathLike), "a path")
        return [os.fspath(path) for path in text]
    raise WrongTypeError(
        f"text: expected paths, or a function that gives blocks, found {type(text).__name__}"
    )


def check_files(names: Sequence[str]) -> None:
    """Open each file once before any of them is read.

    Raises OSError if one cannot be opened, TrainingError if standard input is named twice.
    """
    if names.count(STDIN) > 1:
        raise TrainingError("standard input can be read only once: save it to a file first")
    for name in names:
        if name == STDIN:
            continue
        if " " in name and not os.path.exists(name):
            raise FileNotFoundError(
                f"{name}: no such file; text is given by paths of files, or in Python by a "
                "function that gives blocks of bytes"
            )
        if not Path(name).is_fifo():  # opened and closed, it would break its writer
            with open(name, "rb"):
                pass


def read_text(
    text: Text, progress: Progress | None = None, encoding: str | None = None
) -> Iterator[bytes]:
    """The blocks of a text; `progress` counts bytes and, roughly, words."""
    if callable(text):
        blocks = text()
        check_type("text", blocks, Iterable, "a function that gives blocks of bytes")
        for given in blocks:
            check_type("text", given, (bytes, bytearray, memoryview), "blocks of bytes")
            # A text that is read more than once must be the same each time.
            yield bytes(given)
        return
    for block in read_blocks(file_names(text), progress=progress, encoding=encoding):
        yield block
        if progress is not None:
            progress.add_text(block)


def read_bitext(
    bitext: Bitext,
    skipped: SkippedLines | None = None,
    progress: Progress | None = None,
    encoding: str | None = None,
) -> Iterator[AlignedLines]:
    """The lines of the files side by side, in blocks."""
    reading = Reading(progress=progress, encoding=encoding)
    return read_aligned(bitext.source, bitext.text, bitext.alignment, reading, skipped=skipped)
