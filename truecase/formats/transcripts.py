"""Transcripts: JSON of speech recognisers, manifests in JSON lines, CTM, STM, Kaldi's ``text``.

JSON holds its text up to three times: whole, by segments, by words. The segments are cased, as
sentences that run over them; the text and the words follow.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from functools import partial

from truecase.errors import FormatError
from truecase.formats.format import Format, ReadOptions, Sample
from truecase.formats.json_text import (
    JsonObject,
    JsonReader,
    JsonString,
    JsonValue,
    json_pieces,
    looks_like_json,
    member_text,
    string_text,
)
from truecase.formats.languages import languages_of
from truecase.formats.segments import Copy, Piece, Units, blank, line_of, plain, skip_bom
from truecase.formats.subtitles import MAX_GAP, Cue, Joiner, joined_cues
from truecase.model.embedded import language_code

#: Keys of segments: of Whisper and its relatives; of whisper.cpp; of Hugging Face pipelines.
SEGMENTS = ("segments", "transcription", "chunks")
# Words that belong to no segment: of WhisperX; of services.
_WORDS = ("word_segments", "words")
_WORD_TEXTS = ("word", "text")


def read_transcript(name: str, data: bytes, options: ReadOptions) -> Units:
    """The sentences of a transcript in JSON."""
    root = JsonReader(name, data).only()
    if isinstance(root, list):
        root = JsonObject(["segments"], [root])
    units = Units()
    reader = _Transcript(data, units)
    if not isinstance(root, JsonObject) or not reader.read(root):
        raise FormatError(
            f"{name}: line 1: expected a transcript, with a text or a list of segments"
        )
    result = root.get("result")
    said = (
        member_text(data, one, "language")
        for one in (root, result if isinstance(result, JsonObject) else root)
    )
    language = language_code(next(filter(None, said), ""))
    units.languages = languages_of(name, options.wanted, None, language)
    return units


class _Transcript:
    def __init__(self, data: bytes, units: Units) -> None:
        self._data = data
        self._units = units

    def read(self, root: JsonObject) -> bool:
        """Find the text of a transcript; return whether there is any."""
        spoken: list[Piece] = []
        copies: list[Copy] = []
        joiner = Joiner(self._units)
        for segment in _segments(root):
            text = segment.get("text")
            if not isinstance(text, JsonString):
                continue
            pieces = json_pieces(self._data, *text)
            joiner.add(Cue(*_times(segment), pieces, member_text(self._data, segment, "speaker")))
            spoken += [*pieces, blank(text.end)]
            copies.append(Copy(pieces, self._words(segment.get("words"))))
        joiner.finish()
        text = root.get("text")
        if isinstance(text, JsonString):
            pieces = json_pieces(self._data, *text)
            if spoken:
                copies.append(Copy(spoken, pieces))
            else:
                spoken = pieces
                joiner.add_all([Cue(0.0, 0.0, pieces)])
        for key in _WORDS:
            copies.append(Copy(spoken, self._words(root.get(key))))
        self._units.copies += [copy for copy in copies if copy.copy]
        return bool(spoken) or any(root.get(key) is not None for key in ("text", *SEGMENTS))

    def _words(self, words: JsonValue) -> list[Piece]:
        found: list[Piece] = []
        last_pieces: list[Piece] = []
        last_end: float | None = None
        for word in words if isinstance(words, list) else []:
            if isinstance(word, JsonObject):
                texts = (word.get(key) for key in _WORD_TEXTS)
                text = next((text for text in texts if isinstance(text, JsonString)), None)
                if text is not None:
                    pieces = json_pieces(self._data, *text)
                    start, end = (word.get(key) for key in ("start", "end"))
                    if last_end is not None and isinstance(start, float):
                        self._units.add_pause(last_pieces, start - last_end)
                    last_pieces, last_end = pieces, end if isinstance(end, float) else None
                    found += [*pieces, blank(text.end)]
        return found


def _segments(root: JsonObject) -> Iterable[JsonObject]:
    for key in SEGMENTS:
        segments = root.get(key)
        if isinstance(segments, list):
            return [segment for segment in segments if isinstance(segment, JsonObject)]
    return []


def _times(segment: JsonObject) -> tuple[float, float]:
    """Start and end in seconds; segments without times follow each other at once."""
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


def read_manifest(name: str, data: bytes, options: ReadOptions) -> Units:
    """The texts of a manifest: a JSON object a line, with the text in one field.

    Lines with the same ``audio_filepath`` and with an ``offset`` and a ``duration`` are segments
    of a recording, and sentences run over them; any other line has sentences of its own.
    """
    field = "text" if options.field is None else options.field
    units = Units()
    joiner = Joiner(units)
    reader = JsonReader(name, data)
    for entry in reader.values():
        text = entry.get(field) if isinstance(entry, JsonObject) else None
        if not isinstance(entry, JsonObject) or not isinstance(text, JsonString):
            raise FormatError(f"{name}: line {reader.line()}: has no text in a field {field!r}")
        audio, offset = entry.get("audio_filepath"), entry.get("offset")
        duration = entry.get("duration")
        pieces = json_pieces(data, *text)
        if isinstance(audio, JsonString) and isinstance(offset, float):
            end = offset + (duration if isinstance(duration, float) else 0.0)
            joiner.add(Cue(offset, end, pieces, string_text(data, audio)))
        else:
            joiner.finish()
            joiner.add_all([Cue(0.0, 0.0, pieces)])
    joiner.finish()
    return units


# Files of lines and columns.

_LINE = re.compile(rb"[^\n]+")
_FIELD = re.compile(rb"[^\s]+")
# Marks of NIST's scoring for segments without text.
_NO_TEXT = (b"ignore_time_segment_in_scoring", b"inter_segment_gap")
_NOISE = re.compile(rb"<[^<>\s]*>|@")
# Signs around alternatives; a sentence for the model contains all of these.
_ALTERNATIVE = re.compile(rb"[{}/]")
_NO_TIME = b"*"


def read_ctm(name: str, data: bytes, options: ReadOptions) -> Units:
    """The sentences of a CTM file: recording, channel, start, duration, word, and more."""
    units = Units()
    Joiner(units).add_all(_of_words(_ctm_words(name, data), units))
    return units


def read_stm(name: str, data: bytes, options: ReadOptions) -> Units:
    """The sentences of an STM file: recording, channel, speaker, start, end, label, text."""
    return joined_cues(_stm_cues(name, data))


def read_kaldi(name: str, data: bytes, options: ReadOptions) -> Units:
    """The texts of Kaldi's ``text``: a line for each utterance, behind its name."""
    units = Units()
    for line, fields in _rows(data):
        if len(fields) > 1:
            start = fields[1].start()
            units.add_unit([plain(data, start, line.start() + len(line[0].rstrip()))])
    return units


