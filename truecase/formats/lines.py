"""Makes lines for a model of the segments of a file, each with its source and style.

Interfaces mix sentences, titles and capitals; a string alone does not show which of them it is, but
a carefully written source does.
"""

from __future__ import annotations

import bisect
import re
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from truecase.formats import words_of
from truecase.formats.format import Document
from truecase.formats.placeholders import LINE_END, Protected, accelerators, protected, shown
from truecase.formats.segments import FIXED, PLAIN, Copy, Piece, spliced, text_of
from truecase.kernels._unicode import fold
from truecase.kernels.text import spliced as put_in
from truecase.model.embedded import capitalises_nouns
from truecase.options import FileStyle
from truecase.rules.styles import TITLE_GUIDES

_LINE_END = re.compile(r"[\r\n]")
# A blank line separates texts; any other end of line is white space within one.
_BREAK = re.compile(r"\n[ \t\r]*\n\s*")


class Flow:
    """One text, its line for the model, and the pieces of the file that hold it, in order.

    `protect` finds the parts of a text that must not change.
    """

    __slots__ = ("_kept", "_pieces", "line", "text")

    def __init__(
        self,
        pieces: Sequence[Piece],
        protect: Callable[[str], Sequence[Protected]] = lambda text: (),
    ) -> None:
        self._pieces = pieces
        self.text = text_of(pieces)
        self._kept = protect(self.text)
        #: The model's input: one line for each paragraph of the text.
        self.line = paragraphs(shown(self.text, self._kept))

    @property
    def n_lines(self) -> int:
        """Lines of `line`."""
        return self.line.count("\n") + 1

    def cased(self, line: str) -> str:
        """The text in the case of `line`; raises ValueError if lengths differ."""
        if len(line) != len(self.line):
            raise ValueError("the model has changed more than the case of a text")
        if self._kept:
            line = put_in(line, self._stand_ins())
        return put_in(line, ((*end.span(), end[0]) for end in _LINE_END.finditer(self.text)))

    def _stand_ins(self) -> Iterator[tuple[int, int, str]]:
        """Yield where each stand-in begins and ends in the line, and the text it stands for."""
        hidden = 0
        for start, end, stand_in in self._kept:
            yield start - hidden, start - hidden + len(stand_in), self.text[start:end]
            hidden += end - start - len(stand_in)

    def spans(self, found: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int] | None]:
        """The place in `text` of each span of `line`, which come in order; None if protected."""
        left = deque(self._stand_ins())
        hidden = 0
        for start, end in found:
            while left and left[0][1] <= start:
                first, last, text = left.popleft()
                hidden += len(text) - (last - first)
            is_protected = bool(left) and left[0][0] < end
            yield None if is_protected else (start + hidden, end + hidden)

    def changed(
        self, cased: str, can_write: Callable[[str], bool] | None = None
    ) -> list[tuple[Piece, str]]:
        """The pieces that change if the text becomes `cased`, and their new texts.

        Letters that `can_write`, that of the file's `Charset`, refuses stay.
        """
        found = []
        position = 0
        for piece in self._pieces:
            text = piece.text
            new = cased[position : position + len(text)]
            position += len(text)
            if new == text or piece.kind == FIXED:
                continue
            if can_write is not None and not can_write(new):
                new = "".join(b if can_write(b) else a for a, b in zip(text, new, strict=True))
                if new == text:
                    continue
            found.append((piece, new))
        return found


def paragraphs(text: str) -> str:
    """A text of the same length, with one line for each paragraph."""
    if _LINE_END.search(text) is None:
        return text
    gaps = (gap.start() for gap in _BREAK.finditer(text))
    return put_in(_LINE_END.sub(" ", text), ((gap, gap + 1, "\n") for gap in gaps))


def source_lines(source: str, n_lines: int) -> str:
    """The source of each paragraph of a target: as many paragraphs, or the whole source.

    Where that would be too much text, the lines are empty.
    """
    lines = paragraphs(source)
    if lines.count("\n") + 1 == n_lines:
        return lines
    if len(lines) * n_lines > _MAX_SOURCES:
        return "\n" * (n_lines - 1)
    return "\n".join([lines.replace("\n", " ")] * n_lines)


# Characters of a source that is repeated for each paragraph of its target.
_MAX_SOURCES = 1 << 22
# Bytes of a label.
_LABEL = 40


def with_labels(lines: bytes, cased: bytes, sources: bytes) -> bytes:
    """Replace each short line that is its source, or that in lower case, by the source."""
    rows = cased.split(b"\n")
    for i, (line, source) in enumerate(zip(lines.split(b"\n"), sources.split(b"\n"), strict=False)):
        if len(line) == len(source) <= _LABEL and (
            line == source or fold(source.decode("utf-8")) == line.decode("utf-8")
        ):
            rows[i] = source
    return b"\n".join(rows)


