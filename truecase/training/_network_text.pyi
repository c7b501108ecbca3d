from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from truecase._core import CompiledModel

class Vectors(NamedTuple):
    """What a network reads of the words of a text, an entry for each word."""

    word: npt.NDArray[np.uint64]
    pair: npt.NDArray[np.uint64]
    suffix: npt.NDArray[np.int32]
    prefix: npt.NDArray[np.int32]
    facts: npt.NDArray[np.uint8]
    is_open: npt.NDArray[np.bool_]
    gold: npt.NDArray[np.int8]
    length: npt.NDArray[np.int32]

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
    added: npt.NDArray[np.float32],
    drop_punctuation: float = ...,
    spoil_case: float = ...,
    seed: int = ...,
) -> npt.NDArray[np.float32]: ...
def run_units(
    sums: npt.NDArray[np.float32],
    of_state: npt.NDArray[np.float32],
    length: npt.NDArray[np.int32],
    backward: bool,
) -> tuple[npt.NDArray[np.float32], ...]: ...
def run_units_back(
    of_states: npt.NDArray[np.float32],
    of_state: npt.NDArray[np.float32],
    length: npt.NDArray[np.int32],
    backward: bool,
    seen: tuple[npt.NDArray[np.float32], ...],
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]: ...
