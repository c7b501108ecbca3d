"""Types of the compiled module `truecase.base._component`."""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy.typing as npt
from typing_extensions import Self, disjoint_base

from truecase.base.model_file import Buffer, Buffers, Section

def is_laid_out(buffer: Buffer) -> bool:
    """Whether the entries lie one after the other, each where its type may lie."""

def all_between(values: Buffer, low: float, high: float) -> bool:
    """Whether all entries are numbers within bounds; no NaN is."""

def give_back_memory() -> None: ...

@disjoint_base
class Component:
    """A part of a model: arrays, and settings that describe them."""

    about: ClassVar[str]
    @property
    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """NumPy views of the arrays by name."""

    @property
    def settings(self) -> dict[str, Any]: ...
    def __new__(cls, arrays: Buffers, settings: Mapping[str, Any] | None = None) -> Self: ...
    def section(self, name: str) -> Section:
        """The arrays and settings, for checking."""

    @property
    def n_bytes(self) -> int:
        """Size of the arrays."""

    def info(self) -> dict[str, Any]:
        """A description and some figures."""
