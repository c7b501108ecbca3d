"""What a model is trained on: text with its source or without, read once and filtered once."""

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from truecase.alignment.alignment_file import AlignmentFile
from truecase.alignment.errors import SkippedLines
from truecase.alignment.lines import AlignedLines
from truecase.alignment.parallel import read_aligned
from truecase.base.progress import Progress
from truecase.base.read import STDIN, read_blocks
from truecase.choices import StrPath
from truecase.errors import TrainingError, WrongTypeError
from truecase.training.source.blocks import BitextBlocks
from truecase.training.sparse.blocks import TextBlocks

#: Files, plain or compressed; or a function that gives blocks of whole lines.
Text = StrPath | Sequence[StrPath] | Callable[[], Iterable[bytes]]

#: The same of text with its source.
AlignedText = StrPath | Callable[[], Iterable[AlignedLines]]

_Block = TypeVar("_Block", bytes, AlignedLines)

# About so many bytes of an aligned text are held out at most.
_HELD_OUT = 8_000_000


@dataclass(frozen=True)
class Bitext:
    """Files of a text and its source, line by line.

    Attributes
    ----------
    text, source : path-like
        Cased, as many lines.
    alignment : path-like or AlignmentFile, optional
        Which of their words are aligned, in Pharaoh's form (``0-0 1-2``), the source's word first.
    """

    text: StrPath
    source: StrPath
    alignment: StrPath | AlignmentFile | None = None


def file_names(text: object) -> list[str]:
    """Names of files; one path by itself, also one that is a str, is one file."""
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
            if not isinstance(path, (str, os.PathLike)):
                raise WrongTypeError(f"text[{place}]: expected a path, found {type(path).__name__}")
        return [os.fspath(path) for path in text]
    raise WrongTypeError(
        f"text: expected paths, or a function that gives blocks, found {type(text).__name__}"
    )


def check_files(names: Sequence[str]) -> None:
    """Open each file once, before any of them is read.

    Raises
    ------
    OSError
        One cannot be opened.
    TrainingError
        Standard input is among them more than once.
    """
    if names.count(STDIN) > 1:
        raise TrainingError("standard input can be read only once: save it to a file first")
    for name in names:
        if name != STDIN:
            with open(name, "rb"):
                pass


def read_text(
    text: Text, progress: Progress | None = None, encoding: str | None = None
) -> Iterator[bytes]:
    """The blocks of a text; the progress is told of bytes, and about how many words there are."""
    if callable(text):
        for given in text():
            if not isinstance(given, (bytes, bytearray, memoryview)):
                raise WrongTypeError(
                    f"text: expected blocks of bytes, found {type(given).__name__}"
                )
            # What is read more than once must be the same each time.
            yield bytes(given)
        return
    for block in read_blocks(file_names(text), progress=progress, encoding=encoding):
        yield block
        if progress is not None and progress.is_shown:
            progress.add_words(block.count(b" ") + block.count(b"\n"))


def read_bitext(
    bitext: Bitext,
    skipped: SkippedLines | None = None,
    progress: Progress | None = None,
    encoding: str | None = None,
) -> Iterator[AlignedLines]:
    """The lines of the files side by side, in blocks."""
    blocks = read_aligned(
        bitext.source,
        bitext.text,
        bitext.alignment,
        skipped=skipped,
        progress=progress,
        encoding=encoding,
    )
    with contextlib.closing(blocks):
        for block, phrases in blocks:
            yield AlignedLines(block.target, block.source, phrases)


class HeldOutBlocks:
    """Every tenth block of an aligned text, or fewer of a large one, held out for the weights.

    Parameters
    ----------
    blocks : BitextBlocks
    is_wanted : bool
        If not, nothing is held out.
    """

    def __init__(self, blocks: BitextBlocks, is_wanted: bool) -> None:
        self._blocks = blocks
        self._n_folds = max(10, blocks.n_bytes // _HELD_OUT) if is_wanted else 0
        if is_wanted and len(blocks) < self._n_folds:
            raise TrainingError(
                "the aligned text is too short to hold some of it out: give a development text "
                "with its source and alignment"
            )

    def _is_out(self, index: int) -> bool:
        return self._n_folds > 0 and index % self._n_folds == self._n_folds // 2

    def lines(self) -> AlignedLines:
        """What is held out."""
        parts = [self._blocks[i] for i in range(len(self._blocks)) if self._is_out(i)]
        return AlignedLines.join(parts)

    def training(self) -> Iterator[AlignedLines]:
        """The rest."""
        return (self._blocks[i] for i in range(len(self._blocks)) if not self._is_out(i))

    def text(self) -> Iterator[bytes]:
        """Target text for the language model."""
        if self._n_folds:
            return self._blocks.without_fold(self._n_folds // 2, self._n_folds)
        return self._blocks.in_order()


@contextlib.contextmanager
def spooled(blocks: Iterable[bytes]) -> Iterator[TextBlocks]:
    """A text in a temporary file, which can be read more than once."""
    spool = TextBlocks(blocks)
    try:
        yield spool
    finally:
        spool.close()


@contextlib.contextmanager
def spooled_bitext(pieces: Iterable[AlignedLines], more: Iterable[bytes]) -> Iterator[BitextBlocks]:
    """An aligned text, and further target text, in temporary files.

    Parameters
    ----------
    pieces : iterable of AlignedLines
    more : iterable of bytes
        Read after `pieces`.
    """
    blocks = BitextBlocks(pieces, lambda: further.in_order())
    further = TextBlocks(more)
    try:
        yield blocks
    finally:
        blocks.close()
        further.close()
