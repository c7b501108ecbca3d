"""Texts of a file and the bytes that hold them: pieces, splices, segments and units.

A piece is a run of bytes and its text. The pieces of a sentence make one text, whatever tags,
escapes or ends of strings are between them. Pieces that change are written back one by one; all
other bytes stay.
"""

from __future__ import annotations

import itertools
import re
import sys
from array import array
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from operator import le
from typing import NamedTuple

from truecase.formats.languages import Languages
from truecase.kernels.text import is_space

#: Kinds of pieces: UTF-8 as it stands; a character reference of XML, decimal or hexadecimal; text
#: that the model sees and that never changes, with or without bytes in the file; a character of
#: JSON as ``\\u00e9``, with digits in lower or upper case.
PLAIN, DECIMAL, HEXADECIMAL, FIXED, ESCAPED, UPPER_ESCAPED = range(6)

#: The byte order mark of UTF-8.
BOM = b"\xef\xbb\xbf"


class Span(NamedTuple):
    """Bytes `start` … `end` - 1 of a file."""

    start: int
    end: int


class Piece(NamedTuple):
    """Bytes `start` … `end` - 1 of a file, and the text that they stand for."""

    kind: int
    start: int
    end: int
    text: str


class Splice(NamedTuple):
    """Bytes that replace bytes `start` … `end` - 1 of a file."""

    start: int
    end: int
    data: bytes


def splice(piece: Piece, text: str) -> Splice:
    """The splice that gives a piece another text of the same length."""
    kind = piece.kind
    if kind == DECIMAL:
        text = f"&#{ord(text)};"
    elif kind == HEXADECIMAL:
        text = f"&#x{ord(text):X};"
    elif kind in (ESCAPED, UPPER_ESCAPED):
        digits = text.encode("utf-16-be", "surrogatepass").hex()
        if kind == UPPER_ESCAPED:
            digits = digits.upper()
        text = "".join(f"\\u{digits[i : i + 4]}" for i in range(0, len(digits), 4))
    return Splice(piece.start, piece.end, text.encode("utf-8"))


def spliced(data: bytes, splices: Iterable[tuple[int, int, bytes]]) -> Iterator[bytes | memoryview]:
    """The bytes of a file with splices, which are in order."""
    view = memoryview(data)
    position = 0
    for start, end, new in splices:
        yield view[position:start]
        yield new
        position = end
    yield view[position:]


def skip_bom(data: bytes) -> int:
    """The beginning of the text, behind a byte order mark."""
    return len(BOM) if data.startswith(BOM) else 0


def plain(data: bytes, start: int, end: int) -> Piece:
    """Bytes that are text as they stand."""
    return Piece(PLAIN, start, end, data[start:end].decode("utf-8"))


def blank(position: int) -> Piece:
    """A blank that the model sees and the file does not have."""
    return Piece(FIXED, position, position, " ")


def text_of(pieces: Sequence[Piece]) -> str:
    """The text of pieces."""
    return pieces[0].text if len(pieces) == 1 else "".join([piece.text for piece in pieces])


def has_letter(pieces: Iterable[Piece]) -> bool:
    """Whether there is a letter that could change."""
    return any(piece.kind != FIXED and any(map(str.isalpha, piece.text)) for piece in pieces)


def word_spans(pieces: Sequence[Piece]) -> Iterator[tuple[int, int]]:
    """The bytes of a file at which each word of a text begins and ends."""
    start = end = None
    for piece in pieces:
        place = piece.start
        for character in piece.text:
            if is_space(character):
                if start is not None and end is not None:
                    yield start, end
                start = end = None
            elif start is None:
                start = place
            if piece.kind == PLAIN:
                place += len(character.encode("utf-8"))
            if not is_space(character):
                end = place if piece.kind == PLAIN else piece.end
    if start is not None and end is not None:
        yield start, end


def split_at(pieces: Iterable[Piece], places: Iterable[int]) -> list[list[Piece]]:
    """The parts of a text between places, which are numbers of its characters in order."""
    parts: list[list[Piece]] = [[]]
    ends = iter([*places, sys.maxsize])
    end = next(ends)
    position = 0
    for kind, first, last, text in pieces:
        low = 0
        while low < len(text):
            high = min(len(text), end - position)
            part = text[low:high]
            is_cut = kind == PLAIN and high < len(text)
            until = first + len(part.encode("utf-8")) if is_cut else last
            if part:
                parts[-1].append(Piece(kind, first, until, part))
            if high == end - position:
                parts.append([])
                end = next(ends)
            low, first = high, until if is_cut else first
        position += len(text)
    return parts + [[] for _ in ends]


