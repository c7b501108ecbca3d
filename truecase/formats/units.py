"""Texts of a file that are not each in one place: sentences over cues, words told twice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from truecase.formats.flow import FIXED, Piece
from truecase.formats.segments import Segments, Span


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
    """

    def __init__(self) -> None:
        super().__init__()
        self._pieces: list[Sequence[Piece]] = []
        self.copies: list[Copy] = []

    def add_unit(self, pieces: Sequence[Piece]) -> None:
        """Append a text; one without a letter that could change is none."""
        if any(piece.kind != FIXED and any(map(str.isalpha, piece.text)) for piece in pieces):
            # The cues of a sentence may stand in any order.
            start = min(piece.start for piece in pieces)
            self.add(Span(start, max(piece.end for piece in pieces)))
            self._pieces.append(pieces)

    def pieces(self, i: int) -> Sequence[Piece]:
        """The text of a unit."""
        return self._pieces[i]
