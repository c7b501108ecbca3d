from typing import NamedTuple

from typing_extensions import disjoint_base

from truecase._core import CompiledModel
from truecase.alignment.lines import Phrases
from truecase.base.spool import Float32s, UInt8s, UInt64s
from truecase.training.recipe import SparseRecipe

@disjoint_base
class SparseTrainer:
    def __new__(cls, recipe: SparseRecipe, n_slots: int, counter_bits: int) -> SparseTrainer: ...
    def close(self) -> None: ...
    def add_hidden(self, fields: UInt8s, rows: Float32s, out: Float32s, rate: float) -> None: ...
    def stand_beside(self, model: CompiledModel) -> None: ...
    def add_to_average(self, threads: int = 1) -> None: ...
    def hidden(self) -> tuple[Float32s, Float32s, Float32s]: ...
    def learn(
        self,
        pieces: list[tuple[CompiledModel, bytes, bytes | None, Phrases | None]],
        threads: int = 1,
        *,
        admit: bool = True,
    ) -> None: ...
    def progress(self) -> dict[str, float]: ...
    def edge_weights(self) -> tuple[float, Float32s]: ...
    def weights(self, tag: int) -> tuple[UInt64s, Float32s, Float32s]: ...

class Evidence(NamedTuple):
    """Evidence for each case of some words."""

    whole: Float32s
    prior: Float32s
    own: Float32s
    hidden: Float32s
    weights: Float32s

def word_evidence(
    model: CompiledModel,
    most: int,
    text: bytes,
    source: bytes | None = None,
    phrases: Phrases | None = None,
) -> Evidence: ...
