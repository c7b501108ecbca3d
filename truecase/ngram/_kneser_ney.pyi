from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from typing_extensions import disjoint_base

from truecase.kernels._ngrams import NgramScorer

_Keys = npt.NDArray[np.uint64]
_Counts = npt.NDArray[np.uint32]
_Words = npt.NDArray[np.uint32]
_Floats = npt.NDArray[np.float32]
_Doubles = npt.NDArray[np.float64]
_Offsets = npt.NDArray[np.int64]
_Rows = npt.NDArray[np.int32]

def last_words(keys: _Keys, order: int, new_order: int, bits: int) -> _Keys: ...
def unpack(keys: _Keys, order: int, bits: int) -> _Words: ...
def greatest_reversed(keys: _Keys, order: int, bits: int) -> int: ...
def count_words(
    keys: _Keys,
    order: int,
    bits: int,
    place: int,
    of_words: _Offsets,
    counts: _Counts | None = None,
) -> None: ...
def context_sums(keys: _Keys, counts: _Counts, order: int, bits: int) -> _Counts: ...
def count_kinds(keys: _Keys, order: int, bits: int) -> tuple[int, int]: ...
def join_raw_counts(
    keys: _Keys, adjusted: _Counts, order: int, bits: int, continued: _Counts, ends: _Counts
) -> _Counts: ...
def normalise(
    keys: _Keys,
    adjusted: _Counts,
    raw: _Counts,
    lower: _Floats,
    order: int,
    bits: int,
    smoothing: tuple[int, Sequence[float]],
) -> tuple[_Floats, _Floats]: ...
def join_backoffs(keys: _Keys, order: int, bits: int, backoffs: _Floats) -> _Floats: ...
def log10_clipped(values: _Floats, at_most_0: bool) -> _Floats: ...

@disjoint_base
class LowerOrder:
    def __new__(cls, keys: _Keys, probabilities: _Floats, order: int, bits: int) -> LowerOrder: ...
    def probabilities(self, keys: _Keys) -> _Floats: ...

def find_ranges(keys: _Keys, order: int, bits: int, first_keys: _Keys) -> npt.NDArray[np.uint8]: ...
def add_masses(
    contexts: _Offsets,
    probability: _Doubles,
    shorter: _Doubles,
    kept_mass: _Doubles,
    shorter_mass: _Doubles,
) -> None: ...

@disjoint_base
class CasingLosses:
    def __new__(
        cls,
        scorer: NgramScorer,
        alternatives_start: _Offsets,
        alternatives: _Words,
        node_score: _Floats,
    ) -> CasingLosses: ...
    def of(self, words: _Words, counts: _Counts, context_backoff: _Floats) -> _Floats: ...

def find_shorter(words: _Words, below: _Words, threads: int = 1) -> tuple[_Rows, _Rows]: ...
def raise_to(places: _Rows, values: _Floats, below: _Floats) -> None: ...
