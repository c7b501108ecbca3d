"""Spans of addresses, code and markup in a line."""

from typing import NamedTuple

KINDS: tuple[str, ...]

class Span(NamedTuple):
    """Bytes `start` to `end` - 1 of a line; `unsure`: they may be prose."""

    start: int
    end: int
    kind: str
    unsure: bool

def find_spans(line: bytes) -> list[Span]:
    """Spans of a line without its terminator, in order."""
