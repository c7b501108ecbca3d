"""What a file tells twice gets the same case twice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher

from truecase.formats.flow import FIXED, Piece
from truecase.formats.units import Copy


def follow(copies: Iterable[Copy], changed: Mapping[Piece, str]) -> list[tuple[Piece, str]]:
    """The pieces of copies whose text has to change, and to what.

    Parameters
    ----------
    copies : iterable of Copy
    changed : mapping
        New texts of pieces of their originals.

    Notes
    -----
    White space may differ. Where words differ too, those that are the same follow, and the
    others stay.
    """
    found: list[tuple[Piece, str]] = []
    for original, copy in copies:
        before = "".join(piece.text for piece in original)
        after = "".join(changed.get(piece, piece.text) for piece in original)
        text = "".join(piece.text for piece in copy)
        new = _in_case_of(text, before, after)
        position = 0
        for piece in copy:
            part = new[position : position + len(piece.text)]
            position += len(piece.text)
            if part != piece.text and piece.kind != FIXED:
                found.append((piece, part))
    return found


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
