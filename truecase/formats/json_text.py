"""JSON, with the bytes of each string.

The standard library's reader does not say where a string is, and writing a file anew would change
its escapes, numbers and white space.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from truecase.errors import FormatError
from truecase.formats.format import Sample
from truecase.formats.segments import (
    BOM,
    ESCAPED,
    FIXED,
    NO_SPAN,
    UPPER_ESCAPED,
    Piece,
    Segments,
    Span,
    has_letter,
    line_of,
    plain,
    skip_bom,
    split_plain,
)

#: Values inside each other.
MAX_DEPTH = 100

_SPACE = rb"[ \t\r\n]*"
_STRING = rb"\"([^\"\\\x00-\x1f]*(?:\\[^\x00-\x1f][^\"\\\x00-\x1f]*)*)\""
# Signs that begin nothing are of no group.
_TOKEN = re.compile(
    rb"%b(?:%b|(-?(?:\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|Infinity)|NaN)|(true|false|null)"
    rb"|(\{[ \t\r\n]*\}|\[[ \t\r\n]*\])|([{\[])|[\]},:])" % (_SPACE, _STRING)
)
_STRING_GROUP, _NUMBER_GROUP, _WORD_GROUP, _EMPTY_GROUP = range(1, 5)
_KEY = re.compile(_SPACE + _STRING + _SPACE + rb":")
# A comma, or the end of an array or an object, which may have another comma before it.
_SIGN = re.compile(_SPACE + rb"(?:,(?![ \t\r\n]*[\]}])|(?:,[ \t\r\n]*)?([\]}]))")
_MORE = re.compile(rb"[ \t\r\n]*[^ \t\r\n]")
#: A backslash and its character, as in JSON and many other formats; Apple's codes have a capital U.
ESCAPE = re.compile(
    r"\\(?:u[Dd][89ABab][0-9A-Fa-f]{2}\\u[Dd][C-Fc-f][0-9A-Fa-f]{2}|[Uu][0-9A-Fa-f]{4}|.)"
)
_BEGINNING = re.compile(
    rb"\{\s*(?:[\"}]|\Z)|(?:\[\s*)+(?:[\"\]]|\{\s*[\"}]|-?\d[\d.eE+-]*\s*[,\]]|true|false|null|\Z)"
)
_LETTER = re.compile(rb"[A-Za-z]")
_UPPER_DIGIT = re.compile(r"u[0-9A-Fa-f]*[A-F]")
_ESCAPED_SIGNS = {"n": "\n", "t": " ", "r": "\r", "b": " ", "f": " "}


class JsonString(NamedTuple):
    """The bytes `start` … `end` - 1 between the quotation marks of a string."""

    start: int
    end: int


class JsonObject(NamedTuple):
    """Keys, and values and the bytes of keys in the same order."""

    keys: Sequence[str]
    values: Sequence[JsonValue]
    spans: Sequence[Span] = ()

    def get(self, key: str) -> JsonValue:
        """The value of a key; None if missing."""
        return self.values[self.keys.index(key)] if key in self.keys else None


JsonValue: TypeAlias = JsonString | JsonObject | list["JsonValue"] | float | bool | None


class JsonReader:
    """Reads the values of a text in UTF-8; raises FormatError where it is not JSON."""

    def __init__(self, name: str, data: bytes, keeps_spans: bool = False) -> None:
        self._name = name
        self._data = data
        # Whether objects have the bytes of their keys.
        self._keeps_spans = keeps_spans
        self._position = skip_bom(data)
        # Objects share their keys: transcripts have one for each word.
        self._rows: dict[tuple[str, ...], tuple[str, ...]] = {}

    def values(self) -> Iterator[JsonValue]:
        """All values, one after the other."""
        while self._rest():
            yield self._value(0)

    def only(self) -> JsonValue:
        """The single value of the text."""
        value = self._value(0)
        if self._rest():
            raise self._error("something follows the end of the JSON value")
        return value

    def line(self) -> int:
        """The current line."""
        return line_of(self._data, self._position)

    def _rest(self) -> bool:
        return _MORE.match(self._data, self._position) is not None

    def _error(self, what: str) -> FormatError:
        return FormatError(f"{self._name}: line {self.line()}: broken JSON: {what}")

    def _token(self) -> re.Match[bytes]:
        match = _TOKEN.match(self._data, self._position)
        if match is None:
            raise self._error("expected a value" if self._rest() else "the text ends too early")
        self._position = match.end()
        return match

    def _value(self, depth: int) -> JsonValue:
        if depth > MAX_DEPTH:
            raise self._error(f"values are nested more than {MAX_DEPTH} deep")
        match = self._token()
        group = match.lastindex
        if group == _STRING_GROUP:
            return JsonString(*match.span(group))
        if group == _NUMBER_GROUP:
            return float(match[group])
        if group == _WORD_GROUP:
            return {b"true": True, b"false": False}.get(match[group])
        if group == _EMPTY_GROUP:
            return JsonObject((), ()) if match[group][:1] == b"{" else []
        if group is None:
            raise self._error(f"{match[0].decode().strip()} is not expected here")
        if match[group] == b"{":
            return self._object(depth)
        return [self._value(depth + 1) for _ in self._members(b"]", "array")]

    def _object(self, depth: int) -> JsonObject:
        keys: list[str] = []
        values: list[JsonValue] = []
        spans: list[Span] = []
        for _ in self._members(b"}", "object"):
            match = _KEY.match(self._data, self._position)
            if match is None:
                is_key = self._token().lastindex == _STRING_GROUP
                missing = "a colon after the key" if is_key else "a key in quotation marks"
                raise self._error(f"expected {missing}")
            self._position = match.end()
            span = Span(*match.span(1))
            keys.append(string_text(self._data, JsonString(*span)))
            if self._keeps_spans:
                spans.append(span)
            values.append(self._value(depth + 1))
        row = tuple(keys)
        return JsonObject(self._rows.setdefault(row, row), values, spans)

    def _members(self, end: bytes, what: str) -> Iterator[None]:
        """Stop before each member, and read the commas behind them and the end."""
        sign = None
        while sign is None:
            yield
            match = _SIGN.match(self._data, self._position)
            if match is None or match[1] not in (None, end):
                self._token()
                raise self._error(f"expected a comma, or the end of the {what}")
            self._position, sign = match.end(), match[1]


def json_pieces(data: bytes, start: int, end: int) -> list[Piece]:
    """The text between the quotation marks of a string."""
    if start == end:
        return []
    whole = [plain(data, start, end)]
    return whole if data.find(b"\\", start, end) < 0 else split_plain(whole, ESCAPE, escaped_piece)


def add_json_text(
    segments: Segments, data: bytes, string: JsonString, source: Span = NO_SPAN
) -> None:
    """Append a string, unless it has no letter that could change."""
    raw = data[slice(*string)]
    is_text = b"\\" not in raw and _LETTER.search(raw) is not None
    if is_text or has_letter(json_pieces(data, *string)):
        segments.add(Span(*string), source)


def looks_like_json(matches: Callable[[bytes], object] | None = None) -> Callable[[Sample], bool]:
    """Make a test whether a file is JSON in which `matches` finds something."""

    def test(sample: Sample) -> bool:
        if sample.head[:1] not in (b"{", b"["):
            return False
        if matches is None:
            return sample.name.endswith(".json") or _BEGINNING.match(sample.head) is not None
        return matches(sample.data.removeprefix(BOM)) is not None

    return test


def string_text(data: bytes, string: JsonString) -> str:
    """The text of a string."""
    raw = data[string.start : string.end]
    if b"\\" not in raw:
        return raw.decode("utf-8")
    return "".join(piece.text for piece in json_pieces(data, *string))


def member_text(data: bytes, value: JsonObject, key: str) -> str:
    """The text of a member; empty if there is none."""
    string = value.get(key)
    return string_text(data, string) if isinstance(string, JsonString) else ""


def escaped_piece(match: re.Match[str], start: int, end: int) -> Piece:
    """The piece for a match of `ESCAPE`."""
    code = match[0][1:]
    if code[0] not in "Uu" or len(code) < 5:
        return Piece(FIXED, start, end, _ESCAPED_SIGNS.get(code, code))
    units = bytes.fromhex(code[1:5] + code[7:])
    text = units.decode("utf-16-be", "replace")
    if code[0] == "U" or not text.isalpha():
        return Piece(FIXED, start, end, text)
    is_upper = _UPPER_DIGIT.search(code) is not None
    return Piece(UPPER_ESCAPED if is_upper else ESCAPED, start, end, text)
