"""The n-grams of a model.

A domain's lexicon and n-grams, and their share.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
from typing_extensions import Self, disjoint_base

from truecase.base._component import Component
from truecase.kernels._lexicon import Lexicon

__all__ = ["Domain", "LanguageModel"]

def hash_ngrams(
    words: npt.NDArray[np.uint32], form_hashes: npt.NDArray[np.uint64]
) -> npt.NDArray[np.uint64]: ...
def mix_hash(x: int) -> int: ...

@disjoint_base
class NgramScorer:
    def __new__(
        cls,
        form: npt.NDArray[np.uint64],
        log_probability: npt.NDArray[np.float32],
        log_backoff: npt.NDArray[np.float32],
        tables: list[tuple[dict[str, npt.NDArray[np.generic]], dict[str, Any]]],
        closed: bool = False,
    ) -> Self: ...
    @property
    def unigram_backoff(self) -> npt.NDArray[np.float32]: ...
    def last_word(
        self, words: npt.NDArray[np.uint32], skip: int = 0
    ) -> npt.NDArray[np.float32]: ...

@disjoint_base
class LanguageModel(Component):
    """Cased n-grams of order 2 and more; unigrams are the lexicon's."""

    @property
    def weight(self) -> float:
        """Of the n-grams, if no features beside them have it."""

    @property
    def order(self) -> int:
        """Longest n-gram, in words."""

@disjoint_base
class Domain(Component):
    """A second lexicon and language model, interpolated with the first."""

    @property
    def lexicon(self) -> Lexicon: ...
    @property
    def lm(self) -> LanguageModel: ...
    @property
    def share(self) -> float:
        """How much of the domain's probability is taken."""

    @staticmethod
    def of(share: float, lexicon: Lexicon, lm: LanguageModel) -> Domain:
        """That of parts which are there."""
