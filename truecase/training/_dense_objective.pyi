from typing_extensions import Self, disjoint_base

from truecase._core import CompiledModel
from truecase.alignment.lines import Phrases
from truecase.base.spool import Float64s, UInt8s

@disjoint_base
class TrainingLattices:
    n_marks: int
    def __new__(
        cls,
        model: CompiledModel,
        block: bytes | bytearray | memoryview,
        source: bytes | bytearray | memoryview | None = None,
        phrases: Phrases | None = None,
    ) -> Self: ...
    @property
    def sizes(self) -> dict[str, int]: ...
    def evaluate(
        self, weights: Float64s, chosen: UInt8s | None = None
    ) -> tuple[float, Float64s, int, int]: ...
