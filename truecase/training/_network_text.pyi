from truecase._core import CompiledModel
from truecase.base.spool import Float32s, Int32s
from truecase.training.material import Vectors

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