# Segments are cased in blocks of about so many bytes of the file.
_BLOCK_BYTES = 1 << 18


class Lines(NamedTuple):
    """A model's input for some segments.

    Attributes
    ----------
    flows : list of Flow
    lines : str
        Newline-separated; a segment has one or more lines.
    sources : str or None
        As many lines, empty without a source; None if the model uses no sources.
    n_with_source : int
        How many segments have a source.
    lead : str
        Text before the first line of each segment, which the file does not have.
    """

    flows: list[Flow]
    lines: str
    sources: str | None
    n_with_source: int
    lead: str = ""

    def cut(self, cased: str) -> Iterator[tuple[Flow, str]]:
        """Each segment and its text in the case of `cased`; ValueError if lengths differ."""
        if len(cased) != len(self.lines):
            raise ValueError("the model has changed more than the case of a text")
        # Lines keep their lengths.
        position = 0
        for flow in self.flows:
            position += len(self.lead)
            line = cased[position : position + len(flow.line)]
            position += len(flow.line) + 1
            yield flow, flow.text if line == flow.line else flow.cased(line)


class SegmentText(NamedTuple):
    """The text of a segment, and its source as the model sees it."""

    flow: Flow
    source: str
    has_source: bool


class SegmentLines:
    """Makes lines of the segments of a document, with sources if the model takes any."""

    def __init__(
        self, document: Document, takes_source: bool, style: FileStyle = "sentence"
    ) -> None:
        self._document = document
        self.style = style
        self.takes_source = takes_source and document.takes_source

    def blocks(self) -> Iterator[range]:
        """Blocks of segments that are cased together."""
        segments = self._document.segments
        begin = 0
        for i in range(len(segments)):
            if abs(segments.target_end[i] - segments.target_start[begin]) >= _BLOCK_BYTES:
                yield range(begin, i + 1)
                begin = i + 1
        if begin < len(segments):
            yield range(begin, len(segments))

    def of(self, block: Iterable[int]) -> Lines:
        """The lines of some segments."""
        return self._joined([self.segment(i) for i in block])

    def by_style(self, block: Iterable[int]) -> Iterator[tuple[str, list[int], Lines]]:
        """The segments of a block by style: the style, their numbers, their lines."""
        styles: dict[str, list[tuple[int, SegmentText]]] = {}
        for i in block:
            segment = self.segment(i)
            style: str = self.style
            if style == "source":
                style = style_of(segment.source, self._document.languages.source)
            styles.setdefault(style, []).append((i, segment))
        for style, found in styles.items():
            goes_on = style == CONTINUED
            lines = self._joined([segment for _, segment in found], LEAD if goes_on else "")
            yield "sentence" if goes_on else style, [i for i, _ in found], lines

    def _joined(self, segments: list[SegmentText], lead: str = "") -> Lines:
        sources = None
        if self.takes_source:
            sources = "\n".join(
                [lead + source_lines(source, flow.n_lines) for flow, source, _ in segments]
            )
        return Lines(
            [segment.flow for segment in segments],
            "\n".join([lead + segment.flow.line for segment in segments]),
            sources,
            sum(segment.has_source for segment in segments),
            lead,
        )

    def segment(self, i: int) -> SegmentText:
        """The text of a segment."""
        segments = self._document.segments
        has_source = segments.source_start[i] >= 0
        data, pieces_of = self._document.data, self._document.kind.pieces
        source = text_of(pieces_of(data, *segments.source(i))) if has_source else ""
        pieces = self._document.target_pieces(i)
        flow = Flow(pieces, lambda text: self._protected(text, source))
        if self.takes_source or self.style == "source":
            # With the same stand-ins as the target.
            source = shown(source, self._protected(source, flow.text))
        return SegmentText(flow, source, has_source)

    def _protected(self, text: str, other: str) -> Sequence[Protected]:
        """What must not change in a text, also the mark of a key that its translation shares."""
        kind = self._document.kind
        if not kind.has_placeholders:
            return ()
        kept = protected(text)
        found = accelerators(text, other) if kind.has_accelerators else []
        if not other:
            found += [Protected(*end.span(), "\n\n") for end in LINE_END.finditer(text)]
        marks = [
            mark for mark in found if not any(span.start <= mark.start < span.end for span in kept)
        ]
        return sorted([*kept, *marks])


#: No style of a model: a string that goes on as within a sentence, in lower case.
CONTINUED = "continued"
#: Text before such a string, so that the model does not take its first word for a sentence's.
LEAD = "x , "

