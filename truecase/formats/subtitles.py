"""Subtitles: SubRip, WebVTT, SubStation Alpha, TTML, SBV, SubViewer, MicroDVD, SAMI; lyrics in LRC.

Cues are joined into sentences. A cue continues the sentence of the cue before, unless that one has
ended with an end mark, or another voice speaks, or some time has passed. These are texts of their
own: what follows a dash, the label of a speaker (``JOHN:``), descriptions in brackets, and lyrics
between notes.
"""

from __future__ import annotations

import bisect
import html
import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial
from typing import NamedTuple

from truecase.errors import FormatError
from truecase.formats.format import ReadOptions, charset_of_xml, head_has, of_speech
from truecase.formats.languages import languages_of
from truecase.formats.segments import (
    BOM,
    FIXED,
    Copy,
    Piece,
    Units,
    blank,
    cut,
    line_of,
    plain,
    skip_bom,
    split_plain,
    text_of,
    with_stand_ins,
)
from truecase.formats.xml_file import XmlFile, xml_pieces
from truecase.kernels.text import matches, primary
from truecase.model.embedded import likeliest_language
from truecase.rules.language import rules_of
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
# Ends of lines, and where speech breaks off: a word next to it would look like an option.
_BROKEN_OFF = re.compile(r"--+|\n")
_NOTE = re.compile(r"[♩♪♫♬🎵🎶]+")
# Where a description, a song or another voice may begin.
_SPECIAL = re.compile(r"[\[【(（♩♪♫♬🎵🎶]|(?<!\S)>>")
_SHOWN_LINE = re.compile(r"[^\n]+")
_SPACE = re.compile(r"\s+")
_DESCRIPTION = re.compile(r"\[[^\[\]]{0,300}\]|【[^【】]{0,300}】")
_ASIDE = re.compile(r"\([^()]{0,300}\)|（[^（）]{0,300}）")
# What is often in capitals where the words are in lower case: labels and descriptions.
_BESIDE = re.compile(rf"^[^:\n]{{1,40}}:|{_DESCRIPTION.pattern}|{_ASIDE.pattern}", re.MULTILINE)
_NAME = r"[^\W_][\w.'’-]*"
_LABEL = re.compile(
    # In capitals, or each word with one, or a single word, with a number or a title.
    rf"(?:(?=[^:\n]{{0,39}}[^\W\d_])(?P<upper>[^:\n\[\](){{}}?!,;]{{1,40}})"
    rf"|(?:(?:mrs?|ms|dr)\.?[ ])?{_NAME}(?:[ ]\#?\d{{1,3}})?)(?=:(?:\s|$))",
    re.IGNORECASE,
)
_MAX_LABEL_WORDS = 4
# Each is tried where its signs begin: a row of them is read once.
_ELLIPSIS = re.compile(r"((?<!\.)\.{3,}|…)\s*$")
_DASH_END = re.compile(r"(?:(?<!-)--+|[–—])\s*$")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
# In filled subtitles, at most this share of lines without a mark had room for the next word.
_MOST_SHORT = 0.1
# Pieces in which the end of a sentence shows, and the most of a sentence that is read whole.
_TAIL, _MAX_PIECES = 8, 1000
# Characters in which the first word of a text shows, or the words that an acronym stands for.
_NEAR = 1000
# Lines of a cue that are read at once.
_MAX_LINES = 30
# Letters of scripts without case.
_CASELESS = re.compile(r"[\u0590-\u109f\u1100-\u139f\u1780-\u18ff\u3040-\ud7ff]")


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


@cache
def _words_of_rules(language: str) -> dict[str, frozenset[str]]:
    words = rules_of(language).get("subtitles", {})
    return {name: frozenset(str(value).split()) for name, value in words.items()}


def _goes_on(said: str, following: str, language: str) -> bool | None:
    """Whether a cue continues a sentence behind an ellipsis or a dash; None: no rule says it.

    Text of one case does unless it begins like a sentence and no clause has begun before (*When I
    was young…*), or ends before its verb or object (*I hope that…*, *It is the…*).
    """
    before, behind = (_WORD.findall(text.lower()) for text in (said, following))
    rules = _words_of_rules(language)
    if said not in (said.lower(), said.upper()) or not (rules and before and behind):
        return None
    begins = {behind[0], following.lower().split()[0]} & rules["begins"]
    if before[0] in rules["subordinates"]:
        return True
    if before[-1] in rules["opens"]:
        return not begins
    is_whole = following.rstrip().endswith("?") and before[-1] not in rules["unfinished"]
    return not (is_whole or begins or behind[0] in rules["clauses"])


