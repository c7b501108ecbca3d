from typing import NamedTuple

from truecase._core import CompiledModel
from truecase.base.spool import Bools, Float32s, Int8s, Int32s, UInt8s, UInt64s

class Vectors(NamedTuple):
    """What a network reads of the words of a text, an entry for each word."""

    word: UInt64s
    pair: UInt64s
    suffix: Int32s
    prefix: Int32s
    facts: UInt8s
    is_open: Bools
    gold: Int8s
    length: Int32s

def vectors_of(
    model: CompiledModel,
    text: bytes,
    n_affixes: int,
    drop_punctuation: float = ...,
    spoil_case: float = ...,
    seed: int = ...,
) -> Vectors: ...
def posteriors_of(
    model: CompiledModel,
    text: bytes,
    added: Float32s,
    drop_punctuation: float = ...,
    spoil_case: float = ...,
    seed: int = ...,
) -> Float32s: ...
def run_units(
    sums: Float32s, of_state: Float32s, length: Int32s, backward: bool
) -> tuple[Float32s, ...]: ...
def run_units_back(
    of_states: Float32s,
    of_state: Float32s,
    length: Int32s,
    backward: bool,
    seen: tuple[Float32s, ...],
) -> tuple[Float32s, Float32s]: ...
