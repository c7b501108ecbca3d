"""Subtitles: SubRip (SRT), WebVTT, SubStation Alpha (SSA, ASS), TTML (also DFXP and IMSC)."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from functools import partial

from truecase.errors import FormatError
from truecase.formats.cues import Cue, Joiner, joined_cues
from truecase.formats.format import Format, ReadOptions, charset_of_xml
from truecase.formats.segments import (
    BOM,
    FIXED,
    Languages,
    Piece,
    Units,
    line_of,
    plain,
    skip_bom,
    split_plain,
)
from truecase.formats.xml_file import XML_LANG, XmlFile, xml_pieces

_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_ARROW = b"-->"
_TIME = rb"(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})(?:[.,:](\d{1,9}))?"
_SPAN = re.compile(rb"\s*" + _TIME + rb"\s*-->\s*" + _TIME + rb"(?=\s|$)")
_NUMBER = re.compile(rb"\s*\d+\s*$")
_NO_CUES = re.compile(rb"(?:NOTE|STYLE|REGION)(?=\s|$)")
_VOICE = re.compile(rb"<v(?:\.[^\s>]*)?\s+([^<>]*)>")
# Tags, the times of karaoke, override codes; the group is shown as other characters.
_MARKUP = re.compile(
    r"</?[A-Za-z][^<>]{0,300}>|</?>|<\d+:[\d:.]+>|\{\\[^{}]*\}|\{[a-zA-Z]:[^{}]{0,99}\}"
    r"|(?P<shown>&(?:[A-Za-z]\w{1,30}|\#\d{1,7}|\#x[0-9A-Fa-f]{1,6});|\\[Nnh]|\r\n|\r)"
)
_ASS_MARKUP = re.compile(
    # Drawings are no text.
    r"\{[^{}]*\\p[1-9][^{}]*\}.*?(?=\{[^{}]*\\p0[^{}]*\}|\Z)|\{[^{}]*\}|(?P<shown>\\[Nnh])"
)
_ASS_TIME = re.compile(rb"\s*(\d{1,4}):(\d{1,2}):(\d{1,2})(?:[.:](\d{1,9}))?\s*$")


def read_srt(name: str, data: bytes, options: ReadOptions) -> Units:
    """The sentences of a SubRip file."""
    return joined_cues(_cues(name, data, "SubRip"))


def read_vtt(name: str, data: bytes, options: ReadOptions) -> Units:
    """The sentences of a WebVTT file."""
    if not data.removeprefix(BOM).startswith(b"WEBVTT"):
        raise FormatError(f"{name}: line 1: expected WEBVTT")
    return joined_cues(_cues(name, data, "WebVTT"))


def _cues(name: str, data: bytes, format: str) -> Iterator[Cue]:
    """Cues, each with the times before its lines."""
    is_vtt = format == "WebVTT"
    times: re.Match[bytes] | None = None
    lines: list[tuple[int, int]] = []
    is_skipped = is_block_start = True
    n_cues = 0
    for line in _LINE.finditer(data):
        text = line[0].strip()
        if is_vtt and not line[0].strip(b"\r\n"):
            # In WebVTT, a blank line ends a cue.
            if times is not None:
                yield _cue(data, times, lines)
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
                    yield _cue(data, times, _without_number(data, lines))
                times, lines = found, []
                n_cues += 1
                continue
            if is_vtt or times is None or not lines or _looks_like_times(text):
                raise FormatError(
                    f"{name}: line {line_of(data, line.start())}: expected times such as "
                    "00:00:01,000 --> 00:00:02,500"
                )
        if times is not None:
            lines.append(line.span())
    if times is not None:
        yield _cue(data, times, lines)
    if not n_cues and (not is_vtt or _ARROW in data):
        raise FormatError(f"{name}: line 1: expected {format}, there is no line with times")


def _looks_like_times(text: bytes) -> bool:
    return text[:1].isdigit() and b":" in text.partition(_ARROW)[0]


def _without_number(data: bytes, lines: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The lines without the number of the next cue."""
    if lines and _NUMBER.match(data[slice(*lines[-1])]):
        return lines[:-1]
    return lines


