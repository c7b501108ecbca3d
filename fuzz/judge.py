"""What must hold of anything that is read: it is cased, or refused in one sentence."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import numpy as np

from truecase.errors import TruecaseError

Result = TypeVar("Result")


def expect(condition: bool, what: str) -> None:
    """Fail with a message, also where assertions are off."""
    if not condition:
        raise AssertionError(what)


def only_case(before: bytes, after: bytes, what: str = "the text") -> None:
    """Fail unless two texts are the same but for case, character by character."""
    if before == after:
        return
    one = before.decode("utf-8", "surrogateescape")
    other = after.decode("utf-8", "surrogateescape")
    expect(len(one) == len(other), f"{what} has {len(one)} characters, then {len(other)}")
    if one.lower() == other.lower():
        return
    for place, (a, b) in enumerate(zip(one, other, strict=True)):
        expect(_same_letter(a, b), f"character {place} of {what} is {a!r}, then {b!r}")


def _same_letter(one: str, other: str) -> bool:
    return (
        one == other
        or one.lower() == other.lower()
        or one.upper() == other.upper()
        # ẞ is of ß and of SS; and Turkish has letters of its own.
        or {one, other} <= {"i", "İ"}
        or {one, other} <= {"ı", "I"}
    )


@contextmanager
def quiet() -> Iterator[None]:
    """Hide warnings, which small and damaged models give many of."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


@contextmanager
def refusing() -> Iterator[None]:
    """Let what is read be refused by an error of the package, in one sentence on one line."""
    try:
        yield
    except TruecaseError as error:
        one_line(error)


def one_line(error: Exception) -> None:
    """Fail unless an error tells what is wrong on one line that can be printed."""
    message = str(error)
    expect(bool(message), f"{type(error).__name__} says nothing")
    expect(
        len(message.splitlines()) == 1 and message.isprintable(),
        f"{type(error).__name__} says more than a line, or what cannot be printed: {message!r}",
    )


def outcome(function: Callable[[], Result]) -> Result | str:
    """What a function gives, or what its error of the package says."""
    try:
        return function()
    except TruecaseError as error:
        one_line(error)
        return str(error)