def _rows(data: bytes) -> Iterator[tuple[re.Match[bytes], list[re.Match[bytes]]]]:
    """Lines and their columns."""
    for line in _LINE.finditer(data, skip_bom(data)):
        if not line[0].startswith(b";;"):
            fields = list(_FIELD.finditer(data, *line.span()))
            if fields:
                yield line, fields


def _column_times(
    name: str, data: bytes, fields: list[re.Match[bytes]], at: int, n: int
) -> list[float]:
    """Two columns of seconds in a row with at least `n` columns."""
    what = f"expected at least {n} columns"
    if len(fields) >= n:
        try:
            return [float(field[0]) for field in fields[at : at + 2]]
        except ValueError:
            what = f"expected seconds in columns {at + 1} and {at + 2}"
    raise FormatError(f"{name}: line {line_of(data, fields[0].start())}: {what}")


def _ctm_words(name: str, data: bytes) -> Iterator[Cue]:
    for _, fields in _rows(data):
        # A row that begins alternatives has no times.
        if len(fields) > 4 and fields[2][0] == fields[3][0] == _NO_TIME:
            continue
        start, duration = _column_times(name, data, fields, 2, 5)
        voice = (fields[0][0] + b" " + fields[1][0]).decode("utf-8")
        word = fields[4]
        pieces = [] if _NOISE.fullmatch(word[0]) else [plain(data, *word.span())]
        yield Cue(start, start + duration, pieces, voice)


def _of_words(words: Iterator[Cue], units: Units) -> Iterator[Cue]:
    """Cues of words that follow each other; adds the pauses between words to `units`."""
    pieces: list[Piece] = []
    start = end = 0.0
    voice = ""
    last: Cue | None = None
    for word in words:
        if word.pieces:
            if last is not None and last.voice == word.voice:
                units.add_pause(last.pieces, word.start - last.end)
            last = word
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
        start, end = _column_times(name, data, fields, 3, 5)
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


# Kaldi's name of the file, and names of utterances: they have a digit, and in a file of another
# name a hyphen or an underscore, too.
_KALDI_NAME = "text"
_NAME = re.compile(rb"[^\d\s]*\d\S*")
_UTTERANCE = re.compile(rb"(?=[^\d]*\d)(?=[^_-]*[_-])[A-Za-z0-9][\w.-]*\w")
_KALDI_LINES = 1000
_TRANSCRIPT = re.compile(
    rb"\"(?:segments|word_segments|transcription|chunks)\"\s*:\s*\[|\A\s*\[.{0,9999}\"text\""
    rb"|\A\s*\{\s*\"text\"\s*:\s*\"",
    re.DOTALL,
)
_JSON_LINES = re.compile(rb"\A\s*\{[^\n]*\}[ \t\r]*\n\s*\{|\A\s*\{[^\n]*\"audio_filepath\"")


def _is_kaldi(sample: Sample) -> bool:
    """Whether each line begins with a name of its own, as utterances in Kaldi's ``text`` do.

    In a file of another name, the names must also be sorted, as Kaldi's tools require.
    """
    lines = sample.data.split(b"\n", _KALDI_LINES)[:_KALDI_LINES]
    names = [line.split(None, 1)[0] for line in lines if line.strip()]
    if not names or len(set(names)) < len(names):
        return False
    if sample.name.replace("\\", "/").rpartition("/")[2] == _KALDI_NAME:
        return all(_NAME.fullmatch(utterance) for utterance in names)
    is_sorted = all(a < b for a, b in itertools.pairwise(names))
    return len(names) > 1 and is_sorted and all(map(_UTTERANCE.fullmatch, names))


_SPOKEN = partial(Format, is_spoken=True)
MANIFEST = _SPOKEN(
    "manifest", "manifest", (".jsonl", ".ndjson"), looks_like_json(_JSON_LINES.match), read_manifest
)
KALDI = _SPOKEN("kaldi", "Kaldi text", (), _is_kaldi, read_kaldi)
FORMATS = (
    _SPOKEN("transcript", "transcript", (), looks_like_json(_TRANSCRIPT.search), read_transcript),
    MANIFEST,
    _SPOKEN("ctm", "CTM", (".ctm",), None, read_ctm),
    _SPOKEN("stm", "STM", (".stm",), None, read_stm),
)