def _cue(data: bytes, times: re.Match[bytes], lines: list[tuple[int, int]]) -> Cue:
    start, end = _seconds(*times.groups()[:4]), _seconds(*times.groups()[4:])
    if not lines:
        return Cue(start, end, [])
    first, last = lines[0][0], lines[-1][1]
    voices = b" ".join(voice[1].strip() for voice in _VOICE.finditer(data, first, last))
    pieces = split_plain([plain(data, first, last)], _MARKUP, _shown)
    return Cue(start, end, pieces, voices.decode("utf-8"))


def _shown(match: re.Match[str], start: int, end: int) -> Piece | None:
    shown = match["shown"]
    if shown is None:
        return None
    if shown.startswith("&"):
        return Piece(FIXED, start, end, html.unescape(shown))
    return Piece(FIXED, start, end, " " if shown == "\\h" else "\n")


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
        key, _, rest = text.partition(b":")
        if text.startswith(b"[") and text.endswith(b"]"):
            section = text.lower()
        elif section != b"[events]":
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


# TTML.

_BREAK = re.compile(rb"<(?:[\w.-]+:)?br(?=[\s/>])[^<>]*>")
_CLOCK = re.compile(rb"(\d{1,4}):(\d{1,2}):(\d{1,2})(?:\.(\d{1,9}))?")
_OFFSET = re.compile(rb"(\d{1,12}(?:\.\d{1,9})?)(h|ms|m|s)")
_SECONDS = {b"h": 3600.0, b"m": 60.0, b"s": 1.0, b"ms": 1e-3}


def read_ttml(file: XmlFile) -> Units:
    """The sentences of a file; a paragraph is a cue."""
    cues: list[Cue] = []
    times = (0.0, 0.0)
    start = outer_depth = 0
    for tag in file.tags({"p": 1}, (1,), any_namespace=True):
        code, depth, position, end, _ = tag
        if code > 0 and not outer_depth:
            outer_depth, start = depth, end
            begin, until, length = (
                _ttml_seconds((file.attribute(tag, name) or "").strip().encode())
                for name in ("begin", "end", "dur")
            )
            times = (begin, until or begin + length)
        elif code < 0 and depth == outer_depth:
            outer_depth = 0
            if start < position:
                cues.append(Cue(*times, ttml_pieces(file.data, start, position)))
    units = joined_cues(cues)
    target = file.options.wanted.target or file.root_attributes.get(XML_LANG) or None
    units.languages = Languages(None, target)
    return units


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


def _ttml_seconds(time: bytes) -> float:
    """Seconds of a time; 0 for times in frames or ticks."""
    clock = _CLOCK.match(time)
    if clock is not None:
        return _seconds(*clock.groups())
    offset = _OFFSET.fullmatch(time)
    return 0.0 if offset is None else float(offset[1]) * _SECONDS[offset[2]]


_SRT_TIMES = re.compile(rb"^\s*\d+\s*[\r\n]+\s*[\d:]+[,.]\d+\s*-->", re.MULTILINE)
_ASS_SECTION = re.compile(rb"^\s*\[(?:Script Info|Events)\]", re.MULTILINE | re.IGNORECASE)

_SPOKEN = partial(Format, is_spoken=True)
FORMATS = (
    _SPOKEN("srt", "SubRip", (".srt",), lambda it: bool(_SRT_TIMES.search(it.head)), read_srt),
    _SPOKEN("vtt", "WebVTT", (".vtt",), lambda it: it.head.startswith(b"WEBVTT"), read_vtt),
    _SPOKEN(
        "ass",
        "SubStation Alpha",
        (".ass", ".ssa"),
        lambda it: bool(_ASS_SECTION.search(it.head)),
        read_ass,
    ),
    _SPOKEN("ttml", "TTML", (".ttml", ".dfxp"), None, read_ttml, "tt", charset_of_xml),
)
