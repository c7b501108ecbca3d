"""BibTeX, and BibLaTeX: where the titles of a file are.

The grammar is that of BibTeX 0.99d: what is outside of entries is no part of the bibliography, and
braces count whether or not a backslash is before them. As with biber, ``%`` begins a comment
outside of values.
"""

from __future__ import annotations

import re

from truecase.bibliographies.titles import Bibliography, Title, language_code
from truecase.errors import FormatError
from truecase.formats.pieces import plain

# Titles of works; names of journals, series and events are none.
_TITLES = {"title", "booktitle", "shorttitle", "subtitle"}
# An entry that is a journal, whose title is its name.
_JOURNALS = {"periodical"}
_LANGUAGE_FIELDS = ("langid", "language")

_NAME = r"[^\s\"#%'(),={}\x00-\x1f]+"
# Kinds of entries have no @: in a row of them each would be the beginning of a long name.
_KIND = _NAME.replace("[^", "[^@")
_ENTRY = re.compile(rf"%[^\n]*|@\s*({_KIND})\s*([{{(])")
# A comment takes its end of line, or there would be many ways to read one.
_WHITE = re.compile(r"(?:\s|%[^\n]*(?:\n|\Z))*")
_FIELD = re.compile(rf"({_NAME}){_WHITE.pattern}=")
_KEY = re.compile(r"[^,={}\"#]*")
_KEY_IN_PARENTHESES = re.compile(r"[^,={}\"#()]*")
_BRACE = re.compile(r"[{}]")
_BRACE_OR_QUOTE = re.compile(r"[{}\"]")
_MACRO = re.compile(_NAME)
_CLOSING = {"{": "}", "(": ")"}

# Braces round the braces round a title; more of them are no way to write one.
_MAX_GROUPS = 20


def read_bibtex(name: str, data: bytes) -> Bibliography:
    """Find the titles of a file.

    Parameters
    ----------
    name : str
        For messages.
    data : bytes
        UTF-8.

    Returns
    -------
    Bibliography
        The text of a title is what is between its braces or quotation marks, and if all of that
        is one group of several words, what is in the group.

    Raises
    ------
    FormatError
        If an entry is broken.
    """
    return _Reader(name, data).read()


