"""The n-grams of a text that is there as word ids."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from truecase.corpus.id_stream import IdStream
from truecase.corpus.vocabulary import BOS
from truecase.ngram._count import KeyBlock
from truecase.ngram.counting import CountedPieces, MemoryPlan, RunCounter, add_ids, id_bits
from truecase.ngram.ranges import AT_ONCE, counted_by_range


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

    def __init__(self, stream: IdStream, release: bool = False, at_once: int = AT_ONCE) -> None:
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
        most = self._most_by_first_word(vocabulary_size, order)

        def add(block: KeyBlock, first: int, last: int) -> None:
            for ids in self._stream.chunks():
                start = 0
                while start < len(ids):
                    start = block.add_ids(ids, start, vocabulary_size, first, last)

        bits = id_bits(vocabulary_size)
        yield from counted_by_range(order, bits, most, add, plan.threads, self._at_once)
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
