"""gettext PO: the bytes of the strings of each entry.

Libraries for this format give strings without their bytes, and write the whole file anew.
"""

from __future__ import annotations

import re
from typing import Any

from truecase.errors import FormatError
from truecase.formats._contents import PO as NOTATION_PO
from truecase.formats.format import ReadOptions, charset_of_po, of_programs
from truecase.formats.languages import languages_of
from truecase.formats.segments import (
    FIXED,
    NO_SPAN,
    OBSOLETE,
    Piece,
    Segments,
    Span,
    plain,
    skip_bom,
    split_plain,
    text_of,
)

_INSIDE = rb"[^\"\\\r\n]*(?:\\[^\r\n][^\"\\\r\n]*)*"
_LINE = re.compile(rb"[^\n]*\n?")
_KEYWORD = re.compile(
    rb"(msgctxt|msgid_plural|msgid|msgstr|domain)(?:[ \t]*\[[ \t]*(\d{1,9})[ \t]*\])?"
)
_STRINGS = re.compile(rb"(?:\s*\"%b\")*\s*\Z" % _INSIDE)
_STRING = re.compile(rb"\"(%b)\"" % _INSIDE)
_ESCAPE = re.compile(r"\\(?:x[0-9A-Fa-f]{2}|[0-7]{1,3}|.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "a": " ", "b": " ", "f": " ", "v": " "}
_ENTRY = re.compile(
    rb"^(?:\xef\xbb\xbf)?[ \t]*(?:#~[ \t|]*)?(?:msgid|msgctxt|domain)[ \t\r\n\"]", re.MULTILINE
)
_OBSOLETE = re.compile(rb"#~[ \t]*msgid[ \t]")
_PREVIOUS = re.compile(rb"#\|[ \t]*")
_LANGUAGE = re.compile(r"^Language:[ \t]*([A-Za-z0-9@._-]+)", re.MULTILINE)

_SHOWN = 60


def po_pieces(data: bytes, start: int, end: int) -> list[Piece]:
    """The text of the strings in bytes `start` … `end` - 1 of a PO file in UTF-8."""
    strings = [plain(data, *string.span(1)) for string in _STRING.finditer(data, start, end)]
    return split_plain(strings, _ESCAPE, _unescaped)


def _unescaped(match: re.Match[str], start: int, end: int) -> Piece:
    code = match[0][1:]
    if code[0] == "x" and len(code) == 3:
        text = _byte(int(code[1:], 16))
    elif code[0] in "01234567":
        text = _byte(int(code, 8))
    else:
        text = _ESCAPED.get(code, code)
    return Piece(FIXED, start, end, text)


def _byte(number: int) -> str:
    """The character of a byte; U+FFFD for a byte that is part of a character."""
    return chr(number) if 32 <= number < 127 else "\ufffd" if number > 127 else " "


class PoFile:
    """Reads the entries of a PO file in UTF-8."""

    def __init__(self, name: str, data: bytes) -> None:
        self._name = name
        self._data = data
        self._segments = Segments()
        self.language = ""
        self._n_lines = 0
        self._new_entry()

    def _new_entry(self) -> None:
        # The strings of the entry by keyword, and of the msgstr by number; a bare string continues
        # the last one.
        self._spans: dict[bytes, Span] = {}
        self._targets: dict[int, Span] = {}
        self._previous: dict[bytes, Span] = {}
        self._last: tuple[dict[Any, Span], object] = ({}, None)
        self._previous_keyword: bytes | None = None
        self._is_fuzzy = False
        self._first_line = 0

    def parse(self) -> Segments:
        """Find all entries."""
        for line in _LINE.finditer(self._data, skip_bom(self._data)):
            self._n_lines += 1
            self._line(line.start(), line[0])
        self._finish_entry()
        return self._segments

    def _error(self, what: str) -> FormatError:
        return FormatError(f"{self._name}: line {self._n_lines}: {what}")

    def _line(self, start: int, line: bytes) -> None:
        text = line.strip()
        if not text:
            return
        start += line.index(text[:1])
        if text.startswith(b"#"):
            self._comment(start, text)
        elif text.startswith(b'"'):
            if self._last[1] is None:
                raise self._error("this string belongs to no msgid or msgstr")
            self._check_strings(text, 0)
            _grow(*self._last, start, start + len(text))
        else:
            self._statement(start, text)

    def _comment(self, start: int, text: bytes) -> None:
        if text.startswith(b"#~"):
            if _OBSOLETE.match(text):
                self._segments.leave(OBSOLETE)
            return
        if self._targets:
            self._finish_entry()
        if text.startswith(b"#,"):
            self._is_fuzzy |= b"fuzzy" in map(bytes.strip, text[2:].split(b","))
        elif text.startswith(b"#|"):
            self._previous_line(start, text)

    def _previous_line(self, start: int, text: bytes) -> None:
        """Read the old source of a fuzzy entry; this is a comment, so nothing is an error."""
        mark = _PREVIOUS.match(text)
        assert mark is not None
        keyword = _KEYWORD.match(text, mark.end())
        if keyword is not None:
            self._previous_keyword = keyword[1]
        if self._previous_keyword is None:
            return
        begin = start + (keyword or mark).end()
        _grow(self._previous, self._previous_keyword, begin, start + len(text))

    def _statement(self, start: int, text: bytes) -> None:
        keyword = _KEYWORD.match(text)
        if keyword is None or text[keyword.end() : keyword.end() + 1] not in b' \t"':
            shown = text[:_SHOWN].decode("utf-8", "replace")
            raise self._error(f"{shown!r}: expected a comment, a msgid, a msgstr or a string")
        name, number = keyword[1], keyword[2]
        self._check_strings(text, keyword.end())
        if name in (b"msgctxt", b"msgid", b"domain"):
            if self._targets or (name == b"msgctxt" and self._spans):
                self._finish_entry()
            if name == b"domain":
                self._last = ({}, None)
                return
        n = -1 if number is None else int(number)
        self._check_order(name, n)
        if not self._spans:
            self._first_line = self._n_lines
        is_target = name == b"msgstr"
        self._last = (self._targets if is_target else self._spans, n if is_target else name)
        _grow(*self._last, start + keyword.end(), start + len(text))

    def _check_strings(self, text: bytes, start: int) -> None:
        if _STRINGS.match(text, start) is None:
            raise self._error("a string in quotation marks is not closed, or something follows it")

    def _check_order(self, name: bytes, number: int) -> None:
        if number >= 0 and name != b"msgstr":
            raise self._error(f"{name.decode()} has no number")
        if name == b"msgstr":
            if b"msgid" not in self._spans:
                raise self._error("this msgstr has no msgid")
            if (number >= 0) != (b"msgid_plural" in self._spans):
                raise self._error(
                    "msgstr[0], msgstr[1], … belong to a msgid_plural, msgstr to a msgid alone"
                )
            if number in self._targets:
                raise self._error("a second msgstr of the same entry")
        elif name in self._spans:
            raise self._error(f"a second {name.decode()} before the msgstr")
        elif name == b"msgid_plural" and (b"msgid" not in self._spans or self._targets):
            raise self._error("this msgid_plural does not follow a msgid")

    def _finish_entry(self) -> None:
        spans, targets = self._spans, self._targets
        if spans and not targets:
            raise FormatError(
                f"{self._name}: line {self._first_line}: the entry that begins here has no msgstr"
            )
        if spans:
            source = spans[b"msgid"]
            if b"msgctxt" not in spans and self._is_empty(source):
                self._header(targets)
            else:
                self._add_targets(targets)
        self._new_entry()

    def _add_targets(self, targets: dict[int, Span]) -> None:
        spans = self._spans
        if self._is_fuzzy and b"msgid" in self._previous:
            spans = self._previous
        for number, target in targets.items():
            # A language with one form for all numbers has that of the plural.
            is_plural = number > 0 or (number == 0 and len(targets) == 1)
            source = spans.get(b"msgid_plural" if is_plural else b"msgid", spans[b"msgid"])
            self._segments.add(NO_SPAN if self._is_empty(target) else target, source)

    def _is_empty(self, span: Span) -> bool:
        return not any(string[1] for string in _STRING.finditer(self._data, *span))

    def _header(self, targets: dict[int, Span]) -> None:
        if -1 in targets and not self.language:
            found = _LANGUAGE.search(text_of(po_pieces(self._data, *targets[-1])))
            self.language = found[1] if found else ""


def _grow(spans: dict[Any, Span], key: object, start: int, end: int) -> None:
    """Begin a span, or make it longer."""
    spans[key] = Span(spans[key].start if key in spans else start, end)


def read_po(name: str, data: bytes, options: ReadOptions) -> Segments:
    """The segments of a PO file."""
    file = PoFile(name, data)
    segments = file.parse()
    segments.format = "PO"
    segments.languages = languages_of(name, options.wanted, None, file.language)
    return segments


_PO = ("po", "gettext PO", (".po", ".pot"), lambda it: bool(_ENTRY.search(it.data)), read_po)
PO = of_programs(*_PO, charset=charset_of_po, notation=NOTATION_PO, pieces=po_pieces)