def joined_cues(cues: Iterable[Cue]) -> Units:
    """The sentences of cues, which are in the order in which they are shown."""
    units = Units()
    Joiner(units).add_all(cues)
    return units


def _breaks_off(said: str, following: str, language: str) -> bool:
    """Whether a sentence breaks off at a dash, and the next cue, a word, does not continue it."""
    first = following.lstrip()[:1]
    if _DASH_END.search(said) is None or not first.isalnum():
        return False
    has_case = said not in (said.lower(), said.upper())
    return first.isupper() if has_case else _goes_on(said, following, language) is False


def _unmarked_ends(texts: Sequence[str], is_cased: bool) -> list[bool]:
    """Whether the cue of each text ends a sentence without a mark.

    It does in front of a capital, in cased subtitles whose writer begins other lines in lower case;
    and as a heading, where subtitles were filled to a width and its line had room for the next
    word.
    """
    lines_of = [_SHOWN_LINE.findall(text) or [""] for text in texts]
    width = max((len(line) for lines in lines_of for line in lines), default=0)
    short, capital = [], []
    n_unmarked = n_small = n_stops = 0
    for line, following in itertools.pairwise([*itertools.chain(*lines_of), ""]):
        first = (following.split() or [" " * width])[0]
        is_unmarked = line[-1:].isalnum()
        short.append(is_unmarked and len(line) + 1 + len(first) <= width)
        capital.append(is_unmarked and first[0].isupper() and _WORD.findall(first)[:1] != ["I"])
        n_unmarked += is_unmarked
        n_small += is_unmarked and first[0].islower()
        n_stops += line[-1:] == "." != line[-2:-1]
    n_capital = sum(capital)
    is_told = is_cased and n_small >= max(n_capital / 2, 4 * min(n_capital, n_stops))
    is_filled = sum(short) <= _MOST_SHORT * n_unmarked
    found = [(is_filled and a) or (is_told and b) for a, b in zip(short, capital, strict=True)]
    ends = itertools.accumulate(map(len, lines_of))
    return [found[end - 1] for end in ends]


