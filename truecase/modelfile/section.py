"""`Section`: the arrays and settings of one part of a model, each checked as it is taken."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from truecase.base.container import FORMATS
from truecase.errors import ModelError
from truecase.modelfile._vectors import all_between, is_laid_out

if TYPE_CHECKING:
    from typing import Any, TypeVar

    from truecase.base.container import Buffers

    _T = TypeVar("_T")

#: Sums over ten thousand words of products with such numbers stay finite, and what tells candidates
#: apart is still there when all are added up.
MAX_NUMBER = 1e6

# What names this machine's order of bytes in front of a format; the other order's sign stays there.
_OWN_ORDER = "@=^" + ("<" if sys.byteorder == "little" else ">")


class Section:
    """What a component is made of.

    Parameters
    ----------
    name : str
        Of the component: messages call its arrays ``NAME/ARRAY`` and its settings ``NAME.SETTING``.
    arrays : mapping of str to buffer
        NumPy's, or memoryviews.
    settings : mapping
        Settings may stand in sections of their own.
    kept : list
        Gets every array that is taken, so that views of it may point into its memory.
    """

    def __init__(
        self,
        name: str,
        arrays: Buffers,
        settings: Mapping[str, Any],
        kept: list[memoryview[Any]],
    ) -> None:
        self.name = name
        self.arrays = arrays
        self.settings = settings
        self.kept = kept

    def vector(self, name: str, dtype: str, n: int | None = None) -> memoryview[Any]:
        """An array of a type, and of a length if `n` is given; what it holds is not looked at.

        The type is one of `truecase.base.container.FORMATS`.
        """
        called = f"{self.name}/{name}"
        try:
            array: Any = self.arrays[name]  # to type checkers, NumPy's are buffers from 3.12 on
        except KeyError:
            raise ModelError(f"the array {called} is missing") from None
        formats, n_bytes = FORMATS[dtype]
        try:
            view: memoryview[Any] = memoryview(array)
        except (TypeError, ValueError):  # no buffer; NumPy has types that no buffer has
            view = memoryview(b"").cast("c")
        # Formats may name the order of bytes; NumPy's do where entries are not aligned.
        own_format = view.format.lstrip(_OWN_ORDER)
        if own_format not in formats or view.itemsize != n_bytes or view.ndim != 1:
            raise ModelError(f"the array {called} is not a vector of {dtype}")
        if n is not None and len(view) != n:
            raise ModelError(f"the array {called} has {len(view)} entries, expected {n}")
        return view

    def array(self, name: str, dtype: str, n: int | None = None) -> memoryview[Any]:
        """A vector that is kept for kernels; floats are numbers of moderate size."""
        view = self.vector(name, dtype, n)
        if not is_laid_out(view):
            view = memoryview(view.tobytes()).cast(FORMATS[dtype][0][0])  # type: ignore[call-overload]
        if dtype == "float32" and not all_between(view, -MAX_NUMBER, MAX_NUMBER):
            raise ModelError(
                f"the array {self.name}/{name} has an entry that is no number or beyond"
                f" ±{MAX_NUMBER:.0e}"
            )
        self.kept.append(view)
        return view

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
