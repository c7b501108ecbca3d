"""Check the types of arguments by the annotations of the function that they are given to."""

import os
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from types import NoneType, SimpleNamespace, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from truecase.errors import TruecaseError, WrongTypeError
from truecase.options import plain


def check_type(name: str, value: object, kinds: type | tuple[type, ...], expected: str) -> None:
    """Raise `WrongTypeError` if a value has none of these types; `expected` names them."""
    if not isinstance(value, kinds):
        raise WrongTypeError(f"{name}: expected {expected}, found {type(value).__name__}")


def check_threads(threads: object) -> None:
    """Raise `WrongTypeError` or `TruecaseError` if a number of threads is not 1 or more."""
    if type(threads) is not int:
        check_declared("threads", threads, int)
    if threads < 1:  # type: ignore[operator]
        raise TruecaseError(f"threads {threads}: expected 1 or more")


_LISTS = (Collection, Iterable, Sequence)

# How messages call types, and those that are not classes.
_NAMES: dict[object, str] = {
    bool: "True or False",
    int: "an int",
    float: "a number",
    str: "a str",
    NoneType: "None",
    os.PathLike: "a path",
    Callable: "a function",
    **dict.fromkeys(_LISTS, "a list"),
}


def check_arguments(called: Callable[..., object], given: dict[str, Any]) -> None:
    """Check arguments by the annotations of a function or class, and threads by their number.

    `given` may be its local names, or an object's attributes, which become `plain`. Names that only
    type checkers know, and protocols, are left to the function. Errors name the argument.
    """
    for name, declared in _declared(called).items():
        if name in given:
            given[name] = check_declared(name, given[name], declared)
    if "threads" in given:
        check_threads(given["threads"])


@cache
def _declared(called: Callable[..., object]) -> dict[str, Any]:
    """Find the types of a function's or class's parameters by their annotations."""
    module = vars(sys.modules[called.__module__])
    types: dict[str, Any] = {}
    for one in called.__annotations__.items():
        with suppress(NameError):
            types |= get_type_hints(SimpleNamespace(__annotations__=dict([one])), module)
    return types


def check_declared(
    name: str, value: Any, declared: Any, kind: type[TruecaseError] = TruecaseError
) -> Any:
    """Return `plain` of a value; WrongTypeError, or an error of `kind`, for an undeclared one."""
    value = plain(value)
    if not _is_of(value, declared):
        raise WrongTypeError(f"{name}: expected {_described(declared)}, found {_found(value)}")
    literals = [one for one in alternatives(declared) if get_origin(one) is Literal]
    if literals and isinstance(value, str) and not any(value in get_args(one) for one in literals):
        raise kind(f"{name} {value!r}: expected {_described(declared)}")
    if isinstance(value, Collection) and not isinstance(value, str):
        for one in alternatives(declared):
            if get_origin(one) in _LISTS:
                for place, item in enumerate(value):
                    check_declared(f"{name}[{place}]", item, get_args(one)[0])
    return value


@cache
def alternatives(declared: Any) -> tuple[Any, ...]:
    """Return the types of a union, or the one type itself."""
    return get_args(declared) if get_origin(declared) in (Union, UnionType) else (declared,)


def _is_of(value: object, declared: Any) -> bool:
    """Whether a value has a declared type; of a literal, any str."""
    if declared is Any or type(value) in alternatives(declared):
        return True
    for one in alternatives(declared):
        origin = get_origin(one)
        if origin is Literal:
            matches = isinstance(value, str)
        elif origin is tuple:
            inner = get_args(one)[0]
            matches = isinstance(value, tuple) and all(_is_of(item, inner) for item in value)
        elif origin is Mapping:
            key, inner = get_args(one)
            matches = isinstance(value, Mapping) and all(
                _is_of(name, key) and _is_of(item, inner) for name, item in value.items()
            )
        elif one in (int, float):
            # A bool is an int to Python, and an int a number to everyone.
            numbers = (int, float) if one is float else int
            matches = isinstance(value, numbers) and not isinstance(value, bool)
        elif origin is not None:
            matches = isinstance(value, origin)
        else:
            is_class = isinstance(one, type) and not getattr(one, "_is_protocol", False)
            matches = not is_class or isinstance(value, one)
        if matches:
            return True
    return False


def _described(declared: Any) -> str:
    parts = []
    for one in alternatives(declared):
        if get_origin(one) is Literal:
            parts += [repr(value) for value in get_args(one)]
        elif get_origin(one) is tuple:
            parts.append(f"a tuple of {get_args(one)[0].__name__}")
        elif get_origin(one) is Mapping:
            parts.append("a mapping of {.__name__} to {.__name__}".format(*get_args(one)))
        else:
            parts.append(_NAMES.get(get_origin(one) or one, one.__name__))
    *others, last = dict.fromkeys(parts)
    return f"{', '.join(others)} or {last}" if others else last


def _found(value: object) -> str:
    """The type of a value; of a tuple, with the types of its items."""
    if isinstance(value, tuple) and value:
        return "a tuple of " + " and ".join(sorted({type(item).__name__ for item in value}))
    return type(value).__name__