class _Text:
    """The text of pieces, and where they begin, so that a cut does not read all of them."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self.text = text_of(pieces)
        self.first_ink = len(self.text) - len(self.text.lstrip())
        self.has_small = any(map(str.islower, self.text))
        self._pieces = pieces
        self._starts = [0, *itertools.accumulate(len(piece.text) for piece in pieces)]

    def cut(self, start: int, end: int) -> list[Piece]:
        """The pieces of characters `start` … `end` - 1."""
        first = bisect.bisect_right(self._starts, start) - 1
        before = self._starts[first]
        last = bisect.bisect_left(self._starts, end)
        return cut(self._pieces[first:last], start - before, end - before)


class Joiner:
    """Makes units of cues, which come in the order in which they are shown."""

    def __init__(self, units: Units) -> None:
        self._units = units
        self._open: list[Piece] = []
        self._end = 0.0
        self._voice = ""
        self._last_line: list[Piece] = []
        self._last_pieces: Sequence[Piece] = ()  # of the cue before
        # The text as a whole.
        self._is_cased = self._has_small = False
        self._language = ""

    def add_all(self, cues: Iterable[Cue]) -> None:
        """Add cues, and end the last sentence."""
        found = list(cues)
        texts = [text_of(cue.pieces) for cue in found]
        self.look_at(texts)
        ends = _unmarked_ends(texts, self._is_cased)
        for cue, is_end in zip(found, ends, strict=True):
            self.add(cue)
            if is_end:
                self.finish()
        self.finish()

    def look_at(self, texts: Sequence[str]) -> None:
        """Note whether the texts of the cues, as a whole, are cased, and their language."""
        self._language = likeliest_language(" ".join(texts)) if any(texts) else ""
        words = [_BESIDE.sub(lambda it: it[0] * (not it[0].isupper()), text) for text in texts]
        n_cased = sum(text.lower() != text != text.upper() for text in words)
        self._has_small = any(text != text.upper() for text in words)
        self._is_cased = 2 * n_cased >= len(texts) > 0

    def add(self, cue: Cue) -> None:
        """Add a cue."""
        is_near = cue.start - self._end < MAX_GAP
        tail = text_of(self._open[-_TAIL:])
        following = text_of(cue.pieces)
        is_other = cue.voice != self._voice or not (is_near or self._is_small(following))
        # A text without punctuation, which may be as long as the file, is not read for each cue.
        is_open = _ELLIPSIS.search(tail) is not None or _DASH_END.search(tail) is not None
        said = text_of(self._open) if is_open and len(self._open) < _MAX_PIECES else ""
        language = self._language or likeliest_language(f"{said} {following}") if said else ""
        if is_other or ends_sentence(tail) or _breaks_off(said, following, language):
            self.finish()
        elif said and _goes_on(said, following, language):
            self._hide_ellipsis(said)
        if cue.start - self._end > 0:
            self._units.add_pause(self._last_pieces, cue.start - self._end)
        self._last_pieces = cue.pieces
        self._end = max(self._end, cue.end) if is_near else cue.end
        self._voice = cue.voice
        pieces = split_plain(cue.pieces, _BROKEN_OFF, _apart)
        runs = itertools.groupby(pieces, lambda piece: piece.text == "\n")
        lines = [line for _, run in runs if text_of(line := list(run)).strip()]
        # A line in Chinese above one in English is no part of its sentence.
        lines = [line for line in lines if not _CASELESS.search(text_of(line))] or lines
        is_instant = 0 < cue.end - cue.start < _INSTANT
        # Captions that roll up show a line again, above the next one.
        rolls_up = is_near and (len(lines) > 1 or (lines and is_instant))
        if rolls_up and text_of(lines[0]).split() == text_of(self._last_line).split():
            self._units.copies.append(Copy(self._last_line, lines.pop(0)))
        if lines:
            self._last_line = lines[-1]
            for first in range(0, len(lines), _MAX_LINES):
                self._add_text(lines[first : first + _MAX_LINES])

    def _is_small(self, text: str, start: int = 0) -> bool:
        """Whether text of a cased file begins in lower case, as it does within a sentence."""
        first = _WORD.search(text, start, start + _NEAR) if self._is_cased else None
        return first is not None and first[0][0].islower()

    def _hide_ellipsis(self, said: str) -> None:
        """Show a comma for an ellipsis at the end of a cue that the next one continues."""
        ellipsis = _ELLIPSIS.search(said)
        if ellipsis is not None:
            start, end = ellipsis.span(1)
            hidden = cut(self._open, start, end)
            comma = Piece(FIXED, hidden[0].start, hidden[-1].end, ",")
            self._open = [*cut(self._open, 0, start), comma, *cut(self._open, end, len(said))]

    def finish(self) -> None:
        """End the sentence that is open."""
        if self._open:
            self._units.add_unit(self._open)
        self._open = []

    def _add_text(self, lines: list[list[Piece]]) -> None:
        pieces: list[Piece] = []
        starts = set()
        for line in lines:
            starts.add(len(text_of(pieces)))
            pieces += [*line, blank(line[-1].end)]
        shown = _Text(pieces)
        position = 0
        begins_line = True
        while position < len(shown.text):
            begins_line |= position in starts
            position, begins_line = self._step(shown, position, begins_line, starts)

    def _step(
        self, shown: _Text, start: int, begins_line: bool, starts: set[int]
    ) -> tuple[int, bool]:
        """Read what is at `start`; return where the rest begins, and whether it begins a line."""
        text = shown.text
        if begins_line or text.startswith(">>", start):
            dash = _DASH.match(text, start)
            if dash is not None and not self._is_small(text, dash.end()):
                self.finish()
                start = dash.end()
            label = _label(text, start)
            # A label in capitals is a part of the layout where words are in lower case.
            if label is not None and self._has_small and text[start:label].isupper():
                self.finish()
                return label + 1, False
            if label is not None and not self._open:
                self._add_apart(shown, start, label)
                return label + 1, False
        note = _NOTE.match(text, start)
        if note is not None:
            return self._music(shown, note.end()), False
        aside = _description(text, start, begins_line or start <= shown.first_ink)
        if aside is not None:
            # Cased text may begin its descriptions in lower case.
            if not self._is_small(text[start:aside]):
                self._add_apart(shown, start + 1, aside - 1)
            if self._open:
                self._open.append(blank(self._open[-1].end))
            elif text[aside : aside + 1].isspace():
                # [Door opens] ANNA: Come in.
                return aside + 1, begins_line
            return aside, False
        space = _SPACE.match(text, start)
        if space is not None:
            if self._open:
                self._open += shown.cut(start, space.end())
            begins_line &= not self._open
            return space.end(), begins_line or any(start < at <= space.end() for at in starts)
        special = _SPECIAL.search(text, start + 1)
        end = len(text) if special is None else special.start()
        end = min([end, *(line for line in starts if line > start)])
        self._open += shown.cut(start, end)
        return end, False

    def _add_apart(self, shown: _Text, start: int, end: int) -> None:
        """Add a label or a description, a part of a cue's text."""
        n_before = len(self._units)
        self._units.add_unit(shown.cut(start, end))
        if shown.has_small and shown.text[start:end].isupper():
            self._units.in_capitals.update(range(n_before, len(self._units)))

    def _music(self, shown: _Text, start: int) -> int:
        text = shown.text
        self.finish()
        close = _NOTE.search(text, start)
        end = len(text) if close is None else close.start()
        self._units.add_unit(shown.cut(start, end))
        return end if close is None or not text[start:end].strip() else close.end()


