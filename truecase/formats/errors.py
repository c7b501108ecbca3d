"""Places and rows that errors of files and tables name."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import NamedTuple

from truecase.errors import TableError


def line_of(data: bytes, position: int) -> int:
    """The line, from 1, that a byte is in."""
    return data.count(b"\n", 0, position) + 1


_MAX_NAMES = 20
_MAX_CHARACTERS = 500


class BadRow(NamedTuple):
    """A row that cannot be cased.

    Attributes
    ----------
    row : int
        From 1 in the file, without its header; in JSON lines, the line.
    line : int or None
        The line in which the row begins, if a row is not a line.
    reason : str
    """

    row: int
    line: int | None
    reason: str

    def __str__(self) -> str:
        place = f"row {self.row}" if self.line is None else f"row {self.row} (line {self.line})"
        return f"{place}: {self.reason}"


def missing_column(name: str, column: str, there: Sequence[str]) -> TableError:
    """The error for a missing column, which lists similar names, or all."""
    near = get_close_matches(column, there, 3)
    if near:
        hint = f"did you mean {' or '.join(near)}?"
    elif not there:
        hint = "there is none at all"
    else:
        named = there[:_MAX_NAMES]
        while len(named) > 1 and sum(map(len, named)) > _MAX_CHARACTERS:
            named = named[:-1]
        more = f" and {len(there) - len(named)} more" if len(there) > len(named) else ""
        hint = f"there are: {', '.join(named)}{more}"
    return TableError(f"{name}: there is no column {column}; {hint}")
