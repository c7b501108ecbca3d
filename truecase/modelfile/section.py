"""`Section`: the arrays and settings of one part of a model, each checked as it is taken."""

from collections.abc import Mapping
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from truecase.errors import ModelError

#: Sums over ten thousand words of products with such weights stay finite.
MAX_WEIGHT = 1e6

_T = TypeVar("_T")
_Array = npt.NDArray[Any]


class Section:
    """What a component is made of.

    Parameters
    ----------
    name : str
        Of the component: messages call its arrays ``NAME/ARRAY`` and its settings ``NAME.SETTING``.
    arrays : mapping of str to ndarray
    settings : mapping
        Settings may stand in sections of their own.
    kept : list
        Gets every array that is taken, so that views of it may point into its memory.
    """

    def __init__(
        self,
        name: str,
        arrays: Mapping[str, _Array],
        settings: Mapping[str, Any],
        kept: list[_Array],
    ) -> None:
        self.name = name
        self.arrays = arrays
        self.settings = settings
        self.kept = kept

    def vector(self, name: str, dtype: npt.DTypeLike, n: int | None = None) -> _Array:
        """An array of a type, and of a length if `n` is given; what it holds is not looked at."""
        called = f"{self.name}/{name}"
        try:
            array = self.arrays[name]
        except KeyError:
            raise ModelError(f"the array {called} is missing") from None
        dtype = np.dtype(dtype)
        if array.dtype != dtype or array.ndim != 1:
            raise ModelError(f"the array {called} is not a vector of {dtype}")
        if n is not None and array.shape[0] != n:
            raise ModelError(f"the array {called} has {array.shape[0]} entries, expected {n}")
        return array

    def array(self, name: str, dtype: npt.DTypeLike, n: int | None = None) -> _Array:
        """A vector that is kept for kernels, without NaN or infinity."""
        array = self.vector(name, dtype, n)
        if not array.flags.c_contiguous or not array.flags.aligned:
            array = np.ascontiguousarray(array).copy()
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise ModelError(
                f"the array {self.name}/{name} has an entry that is not a finite number"
            )
        self.kept.append(array)
        return array

    def weights(self, name: str, n: int) -> _Array:
        """A vector of 32-bit floats of moderate size."""
        values = self.array(name, np.float32, n)
        if np.abs(values).max(initial=0.0) > MAX_WEIGHT:
            raise ModelError(f"the array {self.name}/{name} has an entry beyond ±{MAX_WEIGHT:.0e}")
        return values

    def _setting(self, name: str) -> Any:
        """A setting; dots in its name lead into sections."""
        value: Any = self.settings
        for part in name.split("."):
            if not isinstance(value, Mapping) or part not in value:
                raise ModelError(f"the setting {self.name}.{name} is missing")
            value = value[part]
        return value

    def number(self, name: str, low: float, high: float) -> float:
        """A number within bounds."""
        value = self._setting(name)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise ModelError(f"the setting {self.name}.{name} is not a number")
        if not low <= value <= high:
            raise ModelError(f"the setting {self.name}.{name} is {value}, outside {low} … {high}")
        return value

    def names(self, name: str) -> list[str]:
        """A list of different names."""
        values = self._setting(name)
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            raise ModelError(f"the setting {self.name}.{name} is not a list of names")
        if len(set(values)) != len(values):
            raise ModelError(f"the setting {self.name}.{name} names something twice")
        return values

    def choice(self, name: str, choices: Mapping[str, _T]) -> _T:
        """What the name that a setting has stands for."""
        value = self._setting(name)
        if not isinstance(value, str) or value not in choices:
            raise ModelError(
                f"the setting {self.name}.{name} is {value!r}, expected one of {', '.join(choices)}"
            )
        return choices[value]