def _apart(match: re.Match[str], start: int, end: int) -> Piece:
    return Piece(FIXED, start, end, match[0] if match[0] == "\n" else f" {match[0]} ")


def _label(text: str, start: int) -> int | None:
    match = _LABEL.match(text, start)
    if match is None or (match["upper"] and not _is_name_like(match[0].split())):
        return None
    return match.end()


def _is_name_like(words: list[str]) -> bool:
    if len(words) == 1 or (len(words) == 2 and words[1].lstrip("#").isdigit()):
        return True
    if words[0].lower().rstrip(".") in ("mr", "mrs", "ms", "dr"):
        return len(words) == 2
    has_case = any(word != word.lower() for word in words)
    has_case = has_case and not any(word[0].islower() for word in words)
    return has_case and len(words) <= _MAX_LABEL_WORDS


def _description(text: str, start: int, is_line_start: bool) -> int | None:
    match = _DESCRIPTION.match(text, start)
    # As in incumbent[s], it may be a part of a word.
    if match is not None and not (start and text[start - 1].isalpha()):
        return match.end()
    match = _ASIDE.match(text, start)
    inside = "" if match is None else match[0]
    is_upper = inside.isupper() and not text.isupper() and len(inside) > 3
    if is_upper:
        # World Health Organization (WHO)
        initials = [word[0] for word in text[max(start - _NEAR, 0) : start].split()]
        is_upper = not "".join(filter(str.isupper, initials)).endswith(inside[1:-1])
    return start + len(inside) if inside and (is_line_start or is_upper) else None


_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_ARROW = b"-->"
_TIME = rb"(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})(?:[.,:](\d{1,9}))?"
_SPAN = re.compile(rb"\s*" + _TIME + rb"\s*-->\s*" + _TIME + rb"(?=\s|$)")
_NUMBER = re.compile(rb"\s*\d+\s*$")
_NO_CUES = re.compile(rb"(?:NOTE|STYLE|REGION)(?=\s|$)")
_VOICE = re.compile(rb"<v(?:\.[^\s<>]*)?\s([^<>]*)>")
# Tags, the times of karaoke, override codes; the group is shown as other characters.
_MARKUP = re.compile(
    r"</?[A-Za-z][^<>]{0,300}>|</?>|<\d+:[\d:.]+>|\{\\[^{}]*\}|\{[a-zA-Z]:[^{}]{0,99}\}"
    r"|(?P<shown>&(?:[A-Za-z]\w{1,30}|\#\d{1,7}|\#x[0-9A-Fa-f]{1,6});|\\[Nnh]|\[br\]|\r\n|\r)"
)
_ASS_MARKUP = re.compile(
    # Drawings are no text.
    r"\{[^{}]*\\p[1-9][^{}]*\}.*?(?=\{[^{}]*\\p0[^{}]*\}|\Z)|\{[^{}]*\}|(?P<shown>\\[Nnh])"
)
_ASS_TIME = re.compile(rb"\s*(\d{1,4}):(\d{1,2}):(\d{1,2})(?:[.:](\d{1,9}))?\s*$")


def read_srt(name: str, data: bytes, options: ReadOptions) -> Units:
    """The sentences of a SubRip file."""
    return _units_of(name, "SubRip", _cues(name, data))


def read_vtt(name: str, data: bytes, options: ReadOptions) -> Units:
    """The sentences of a WebVTT file."""
    if not data.removeprefix(BOM).startswith(b"WEBVTT"):
        raise FormatError(f"{name}: line 1: expected WEBVTT")
    cues = _cues(name, data, is_vtt=True)
    return _units_of(name, "WebVTT", cues) if _ARROW in data else joined_cues(cues)


