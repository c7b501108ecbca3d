"""Transcripts in columns: CTM (a word a line), STM (a segment a line), Kaldi's ``text``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from truecase.errors import FormatError
from truecase.formats.cues import MAX_GAP, Cue, Joiner
from truecase.formats.errors import line_of
from truecase.formats.flow import Piece
from truecase.formats.pieces import blank, plain
from truecase.formats.units import Units

_LINE = re.compile(rb"[^\n]+")
_FIELD = re.compile(rb"[^\s]+")
_BOM = b"\xef\xbb\xbf"
# Of NIST's scoring: no text.
_NO_TEXT = (b"ignore_time_segment_in_scoring", b"inter_segment_gap")
_NOISE = re.compile(rb"<[^<>\s]*>|@")
# Words that one or the other may have been said: a sentence for the model goes through all.
_ALTERNATIVE = re.compile(rb"[{}/]")
_NO_TIME = b"*"


def read_ctm(name: str, data: bytes) -> Units:
    """The sentences of a CTM file: recording, channel, start, duration, word, and more.

    Raises
    ------
    FormatError
        If a line has too few columns, or no numbers where times are.
    """
    units = Units()
    Joiner(units).add_all(_of_words(_telling_pauses(_ctm_words(name, data), units)))
    return units


def read_stm(name: str, data: bytes) -> Units:
    """The sentences of an STM file: recording, channel, speaker, start, end, label, text.

    Raises
    ------
    FormatError
        If a line has too few columns, or no numbers where times are.
    """
    return _joined(_stm_cues(name, data))


def read_kaldi(name: str, data: bytes) -> Units:
    """The texts of a file of Kaldi: an utterance a line, after its name.

    Raises
    ------
    FormatError
        Never; any text is one.
    """
    units = Units()
    for line, fields in _rows(data):
        if len(fields) > 1:
            start = fields[1].start()
            units.add_unit([plain(data, start, line.start() + len(line[0].rstrip()))])
    return units


def _joined(cues: Iterator[Cue]) -> Units:
    units = Units()
    Joiner(units).add_all(cues)
    return units


def _rows(data: bytes) -> Iterator[tuple[re.Match[bytes], list[re.Match[bytes]]]]:
    """Lines and their columns."""
    for line in _LINE.finditer(data, len(_BOM) if data.startswith(_BOM) else 0):
        if not line[0].startswith(b";;"):
            fields = list(_FIELD.finditer(data, *line.span()))
            if fields:
                yield line, fields


def _times(name: str, data: bytes, fields: list[re.Match[bytes]], at: int, n: int) -> list[float]:
    """Two columns of seconds of a row of at least `n`."""
    what = f"expected at least {n} columns"
    if len(fields) >= n:
        try:
            return [float(field[0]) for field in fields[at : at + 2]]
        except ValueError:
            what = f"expected seconds in columns {at + 1} and {at + 2}"
    raise FormatError(f"{name}: line {line_of(data, fields[0].start())}: {what}")


def _ctm_words(name: str, data: bytes) -> Iterator[Cue]:
    for _, fields in _rows(data):
        # Where words begin that one or the other may have been said; such a row has no times.
        if len(fields) > 4 and fields[2][0] == fields[3][0] == _NO_TIME:
            continue
        start, duration = _times(name, data, fields, 2, 5)
        voice = (fields[0][0] + b" " + fields[1][0]).decode("utf-8")
        word = fields[4]
        pieces = [] if _NOISE.fullmatch(word[0]) else [plain(data, *word.span())]
        yield Cue(start, start + duration, pieces, voice)


def _telling_pauses(words: Iterator[Cue], units: Units) -> Iterator[Cue]:
    """The same words; units are told of the pauses between them."""
    last: Cue | None = None
    for word in words:
        if word.pieces:
            if last is not None and last.voice == word.voice:
                units.pauses[last.pieces[-1].end] = word.start - last.end
            last = word
        yield word


def _of_words(words: Iterator[Cue]) -> Iterator[Cue]:
    """Cues of words that follow each other."""
    pieces: list[Piece] = []
    start = end = 0.0
    voice = ""
    for word in words:
        if word.voice != voice or word.start - end >= MAX_GAP:
            if pieces:
                yield Cue(start, end, pieces, voice)
            pieces, start, end, voice = [], word.start, word.end, word.voice
        end = max(end, word.end)
        for piece in word.pieces:
            pieces += [piece, blank(piece.end)]
    if pieces:
        yield Cue(start, end, pieces, voice)


def _stm_cues(name: str, data: bytes) -> Iterator[Cue]:
    for _, fields in _rows(data):
        start, end = _times(name, data, fields, 3, 5)
        words = fields[5:]
        if words and words[0][0].startswith(b"<") and words[0][0].endswith(b">"):
            words = words[1:]
        if not words or words[0][0].lower() in _NO_TEXT:
            continue
        voice = b" ".join(field[0] for field in fields[:3]).decode("utf-8")
        pieces: list[Piece] = []
        for word in words:
            if not _NOISE.fullmatch(word[0]) and not _ALTERNATIVE.fullmatch(word[0]):
                pieces += [plain(data, *word.span()), blank(word.end())]
        yield Cue(start, end, pieces, voice)
