"""Texts of a file that are not each in one place: sentences over cues, words told twice."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from truecase.formats.flow import FIXED, Piece
from truecase.formats.segments import Segments, Span

_LETTER = re.compile(rb"[A-Za-z]")


class Copy(NamedTuple):
    """Pieces that tell again what others tell, word by word."""

    original: Sequence[Piece]
    copy: Sequence[Piece]


class Units(Segments):
    """Segments that know the pieces of their text.

    The span of a unit goes from its first byte to its last; units may lie inside each other,
    as a description in brackets within a sentence does.

    Attributes
    ----------
    copies : list of Copy
        What follows the units' case.
    pauses : dict of int to float
        Where words end, in bytes, the seconds to the next word, as far as the file tells.
    """

    def __init__(self) -> None:
        super().__init__()
        self._pieces: list[Sequence[Piece]] = []
        self.copies: list[Copy] = []
        self.pauses: dict[int, float] = {}

    def add_unit(self, pieces: Sequence[Piece]) -> None:
        """Append a text; one without a letter that could change is none."""
        if _has_letter(pieces):
            # The cues of a sentence may stand in any order.
            start = min(piece.start for piece in pieces)
            self.add(Span(start, max(piece.end for piece in pieces)))
            self._pieces.append(pieces)

    def pieces(self, i: int) -> Sequence[Piece]:
        """The text of a unit."""
        return self._pieces[i]


class SpannedUnits(Units):
    """Units that are each in one place, whose pieces are made when they are asked for.

    Parameters
    ----------
    data : bytes
    make : callable
        The pieces of a span of `data`. A backslash is all that keeps a letter from being one.
    """

    def __init__(self, data: bytes, make: Callable[[bytes, int, int], Sequence[Piece]]) -> None:
        super().__init__()
        self._data = data
        self._make = make

    def add_text(self, start: int, end: int) -> None:
        """Append a text; one without a letter that could change is none."""
        raw = self._data[start:end]
        has_letter = b"\\" not in raw and _LETTER.search(raw) is not None
        if has_letter or _has_letter(self._make(self._data, start, end)):
            self.add(Span(start, end))

    def pieces(self, i: int) -> Sequence[Piece]:
        """The text of a unit."""
        return self._make(self._data, self.target_start[i], self.target_end[i])


def _has_letter(pieces: Sequence[Piece]) -> bool:
    return any(piece.kind != FIXED and any(map(str.isalpha, piece.text)) for piece in pieces)
