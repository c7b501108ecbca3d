from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from typing_extensions import disjoint_base

from truecase._core import CompiledModel
from truecase.alignment.lines import Phrases

_Floats = npt.NDArray[np.float32]

@disjoint_base
class SparseTrainer:
    def __new__(
        cls,
        n_slots: int,
        counter_bits: int,
        min_count: int,
        alpha: float,
        beta: float,
        l1: float,
        l2: float,
        lm_weight: float,
        edge_rate: float,
        drop_punctuation: float,
        hide_source: float = 0.0,
        hide_alignment: float = 0.0,
    ) -> SparseTrainer: ...
    def close(self) -> None: ...
    def add_hidden(
        self, fields: npt.NDArray[np.uint8], rows: _Floats, out: _Floats, rate: float
    ) -> None: ...
    def stand_beside(self, model: CompiledModel) -> None: ...
    def add_to_average(self, threads: int = 1) -> None: ...
    def hidden(self) -> tuple[_Floats, _Floats, _Floats]: ...
    def learn(
        self,
        pieces: list[tuple[CompiledModel, bytes, bytes | None, Phrases | None]],
        threads: int = 1,
        *,
        admit: bool = True,
    ) -> None: ...
    def progress(self) -> dict[str, float]: ...
    def edge_weights(self) -> tuple[float, _Floats]: ...
    def weights(self, tag: int) -> tuple[npt.NDArray[np.uint64], _Floats, _Floats]: ...

class Evidence(NamedTuple):
    """Evidence for each case of some words."""

    whole: npt.NDArray[np.float32]
    prior: npt.NDArray[np.float32]
    own: npt.NDArray[np.float32]
    hidden: npt.NDArray[np.float32]
    weights: npt.NDArray[np.float32]

def word_evidence(
    model: CompiledModel,
    most: int,
    text: bytes,
    source: bytes | None = None,
    phrases: Phrases | None = None,
) -> Evidence: ...
