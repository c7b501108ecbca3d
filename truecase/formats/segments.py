"""Where the segments of a file are: columns of byte offsets."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Container
from typing import NamedTuple


class Span(NamedTuple):
    """Bytes `start` … `end` - 1 of a file."""

    start: int
    end: int


NO_SPAN = Span(-1, -1)

# Why segments are left alone.
NOT_TRANSLATED = "not to be translated"
LOCKED = "locked"
FINAL = "final"
EMPTY = "without a target"
OBSOLETE = "obsolete"


class Segments:
    """The segments to be cased, in the order of the file, and how many others there are.

    Attributes
    ----------
    target_start, target_end, source_start, source_end : array of int64
        Spans of contents; a source of -1 is none.
    language : array of int
        The number that the reader of the file gave to the segment's languages.
    left_alone : Counter of (str, int)
        Segments that are not here, by reason and language.
    """

    def __init__(self) -> None:
        self.target_start = array("q")
        self.target_end = array("q")
        self.source_start = array("q")
        self.source_end = array("q")
        self.language = array("i")
        self.left_alone: Counter[tuple[str, int]] = Counter()

    def __len__(self) -> int:
        return len(self.target_start)

    def add(self, target: Span, source: Span = NO_SPAN, language: int = 0) -> None:
        """Append a segment; one with an empty target is left alone."""
        start, end = target
        if start >= end:
            self.leave(EMPTY, language)
            return
        source_start, source_end = source
        self.target_start.append(start)
        self.target_end.append(end)
        self.source_start.append(source_start)
        self.source_end.append(source_end)
        self.language.append(language)

    def leave(self, reason: str, language: int = 0) -> None:
        """Count a segment that is not cased."""
        self.left_alone[reason, language] += 1

    def target(self, i: int) -> Span:
        """Where the content of a target is."""
        return Span(self.target_start[i], self.target_end[i])

    def source(self, i: int) -> Span:
        """Where the content of a source is; `NO_SPAN` if there is none."""
        return Span(self.source_start[i], self.source_end[i])

    def of_languages(self, languages: Container[int]) -> Segments:
        """The segments of some languages."""
        chosen = Segments()
        for i, language in enumerate(self.language):
            if language in languages:
                chosen.add(self.target(i), self.source(i), language)
        for (reason, language), n in self.left_alone.items():
            if language in languages:
                chosen.left_alone[reason, language] = n
        return chosen

    def reasons(self) -> dict[str, int]:
        """How many segments are left alone, by reason."""
        counts: Counter[str] = Counter()
        for (reason, _), n in self.left_alone.items():
            counts[reason] += n
        return dict(counts)
