"""Options of recipes: each is declared once, as a field with its range and flag."""

from __future__ import annotations

import dataclasses
import inspect
import math
import operator
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from typing import Any, get_type_hints

from truecase.base.argument_types import alternatives, check_declared
from truecase.errors import TrainingError

_BOUNDS: dict[str, Callable[[Any, Any], bool]] = {
    "least": operator.ge,
    "above": operator.gt,
    "below": operator.lt,
    "within": lambda number, span: span[0] <= number <= span[1],
}


#: An attribute in a docstring, and what it says.
_ATTRIBUTE = re.compile(r"^(\w+) : .+\n((?: {4}.+\n?)+)", re.MULTILINE)


def option(default: Any, **details: Any) -> Any:
    """Declare a field of a recipe.

    Parameters
    ----------
    default : object
    **details
        ``least``, ``above``, ``below``, or ``within`` two numbers: range of the values, which are
        a ``multiple`` of a number. ``flag``: flag on the command line; without it, only Python has
        the option. ``metavar``: ``SIZE`` for a number of bytes.
    """
    return field(default=default, metadata=details)


class Part:
    """A part of a recipe, a frozen dataclass; its docstring has the help texts of its options.

    Options are numbers, ``str``, ``bool``, literals, other parts, tuples of any number of one of
    these, mappings between two of them, or unions of them.

    Raises
    ------
    WrongTypeError, TrainingError
        An option has a wrong type; or an unknown name, or a value out of range.
    """

    def __init_subclass__(cls) -> None:
        texts = dict(_ATTRIBUTE.findall(inspect.cleandoc(cls.__doc__ or "")))
        for name in cls.__annotations__:
            help = " ".join(texts.get(name, "").split()).removesuffix(".")
            declared = vars(cls)[name]
            declared.metadata = {**declared.metadata, "help": help[:1].lower() + help[1:]}

    def __post_init__(self) -> None:
        for name, declared in get_type_hints(type(self)).items():
            vars(self)[name] = check_declared(name, getattr(self, name), declared, TrainingError)
        self.check_ranges()

    def check_ranges(self) -> None:
        """Refuse options outside their declared ranges, and numbers that are not finite."""
        for one in dataclasses.fields(self):  # type: ignore[arg-type]
            value, details = getattr(self, one.name), one.metadata
            bounds = [(holds, details[name]) for name, holds in _BOUNDS.items() if name in details]
            many = value.values() if isinstance(value, Mapping) else value
            for number in many if isinstance(value, (Mapping, tuple)) else (value,):
                if isinstance(number, (int, float)):
                    is_finite = isinstance(number, int) or math.isfinite(number)
                    expect(
                        is_finite and all(holds(number, bound) for holds, bound in bounds),
                        f"{one.name} {number}: expected {_range(details)}",
                    )
                    multiple = details.get("multiple")
                    expect(
                        multiple is None or number % multiple == 0,
                        f"{one.name} {number}: expected a multiple of {multiple}",
                    )


def option_fields(recipe: type, prefix: str = "") -> Iterator[tuple[str, dataclasses.Field[Any]]]:
    """The options of a recipe class and its parts by their paths, such as ``dense.sigma``."""
    types = get_type_hints(recipe)
    for one in dataclasses.fields(recipe):
        parts = (kind for kind in alternatives(types[one.name]) if dataclasses.is_dataclass(kind))
        part: Any = next(parts, None)
        if part is None:
            yield prefix + one.name, one
        else:
            yield from option_fields(part, f"{prefix}{one.name}.")


def expect(condition: bool, message: str) -> None:
    """Raise TrainingError if a condition does not hold."""
    if not condition:
        raise TrainingError(message)


def _range(details: Mapping[str, Any]) -> str:
    """The range that `Part.check_ranges` expects, in words."""
    if "above" in details:
        return f"a number above {details['above']}"
    if "below" in details:
        return f"{details['least']} to below {details['below']}"
    if "within" in details:
        return "{} to {}".format(*details["within"])
    if "least" not in details:
        return "a finite number"
    unit = "a number of bytes, " if details.get("metavar") == "SIZE" else ""
    return f"{unit}{details['least']} or more"
