"""Braces round the words of a title that must keep their case in BibTeX."""

from __future__ import annotations

import re
from collections.abc import Sequence

# Words with no more between them are one: {U.S.}, {O'Neill}, {Q\\&A}.
_WITHIN = re.compile(r"[.&'’]|\\&")


def with_braces(title: str, protected: Sequence[tuple[int, int]]) -> str:
    """A title with braces round some of its words.

    Parameters
    ----------
    title : str
    protected : sequence of (int, int)
        Where they begin and end, in order.
    """
    pieces = []
    done = 0
    for start, end in _merged(title, protected):
        pieces += [title[done:start], "{", title[start:end], "}"]
        done = end
    return "".join([*pieces, title[done:]])


def _merged(title: str, protected: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in protected:
        if merged and _WITHIN.fullmatch(title, merged[-1][1], start):
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return merged