# Words in lower case in titles, in English and in languages that adopt its titles.
_SMALL_WORDS = frozenset(words_of("small")).union(
    *(guide.small_words for guide in TITLE_GUIDES.values())
)
_WORD = re.compile(r"[^\W\d_](?:[\w'’-]*\w)?")
# The first word, unless a sign before it could be a part of it, or of an identifier.
_FIRST_LETTER = re.compile(r"[\s\"'“„«(\[…]*([^\W\d_])")

# Shorter ones are as likely names: OK, PDF, USB.
_MIN_CAPITALS = 4


def style_of(source: str, language: str | None = None) -> str:
    """The style that a translation takes from its source, a text without placeholders.

    ``upper``: all letters are upper case, and there are at least four. ``title``: the first and the
    last of several words have capitals, and so have all others but small ones; German and its
    neighbours, which capitalise nouns, have no titles. `CONTINUED`: the source begins in lower
    case. ``sentence``: any other.
    """
    words = _WORD.findall(source)
    if not words:
        return "sentence"
    if source == source.upper() != source.lower() and sum(map(len, words)) >= _MIN_CAPITALS:
        return "upper"
    if (language is None or not capitalises_nouns(language)) and _is_title(words):
        return "title"
    first = _FIRST_LETTER.match(source)
    return CONTINUED if first is not None and words[0].islower() else "sentence"


def _is_title(words: list[str]) -> bool:
    if len(words) == 1 or not (_has_capital(words[0]) and _has_capital(words[-1])):
        return False
    return all(_has_capital(word) or word in _SMALL_WORDS for word in words)


def _has_capital(word: str) -> bool:
    return word != word.lower()


# Copies of texts, such as the words of a transcript.


def follow(copies: Iterable[Copy], changed: Mapping[Piece, str]) -> list[tuple[Piece, str]]:
    """The pieces of copies that have to change, and their new texts.

    `changed` has the new texts of pieces of the originals, or of parts of these pieces. White space
    may differ between original and copy; if words differ, too, only equal words are changed.
    """
    found: list[tuple[Piece, str]] = []
    news = _News(changed)
    for original, copy in copies:
        before = text_of(original)
        after = "".join(map(news.text, original))
        flow = Flow(copy)
        if after != before or flow.text.split() != before.split():
            found += flow.changed(_in_case_of(flow.text, before, after))
    return found


class _News:
    """The new texts of pieces, however these are cut."""

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
        changes = (
            (start - piece.start, part.end - piece.start, text.encode("utf-8"))
            for start, part, text in self._changed[first:last]
        )
        return b"".join(spliced(piece.text.encode("utf-8"), changes)).decode("utf-8")


def _in_case_of(text: str, before: str, after: str) -> str:
    """A text in the case that the same words have in another text."""
    letters = _letters(text)
    others = _letters(before)
    if [text[i].lower() for i in letters] == [before[i].lower() for i in others]:
        new = list(text)
        for i, j in zip(letters, others, strict=True):
            new[i] = after[j]
        return "".join(new)
    return _in_case_of_words(text, before, after)


# Words without the marks around them, which copies may lack.
_INK = re.compile(r"\w+(?:[^\w\s]+\w+)*")


def _in_case_of_words(text: str, before: str, after: str) -> str:
    words, others = (list(_INK.finditer(one)) for one in (text, before))
    new = list(text)
    for i, j in _equal(*([word[0].lower() for word in one] for one in (words, others))):
        (a, b), (c, d) = words[i].span(), others[j].span()
        if b - a == d - c:
            new[a:b] = after[c:d]
    return "".join(new)


# Words that are compared with as many others. The time grows with the square; a copy may lack half
# as many in a row. Where the same few words stand again and again, which the share of equal pairs
# shows, the time grows with the cube.
_COMPARED, _COMPARED_OF_FEW = 4096, 128
_USUAL_SHARE, _FEW_PAIRS = 0.05, 1 << 14


def _equal(words: list[str], others: list[str]) -> Iterator[tuple[int, int]]:
    """Yield the places of words that both texts have, in the same order."""
    i = j = 0
    while i < len(words) and j < len(others):
        some, beside = words[i : i + _COMPARED], others[j : j + _COMPARED]
        n_equal = sum(map(Counter(some).__getitem__, beside))
        is_usual = n_equal <= _FEW_PAIRS + _USUAL_SHARE * len(some) * len(beside)
        size = _COMPARED if is_usual else _COMPARED_OF_FEW
        matcher = SequenceMatcher(None, some[:size], beside[:size], autojunk=False)
        end = other_end = size // 2
        for a, b, n in matcher.get_matching_blocks():
            yield from ((i + a + k, j + b + k) for k in range(n))
            if n:
                end, other_end = max(end, a + n), max(other_end, b + n)
        i += end
        j += other_end


def _letters(text: str) -> list[int]:
    return [i for i, character in enumerate(text) if not character.isspace()]
