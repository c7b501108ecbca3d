"""Words of a line between white space, and which of its letters may change case."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from truecase.text._casing import tag
from truecase.text._spans import find_spans

# What stands between ASCII white space, as alignments count words.
_WORD = re.compile(r"[^\t-\r ]+")

# Only with one of these is there an address, code or a tag to find.
_MAY_HAVE_SPANS = re.compile(r"[^\w\s.,;:!?\"'()-]|[\w][.:][\w]|--|[0-9_]")


class Word(NamedTuple):
    """A word.

    Attributes
    ----------
    start, end : int
        In the line, in characters.
    tag : str
        Its kind of case: AL, IU, AU, MX, or AN if nothing of it tells: a word without letters, or
        one that overlaps an address, code or a tag.
    """

    start: int
    end: int
    tag: str


class Line(NamedTuple):
    """A line, its words, and where it has what never changes."""

    text: str
    words: list[Word]
    fixed: list[tuple[int, int]]


def read_line(text: str, language: str = "") -> Line:
    """Find the words of a line, and its addresses, code and markup."""
    fixed = _fixed(text)
    words = []
    for match in _WORD.finditer(text):
        start, end = match.span()
        is_fixed = any(first < end and start < last for first, last in fixed)
        words.append(Word(start, end, "AN" if is_fixed else tag(match[0], language)))
    return Line(text, words, fixed)


def _fixed(text: str) -> list[tuple[int, int]]:
    if not _MAY_HAVE_SPANS.search(text):
        return []
    data = text.encode("utf-8", "surrogateescape")
    spans = [(span.start, span.end) for span in find_spans(data) if not span.unsure]
    if len(data) == len(text):
        return spans

    def characters(place: int) -> int:
        return len(data[:place].decode("utf-8", "surrogateescape"))

    return [(characters(start), characters(end)) for start, end in spans]


def changed(
    line: Line,
    mapping: Callable[[str], str],
    wanted: Callable[[int], bool] | None = None,
) -> str:
    """The line with words mapped, but for addresses, code and markup.

    Parameters
    ----------
    line : Line
    mapping : callable
        From a line, or a word with its white space around, to one of as many characters.
    wanted : callable, optional
        Whether the word of a number is to change; all, if not given.
    """
    letters = list(mapping(line.text))
    if wanted is not None:
        for number, word in enumerate(line.words):
            if not wanted(number):
                letters[word.start : word.end] = line.text[word.start : word.end]
    for start, end in line.fixed:
        letters[start:end] = line.text[start:end]
    return "".join(letters)