def cut(pieces: Iterable[Piece], start: int, end: int) -> list[Piece]:
    """The pieces of characters `start` … `end` - 1 of a text."""
    return split_at(pieces, (start, end))[1]


def split_plain(
    pieces: Iterable[Piece],
    pattern: re.Pattern[str],
    stand_in: Callable[[re.Match[str], int, int], Piece | None],
) -> list[Piece]:
    """Split plain pieces where a pattern matches.

    `stand_in` makes the piece for a match and its bytes; None hides the match from the model.
    """
    found: list[Piece] = []
    for piece in pieces:
        if piece.kind != PLAIN:
            found.append(piece)
            continue
        text = piece.text
        position, done = piece.start, 0
        for match in pattern.finditer(text):
            if done < match.start():
                part = text[done : match.start()]
                n_bytes = len(part.encode("utf-8"))
                found.append(Piece(PLAIN, position, position + n_bytes, part))
                position += n_bytes
            n_bytes = len(match[0].encode("utf-8"))
            shown = stand_in(match, position, position + n_bytes)
            if shown is not None:
                found.append(shown)
            position += n_bytes
            done = match.end()
        if done == 0:
            found.append(piece)
        elif done < len(text):
            found.append(Piece(PLAIN, position, piece.end, text[done:]))
    return found


def with_stand_ins(
    pieces: Iterable[Piece], found: Iterable[tuple[int, int, str | None]]
) -> list[Piece]:
    """Fix characters `start` … `end` - 1 of a text, over all pieces; spans are in order.

    The third value of a span is what the model sees in its place; None: nothing.
    """
    spans = list(found)
    parts = split_at(pieces, itertools.chain(*(span[:2] for span in spans)))
    shown = parts[0]
    for (start, end, stand_in), part, behind in zip(spans, parts[1::2], parts[2::2], strict=True):
        if stand_in is not None:
            # What differs from its characters is shown once.
            is_same = len(stand_in) == end - start
            for n, (_, first, last, text) in enumerate(part):
                text_shown = text if is_same else "" if n else stand_in
                shown.append(Piece(FIXED, first, last, text_shown))
        shown += behind
    return shown


NO_SPAN = Span(-1, -1)

# Reasons why segments are left alone.
NOT_TRANSLATED = "not to be translated"
LOCKED = "locked"
FINAL = "final"
EMPTY = "without a target"
OBSOLETE = "obsolete"


# A word that may be a key, with placeholders behind it; with dots, underscores or inner capitals it
# is spelled like one.
_ONE_WORD = re.compile(
    rb"""[\s"[({]*(?P<word>(?P<spelled>[@\#$%]?(?:\d+\.)?[a-z][A-Za-z0-9:/-]*[._]\w(?:[\w.:/[\]-]*\w)?
    |\d+\.[a-z]\w*|[a-z]+[A-Z]\w*|[a-z]\w*(?:::?\w+)+|[a-z]{2,}\d+|[A-Z][A-Z0-9]*_[A-Z0-9_]+
    |[A-Z]\w*\.\w(?:[\w.]*\w)?|[@\#$%][a-z][\w:/-]+|[a-z]\w*(?:\[\w{3,}\])+)|[a-z][\w:/-]*)
    (?:\s+[%{]\w+[%}])*[\s"%\])}?!:]*""",
    re.VERBOSE,
)
# An attribute by which XML names a unit, and how far it is from its source.
_IDS = (b' id="', b' resname="', b' name="')
_FAR = 300