def _cues(name: str, data: bytes, is_vtt: bool = False) -> Iterator[Cue]:
    """Cues, each with the times before its lines."""
    times: re.Match[bytes] | None = None
    lines: list[tuple[int, int]] = []
    is_skipped = is_block_start = True
    for line in _LINE.finditer(data):
        text = line[0].strip()
        if is_vtt and not line[0].strip(b"\r\n"):
            # In WebVTT, a blank line ends a cue.
            if times is not None:
                yield from _by_voice(data, times, lines)
                times = None
            is_block_start, is_skipped = True, False
            continue
        if is_vtt and is_block_start and _NO_CUES.match(text):
            is_skipped = True
        is_block_start = False
        if _ARROW in text and not (is_vtt and is_skipped):
            found = _SPAN.match(line[0])
            if found is not None:
                if times is not None:
                    is_number = lines and _NUMBER.match(data[slice(*lines[-1])])
                    yield from _by_voice(data, times, lines[:-1] if is_number else lines)
                times, lines = found, []
                continue
            has_time = text[:1].isdigit() and b":" in text.partition(_ARROW)[0]
            if is_vtt or times is None or not lines or has_time:
                raise FormatError(
                    f"{name}: line {line_of(data, line.start())}: expected times such as "
                    "00:00:01,000 --> 00:00:02,500"
                )
        if times is not None:
            lines.append(line.span())
    if times is not None:
        yield from _by_voice(data, times, lines)


def _by_voice(data: bytes, times: re.Match[bytes], lines: list[tuple[int, int]]) -> Iterator[Cue]:
    start, end = _seconds(*times.groups()[:4]), _seconds(*times.groups()[4:])
    place, last = (lines[0][0], lines[-1][1]) if lines else (0, 0)
    voice = ""
    for tag in (*_VOICE.finditer(data, place, last), None):
        stop = tag.start() if tag else last
        pieces = split_plain([plain(data, place, stop)], _MARKUP, _shown)
        if tag is None or text_of(pieces).strip():
            yield Cue(start, end, pieces, voice)
        place, voice = stop, tag[1].decode("utf-8").strip() if tag else ""


def _shown(match: re.Match[str], start: int, end: int) -> Piece | None:
    shown = match["shown"]
    if shown is None:
        return None
    text = html.unescape(shown) if shown.startswith("&") else " " if shown == "\\h" else "\n"
    return Piece(FIXED, start, end, text)


def _seconds(hours: bytes | None, minutes: bytes, seconds: bytes, fraction: bytes | None) -> float:
    whole = int(hours or 0) * 3600 + int(minutes) * 60 + int(seconds)
    return whole + float(b"0." + (fraction or b"0"))


def read_ass(name: str, data: bytes, options: ReadOptions) -> Units:
    """The sentences of a file of (Advanced) SubStation Alpha, style by style."""
    styles: dict[str, list[Cue]] = {}
    fields: list[bytes] = []
    section = b""
    for line in _LINE.finditer(data, skip_bom(data)):
        text = line[0].strip()
        key, colon, rest = text.partition(b":")
        if text.startswith(b"[") and text.endswith(b"]"):
            section = text.lower()
        elif section != b"[events]" or not colon:
            continue
        elif key == b"Format":
            fields = [field.strip().lower() for field in rest.split(b",")]
        elif key == b"Dialogue":
            what = _event(data, line, fields)
            if isinstance(what, str):
                raise FormatError(f"{name}: line {line_of(data, line.start())}: {what}")
            style, cue = what
            styles.setdefault(style, []).append(cue)
    if not fields:
        raise FormatError(f"{name}: line 1: expected a section [Events] with a line Format:")
    units = Units()
    for cues in styles.values():
        Joiner(units).add_all(sorted(cues, key=lambda cue: cue.start))
    return units


