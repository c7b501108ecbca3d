"""What the script of a review page works on, as columns for JSON."""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from truecase.review.digest import Digests
from truecase.review.places import CasedSegment, Place
from truecase.text._casing import fold

if TYPE_CHECKING:
    from truecase.formats.document import Document
    from truecase.review.settings import ReviewSettings

# A context ends at the first word behind so many characters.
_CONTEXT = 600
# Certainties are whole numbers, so many for a certainty of 1.
_SURE = 1_000_000
# Of each word, the most probable ones.
_MOST_FORMS = 6

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def page_data(
    document: Document,
    segments: Iterable[CasedSegment],
    settings: ReviewSettings,
    language: str,
    n_words: int,
) -> dict[str, Any]:
    """Gather the words of a document.

    Parameters
    ----------
    document : Document
    segments : iterable of CasedSegment
        All of them, in order.
    settings : ReviewSettings
    language : str
        Of the model's case mappings.
    n_words : int
        Most words, the least certain ones.

    Returns
    -------
    dict
        ``of``, ``format``, ``line_name`` (what is counted), ``language``, ``settings``,
        ``letters``, ``cased``, ``words`` (in the text); by context ``texts``, ``segment``,
        ``line``, ``base``: its text, its segment, where that begins, and the characters of the
        segment before it; ``forms``, ``groups``: strings; by word ``text``, ``start``, ``group``,
        ``form``, ``certainty``, ``others``: its context, where it begins there in units of UTF-16,
        its letters, its form, its certainty in millionths, other forms and their probabilities,
        flat.
    """
    digests = Digests()
    kept = _LeastCertain(n_words)
    for segment in segments:
        digests.add(segment.number, segment.text)
        kept.add(segment)
    columns = _Columns(document)
    for number, text, places in kept.segments():
        columns.add(number, text, places)
    return {
        "of": document.name,
        "format": document.format,
        "line_name": "Line" if document.line_end == b"\n" else "Paragraph",
        "language": language,
        "settings": settings.to_json(),
        "letters": digests.letters,
        "cased": digests.cased,
        "words": kept.n_seen,
        **columns.data,
    }


class _LeastCertain:
    """Keeps so many words, and the segments that they are in."""

    def __init__(self, n_words: int) -> None:
        self._n_words = n_words
        self.n_seen = 0
        # The most certain one first, and of equals the last.
        self._heap: list[tuple[float, int, int]] = []
        self._segments: dict[int, tuple[str, dict[int, Place]]] = {}

    def add(self, segment: CasedSegment) -> None:
        if not segment.places:
            return
        self._segments[segment.number] = (segment.text, {p.start: p for p in segment.places})
        for place in segment.places:
            self.n_seen += 1
            heapq.heappush(self._heap, (-place.certainty, -segment.number, -place.start))
            if len(self._heap) > self._n_words:
                _, number, start = heapq.heappop(self._heap)
                places = self._segments[-number][1]
                del places[-start]
                if not places:
                    del self._segments[-number]

    def segments(self) -> Iterable[tuple[int, str, list[Place]]]:
        for number, (text, places) in sorted(self._segments.items()):
            yield number, text, list(places.values())


class _Columns:
    """The columns of a page's data."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._position, self._line = 0, 1
        self._forms: dict[str, int] = {}
        self._groups: dict[str, int] = {}
        names = (
            "texts segment line base forms groups text start group form certainty others".split()
        )
        self.data: dict[str, list[Any]] = {name: [] for name in names}

    def add(self, number: int, text: str, places: list[Place]) -> None:
        """A segment and its words."""
        line = self._line_of(number)
        starts = _context_starts(text, places)
        context = 0
        self._add_context(number, line, text, starts, context)
        for place in places:
            while context + 1 < len(starts) and place.start >= starts[context + 1]:
                context += 1
                self._add_context(number, line, text, starts, context)
            self._add_place(place, text, starts[context])

    def _line_of(self, number: int) -> int:
        start = self._document.segments.target_start[number]
        if start < self._position:
            self._position, self._line = 0, 1
        self._line += self._document.data.count(self._document.line_end, self._position, start)
        self._position = start
        return self._line

    def _add_context(
        self, number: int, line: int, text: str, starts: list[int], context: int
    ) -> None:
        end = starts[context + 1] if context + 1 < len(starts) else len(text)
        for name, value in (
            ("texts", _writable(text[starts[context] : end])),
            ("segment", number),
            ("line", line),
            ("base", starts[context]),
        ):
            self.data[name].append(value)

    def _add_place(self, place: Place, text: str, base: int) -> None:
        others: list[int] = []
        for form, posterior in place.forms[:_MOST_FORMS]:
            others += [self._number(self._forms, "forms", form), round(_SURE * posterior)]
        for name, value in (
            ("text", len(self.data["texts"]) - 1),
            ("start", len(text[base : place.start].encode("utf-16-le", "surrogatepass")) // 2),
            ("group", self._number(self._groups, "groups", fold(place.text))),
            ("form", self._number(self._forms, "forms", place.text)),
            ("certainty", round(_SURE * place.certainty)),
            ("others", others or 0),
        ):
            self.data[name].append(value)

    def _number(self, known: dict[str, int], name: str, value: str) -> int:
        number = known.get(value)
        if number is None:
            number = known[value] = len(known)
            self.data[name].append(_writable(value))
        return number


def _context_starts(text: str, places: list[Place]) -> list[int]:
    """Where contexts begin: at the text's beginning, and at words in a long one."""
    starts = [0]
    for place in places:
        if place.start - starts[-1] >= _CONTEXT and len(text) - place.start > _CONTEXT // 4:
            starts.append(place.start)
    return starts


def _writable(text: str) -> str:
    """A text in which what is no character is U+FFFD, which is as long."""
    return text if text.isascii() else _LONE_SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)
