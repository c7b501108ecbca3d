"""Transcripts of speech recognisers in JSON, and manifests in JSON lines.

A transcript tells its text up to three times: whole, by segments, by words. The segments are
cased, as sentences that run over them; the text and the words follow.
"""

from __future__ import annotations

from collections.abc import Iterable

from truecase.errors import FormatError
from truecase.formats.cues import Cue, Joiner
from truecase.formats.flow import Piece
from truecase.formats.json_text import (
    JsonObject,
    JsonReader,
    JsonString,
    JsonValue,
    json_pieces,
    string_text,
)
from truecase.formats.pieces import blank, last_word_end
from truecase.formats.units import Copy, Units

#: Where segments are: of Whisper and its relatives; of whisper.cpp; of Hugging Face pipelines.
SEGMENTS = ("segments", "transcription", "chunks")
# Words that belong to no segment: of WhisperX; of services.
_WORDS = ("word_segments", "words")
_WORD_TEXTS = ("word", "text")
#: What manifests name their text.
DEFAULT_FIELD = "text"


def read_transcript(name: str, data: bytes) -> Units:
    """The sentences of a transcript in JSON.

    Raises
    ------
    FormatError
        If it is not JSON, or has no text.
    """
    root = JsonReader(name, data).only()
    if isinstance(root, list):
        root = JsonObject(["segments"], [root])
    units = Units()
    reader = _Transcript(data, units)
    if not isinstance(root, JsonObject) or not reader.read(root):
        raise FormatError(
            f"{name}: line 1: expected a transcript, with a text or a list of segments"
        )
    return units


class _Transcript:
    def __init__(self, data: bytes, units: Units) -> None:
        self._data = data
        self._units = units

    def read(self, root: JsonObject) -> bool:
        """Find the text of a transcript; whether there is any."""
        spoken: list[Piece] = []
        copies: list[Copy] = []
        joiner = Joiner(self._units)
        for segment in _segments(root):
            text = segment.get("text")
            if not isinstance(text, JsonString):
                continue
            pieces = json_pieces(self._data, text)
            joiner.add(Cue(*_times(segment), pieces, self._voice(segment)))
            spoken += [*pieces, blank(text.end)]
            copies.append(Copy(pieces, self._words(segment.get("words"))))
        joiner.finish()
        text = root.get("text")
        if isinstance(text, JsonString):
            pieces = json_pieces(self._data, text)
            if spoken:
                copies.append(Copy(spoken, pieces))
            else:
                spoken = pieces
                joiner.add_all([Cue(0.0, 0.0, pieces)])
        for key in _WORDS:
            copies.append(Copy(spoken, self._words(root.get(key))))
        self._units.copies += [copy for copy in copies if copy.copy]
        return bool(spoken) or any(root.get(key) is not None for key in ("text", *SEGMENTS))

    def _voice(self, segment: JsonObject) -> str:
        speaker = segment.get("speaker")
        return string_text(self._data, speaker) if isinstance(speaker, JsonString) else ""

    def _words(self, words: JsonValue) -> list[Piece]:
        found: list[Piece] = []
        last: tuple[int | None, float | None] = (None, None)
        for word in words if isinstance(words, list) else []:
            if isinstance(word, JsonObject):
                texts = (word.get(key) for key in _WORD_TEXTS)
                text = next((text for text in texts if isinstance(text, JsonString)), None)
                if text is not None:
                    pieces = json_pieces(self._data, text)
                    start, end = (word.get(key) for key in ("start", "end"))
                    if last[0] is not None and last[1] is not None and isinstance(start, float):
                        self._units.pauses[last[0]] = start - last[1]
                    last = (last_word_end(pieces), end if isinstance(end, float) else None)
                    found += [*pieces, blank(text.end)]
        return found


def _segments(root: JsonObject) -> Iterable[JsonObject]:
    for key in SEGMENTS:
        segments = root.get(key)
        if isinstance(segments, list):
            return [segment for segment in segments if isinstance(segment, JsonObject)]
    return []


def _times(segment: JsonObject) -> tuple[float, float]:
    """Seconds; without times, segments follow each other at once."""
    times = [segment.get("start"), segment.get("end")]
    pair, offsets = segment.get("timestamp"), segment.get("offsets")
    if isinstance(pair, list) and len(pair) == 2:
        times = pair
    factor = 1.0
    if isinstance(offsets, JsonObject):
        times = [offsets.get("from"), offsets.get("to")]
        factor = 1e-3
    start, end = (t * factor if isinstance(t, float) else None for t in times)
    start = 0.0 if start is None else start
    return start, start if end is None else end


def read_manifest(name: str, data: bytes, field: str | None = None) -> Units:
    """The texts of a manifest: a JSON object a line, with the text in one field.

    Parameters
    ----------
    name : str
        For messages.
    data : bytes
    field : str, optional
        The name of the text.

    Notes
    -----
    Parts of the same ``audio_filepath`` with an ``offset`` and a ``duration`` are segments,
    over which sentences may run; any other line has sentences of its own.

    Raises
    ------
    FormatError
        If a line is no object, or has no such field.
    """
    field = DEFAULT_FIELD if field is None else field
    units = Units()
    joiner = Joiner(units)
    reader = JsonReader(name, data)
    for entry in reader.values():
        text = entry.get(field) if isinstance(entry, JsonObject) else None
        if not isinstance(entry, JsonObject) or not isinstance(text, JsonString):
            raise FormatError(f"{name}: line {reader.line()}: has no text in a field {field!r}")
        audio, offset = entry.get("audio_filepath"), entry.get("offset")
        duration = entry.get("duration")
        is_part = isinstance(audio, JsonString) and isinstance(offset, float)
        if not is_part:
            joiner.finish()
        cue = Cue(0.0, 0.0, json_pieces(data, text))
        if isinstance(audio, JsonString) and isinstance(offset, float):
            end = offset + (duration if isinstance(duration, float) else 0.0)
            cue = Cue(offset, end, cue.pieces, string_text(data, audio))
        joiner.add(cue)
        if not is_part:
            joiner.finish()
    joiner.finish()
    return units