def _event(data: bytes, line: re.Match[bytes], fields: list[bytes]) -> tuple[str, Cue] | str:
    """The style of an event and its cue, or the error of its line."""
    if not fields or fields[-1] != b"text":
        return "expected a line Format: before it, that ends in Text"
    start = line.start() + line[0].index(b":") + 1
    values: dict[bytes, bytes] = {}
    for field in fields[:-1]:
        end = data.find(b",", start, line.end())
        if end < 0:
            return f"expected {len(fields)} values, as the line Format: has them"
        values[field] = data[start:end].strip()
        start = end + 1
    times = [_ASS_TIME.match(values.get(field, b"")) for field in (b"start", b"end")]
    if times[0] is None or times[1] is None:
        return "expected times such as 0:00:01.50"
    end = start + len(data[start : line.end()].rstrip(b"\r\n"))
    pieces = split_plain([plain(data, start, end)], _ASS_MARKUP, _shown) if end > start else []
    voice = values.get(b"name", values.get(b"actor", b"")).decode("utf-8")
    cue = Cue(_seconds(*times[0].groups()), _seconds(*times[1].groups()), pieces, voice)
    return values.get(b"style", b"").decode("utf-8"), cue


# Formats whose cues are lines: SBV of YouTube, MicroDVD, LRC; and SAMI.

_SBV_TIME = rb"(\d{1,4}):(\d{1,2}):(\d{1,2})\.(\d{1,9})"
_START = rb"^(?:\xef\xbb\xbf)?[ \t]*"
_SBV_TIMES = re.compile(_START + _SBV_TIME + rb"," + _SBV_TIME + rb"[ \t\r]*$", re.MULTILINE)
# As Whisper prints them: [00:00.000 --> 00:02.500] text.
_BRACKETED = re.compile(_START + rb"\[" + _TIME + rb" --> " + _TIME + rb"\]", re.MULTILINE)
_TMPLAYER = re.compile(
    _START + rb"(\d{1,2}):(\d{1,2}):(\d{1,2})(?:,\d{1,2})?[:=]([^\r\n]*)", re.MULTILINE
)
# Of MPL2 in brackets, where a slash begins a line in italics.
_FRAMES = re.compile(_START + rb"[{\[](\d{1,9})[}\]][{\[](\d{0,9})[}\]]([^\r\n]*)", re.MULTILINE)
_RATE = re.compile(rb"\s*(\d{1,3}(?:\.\d{1,6})?)\s*")
_LRC_LINE = re.compile(
    _START + rb"(?:\[\d{1,4}:\d{1,2}(?:[.:]\d{1,3})?\][ \t]*)+([^\r\n]*)", re.MULTILINE
)
_LRC_START = re.compile(rb"\s*(?:\[[a-z]+:[^\]\r\n]*\]\s*)*\[\d{1,4}:\d{1,2}[.:\]](?![\d.:]* -)")
_SAMI = re.compile(rb"\s*<sami\b", re.IGNORECASE)
_SYNC = re.compile(rb"<sync\b(?=[^<>]*>)[^<>]*?\bstart\s*=\s*[\"']?(\d{1,9})[^<>]*>", re.IGNORECASE)
_CLASS = re.compile(rb"<p\b[^<>]*?\bclass\s*=\s*[\"']?([\w-]+)", re.IGNORECASE)
_CLASS_LANGUAGE = re.compile(rb"\.([\w-]+)\s*\{[^{}]*?\blang\s*:\s*([\w-]+)", re.IGNORECASE)
_END_OF_BODY = re.compile(rb"</body\s*>", re.IGNORECASE)
_MICRODVD_MARKUP = re.compile(r"\{[^{}]*\}|(?P<shown>\|)|(?<![^|])/")
_SAMI_MARKUP = re.compile(
    r"(?P<shown><br\b[^<>]*>|&(?:[A-Za-z]\w{1,30}|\#\d{1,7}|\#x[0-9A-Fa-f]{1,6});)"
    r"|<!--.*?(?:-->|\Z)|</?[A-Za-z][^<>]{0,300}>",
    re.IGNORECASE | re.DOTALL,
)
# Frames a second, where the file does not say; MPL2 counts tenths of a second.
_USUAL_RATE, _TENTHS = 25.0, 10.0


def read_sbv(name: str, data: bytes, options: ReadOptions) -> Units:
    """The sentences of captions of YouTube: a line with two times, and lines of text."""
    times_of = _SBV_TIMES if _SBV_TIMES.search(data) else _BRACKETED
    found = _with_ends(times_of.finditer(data), len(data))
    cues = (_by_voice(data, times, [(times.end(), end)]) for times, end in found)
    return _units_of(name, "SBV", itertools.chain.from_iterable(cues))


