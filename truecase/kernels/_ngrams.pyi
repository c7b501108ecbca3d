from typing import Any

import numpy as np
import numpy.typing as npt
from typing_extensions import Self, disjoint_base

from truecase.base._component import Component
from truecase.kernels._lexicon import Lexicon

def hash_ngrams(
    words: npt.NDArray[np.uint32], form_hashes: npt.NDArray[np.uint64]
) -> npt.NDArray[np.uint64]: ...

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
    @property
    def weight(self) -> float: ...
    @property
    def order(self) -> int: ...

@disjoint_base
class Domain(Component):
    @property
    def lexicon(self) -> Lexicon: ...
    @property
    def lm(self) -> LanguageModel: ...
    @property
    def share(self) -> float: ...
    @staticmethod
    def of(share: float, lexicon: Lexicon, lm: LanguageModel) -> Domain: ...
