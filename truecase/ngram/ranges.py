"""N-grams counted one range of first words after the other, so that few are in memory at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from truecase.base.threads import ordered_map
from truecase.ngram._count import KeyBlock

#: N-grams that are sorted at a time, if there are many more of them.
AT_ONCE = 1 << 22

_MOST_RANGES = 12
_CHUNK_RECORDS = 1 << 16


def counted_by_range(
    order: int,
    bits: int,
    most: npt.NDArray[np.int64],
    add: Callable[[KeyBlock, int, int], None],
    threads: int,
    at_once: int = AT_ONCE,
) -> Iterator[tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint32]]]:
    """Distinct n-grams in lexicographic order and their counts, in pieces.

    Parameters
    ----------
    order, bits : int
        Of the n-grams, and of a word id.
    most : int64 ndarray, shape (n_words,)
        How many n-grams begin with each word, at the most.
    add : callable
        Adds the n-grams whose first word is one of a range, ``add(block, first, last)``, to a
        block that has room for them and some more.
    threads : int
        Ranges that are counted at a time; the result does not depend on it.
    at_once : int
        N-grams that are sorted at a time, at the least; nor does it depend on that.
    """
    ranges = _ranges(most, max(at_once, int(most.sum()) // _MOST_RANGES))
    # With room left at the end, whole chunks are added at a time.
    capacity = _CHUNK_RECORDS + max(
        (int(most[first : last + 1].sum()) for first, last in ranges), default=0
    )
    here = threading.local()

    def count(words: tuple[int, int]) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint32]]:
        # Memory that is in use already need not be cleared by the system again.
        block = getattr(here, "block", None)
        if block is None:
            block = here.block = KeyBlock(order, bits, capacity)
        add(block, *words)
        return block.flush()

    return ordered_map(count, ranges, threads)


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
