"""What all components of a model have: arrays, settings, and a struct that points into them."""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from typing_extensions import Self, disjoint_base

__all__ = ["Component"]

@disjoint_base
class Component:
    """A part of a model: its arrays, and settings that say what they mean."""

    about: ClassVar[str]
    @property
    def arrays(self) -> dict[str, npt.NDArray[np.generic]]: ...
    @property
    def settings(self) -> dict[str, Any]: ...
    def __new__(
        cls,
        arrays: Mapping[str, npt.NDArray[Any]],
        settings: Mapping[str, Any] | None = None,
    ) -> Self: ...
    @property
    def n_bytes(self) -> int:
        """Size of the arrays."""

    def info(self) -> dict[str, Any]:
        """What it is, in a few words and numbers."""
