"""Reads a corpus as word ids in several threads, or only its first words."""

from __future__ import annotations

import io
import threading
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from truecase.base.read import read_blocks
from truecase.base.threads import ordered_map
from truecase.ngram._intern import Interner
from truecase.ngram.vocabulary import FIRST_WORD, IdStream, Vocabulary
from truecase.options import StrPath


class _Reader:
    """One thread's own word ids, and their ids in the whole corpus."""

    def __init__(self, segmentation: str, language: str) -> None:
        self._interner = Interner(segmentation, language)
        self._n_told = FIRST_WORD
        self._ids = np.arange(FIRST_WORD, dtype=np.uint32)

    def read(self, block: bytes) -> tuple[npt.NDArray[np.uint32], int, Vocabulary]:
        """Return the block's own ids, its number of lines, and the words new to this thread."""
        ids, n_lines = self._interner.ids(block)
        new = self._interner.vocabulary(self._n_told)
        self._n_told = len(self._interner)
        return ids, n_lines, new

    def renumber(
        self, ids: npt.NDArray[np.uint32], new: Vocabulary, whole: Interner
    ) -> npt.NDArray[np.uint32]:
        """Return a block's ids in the whole corpus; blocks must come in the order of reading."""
        self._ids = np.concatenate([self._ids, whole.add_words(new)[FIRST_WORD:]])
        renumbered: npt.NDArray[np.uint32] = self._ids[ids]
        return renumbered


def intern_blocks(
    blocks: Iterable[bytes], segmentation: str, language: str, stream: IdStream, threads: int
) -> Vocabulary:
    """Read a corpus, in blocks of whole lines, into a stream of word ids; return its vocabulary.

    Ids are given in the order in which words first occur, for any number of threads: each thread
    gives the words of its blocks ids of its own, and the words that are new to the thread get their
    ids in the corpus after those of all blocks before.
    """
    whole = Interner(segmentation, language, stream)
    if threads <= 1:
        for block in blocks:
            whole.add_block(block)
        return whole.vocabulary()
    here = threading.local()

    def read(block: bytes) -> tuple[_Reader, npt.NDArray[np.uint32], int, Vocabulary]:
        reader = getattr(here, "reader", None)
        if reader is None:
            reader = here.reader = _Reader(segmentation, language)
        return (reader, *reader.read(block))

    for reader, ids, n_lines, new in ordered_map(read, blocks, threads):
        stream.append(reader.renumber(ids, new, whole), n_lines)
    return whole.vocabulary()


def count_words(paths: Sequence[StrPath], encoding: str | None = None) -> int:
    """Number of white-space-separated words of all texts."""
    return sum(len(block.split()) for block in read_blocks(paths, encoding=encoding))


class Prefix:
    """Blocks of the first lines of texts, up to and with the line of the `wanted`-th word.

    Iterating reads the files anew; `n_words` and `n_lines` count what has been yielded since.
    """

    def __init__(self, paths: Sequence[StrPath], wanted: int, encoding: str | None = None) -> None:
        self._paths = paths
        self._encoding = encoding
        self._wanted = wanted
        self.n_words = 0
        self.n_lines = 0

    def __iter__(self) -> Iterator[bytes]:
        """Yield blocks of whole lines."""
        self.n_words = self.n_lines = 0
        for block in read_blocks(self._paths, encoding=self._encoding):
            n_words = len(block.split())
            if self.n_words + n_words <= self._wanted:
                self.n_words += n_words
                self.n_lines += block.count(b"\n") + (not block.endswith(b"\n"))
                yield bytes(block)
            else:
                yield self._part(bytes(block))
            if self.n_words >= self._wanted:
                return

    def _part(self, block: bytes) -> bytes:
        """The lines of a block that are still wanted."""
        kept = []
        for line in io.BytesIO(block):
            if self.n_words >= self._wanted:
                break
            self.n_words += len(line.split())
            self.n_lines += 1
            kept.append(line)
        return b"".join(kept)