class Segments:
    """The segments to be cased, in the order of the file, as columns of byte offsets."""

    def __init__(self) -> None:
        # Spans of contents; -1 without a source.
        self.target_start = array("q")
        self.target_end = array("q")
        self.source_start = array("q")
        self.source_end = array("q")
        # The reader's number of the segment's languages.
        self.language = array("i")
        # How many segments are left alone, by reason and language.
        self.left_alone: Counter[tuple[str, int]] = Counter()
        #: How many sources are keys.
        self.n_keys = 0
        #: Source and target, if the file names them.
        self.languages: Languages | None = None
        #: The format for people, if the file has more than `Format.title`, such as a version.
        self.format = ""

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
        """The span of a target's content."""
        return Span(self.target_start[i], self.target_end[i])

    def source(self, i: int) -> Span:
        """The span of a source's content; `NO_SPAN` without a source."""
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

    def leave_out_keys(self, data: bytes) -> None:
        """Take sources that are keys of a catalogue, such as ``app.title``, as missing.

        Where most sources are keys, or some and the others single words in lower case, all these
        are. A source that its target contains is a name, such as ``iPhone``.
        """
        words: list[int] = []
        keys: list[int] = []
        n_sources = n_joined = 0
        for i, start in enumerate(self.source_start):
            n_sources += start >= 0
            found = _ONE_WORD.fullmatch(data, start, self.source_end[i]) if start >= 0 else None
            if found is None:
                continue
            word = found["word"]
            target = data[slice(*self.target(i))].lower()
            # The only underscore of a text may be the mark of a key in a menu.
            is_same = word.lower() in target or word.count(b"_") == target.count(b"_") == 1
            before = data[max(0, start - _FAR) : start]
            unit = before[max(0, before.rfind(b"unit "), before.rfind(b"message ")) :]
            is_named = any(name + word + b'"' in unit for name in _IDS)
            if is_named or (found["spelled"] and not is_same):
                keys.append(i)
            else:
                words.append(i)
                n_joined += (b"-" in word or b"/" in word) and not is_same
        n_keys = len(keys)
        if 2 * (n_keys + n_joined) > n_sources or n_sources == n_keys + len(words) > len(words):
            keys += words
        self.n_keys = len(keys)
        for i in keys:
            self.source_start[i] = self.source_end[i] = -1

    def follow_one_another(self) -> bool:
        """Whether each target begins where the one before ends, or later."""
        starts, ends = self.target_start, self.target_end
        return all(map(le, ends, itertools.islice(starts, 1, None)))

    def reasons(self) -> dict[str, int]:
        """How many segments are left alone, by reason."""
        counts: Counter[str] = Counter()
        for (reason, _), n in self.left_alone.items():
            counts[reason] += n
        return dict(counts)


class Copy(NamedTuple):
    """Pieces that repeat the words of other pieces."""

    original: Sequence[Piece]
    copy: Sequence[Piece]


class Units(Segments):
    """Segments whose texts need not be in one place: sentences over cues, and their copies.

    The span of a unit goes from its first byte to its last; units may lie inside each other, as a
    description in brackets lies within a sentence.

    Attributes
    ----------
    copies : list of Copy
        Pieces that follow the case of units.
    in_capitals : set of int
        Numbers of units in capitals, such as labels, beside text that is not.
    pauses : dict of int to float
        By the byte where a word ends, the seconds to the next word, if the file has them.
    """

    def __init__(self) -> None:
        super().__init__()
        self._pieces: list[Sequence[Piece]] = []
        self.copies: list[Copy] = []
        self.in_capitals: set[int] = set()
        self.pauses: dict[int, float] = {}

    def add_unit(self, pieces: Sequence[Piece]) -> None:
        """Append a text, unless it has no letter that could change."""
        if has_letter(pieces):
            # The cues of a sentence may stand in any order.
            start = min(piece.start for piece in pieces)
            self.add(Span(start, max(piece.end for piece in pieces)))
            self._pieces.append(pieces)

    def add_pause(self, pieces: Sequence[Piece], seconds: float) -> None:
        """Note the pause behind the last word of a text."""
        for piece in reversed(pieces):
            said = piece.text.rstrip()
            if said:
                is_plain = piece.kind == PLAIN
                end = piece.start + len(said.encode("utf-8")) if is_plain else piece.end
                self.pauses[end] = seconds
                return

    def pieces(self, i: int) -> Sequence[Piece]:
        """The text of a unit."""
        return self._pieces[i]


def line_of(data: bytes, position: int) -> int:
    """The line, from 1, that a byte is in."""
    return data.count(b"\n", 0, position) + 1
