"""A block of text taken as far as one stage of its way, for benchmarks."""

from typing import TYPE_CHECKING

from truecase._core import CompiledModel

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["STAGES", "run_until"]

STAGES: tuple[str, ...]

def run_until(model: CompiledModel, block: Buffer, stage: str) -> int: ...