def read_microdvd(name: str, data: bytes, options: ReadOptions) -> Units:
    """The sentences of MicroDVD: {first frame}{last frame}text|text; of TMPlayer or SubViewer."""
    found = list(_FRAMES.finditer(data))
    if not found and _SBV_TIMES.search(data):
        return read_sbv(name, data, options)
    is_mpl2 = found and data[found[0].start(1) - 1] == ord("[")
    rate = _TENTHS if is_mpl2 else _USUAL_RATE
    said = _RATE.fullmatch(found[0][3]) if found else None
    if said is not None and found[0][1] in (b"0", b"1"):
        rate = float(said[1]) or rate
        found = found[1:]
    times = [(int(line[1]) / rate, int(line[2] or line[1]) / rate) for line in found]
    if not found:
        found = list(_TMPLAYER.finditer(data))
        starts = [_seconds(line[1], line[2], line[3], None) for line in found]
        # A line without text takes the one before off the screen.
        ends = zip(found, starts, [*starts[1:], *starts[-1:]], strict=True)
        times = [(start, end if line[4].strip() else start) for line, start, end in ends]
    texts = [plain(data, *line.span(line.re.groups)) for line in found]
    cues = (
        Cue(start, end, split_plain([text], _MICRODVD_MARKUP, _shown))
        for (start, end), text in zip(times, texts, strict=True)
    )
    return _units_of(name, "MicroDVD", cues)


def read_lrc(name: str, data: bytes, options: ReadOptions) -> Units:
    """The lines of lyrics, each a text of its own."""
    units = Units()
    lines = list(_LRC_LINE.finditer(data))
    for line in lines:
        pieces = split_plain([plain(data, *line.span(1))], _MARKUP, _shown)
        Joiner(units).add_all([Cue(0.0, 0.0, pieces)])
    _check_found(name, "LRC", len(lines))
    return units


def read_sami(name: str, data: bytes, options: ReadOptions) -> Units:
    """The sentences of SAMI: what stands behind each SYNC tag, class by class.

    Classes are in languages; those in another than the wanted one, or the first, are left alone.
    """
    body = _END_OF_BODY.search(data)
    found = _with_ends(_SYNC.finditer(data), body.start() if body else len(data))
    starts = [int(sync[1]) / 1000 for sync, _ in found]
    classes: dict[str, list[Cue]] = {}
    for start, until, (sync, end) in zip(starts, [*starts[1:], *starts[-1:]], found, strict=True):
        place, of = sync.end(), ""
        for tag in (*_CLASS.finditer(data, place, end), None):
            stop = tag.start() if tag else end
            pieces = split_plain([plain(data, place, stop)], _SAMI_MARKUP, _shown)
            # A cue of a blank alone takes the text before off the screen.
            if text_of(pieces).strip():
                classes.setdefault(of, []).append(Cue(start, until, pieces))
            place, of = stop, tag[1].decode().lower() if tag else ""
    _check_found(name, "SAMI", len(classes))
    known = {a.decode().lower(): b.decode() for a, b in _CLASS_LANGUAGE.findall(data)}
    spoken = [known[of] for of in classes if of in known]
    wanted = options.wanted.target
    target = next((one for one in spoken if wanted and matches(wanted, one)), (spoken or [None])[0])
    units = Units()
    for of, cues in classes.items():
        if target is None or primary(known.get(of, target)) == primary(target):
            Joiner(units).add_all(cues)
    units.languages = languages_of(name, options.wanted, None, target)
    return units


def _with_ends(found: Iterable[re.Match[bytes]], last: int) -> list[tuple[re.Match[bytes], int]]:
    """Where the text behind each match ends: at the next match, or at `last`."""
    matches = list(found)
    ends = [*(match.start() for match in matches[1:]), last]
    return list(zip(matches, ends, strict=False))


def _units_of(name: str, format: str, cues: Iterable[Cue]) -> Units:
    """The sentences of cues; FormatError: there is no cue."""
    found = list(cues)
    _check_found(name, format, len(found))
    return joined_cues(found)


def _check_found(name: str, format: str, n_cues: int) -> None:
    if not n_cues:
        raise FormatError(f"{name}: line 1: expected {format}, there is no line with times")


# TTML.

# What ends a line, and what is no text.
_BREAK = re.compile(
    rb"<(?:[\w.-]+:)?(?:br(?=[\s/>])[^<>]*>"
    rb"|(?P<about>metadata)(?=[\s/>])(?:[^<>]*/>|.{0,9999}?</(?:[\w.-]+:)?metadata\s*>))",
    re.DOTALL,
)
_ENTITY = re.compile(r"&(?:[A-Za-z]\w{1,30}|\#\d{1,7});")
_CLOCK = re.compile(rb"(\d{1,4}):(\d{1,2}):(\d{1,2})(?:\.(\d{1,9}))?")
_OFFSET = re.compile(rb"(\d{1,12}(?:\.\d{1,9})?)(h|ms|m|s)")
_SECONDS = {b"h": 3600.0, b"m": 60.0, b"s": 1.0, b"ms": 1e-3}


