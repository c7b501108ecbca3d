"""Transcripts: JSON of speech recognisers, manifests in JSON lines, CTM, STM, Kaldi's ``text``.

JSON holds its text up to three times: whole, by segments, by words. The segments are cased, as
sentences that run over them; the text and the words follow.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from truecase.errors import FormatError
from truecase.formats import words_of
from truecase.formats.format import ReadOptions, Sample, of_speech
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
# Of other services; where these give the whole text, too, under keys of _WHOLE.
_SEGMENTS = (*SEGMENTS, *words_of("segments"))
_WHOLE = ("transcripts", "combinedRecognizedPhrases", "combinedPhrases")
_ALTERNATIVES = "alternatives alternative nBest NBest Alternatives".split()
# The first is cased, the others follow.
_TEXTS = words_of("texts")
_WORDS = "words word_segments Words displayWords result items Items timestamps tokens".split()
_WORD_TEXTS = "punct word text Word content Content punctuated_word displayText name".split()
# A segment without a text has it in parts, as those of Rev and YouTube, or in words, as those of
# Speechmatics, autoEdit and meetings: the key of these, the keys of their texts, what is between.
_CUT = [("elements", ["value"], ""), ("segs", ["utf8"], ""), ("results", ["content"], " ")]
_CUT += [("line", ["text"], " "), ("words", _WORD_TEXTS, " ")]
# A mark of whisper.cpp among its tokens, which bring their white space.
_MARK = re.compile(rb"\[_\w+\]")
# Seconds, but for the parts of a second that keys count in.
_STARTS = words_of("starts")
_ENDS = words_of("ends")
_PARTS = dict.fromkeys(("Milliseconds", "Millis", "Ms", "from", "to"), 1e-3)
_PARTS |= dict.fromkeys(("InTicks", "Offset", "Duration"), 1e-7)
_SECONDS = re.compile(rb"(\d{1,9}(?:\.\d{1,9})?)s?")
_PHRASE = re.compile(rb":\s*\"[^\"\\]* ")
_SPEAKERS = words_of("speakers")
_LANGUAGES = ("language", "language_code", "languageCode", "LanguageCode", "locale")


def read_transcript(name: str, data: bytes, options: ReadOptions) -> Units:
    """The sentences of a transcript in JSON."""
    units = Units()
    reader = _Transcript(data, units)
    found: list[JsonObject] = []
    # Some recognisers write a result after the other, or a list of them.
    values = list(JsonReader(name, data).values())
    if len(values) == 1 and isinstance(values[0], list):
        each = _objects(JsonObject(("results",), values), "results")
        is_each = any(_segments(_results(one)) or _objects(one, "result") for one in each)
        values = [*each] if is_each else [JsonObject(("segments",), values)]
    # Jobs of Watson have a result for each file.
    jobs = [one for root in values for one in _objects(root, "results") if _segments(one)]
    for root in jobs or values:
        if isinstance(root, JsonObject) and reader.read(_results(root)):
            found += [root, _results(root), *_segments(_results(root))[:1]]
            parts = (root.get("result"), root.get("info"))
            found += [one for one in parts if isinstance(one, JsonObject)]
    if not found:
        raise FormatError(
            f"{name}: line 1: expected a transcript, with a text or a list of segments with one, "
            "under text, transcript, display or content; --format json cases all strings"
        )
    said = (member_text(data, one, key) for one in found for key in _LANGUAGES)
    language = language_code(next(filter(None, said), ""))
    units.languages = languages_of(name, options.wanted, None, language)
    return units


class _Transcript:
    def __init__(self, data: bytes, units: Units) -> None:
        self._data = data
        self._units = units
        self._joiner = Joiner(units)

    def read(self, root: JsonObject) -> bool:
        """Find the text of a transcript; return whether there is any."""
        segments = _segments(root)
        wholes = [one for key in _WHOLE for one in _objects(root, key)]
        if not segments:
            segments, wholes = (wholes, []) if wholes else ([root], [])
        texts = (_text(segment) for segment in segments)
        self._joiner.look_at([string_text(self._data, text) for text in texts if text is not None])
        spoken = [piece for segment in segments for piece in self._segment(segment)]
        self._joiner.finish()
        for whole in [*wholes, *([] if segments[:1] == [root] else [root])]:
            self._follow(spoken, whole)
        others = _objects(root, "utterances")
        for one in _objects(root.get("channel_labels"), "channels") + others * (others != segments):
            self._follow(spoken, one)
        is_known = any(root.get(key) is not None for key in ("text", *_SEGMENTS))
        # In silence no segment has a text; what has one elsewhere is not read.
        others = [one for key in _SEGMENTS for one in _objects(root, key) if not _has_text(one)]
        is_read = not others or _PHRASE.search(self._data) is None
        return bool(spoken) or (is_known and is_read)

    def _segment(self, segment: JsonObject) -> list[Piece]:
        """Add a segment, or the alternatives of one; return the text of the first."""
        first = self._parts(segment)
        if first:
            self._joiner.add(Cue(*self._times(segment), first, self._voice(segment)))
            return first
        alternatives = _alternatives(segment)
        for number, one in enumerate(alternatives):
            text = _text(one)
            if text is None:
                continue
            pieces = json_pieces(self._data, *text)
            if number == 0:
                cue = Cue(*self._times(segment), pieces, self._voice(segment))
                for n, part in enumerate(_paragraphs(pieces)):
                    if n:
                        self._joiner.finish()
                    self._joiner.add(cue._replace(pieces=part))
                first = [*pieces, blank(text.end)]
            else:
                # Another text, though of the same words for the most part.
                self._units.add_unit(pieces)
            self._follow([*pieces, blank(text.end)], one, text)
        if alternatives[0] is not segment and first:
            self._follow(first, segment)
        return first

    def _parts(self, segment: JsonObject) -> list[Piece]:
        """The text of a segment that is cut into parts."""
        found: list[Piece] = []
        for key, members, space in _CUT:
            if found or (members is _WORD_TEXTS and _text(segment) is not None):
                break
            for part in _cut(segment, key):
                texts = map(_alternatives(part)[0].get, members)
                text = next((text for text in texts if isinstance(text, JsonString)), None)
                if text is not None:
                    is_mark = member_text(self._data, part, "type") == "punctuation"
                    found += [blank(text.start)] if space and not is_mark else []
                    found += json_pieces(self._data, *text)
        return found

    def _voice(self, segment: JsonObject) -> str:
        speakers = map(segment.get, _SPEAKERS)
        speaker = next((one for one in speakers if isinstance(one, JsonString | float)), "")
        return string_text(self._data, speaker) if isinstance(speaker, JsonString) else str(speaker)

    def _follow(self, spoken: list[Piece], of: JsonObject, but: JsonValue = None) -> None:
        """Let the texts of an object, `but` one, and its words have the case of what is spoken."""
        texts = (of.get(key) for key in (*_TEXTS, "DisplayText", "full_transcript"))
        copies = [
            json_pieces(self._data, *text)
            for text in texts
            if isinstance(text, JsonString) and text is not but
        ]
        copies += self.words(of)
        paragraphs = of.get("paragraphs")
        if isinstance(paragraphs, JsonObject):
            self._follow(spoken, paragraphs)
            for paragraph in _objects(paragraphs, "paragraphs"):
                sentences = (_text(one) for one in _objects(paragraph, "sentences"))
                copies += [json_pieces(self._data, *one) for one in sentences if one is not None]
        self._units.copies += [Copy(spoken, copy) for copy in copies if copy and spoken]

    def words(self, of: JsonObject) -> list[list[Piece]]:
        """The texts of words of an object: of each list, and each key that has texts there."""
        return [row for key in _WORDS for row in self._rows(_objects(of, key), key == "tokens")]

    def _rows(self, words: list[JsonObject], is_spaced: bool) -> list[list[Piece]]:
        found: dict[str, list[Piece]] = {}
        last_pieces: list[Piece] = []
        last_end: float | None = None
        for word in words:
            start, end = self._span(word)
            # The word of AWS is in its first alternative.
            best = _alternatives(word)[0]
            for key in _WORD_TEXTS:
                text = best.get(key)
                if not isinstance(text, JsonString) or _MARK.fullmatch(self._data, *text):
                    continue
                pieces = json_pieces(self._data, *text)
                row = found.setdefault(key, [])
                if row and member_text(self._data, word, "type") == "punctuation":
                    row.pop()
                elif last_end is not None and start is not None:
                    self._units.add_pause(last_pieces, start - last_end)
                last_pieces, last_end = pieces, end
                row += pieces if is_spaced else [*pieces, blank(text.end)]
        return list(found.values())

    def _times(self, segment: JsonObject) -> tuple[float, float]:
        """Start and end in seconds; segments without times follow each other at once."""
        pair, offsets = segment.get("timestamp"), segment.get("offsets")
        if isinstance(pair, list) and len(pair) == 2:
            segment = JsonObject(("start", "end"), pair)
        start, end = self._span(offsets if isinstance(offsets, JsonObject) else segment)
        words = _objects(_alternatives(segment)[0], "words")
        if start is None and words:
            start, end = self._span(words[0])[0], self._span(words[-1])[1]
        start = 0.0 if start is None else start
        return start, start if end is None else end

    def _span(self, of: JsonObject) -> tuple[float | None, float | None]:
        """When something starts and ends, in seconds, as far as it is known."""
        times: list[float | None] = []
        for keys in (_STARTS, _ENDS):
            key = next((key for key in keys if key in of.keys), "")
            time = self._number(of.get(key))
            part = next((_PARTS[end] for end in _PARTS if key.endswith(end)), 1.0)
            times.append(None if time is None else time * part)
            if key.startswith(("duration", "Duration", "dDuration")) and None not in times:
                times[1] = sum(filter(None, times))
        return times[0], times[1]

    def _number(self, time: JsonValue) -> float | None:
        """A time as a number, as text with or without ``s``, or in seconds and ``nanos``."""
        if isinstance(time, JsonString):
            found = _SECONDS.fullmatch(self._data, *time)
            return float(found[1]) if found else None
        if isinstance(time, JsonObject):
            seconds, nanos = (self._number(time.get(key)) for key in ("seconds", "nanos"))
            return (seconds or 0.0) + (nanos or 0.0) * 1e-9
        return time if isinstance(time, float) else None


def _paragraphs(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """The parts of a text between blank lines."""
    found: list[list[Piece]] = [[]]
    n_feeds = 0
    for piece in pieces:
        if n_feeds > 1 and piece.text.strip():
            found.append([])
        n_feeds = 0 if piece.text.strip() else n_feeds + (piece.text == "\n")
        found[-1].append(piece)
    return found


def _results(root: JsonObject) -> JsonObject:
    """What holds the segments: the whole, or the member of it that services put them into."""
    members = list(
        map(root.get, "results response retval transcription transcript Transcript".split())
    )
    # Google's results are by the names of files, or by kinds of analysis; Gladia's are deep.
    result = root.get("result")
    members += [result.get("transcription")] if isinstance(result, JsonObject) else []
    members += [*_objects(root, "annotationResults"), *root.values[: len(root.values) == 1]]
    inner = next((one for one in members if isinstance(one, JsonObject)), None)
    return root if inner is None else _results(inner)


def _objects(of: JsonValue, key: str) -> list[JsonObject]:
    """The objects in a list of an object; a list in it, as Watson has it, begins with a word."""
    values = of.get(key) if isinstance(of, JsonObject) else None
    return [
        one if isinstance(one, JsonObject) else JsonObject(("word",), one[:1])
        for one in (values if isinstance(values, list) else [])
        if isinstance(one, JsonObject) or (isinstance(one, list) and one)
    ]


def _alternatives(of: JsonObject) -> list[JsonObject]:
    """The alternatives of a segment, the best first; the segment itself if it lists none."""
    found = (_objects(of, key) for key in _ALTERNATIVES if key in of.keys)
    return next(filter(None, found), [of])


def _segments(root: JsonObject) -> list[JsonObject]:
    lists = (_objects(root, key) for key in _SEGMENTS)
    return next(filter(lambda one: any(map(_has_text, one)), lists), [])


def _has_text(segment: JsonObject) -> bool:
    return _text(segment) is not None or any(_cut(segment, key) for key, *_ in _CUT)


def _cut(segment: JsonObject, key: str) -> list[JsonObject]:
    """The parts of a segment under a key, also in its paragraphs."""
    holders = _objects(segment, "paragraph") or [segment]
    return [part for one in holders for part in _objects(one, key)]


def _text(segment: JsonObject) -> JsonString | None:
    """The text that is cased."""
    texts = (one.get(key) for one in _alternatives(segment)[:1] for key in _TEXTS)
    return next((text for text in texts if isinstance(text, JsonString)), None)


def read_manifest(name: str, data: bytes, options: ReadOptions) -> Units:
    """The texts of a manifest: a JSON object a line, with the text in one field.

    Lines with the same ``audio_filepath`` and with an ``offset`` and a ``duration`` are segments
    of a recording, and sentences run over them; any other line has sentences of its own.
    """
    field = "text" if options.field is None else options.field
    units = Units()
    joiner = Joiner(units)
    transcript = _Transcript(data, units)
    reader = JsonReader(name, data)
    for entry in reader.values():
        text = entry.get(field) if isinstance(entry, JsonObject) else None
        if isinstance(entry, JsonObject) and entry.keys == ("partial",):
            continue  # Vosk says it again, whole.
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
        units.copies += [Copy(pieces, words) for words in transcript.words(entry) if words]
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
# Of CTM and STM: some rows have more.
_FEWEST_COLUMNS = 5


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
    for line, fields in _lines(data):
        if len(fields) > 1:
            start = fields[1].start()
            units.add_unit([plain(data, start, line.start() + len(line[0].rstrip()))])
    return units


def _lines(data: bytes) -> Iterator[tuple[re.Match[bytes], list[re.Match[bytes]]]]:
    """Lines and their columns."""
    for line in _LINE.finditer(data, skip_bom(data)):
        fields = list(_FIELD.finditer(data, *line.span()))
        if fields and not line[0].startswith(b";;"):
            yield line, fields


def _column_times(name: str, data: bytes, fields: list[re.Match[bytes]], at: int) -> list[float]:
    """Two columns of seconds of a row."""
    what = f"expected at least {_FEWEST_COLUMNS} columns"
    if len(fields) >= _FEWEST_COLUMNS:
        try:
            return [float(field[0]) for field in fields[at : at + 2]]
        except ValueError:
            what = f"expected seconds in columns {at + 1} and {at + 2}"
    raise FormatError(f"{name}: line {line_of(data, fields[0].start())}: {what}")


def _ctm_words(name: str, data: bytes) -> Iterator[Cue]:
    for _, fields in _lines(data):
        # A row that begins alternatives has no times.
        if len(fields) > 4 and fields[2][0] == fields[3][0] == _NO_TIME:
            continue
        start, duration = _column_times(name, data, fields, 2)
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
    for _, fields in _lines(data):
        start, end = _column_times(name, data, fields, 3)
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
    rb"\"(?:segments|word_segments|transcription|chunks|transcripts?|\w{0,8}[cC]?ombined\w{0,10}Phrases"
    rb"|recognizedPhrases|NBest|utterances|monologues|segs|speechTranscriptions|Transcript)\"\s*:\s*\[|\A\s*\[.{0,9999}\"text\"|\A\s*\{\s*\"(?:text|partial)\"\s*:\s*\""
    rb"|\"(?:[aA]lternatives?|result|Items)\"\s*:\s*\[\s*\{[^{}\[\]]{0,999}\"(?:transcript|[cC]ontent|word)\"\s*:"
    rb"|\"words\"\s*:\s*\[\s*\{[^{}\[\]]{0,999}\"(?:start|time\")",
    re.DOTALL,
)
_JSON_LINES = re.compile(rb"\A\s*\{(?![%\#{])[^\n]*(?:\}[ \t\r]*\n\s*\{|\"audio_filepath\")")


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


MANIFEST = of_speech(
    "manifest", "manifest", (".jsonl", ".ndjson"), looks_like_json(_JSON_LINES.match), read_manifest
)
KALDI = of_speech("kaldi", "Kaldi text", (), _is_kaldi, read_kaldi)
FORMATS = (
    of_speech("transcript", "transcript", (), looks_like_json(_TRANSCRIPT.search), read_transcript),
    MANIFEST,
    of_speech("ctm", "CTM", (".ctm",), None, read_ctm),
    of_speech("stm", "STM", (".stm",), None, read_stm),
)