class _Reader:
    def __init__(self, name: str, data: bytes) -> None:
        self._name = name
        self._data = data
        self._text = data.decode("utf-8")
        self._at = 0
        # Where in the bytes a place in the text is; places are asked for in order.
        self._known = (0, 0)
        self._found = Bibliography([])
        # Of comments that do not end: where those after them do.
        self._ends: dict[int, int] | None = None

    def read(self) -> Bibliography:
        """Go through the entries."""
        n_joined = 0
        while (entry := _ENTRY.search(self._text, self._at)) is not None:
            self._at = entry.end()
            if entry[1] is None:
                continue
            kind, opened = entry[1].lower(), entry[2]
            if kind == "comment":
                self._comment(opened)
            elif kind == "preamble":
                self._value()
                self._close(entry.start(), opened)
            else:
                n_joined += self._entry(entry.start(), kind, opened)
        return self._found._replace(n_joined=n_joined)

    def _comment(self, opened: str) -> None:
        """Pass over a comment, which may also be just the word."""
        if opened != "{":
            return
        if self._ends is None:
            end = self._closing_brace(self._at)
            if end < 0:
                # Looking for the end of each of many such comments would take long.
                self._ends = self._closing_braces(self._at)
        else:
            end = self._ends.get(self._at, -1)
        if end >= 0:
            self._at = end + 1

    def _entry(self, start: int, kind: str, opened: str) -> int:
        """Read an entry; the number of its titles that are put together."""
        if kind != "string":
            key = (_KEY if opened == "{" else _KEY_IN_PARENTHESES).match(self._text, self._at)
            assert key is not None
            self._at = key.end()
            if not self._text.startswith((",", _CLOSING[opened]), self._at):
                raise self._error("expected a comma after the key of the entry", start)
            if self._text[self._at] == ",":
                self._at += 1
        titles: list[tuple[int, int]] = []
        n_joined = 0
        languages: dict[str, str] = {}
        self._pass_white()
        while not self._text.startswith(_CLOSING[opened], self._at):
            field = _FIELD.match(self._text, self._at)
            if field is None:
                if self._at >= len(self._text):
                    raise self._error("the entry that begins here does not end", start)
                raise self._error("expected a field, as in title = {...}, or the end of the entry")
            self._at = field.end()
            named = field[1].lower()
            span = self._value()
            is_title = named in _TITLES and kind != "string"
            if is_title and not (named == "title" and kind in _JOURNALS):
                if span is None:
                    n_joined += 1
                else:
                    titles.append(span)
            elif named in _LANGUAGE_FIELDS and span is not None:
                languages[named] = self._text[slice(*span)]
            self._pass_white()
            if self._text.startswith(",", self._at):
                self._at += 1
                self._pass_white()
            elif self._at < len(self._text) and self._text[self._at] != _CLOSING[opened]:
                raise self._error(
                    f"expected a comma after the field {field[1]}, or the end of the entry"
                )
        self._at += 1
        language = next((languages[n] for n in _LANGUAGE_FIELDS if n in languages), "")
        for span in titles:
            start, end = (self._byte(place) for place in self._within_group(*span))
            title = Title([plain(self._data, start, end)], language_code(language))
            self._found.titles.append(title)
        return n_joined

    def _value(self) -> tuple[int, int] | None:
        """Read a value: where the text of a single string is; None for macros and for several."""
        spans = [self._string()]
        self._pass_white()
        while self._text.startswith("#", self._at):
            self._at += 1
            spans.append(self._string())
            self._pass_white()
        return spans[0] if len(spans) == 1 else None

    def _string(self) -> tuple[int, int] | None:
        self._pass_white()
        start = self._at
        if self._text.startswith("{", start):
            end = self._closing_brace(start + 1)
        elif self._text.startswith('"', start):
            end = self._closing_quote(start + 1)
        else:
            macro = _MACRO.match(self._text, start)
            if macro is None:
                raise self._error("expected a value in braces or quotation marks, or a name")
            self._at = macro.end()
            return None
        if end < 0:
            raise self._error("the value that begins here does not end", start)
        self._at = end + 1
        return start + 1, end

    def _closing_brace(self, at: int) -> int:
        """Where the group ends whose text begins at a place; -1 if it does not."""
        depth = 1
        for brace in _BRACE.finditer(self._text, at):
            depth += 1 if brace[0] == "{" else -1
            if depth == 0:
                return brace.start()
        return -1

    def _closing_braces(self, at: int) -> dict[int, int]:
        """Of each group after a place, where its text begins: where it ends."""
        ends = {}
        open_: list[int] = []
        for brace in _BRACE.finditer(self._text, at):
            if brace[0] == "{":
                open_.append(brace.end())
            elif open_:
                ends[open_.pop()] = brace.start()
        return ends

    def _closing_quote(self, at: int) -> int:
        depth = 0
        for sign in _BRACE_OR_QUOTE.finditer(self._text, at):
            if sign[0] == "{":
                depth += 1
            elif sign[0] == "}":
                depth -= 1
                if depth < 0:
                    return -1
            elif depth == 0:
                return sign.start()
        return -1

    def _within_group(self, start: int, end: int) -> tuple[int, int]:
        """A title without the braces that are round all of it.

        One word in braces is a name, and a command is what it is.
        """
        for _ in range(_MAX_GROUPS):
            text = self._text[start:end]
            low = start + len(text) - len(text.lstrip())
            high = start + len(text.rstrip())
            if not self._text.startswith("{", low) or self._closing_brace(low + 1) != high - 1:
                return start, end
            inner = self._text[low + 1 : high - 1]
            if inner.lstrip().startswith("\\") or len(inner.split()) < 2:
                return start, end
            start, end = low + 1, high - 1
        return start, end

    def _close(self, start: int, opened: str) -> None:
        self._pass_white()
        if not self._text.startswith(_CLOSING[opened], self._at):
            raise self._error("the entry that begins here does not end", start)
        self._at += 1

    def _pass_white(self) -> None:
        found = _WHITE.match(self._text, self._at)
        assert found is not None
        self._at = found.end()

    def _byte(self, place: int) -> int:
        known, at = self._known
        if place < known:
            known, at = 0, 0
        at += len(self._text[known:place].encode("utf-8"))
        self._known = (place, at)
        return at

    def _error(self, what: str, place: int | None = None) -> FormatError:
        line = self._text.count("\n", 0, self._at if place is None else place) + 1
        return FormatError(f"{self._name}: line {line}: broken BibTeX: {what}")
