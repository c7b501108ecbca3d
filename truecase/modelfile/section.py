"""`ModelSource`: a model's arrays and settings, each checked as it is taken."""

from collections.abc import Mapping
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from truecase.errors import ModelError

#: Sums over ten thousand words of products with such weights stay finite.
MAX_WEIGHT = 1e6

_T = TypeVar("_T")
_Array = npt.NDArray[Any]


class ModelSource:
    """What a compiled model is filled from.

    Parameters
    ----------
    arrays : mapping of str to ndarray
    settings : mapping
        The ``"decoder"`` section of the model's metadata, or a section of it.
    owners : list
        Gets every array that is taken, so that views of it may point into its memory.
    """

    def __init__(
        self, arrays: Mapping[str, _Array], settings: Mapping[str, Any], owners: list[_Array]
    ) -> None:
        self.arrays = arrays
        self.settings = settings
        self.owners = owners

    def array(self, name: str, dtype: npt.DTypeLike, n: int | None = None) -> _Array:
        """A vector of a type, and of a length if `n` is given, without NaN or infinity."""
        try:
            array = self.arrays[name]
        except KeyError:
            raise ModelError(f"the array {name} is missing") from None
        dtype = np.dtype(dtype)
        if array.dtype != dtype or array.ndim != 1:
            raise ModelError(f"the array {name} is not a vector of {dtype}")
        if n is not None and array.shape[0] != n:
            raise ModelError(f"the array {name} has {array.shape[0]} entries, expected {n}")
        if not array.flags.c_contiguous or not array.flags.aligned:
            array = np.ascontiguousarray(array).copy()
        if dtype.kind == "f" and not np.isfinite(array).all():
            raise ModelError(f"the array {name} has an entry that is not a finite number")
        self.owners.append(array)
        return array

    def weights(self, name: str, n: int) -> _Array:
        """A vector of 32-bit floats of moderate size."""
        values = self.array(name, np.float32, n)
        if np.abs(values).max(initial=0.0) > MAX_WEIGHT:
            raise ModelError(f"the array {name} has an entry beyond ±{MAX_WEIGHT:.0e}")
        return values

    def section(self, name: str) -> "ModelSource":
        """The settings below one name."""
        settings = self.settings.get(name)
        if not isinstance(settings, dict):
            raise ModelError(f"the settings of {name} are missing")
        return ModelSource(self.arrays, settings, self.owners)

    def number(self, name: str, low: float, high: float) -> float:
        """A number within bounds; dots in the name lead into sections."""
        value: Any = self.settings
        for part in name.split("."):
            if not isinstance(value, dict) or part not in value:
                raise ModelError(f"the setting {name} is missing")
            value = value[part]
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise ModelError(f"the setting {name} is not a number")
        if not low <= value <= high:
            raise ModelError(f"the setting {name} is {value}, outside {low} … {high}")
        return value

    def names(self, section: str, name: str) -> list[str]:
        """A list of different names."""
        values = self.settings.get(section)
        values = values.get(name) if isinstance(values, dict) else None
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            raise ModelError(f"the setting {section}.{name} is not a list of names")
        if len(set(values)) != len(values):
            raise ModelError(f"the setting {section}.{name} names something twice")
        return values

    def choice(self, name: str, choices: Mapping[str, _T]) -> _T:
        """What the name that a setting has stands for."""
        value = self.settings.get(name)
        if not isinstance(value, str) or value not in choices:
            raise ModelError(
                f"the setting {name} is {value!r}, expected one of {', '.join(choices)}"
            )
        return choices[value]
