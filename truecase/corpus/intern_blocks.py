"""A corpus as word ids, its blocks read by several threads."""

from __future__ import annotations

import threading
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from truecase.base.threads import ordered_map
from truecase.corpus._intern import Interner
from truecase.corpus.id_stream import IdStream
from truecase.corpus.vocabulary import FIRST_WORD, Vocabulary


class _Reader:
    """What one thread gives words ids of its own with, and what those are in the whole."""

    def __init__(self, segmentation: str, language: str) -> None:
        self._interner = Interner(segmentation, language)
        self._n_told = FIRST_WORD
        self._ids = np.arange(FIRST_WORD, dtype=np.uint32)

    def read(self, block: bytes) -> tuple[npt.NDArray[np.uint32], int, Vocabulary]:
        """The block in ids of its own, its lines, and words that it has not told of before."""
        ids, n_lines = self._interner.ids(block)
        new = self._interner.vocabulary(self._n_told)
        self._n_told = len(self._interner)
        return ids, n_lines, new

    def renumber(
        self, ids: npt.NDArray[np.uint32], new: Vocabulary, whole: Interner
    ) -> npt.NDArray[np.uint32]:
        """The ids of a block in the whole; blocks come in the order in which they were read."""
        self._ids = np.concatenate([self._ids, whole.add_words(new)[FIRST_WORD:]])
        renumbered: npt.NDArray[np.uint32] = self._ids[ids]
        return renumbered


def intern_blocks(
    blocks: Iterable[bytes], segmentation: str, language: str, stream: IdStream, threads: int
) -> Vocabulary:
    """Read a corpus into a stream of word ids; returns the words.

    Ids are given in the order in which words first occur, for any number of threads: each thread
    reads every so many blocks into ids of its own, and of each block the words that are new to
    its thread get their ids once all blocks before have theirs. A word that first occurs in a
    block is new to the block's thread.

    Parameters
    ----------
    blocks : iterable of bytes
        Whole lines.
    segmentation, language : str
        As for `Interner`.
    stream : IdStream
        Where the ids go.
    threads : int

    Returns
    -------
    Vocabulary
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
