"""An n-gram model as arrays."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

MAX_ORDER = 5


@dataclass
class NgramModel:
    """A backoff n-gram model: the contents of an ARPA file.

    Entry ``k - 1`` of each list is for the n-grams of `k` words, distinct and sorted
    lexicographically by word id.

    Attributes
    ----------
    words : list of uint32 arrays, shape (n_k, k)
    log10_prob : list of float32 arrays, shape (n_k,)
        Finite and not positive.
    log10_backoff : list of float32 arrays, shape (n_k,)
        Finite; for all orders but the highest.
    count : list of uint32 arrays, shape (n_k,), or None
        Occurrences in the corpus, if known: of ``<s>`` the number of lines, of ``<unk>`` 0.
    discounts : list of (D1, D2, D3+)
        Kneser-Ney discounts per order, if the model was estimated here.
    """

    words: list[npt.NDArray[np.uint32]]
    log10_prob: list[npt.NDArray[np.float32]]
    log10_backoff: list[npt.NDArray[np.float32]]
    count: list[npt.NDArray[np.uint32]] | None = None
    discounts: list[tuple[float, float, float]] = field(default_factory=list)

    @property
    def order(self) -> int:
        """Words in the longest n-grams."""
        return len(self.words)

    @property
    def n_ngrams(self) -> list[int]:
        """Number of n-grams of each order, from the unigrams on."""
        return [len(words) for words in self.words]

    def nbytes(self) -> int:
        """Memory of all arrays."""
        columns: list[npt.NDArray[Any]] = [*self.words, *self.log10_prob, *self.log10_backoff]
        return sum(column.nbytes for column in (*columns, *(self.count or ())))

    def validate(self, vocabulary_size: int) -> None:
        """Check the invariants of the class; ValueError names the order and the problem."""
        order = self.order
        if not 1 <= order <= MAX_ORDER:
            raise ValueError(f"a model of order {order}: expected 1 … {MAX_ORDER}")
        if len(self.log10_prob) != order or len(self.log10_backoff) != order - 1:
            raise ValueError(
                f"order {order}: {order} arrays of probabilities, one fewer of backoffs"
            )
        if self.count is not None and len(self.count) != order:
            raise ValueError("one array of counts per order expected")
        for k in range(1, order + 1):
            words = self.words[k - 1]
            n = len(words)
            if words.dtype != np.uint32 or words.shape != (n, k):
                raise ValueError(f"{k}-grams: words must be uint32 of shape ({n}, {k})")
            if n and int(words.max()) >= vocabulary_size:
                raise ValueError(f"{k}-grams: word id {words.max()} of {vocabulary_size} words")
            columns: list[tuple[str, npt.NDArray[Any], type]] = [
                ("probabilities", self.log10_prob[k - 1], np.float32)
            ]
            if k < order:
                columns.append(("backoffs", self.log10_backoff[k - 1], np.float32))
            if self.count is not None:
                columns.append(("counts", self.count[k - 1], np.uint32))
            for name, column, dtype in columns:
                if column.dtype != dtype or column.shape != (n,):
                    raise ValueError(f"{k}-grams: {name} must be {np.dtype(dtype)} of shape ({n},)")
                if dtype is np.float32 and not np.isfinite(column).all():
                    raise ValueError(f"{k}-grams: {name} that are not finite")
            if n and float(self.log10_prob[k - 1].max()) > 0:
                raise ValueError(f"{k}-grams: a probability above 1")
            if not is_sorted(words):
                raise ValueError(f"{k}-grams: not sorted by word ids, or not unique")


def is_sorted(words: npt.NDArray[np.uint32]) -> bool:
    """Whether the rows rise strictly, in lexicographic order."""
    undecided = np.ones(max(len(words) - 1, 0), dtype=bool)
    for column in range(words.shape[1]):
        before, after = words[:-1, column], words[1:, column]
        if bool(np.any(undecided & (before > after))):
            return False
        undecided &= before == after
    return not bool(undecided.any())
