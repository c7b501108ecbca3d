"""Which words are abbreviations: what follows the marks that they stand before."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from truecase.lexicon._stream import tally_stops
from truecase.lexicon.lexicon import Forms, sentence_beginners

# A word is an abbreviation if it stood before so many stops, and fewer of them ended a sentence.
_LEAST_STOPS = 4
_SHARE_OF_ENDS = 0.5

_BITS = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)

# Pairs that wait before those that are the same are added up.
_WAITING = 1 << 21


def pack_pairs(before: npt.NDArray[Any], after: npt.NDArray[Any]) -> npt.NDArray[np.uint64]:
    """Pairs of words, as tallies have them."""
    packed: npt.NDArray[np.uint64] = (before.astype(np.uint64) << _BITS) | after.astype(np.uint64)
    return packed


def unpack_pairs(
    pairs: npt.NDArray[np.uint64],
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The words before the mark, and the words after it."""
    return (pairs >> _BITS).astype(np.int64), (pairs & _LOW).astype(np.int64)


class StopTally:
    """How often each word stands before a mark that ends sentences, and what follows.

    Whether a capitalised word that follows begins a sentence can be told once all text is counted:
    so the pairs of words are kept, and tallies of parts of a text add up to that of the whole.

    Parameters
    ----------
    n_words : int

    Attributes
    ----------
    counts : int64 ndarray, shape (2, n_words)
        Occurrences right before such a mark; those of them where the line ends with it.
    """

    def __init__(self, n_words: int) -> None:
        self.counts = np.zeros((2, n_words), np.int64)
        self._pairs = np.zeros(0, np.uint64)
        self._pair_counts = np.zeros(0, np.int64)
        self._waiting: list[npt.NDArray[np.uint64]] = []
        self._n_waiting = 0

    def grow(self, n_words: int) -> None:
        """Make room for more words."""
        more = np.zeros((2, n_words - self.counts.shape[1]), np.int64)
        self.counts = np.concatenate([self.counts, more], axis=1)

    def add(self, chunk: npt.NDArray[np.uint32], forms: Forms) -> None:
        """Add whole lines of word ids."""
        pairs = tally_stops(chunk, forms.flags, forms.tag, self.counts)
        self._waiting.append(pairs)
        self._n_waiting += len(pairs)
        if self._n_waiting > _WAITING:
            self._add_up()

    def add_pairs(self, pairs: npt.NDArray[np.uint64], counts: npt.NDArray[np.int64]) -> None:
        """Add pairs that were counted before, as `pairs` gives them."""
        self._add_up()
        self._sum(np.concatenate([self._pairs, pairs]), np.concatenate([self._pair_counts, counts]))

    def add_tally(self, other: StopTally, ids: npt.NDArray[np.uint32]) -> None:
        """Add a tally of words of which number i is ``ids[i]`` here; no two are the same."""
        self.counts[:, ids] += other.counts
        pairs, counts = other.pairs()
        before, after = unpack_pairs(pairs)
        self.add_pairs(pack_pairs(ids[before], ids[after]), counts)

    def pairs(self) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int64]]:
        """``word << 32 | capitalised word that follows``, rising, and how often."""
        self._add_up()
        return self._pairs, self._pair_counts

    def _add_up(self) -> None:
        if self._n_waiting:
            found, counts = np.unique(np.concatenate(self._waiting), return_counts=True)
            self._waiting, self._n_waiting = [], 0
            self._sum(
                np.concatenate([self._pairs, found]), np.concatenate([self._pair_counts, counts])
            )

    def _sum(self, pairs: npt.NDArray[np.uint64], counts: npt.NDArray[np.int64]) -> None:
        self._pairs, place = np.unique(pairs, return_inverse=True)
        self._pair_counts = np.zeros(len(self._pairs), np.int64)
        np.add.at(self._pair_counts, place, counts)

    def ends(self, begins: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        """How often a sentence ends with each word, of the words that `begins` says begin one."""
        pairs, counts = self.pairs()
        ends: npt.NDArray[np.int64] = self.counts[1].copy()
        before, after = unpack_pairs(pairs)
        does = begins[after]
        np.add.at(ends, before[does], counts[does])
        return ends


def mark_abbreviations(forms: Forms, tally: StopTally) -> None:
    """Mark the keys after which a full stop mostly does not end the sentence."""
    ends = tally.ends(sentence_beginners(forms))
    _, group = np.unique(forms.key, return_inverse=True)
    of_key = np.bincount(group, weights=tally.counts[0])
    share = (np.bincount(group, weights=ends) + 0.5) / (of_key + 1.0)
    forms.abbreviation[:] = ((of_key >= _LEAST_STOPS) & (share < _SHARE_OF_ENDS))[group]
