"""Options of recipes: each is declared once, as a field with its range, help text and flag."""

from __future__ import annotations

import dataclasses
import inspect
import operator
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from truecase.base.field_types import check_field_types
from truecase.errors import TrainingError

_T = TypeVar("_T")

_BOUNDS = {"least": operator.ge, "most": operator.le, "above": operator.gt, "below": operator.lt}


def option(default: Any, help: str, **details: Any) -> Any:
    """Declare a field of a recipe.

    Parameters
    ----------
    default : object
    help : str
        The effect of the option, for the documentation and the command line.
    **details
        ``least``, ``most``, ``above``, ``below``: range of the values. ``flag``: flag on the
        command line; without it, only Python has the option. ``metavar``: the flag's argument,
        by default from the option's type; ``SIZE`` is a number of bytes.
    """
    return field(default=default, metadata={"help": help, **details})


def option_fields(recipe: type, prefix: str = "") -> Iterator[tuple[str, dataclasses.Field[Any]]]:
    """The options of a recipe class and its parts by their paths, such as ``dense.sigma``."""
    types = get_type_hints(recipe)
    for one in dataclasses.fields(recipe):
        parts = (kind for kind in _alternatives(types[one.name]) if dataclasses.is_dataclass(kind))
        part: Any = next(parts, None)
        if part is None:
            yield prefix + one.name, one
        else:
            yield from option_fields(part, f"{prefix}{one.name}.")


def _alternatives(declared: Any) -> tuple[Any, ...]:
    """The types of a union, or the one type itself."""
    return get_args(declared) if get_origin(declared) not in (None, Literal, tuple) else (declared,)


def documented(recipe: type[_T]) -> type[_T]:
    """Add the help texts of a class's fields to its docstring."""
    lines = [inspect.cleandoc(recipe.__doc__ or ""), "", "Attributes", "----------"]
    for one in dataclasses.fields(recipe):  # type: ignore[arg-type]
        lines.append(f"{one.name} : {str(one.type).replace('|', 'or')}")
        lines += textwrap.wrap(_sentence(one), 90, initial_indent="    ", subsequent_indent="    ")
    recipe.__doc__ = "\n".join(lines)
    return recipe


def _sentence(one: dataclasses.Field[Any]) -> str:
    """The help text of a field as a sentence."""
    help = one.metadata["help"]
    return f"{help[0].upper()}{help[1:]}{'' if help.endswith('.') else '.'}"


def expect(condition: bool, message: str) -> None:
    """Raise TrainingError if a condition does not hold."""
    if not condition:
        raise TrainingError(message)


def check_ranges(recipe: Any) -> None:
    """Refuse options outside their declared ranges."""
    for one in dataclasses.fields(recipe):
        value, details = getattr(recipe, one.name), one.metadata
        for number in value if isinstance(value, tuple) else (value,):
            if isinstance(number, (int, float)):
                expect(
                    all(
                        holds(number, details[name])
                        for name, holds in _BOUNDS.items()
                        if name in details
                    ),
                    f"{one.name} {number}: expected {_range(details)}",
                )


def _range(details: Mapping[str, Any]) -> str:
    """The range that `check_ranges` expects, in words."""
    if "above" in details:
        return f"a number above {details['above']}"
    if "below" in details:
        return f"{details['least']} to below {details['below']}"
    if "most" in details:
        return f"{details['least']} to {details['most']}"
    unit = "a number of bytes, " if details.get("metavar") == "SIZE" else ""
    return f"{unit}{details.get('least')} or more"


def check(recipe: Any) -> None:
    """Refuse options of a wrong type, with an unknown name, or out of range."""
    check_field_types(recipe)
    for name, declared in get_type_hints(type(recipe)).items():
        value = getattr(recipe, name, None)
        if isinstance(value, str):
            known = [name for kind in _alternatives(declared) for name in _names_in(kind)]
            expect(
                not known or value in known,
                f"unknown {name} {value!r}: expected "
                + (f"a number or {known[0]}" if len(known) == 1 else " or ".join(known)),
            )
    check_ranges(recipe)


def _names_in(declared: Any) -> tuple[str, ...]:
    return get_args(declared) if get_origin(declared) is Literal else ()
