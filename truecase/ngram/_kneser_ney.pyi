from collections.abc import Sequence

from typing_extensions import disjoint_base

from truecase.base.spool import Float32s, Int64s, UInt32s, UInt64s
from truecase.kernels._ngrams import NgramScorer

def last_words(keys: UInt64s, order: int, new_order: int, bits: int) -> UInt64s: ...
def pack(words: UInt32s, bits: int) -> UInt64s: ...
def unpack(keys: UInt64s, order: int, bits: int) -> UInt32s: ...
def count_words(
    keys: UInt64s,
    order: int,
    bits: int,
    place: int,
    of_words: Int64s,
    counts: UInt32s | None = None,
) -> None: ...
def normalise(
    keys: UInt64s,
    adjusted: UInt32s,
    raw: UInt32s,
    lower: Float32s,
    order: int,
    bits: int,
    smoothing: tuple[int, Sequence[float]],
) -> tuple[Float32s, Float32s]: ...

NOT_THERE: int

@disjoint_base
class NgramNumbers:
    def __new__(cls, keys: UInt64s, numbers: UInt32s, order: int, bits: int) -> NgramNumbers: ...
    def of(self, keys: UInt64s) -> UInt32s: ...

@disjoint_base
class CasingLosses:
    def __new__(
        cls,
        scorer: NgramScorer,
        alternatives_start: Int64s,
        alternatives: UInt32s,
        node_score: Float32s,
    ) -> CasingLosses: ...
    def of(self, words: UInt32s, counts: UInt32s, context_backoff: Float32s) -> Float32s: ...
