"""Joins cues of subtitles into sentences.

A cue continues the sentence of the cue before, unless that one has ended with an end mark, or
another voice speaks, or some time has passed. Texts of their own are what follows a dash, the label
of a speaker (``JOHN:``), descriptions in brackets, and lyrics between notes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from truecase.formats.segments import (
    FIXED,
    Copy,
    Piece,
    Units,
    blank,
    cut,
    last_word_end,
    split_plain,
    text_of,
)
from truecase.rules.smartcase import BEFORE_NAMES

#: Seconds after which a cue begins a sentence.
MAX_GAP = 2.0

# Captions that roll up have cues of this length, in seconds, which show the last line alone.
_INSTANT = 0.1

# An ellipsis does not end a sentence by itself; the next word shows whether the sentence goes on.
_END = re.compile(r"(?:(?<!\.)\.|[?!。？！؟।])[\"'”’»\)\]}]*\s*$")
_ABBREVIATION = re.compile(rf"(?:^|[\s(\"'-])(?:[^\W\d_]|{BEFORE_NAMES})\.\s*$", re.IGNORECASE)

# Also the mark of live captions, >>.
_DASH = re.compile(r"\s*(?:>>+|[-‐–](?![-‐–—])|—(?=\s))\s*(?=\S)")
# Where speech breaks off; a word next to it would look like an option of a program.
_BROKEN_OFF = re.compile("--+")
_NOTE = re.compile(r"[♩♪♫♬🎵🎶]+")
# Where a description or a song may begin.
_SPECIAL = re.compile(r"[\[【(（♩♪♫♬🎵🎶]")
_LINE = re.compile(r"[^\n]+")
_DESCRIPTION = re.compile(r"\[[^\[\]]{0,300}\]|【[^【】]{0,300}】")
_ASIDE = re.compile(r"\([^()]{0,300}\)|（[^（）]{0,300}）")
_NAME = r"[^\W_][\w.'’-]*"
_LABEL = re.compile(
    # In capitals, or each word with one, or a single word, with a number or a title.
    rf"(?:(?=[^:\n]*[^\W\d_])(?P<upper>[^:\n\[\](){{}}?!,;]{{1,40}})"
    rf"|(?:(?:mrs?|ms|dr)\.?[ ])?{_NAME}(?:[ ]\#?\d{{1,3}})?)(?=:(?:\s|$))",
    re.IGNORECASE,
)
_MAX_LABEL_WORDS = 4
# Pieces in which the end of a sentence shows.
_TAIL = 8


class Cue(NamedTuple):
    """A text, with line feeds between lines, that is shown from `start` to `end`, in seconds."""

    start: float
    end: float
    pieces: Sequence[Piece]
    # The speaker, if known.
    voice: str = ""


def ends_sentence(text: str) -> bool:
    """Whether the next text certainly begins a sentence."""
    return _END.search(text) is not None and _ABBREVIATION.search(text) is None


def joined_cues(cues: Iterable[Cue]) -> Units:
    """The sentences of cues, which are in the order in which they are shown."""
    units = Units()
    Joiner(units).add_all(cues)
    return units


class Joiner:
    """Makes units of cues, which come in the order in which they are shown."""

    def __init__(self, units: Units) -> None:
        self._units = units
        self._open: list[Piece] = []
        self._end = 0.0
        self._voice = ""
        self._last_line: list[Piece] = []
        self._last_word: int | None = None  # its end

    def add_all(self, cues: Iterable[Cue]) -> None:
        """Add cues, and end the last sentence."""
        for cue in cues:
            self.add(cue)
        self.finish()

    def add(self, cue: Cue) -> None:
        """Add a cue."""
        is_near = cue.start - self._end < MAX_GAP
        tail = text_of(self._open[-_TAIL:])
        if not is_near or cue.voice != self._voice or ends_sentence(tail):
            self.finish()
        if self._last_word is not None and cue.start - self._end > 0:
            self._units.pauses[self._last_word] = cue.start - self._end
        self._last_word = last_word_end(cue.pieces)
        self._end = max(self._end, cue.end) if is_near else cue.end
        self._voice = cue.voice
        pieces = split_plain(cue.pieces, _BROKEN_OFF, _apart)
        lines = [line for line in _lines(pieces) if text_of(line).strip()]
        is_instant = cue.end - cue.start < _INSTANT
        if is_near and (len(lines) > 1 or (lines and is_instant)) and self._repeats(lines[0]):
            # Captions that roll up show a line again, above the next one.
            self._units.copies.append(Copy(self._last_line, lines.pop(0)))
        if lines:
            self._last_line = lines[-1]
            self._add_text(lines)

    def finish(self) -> None:
        """End the sentence that is open."""
        if self._open:
            self._units.add_unit(self._open)
        self._open = []

    def _repeats(self, line: Sequence[Piece]) -> bool:
        last = text_of(self._last_line).split()
        return bool(last) and text_of(line).split() == last

    def _add_text(self, lines: list[list[Piece]]) -> None:
        pieces: list[Piece] = []
        starts = set()
        for line in lines:
            starts.add(len(text_of(pieces)))
            pieces += [*line, blank(line[-1].end)]
        text = text_of(pieces)
        position = 0
        while position < len(text):
            position = self._step(pieces, text, position, position in starts, starts)

    def _step(
        self, pieces: list[Piece], text: str, start: int, is_line_start: bool, starts: set[int]
    ) -> int:
        """Read what is at `start`; return where the rest begins."""
        if is_line_start:
            dash = _DASH.match(text, start)
            if dash is not None:
                self.finish()
                start = dash.end()
            label = None if self._open else _label(text, start)
            if label is not None:
                self._units.add_unit(cut(pieces, start, label))
                return label + 1
        note = _NOTE.match(text, start)
        if note is not None:
            return self._music(pieces, text, note.end())
        aside = _description(text, start, is_line_start or not text[:start].strip())
        if aside is not None:
            self._units.add_unit(cut(pieces, start + 1, aside - 1))
            if self._open:
                self._open.append(blank(self._open[-1].end))
            return aside
        if text[start].isspace():
            if self._open:
                self._open += cut(pieces, start, start + 1)
            elif start + 1 < len(text) and is_line_start:
                return self._step(pieces, text, start + 1, True, starts)
            return start + 1
        special = _SPECIAL.search(text, start + 1)
        end = len(text) if special is None else special.start()
        end = min([end, *(line for line in starts if line > start)])
        self._open += cut(pieces, start, end)
        return end

    def _music(self, pieces: list[Piece], text: str, start: int) -> int:
        self.finish()
        close = _NOTE.search(text, start)
        end = len(text) if close is None else close.start()
        if not text[start:end].strip():
            return end
        self._units.add_unit(cut(pieces, start, end))
        return end if close is None else close.end()


def _apart(match: re.Match[str], start: int, end: int) -> Piece:
    return Piece(FIXED, start, end, f" {match[0]} ")


def _lines(pieces: Sequence[Piece]) -> list[list[Piece]]:
    return [cut(pieces, *line.span()) for line in _LINE.finditer(text_of(pieces))]


def _label(text: str, start: int) -> int | None:
    match = _LABEL.match(text, start)
    if match is None:
        return None
    words = match[0].split()
    if match["upper"] is not None and not _is_name_like(words):
        return None
    return match.end()


def _is_name_like(words: list[str]) -> bool:
    if len(words) == 1:
        return True
    if len(words) > _MAX_LABEL_WORDS:
        return False
    if len(words) == 2 and words[1].lstrip("#").isdigit():
        return True
    if words[0].lower().rstrip(".") in ("mr", "mrs", "ms", "dr"):
        return len(words) == 2
    has_case = any(word != word.lower() for word in words)
    return has_case and not any(word[0].islower() for word in words)


def _description(text: str, start: int, is_line_start: bool) -> int | None:
    match = _DESCRIPTION.match(text, start)
    if match is not None:
        return match.end()
    match = _ASIDE.match(text, start)
    if match is None:
        return None
    inside = match[0]
    is_upper = inside.isupper() and not text.isupper() and len(inside) > 3
    return match.end() if is_line_start or is_upper else None
