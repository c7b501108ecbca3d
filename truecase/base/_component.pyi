"""What buffers do not tell of vectors: whether kernels may read them, and their range.

What all components of a model have: arrays, settings, and a struct that points into them.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy.typing as npt
from typing_extensions import Self, disjoint_base

from truecase.base.container import Buffer, Buffers
from truecase.base.section import Section

__all__ = ["Component", "all_between", "give_back_memory", "is_laid_out"]

def is_laid_out(buffer: Buffer) -> bool:
    """Whether the entries lie one after the other, each where its type may lie."""

def all_between(values: Buffer, low: float, high: float) -> bool:
    """Whether all entries are numbers within bounds; no NaN is."""

def give_back_memory() -> None: ...

@disjoint_base
class Component:
    """A part of a model: its arrays, and settings that say what they mean."""

    about: ClassVar[str]
    @property
    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """By name; what they hold is not copied."""

    @property
    def settings(self) -> dict[str, Any]: ...
    def __new__(
        cls,
        arrays: Buffers,
        settings: Mapping[str, Any] | None = None,
    ) -> Self: ...
    def section(self, name: str) -> Section:
        """The arrays and settings, each to be checked as it is taken."""

    @property
    def n_bytes(self) -> int:
        """Size of the arrays."""

    def info(self) -> dict[str, Any]:
        """What it is, in a few words and numbers."""
