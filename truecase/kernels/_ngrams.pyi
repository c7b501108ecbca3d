from typing import Any

import numpy as np
import numpy.typing as npt
from typing_extensions import Self, disjoint_base

from truecase.base._component import Component
from truecase.base.spool import Float32s, UInt32s, UInt64s
from truecase.kernels._lexicon import Lexicon

def hash_ngrams(words: UInt32s, form_hashes: UInt64s) -> UInt64s: ...

@disjoint_base
class NgramScorer:
    def __new__(
        cls,
        form: UInt64s,
        log_probability: Float32s,
        log_backoff: Float32s,
        tables: list[tuple[dict[str, npt.NDArray[np.generic]], dict[str, Any]]],
        closed: bool = False,
    ) -> Self: ...
    @property
    def unigram_backoff(self) -> Float32s: ...
    def last_word(self, words: UInt32s, skip: int = 0) -> Float32s: ...

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
