"""Subtitles in TTML (also DFXP and IMSC): the text of each ``p``, with its times."""

from __future__ import annotations

import re

from truecase.formats.cues import Cue, Joiner
from truecase.formats.flow import FIXED, Piece
from truecase.formats.languages import Languages
from truecase.formats.segments import Segments
from truecase.formats.units import Units
from truecase.formats.xml_content import xml_pieces
from truecase.formats.xml_document import MAX_DEPTH, XML_LANG, XmlFile

_BREAK = re.compile(rb"<(?:[\w.-]+:)?br(?=[\s/>])[^<>]*>")
_CLOCK = re.compile(r"(\d{1,4}):(\d{1,2}):(\d{1,2})(\.\d{1,9})?")
_OFFSET = re.compile(r"(\d{1,12}(?:\.\d{1,9})?)(h|ms|m|s)")
_SECONDS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 1e-3}


class TtmlReader:
    """Joins the paragraphs of a file of TTML into sentences."""

    format = "TTML"

    def __init__(self, file: XmlFile, root: str, attributes: dict[str, str]) -> None:
        self._file = file
        self._language = attributes.get(XML_LANG, "")
        self._depth = 1
        self._start = 0
        self._start_depth = 0
        self._times = (0.0, 0.0)
        self._cues: list[Cue] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Handle a start tag."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            self._file.too_deep()
        if name.rpartition(" ")[2] == "p" and not self._start_depth:
            self._start_depth = self._depth
            self._start = self._file.content_start()
            begin = _seconds(attributes.get("begin", ""))
            end = _seconds(attributes.get("end", "")) or begin + _seconds(attributes.get("dur", ""))
            self._times = (begin, end)

    def end(self, name: str) -> None:
        """Handle an end tag."""
        if self._start_depth == self._depth:
            self._start_depth = 0
            span = self._file.content(self._start)
            if span.start < span.end:
                self._cues.append(Cue(*self._times, ttml_pieces(self._file.data, *span)))
        self._depth -= 1

    def finish(self, wanted: Languages) -> tuple[Segments, Languages]:
        """The sentences, and the language that the file says."""
        units = Units()
        Joiner(units).add_all(self._cues)
        return units, Languages(None, wanted.target or self._language or None)


def ttml_pieces(data: bytes, start: int, end: int) -> list[Piece]:
    """The text of a paragraph; ``br`` ends a line."""
    found = []
    for match in _BREAK.finditer(data, start, end):
        found += [
            *xml_pieces(data, start, match.start()),
            Piece(FIXED, match.start(), match.end(), "\n"),
        ]
        start = match.end()
    return [*found, *xml_pieces(data, start, end)]


def _seconds(time: str) -> float:
    """Seconds of a time; of one in frames or ticks, none."""
    clock = _CLOCK.match(time.strip())
    if clock is not None:
        hours, minutes, seconds, fraction = clock.groups()
        return int(hours) * 3600 + int(minutes) * 60 + int(seconds) + float(fraction or 0)
    offset = _OFFSET.fullmatch(time.strip())
    return 0.0 if offset is None else float(offset[1]) * _SECONDS[offset[2]]
