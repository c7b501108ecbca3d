"""The n-grams of a text that is there as word ids."""

from __future__ import annotations

from functools import partial

import numpy as np
import numpy.typing as npt

from truecase.corpus.id_stream import IdStream
from truecase.corpus.vocabulary import BOS
from truecase.ngram._count import KeyBlock
from truecase.ngram.counting import CountedPieces, MemoryPlan, RunCounter, add_ids, id_bits
from truecase.runtime.threads import ordered_map

# N-grams that are sorted at a time in memory: so many at least, and so many times at the most.
_LEAST_TO_SORT = 1 << 22
_MOST_RANGES = 12
_CHUNK_RECORDS = 1 << 16


class StreamNgrams:
    """The n-grams of a stream of word ids.

    Parameters
    ----------
    stream : IdStream
    release : bool
        Close the stream as soon as it has been read.
    at_once : int
        N-grams that are sorted at a time, if there are many more of them; the result does not
        depend on it.
    """

    def __init__(
        self, stream: IdStream, release: bool = False, at_once: int = _LEAST_TO_SORT
    ) -> None:
        self._stream = stream
        self._release = release
        self._at_once = at_once

    def has_words(self) -> bool:
        """Whether there is anything to count."""
        return self._stream.n_words > 0

    def counted(self, vocabulary_size: int, order: int, plan: MemoryPlan) -> CountedPieces:
        """As `NgramSource` has it."""
        if not plan.on_disk:
            return self._counted_by_range(vocabulary_size, order, plan)
        counter = RunCounter.of_keys(order, id_bits(vocabulary_size), len(self._stream), plan)
        for ids in self._stream.chunks():
            add_ids(counter, ids, vocabulary_size)
        if self._release:
            self._stream.close()
        return counter.counted()

    def _counted_by_range(
        self, vocabulary_size: int, order: int, plan: MemoryPlan
    ) -> CountedPieces:
        """The n-grams of one range of first words after the other, so that few are in memory."""
        most = self._most_by_first_word(vocabulary_size, order)
        ranges = _ranges(most, max(self._at_once, int(most.sum()) // _MOST_RANGES))
        count = partial(_count_range, self._stream, vocabulary_size, order, most)
        yield from ordered_map(count, ranges, plan.threads)
        if self._release:
            self._stream.close()

    def _most_by_first_word(self, vocabulary_size: int, order: int) -> npt.NDArray[np.int64]:
        """How many n-grams begin with each word, at the most."""
        most = np.zeros(vocabulary_size, np.int64)
        for ids in self._stream.chunks():
            if len(ids) and int(ids.max()) >= vocabulary_size:
                raise ValueError(
                    f"word id {ids.max()} in the stream: expected 2 … {vocabulary_size - 1}"
                )
            most += np.bincount(ids, minlength=vocabulary_size)
        most[BOS] = (order - 1) * (self._stream.n_lines + 1)
        return most


def _ranges(most: npt.NDArray[np.int64], n_ngrams: int) -> list[tuple[int, int]]:
    """Ranges of words that begin at most so many n-grams, or of one word."""
    before = np.concatenate([[0], np.cumsum(most)])
    ranges, first = [], 0
    while first < len(most):
        end = int(np.searchsorted(before, before[first] + n_ngrams, side="right")) - 1
        end = max(end, first + 1)
        ranges.append((first, end - 1))
        first = end
    return ranges


def _count_range(
    stream: IdStream,
    vocabulary_size: int,
    order: int,
    most: npt.NDArray[np.int64],
    words: tuple[int, int],
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint32]]:
    """The distinct n-grams that begin with one of a range of words, and their counts."""
    first, last = words
    # With room left at the end, whole chunks are added at a time.
    capacity = int(most[first : last + 1].sum()) + _CHUNK_RECORDS
    block = KeyBlock(order, id_bits(vocabulary_size), capacity)
    for ids in stream.chunks():
        start = 0
        while start < len(ids):
            start = block.add_ids(ids, start, vocabulary_size, first, last)
    return block.flush()
