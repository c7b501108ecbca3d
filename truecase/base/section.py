"""Parts of a model: `Section`, the checked arrays and settings of a component, and `Record`."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from truecase.base._component import all_between, is_laid_out
from truecase.base.container import FORMATS
from truecase.errors import ModelError

if TYPE_CHECKING:
    from typing import Any, ClassVar, TypeVar

    from truecase.base.container import Buffers

    _T = TypeVar("_T")


#: The largest weight: sums of its products over ten thousand words stay finite, and the differences
#: between candidates survive rounding.
MAX_NUMBER = 1e6

# Signs of this machine's byte order in front of a format; the other order's sign is not removed.
_OWN_ORDER = "@=^" + ("<" if sys.byteorder == "little" else ">")


class Record:
    """An immutable object, compared and shown by its fields.

    For the parts of a model that are not components. It stands in for a frozen dataclass, since
    `dataclasses` takes as long to import as a model takes to load. A subclass names its fields in
    `FIELDS`, and its ``__init__`` passes them to `_set` by name.
    """

    FIELDS: ClassVar[tuple[str, ...]] = ()

    def _set(self, **values: object) -> None:
        self.__dict__.update(values)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{name} of a {type(self).__name__} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{name} of a {type(self).__name__} cannot be deleted")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self.fields() == other.fields()

    def __hash__(self) -> int:
        return hash(tuple(self.fields().values()))

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={value!r}" for name, value in self.fields().items())
        return f"{type(self).__name__}({shown})"

    def fields(self) -> dict[str, Any]:
        """The fields' values by name."""
        return {name: getattr(self, name) for name in self.FIELDS}


class Section:
    """The arrays and settings of a component, each checked when it is taken.

    Messages call its arrays ``NAME/ARRAY`` and its settings, which may be nested, ``NAME.SETTING``.
    `kept` collects the arrays taken, so that kernels can point into their memory.
    """

    def __init__(
        self, name: str, arrays: Buffers, settings: Mapping[str, Any], kept: list[memoryview[Any]]
    ) -> None:
        self.name = name
        self.arrays = arrays
        self.settings = settings
        self.kept = kept

    def vector(self, name: str, dtype: str, n: int | None = None) -> memoryview[Any]:
        """Take an array of a type of `FORMATS`, and of `n` entries; does not check its values."""
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
        """Take a vector for kernels; floats must be numbers up to `MAX_NUMBER`."""
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
        """Take a setting; dots in its name lead into nested settings."""
        value: Any = self.settings
        for part in name.split("."):
            if not isinstance(value, Mapping) or part not in value:
                raise ModelError(f"the setting {self.name}.{name} is missing")
            value = value[part]
        return value

    def number(self, name: str, low: float, high: float) -> float:
        """Take a number within bounds."""
        value = self._setting(name)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise ModelError(f"the setting {self.name}.{name} is not a number")
        if not low <= value <= high:
            raise ModelError(f"the setting {self.name}.{name} is {value}, outside {low} … {high}")
        return value

    def names(self, name: str) -> list[str]:
        """Take a list of different names."""
        values = self._setting(name)
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            raise ModelError(f"the setting {self.name}.{name} is not a list of names")
        if len(set(values)) != len(values):
            raise ModelError(f"the setting {self.name}.{name} names something twice")
        return values

    def choice(self, name: str, choices: Mapping[str, _T]) -> _T:
        """Take a setting that is a key of `choices`; returns its value."""
        value = self._setting(name)
        if not isinstance(value, str) or value not in choices:
            raise ModelError(
                f"the setting {self.name}.{name} is {value!r}, expected one of {', '.join(choices)}"
            )
        return choices[value]
