"""What all components of a model have."""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy.typing as npt
from typing_extensions import Self, disjoint_base

from truecase.base.container import Buffers
from truecase.base.section import Section

__all__ = ["Component"]

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
