"""Checks the types of a recipe's values against the declarations of its fields."""

from __future__ import annotations

import dataclasses
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from truecase.errors import WrongTypeError

_NAMES = {bool: "True or False", int: "an int", float: "a number", str: "a str", NoneType: "None"}


def check_field_types(part: Any) -> None:
    """Check that the values of a dataclass have the declared types.

    Its fields are numbers, ``str``, ``bool``, literals (any ``str`` passes), other classes, tuples
    of any number of one of these, or unions of them.

    Raises
    ------
    WrongTypeError
        Names the field and the expected type.
    """
    types = get_type_hints(type(part))
    for field in dataclasses.fields(part):
        value = getattr(part, field.name)
        if not _is_of(value, types[field.name]):
            raise WrongTypeError(
                f"{field.name}: expected {_described(types[field.name])}, found {_found(value)}"
            )


def _alternatives(declared: Any) -> tuple[Any, ...]:
    return get_args(declared) if get_origin(declared) in (Union, UnionType) else (declared,)


def _is_of(value: object, declared: Any) -> bool:
    for one in _alternatives(declared):
        origin = get_origin(one)
        if origin is Literal:
            matches = isinstance(value, str)
        elif origin is tuple:
            inner = get_args(one)[0]
            matches = isinstance(value, tuple) and all(_is_of(item, inner) for item in value)
        elif one in (int, float):
            # A bool is an int to Python, and an int a number to everyone.
            numbers = (int, float) if one is float else int
            matches = isinstance(value, numbers) and not isinstance(value, bool)
        else:
            matches = isinstance(value, one)
        if matches:
            return True
    return False


def _described(declared: Any) -> str:
    parts = []
    for one in _alternatives(declared):
        origin = get_origin(one)
        if origin is Literal:
            parts += [repr(value) for value in get_args(one)]
        elif origin is tuple:
            parts.append(f"a tuple of {get_args(one)[0].__name__}")
        elif one in _NAMES:
            parts.append(_NAMES[one])
        else:
            parts.append(one.__name__)
    return " or ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def _found(value: object) -> str:
    """The type of a value; of a tuple, with the types of its items."""
    if isinstance(value, tuple) and value:
        return "a tuple of " + " and ".join(sorted({type(item).__name__ for item in value}))
    return type(value).__name__
