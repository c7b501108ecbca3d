"""What goes wrong with a file that is to be cased."""

from __future__ import annotations

from truecase.errors import TruecaseError


class FormatError(TruecaseError):
    """A file is not what its format asks for; the message names it, and the line where it can."""


def line_of(data: bytes, position: int) -> int:
    """The line, from 1, that a byte is in."""
    return data.count(b"\n", 0, position) + 1
