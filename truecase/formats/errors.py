"""What goes wrong with a file that is to be cased."""

from __future__ import annotations


def line_of(data: bytes, position: int) -> int:
    """The line, from 1, that a byte is in."""
    return data.count(b"\n", 0, position) + 1
