"""What a file tells twice gets the same case twice."""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher

from truecase.formats.flow import FIXED, PLAIN, Piece
from truecase.formats.pieces import text_of
from truecase.formats.units import Copy


def follow(copies: Iterable[Copy], changed: Mapping[Piece, str]) -> list[tuple[Piece, str]]:
    """The pieces of copies whose text has to change, and to what.

    Parameters
    ----------
    copies : iterable of Copy
    changed : mapping
        New texts of pieces of their originals, or of parts of these.

    Notes
    -----
    White space may differ. Where words differ too, those that are the same follow, and the
    others stay.
    """
    found: list[tuple[Piece, str]] = []
    news = _News(changed)
    for original, copy in copies:
        before = text_of(original)
        after = "".join(map(news.text, original))
        if after == before and text_of(copy).split() == before.split():
            continue
        new = _in_case_of(text_of(copy), before, after)
        position = 0
        for piece in copy:
            part = new[position : position + len(piece.text)]
            position += len(piece.text)
            if part != piece.text and piece.kind != FIXED:
                found.append((piece, part))
    return found


class _News:
    """What pieces say now, wherever they are cut."""

    def __init__(self, changed: Mapping[Piece, str]) -> None:
        self._changed = sorted((piece.start, piece, text) for piece, text in changed.items())
        self._starts = [start for start, *_ in self._changed]

    def text(self, piece: Piece) -> str:
        first = bisect.bisect_left(self._starts, piece.start)
        last = bisect.bisect_left(self._starts, piece.end)
        if first == last or piece.kind == FIXED:
            return piece.text
        if piece.kind != PLAIN:
            return self._changed[first][2]
        data = piece.text.encode("utf-8")
        parts = []
        done = 0
        for start, part, text in self._changed[first:last]:
            parts += [data[done : start - piece.start], text.encode("utf-8")]
            done = part.end - piece.start
        return b"".join([*parts, data[done:]]).decode("utf-8")


def _in_case_of(text: str, before: str, after: str) -> str:
    """A text with the case that its words have in another text, which was cased."""
    letters = _letters(text)
    others = _letters(before)
    if [text[i].lower() for i in letters] == [before[i].lower() for i in others]:
        new = list(text)
        for i, j in zip(letters, others, strict=True):
            new[i] = after[j]
        return "".join(new)
    return _in_case_of_words(text, before, after)


def _in_case_of_words(text: str, before: str, after: str) -> str:
    spans, other_spans = _words(text), _words(before)
    matcher = SequenceMatcher(
        None,
        [text[a:b].lower() for a, b in spans],
        [before[a:b].lower() for a, b in other_spans],
        autojunk=False,
    )
    new = list(text)
    for i, j, n in matcher.get_matching_blocks():
        for (a, b), (c, d) in zip(spans[i : i + n], other_spans[j : j + n], strict=True):
            if b - a == d - c:
                new[a:b] = after[c:d]
    return "".join(new)


def _letters(text: str) -> list[int]:
    return [i for i, character in enumerate(text) if not character.isspace()]


def _words(text: str) -> list[tuple[int, int]]:
    found = []
    start = -1
    for i, character in enumerate(text):
        if character.isspace():
            if start >= 0:
                found.append((start, i))
            start = -1
        elif start < 0:
            start = i
    if start >= 0:
        found.append((start, len(text)))
    return found