def read_ttml(file: XmlFile, names: str = "p begin end dur", unit: str = "") -> Units:
    """The sentences of a file; a paragraph is a cue."""
    # YouTube's files have other elements and names of times, and do not say their unit.
    element, *attributes = names.split()
    cues: list[Cue] = []
    times = (0.0, 0.0)
    start = outer_depth = 0
    for tag in file.tags({element: 1}, (1,), any_namespace=True):
        code, depth, position, end, _ = tag
        if code > 0 and not outer_depth:
            outer_depth, start = depth, end
            begin, until, length = (
                _ttml_seconds(((file.attribute(tag, name) or "").strip() + unit).encode())
                for name in attributes
            )
            times = (begin, until or begin + length)
        elif code < 0 and depth == outer_depth:
            outer_depth = 0
            pieces = ttml_pieces(file.data, start, position) if start < position else []
            if unit:
                # They are escaped twice.
                found = _ENTITY.finditer(text_of(pieces))
                spans = [(*entity.span(), html.unescape(entity[0])) for entity in found]
                pieces = with_stand_ins(pieces, spans)
            if pieces:
                cues.append(Cue(*times, pieces))
    return joined_cues(cues)


def ttml_pieces(data: bytes, start: int, end: int) -> list[Piece]:
    """The text of a paragraph; ``br`` ends a line."""
    found = []
    for match in _BREAK.finditer(data, start, end):
        shown = "" if match["about"] else "\n"
        found += [*xml_pieces(data, start, match.start()), Piece(FIXED, *match.span(), shown)]
        start = match.end()
    return [*found, *xml_pieces(data, start, end)]


def _ttml_seconds(time: bytes) -> float:
    """Seconds of a time; 0 for times in frames or ticks."""
    clock = _CLOCK.match(time)
    if clock is not None:
        return _seconds(*clock.groups())
    offset = _OFFSET.fullmatch(time)
    return 0.0 if offset is None else float(offset[1]) * _SECONDS[offset[2]]


# White space before a line begins with it, or each of many empty lines would be tried.
_SRT_TIMES = re.compile(rb"^[^\S\n]*\d+[^\S\r\n]*[\r\n]\s*[\d:]+[,.]\d+\s*-->", re.MULTILINE)
_PRINTED = re.compile(rb"%b|\A%b" % (_SBV_TIMES.pattern, _BRACKETED.pattern), re.MULTILINE)
_LINES = re.compile(rb"\A(?:%b|%b)" % (_FRAMES.pattern, _TMPLAYER.pattern))
_ASS_SECTION = re.compile(rb"^[^\S\n]*\[(?:Script Info|Events)\]", re.MULTILINE | re.IGNORECASE)

# Of YouTube: elements of cues and their times, and the unit of these.
_SRV1 = partial(read_ttml, names="text start end dur", unit="s")
_SRV3 = partial(read_ttml, names="p t end d", unit="ms")
FORMATS = (
    of_speech("srt", "SubRip", (".srt",), head_has(_SRT_TIMES), read_srt),
    of_speech("vtt", "WebVTT", (".vtt",), lambda it: it.head.startswith(b"WEBVTT"), read_vtt),
    of_speech("ass", "SubStation Alpha", (".ass", ".ssa"), head_has(_ASS_SECTION), read_ass),
    of_speech("sbv", "SBV", (".sbv",), head_has(_PRINTED), read_sbv),
    of_speech("microdvd", "MicroDVD", (".sub",), head_has(_LINES), read_microdvd),
    of_speech("lrc", "LRC", (".lrc",), lambda it: bool(_LRC_START.match(it.head)), read_lrc),
    of_speech("sami", "SAMI", (".smi", ".sami"), lambda it: bool(_SAMI.match(it.head)), read_sami),
    of_speech("ttml", "TTML", (".ttml", ".dfxp"), None, read_ttml, "tt", charset_of_xml),
    of_speech("youtube", "timed text", (".srv1",), None, _SRV1, "transcript", charset_of_xml),
    of_speech("timedtext", "timed text", (".srv3",), None, _SRV3, "timedtext", charset_of_xml),
)
