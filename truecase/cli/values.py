"""Types of options: each converts the typed text, or says what was expected."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable

_FACTORS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
#: Numbers of options are below this.
MAX_NUMBER = 1 << 63


class Auto(str):
    """The value of ``-l auto``; a str, as ``-m auto`` gives, would name a model."""


def size(text: str) -> int:
    """Convert a number of bytes, such as ``512M`` or ``4G``."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?", text.strip(), re.IGNORECASE)
    number = float(match[1]) * _FACTORS[match[2].lower()] if match else -1.0
    if not 0 <= number < MAX_NUMBER:
        raise argparse.ArgumentTypeError(f"{text!r}: expected a size such as 512M or 4G")
    return int(number)


def threads(text: str) -> int:
    """Convert a number of threads; 0 is one for each processor."""
    try:
        number = int(text)
    except ValueError:
        number = -1
    if number < 0:
        raise argparse.ArgumentTypeError(f"{text!r}: expected a number of threads, 0 for all")
    return number or _n_processors()


def _n_processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def whole_number(low: int, high: int | None = None) -> Callable[[str], int]:
    """Make the type of a whole number within bounds, both included."""

    def convert(text: str) -> int:
        bounds = f"{low} or more" if high is None else f"{low} to {high}"
        try:
            number = int(text)
        except ValueError:
            number = low - 1
        if number < low or (high is not None and number > high):
            raise argparse.ArgumentTypeError(f"{text!r}: expected a whole number, {bounds}")
        return number

    return convert


def sigma(text: str) -> float | str:
    """Convert a standard deviation, or ``search``."""
    if text == "search":
        return text
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r}: expected a number or search") from None


def language(text: str) -> str:
    """Check the code of a language."""
    from truecase.kernels.text import is_turkic

    try:
        is_turkic(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return text


def encoding(text: str) -> str:
    """Check that Python knows a character encoding."""
    from truecase.base.encoding import check_encoding
    from truecase.errors import ReadError

    try:
        return check_encoding(text)
    except ReadError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def language_model(code: str) -> str:
    """Find the model of a language: its name or file; ``auto`` stays."""
    from truecase.model.embedded import LANGUAGES, installed_model, is_embedded

    if code == "auto":
        return Auto(code)
    # pt-BR and pt have one model unless another package has brought one.
    base = language(code).replace("_", "-").split("-")[0].lower()
    for name in (code, base):
        if is_embedded(name):
            return name
        installed = installed_model(name)
        if installed is not None:
            return installed
    if base in LANGUAGES:
        raise argparse.ArgumentTypeError(
            f"the model for {LANGUAGES[base]} is not installed: truecase "
            "train makes one of text in the language"
        )
    raise argparse.ArgumentTypeError(
        f"no model for {code}: truecase train makes one of text in the language"
    )
