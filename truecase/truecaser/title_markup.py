r"""The words of a title with markup, the letters that may change case, and BibTeX's braces.

Mathematics (``$k$``, ``\(k\)``), commands with their names, and text between braces keep their
case, as in BibTeX. An accented letter such as ``{\"o}``, ``\'e`` or ``\v{c}`` is a letter of its
word and may change. The tags of CSL (``<i>``, ``<sub>``) do not belong to words, and text in
``<span class="nocase">`` keeps its case.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from truecase.kernels._spans import Span, find_spans
from truecase.kernels._unicode import upper
from truecase.kernels.text import spliced
from truecase.rules.styles import TITLE_GUIDES
from truecase.truecaser.arguments import decode, encode

# Words with only this between them share braces: {U.S.}, {O'Neill}, {Q\\&A}.
_WITHIN = re.compile(r"[.&'’]|\\&")


def with_braces(title: str, protected: Sequence[tuple[int, int]]) -> str:
    """Put braces round words of a title, given their starts and ends in order."""
    merged: list[tuple[int, int]] = []
    for start, end in protected:
        if merged and _WITHIN.fullmatch(title, merged[-1][1], start):
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return spliced(title, ((start, end, f"{{{title[start:end]}}}") for start, end in merged))


# Titles without these characters have no markup, or no spans.
_MAY_HAVE_MARKUP = re.compile(r"[\\{}$/@`<_\n]")
_MAY_HAVE_SPANS = re.compile(r"[/@`<_]")

# A dollar opens mathematics as in Pandoc: "from $5 to $10" has none.
_MATHEMATICS = re.compile(
    r"\$\$.+?\$\$|\$(?!\s)(?:[^$\\]|\\.)*(?<!\s)\$(?!\d)|\\\(.{0,2000}?\\\)", re.DOTALL
)
_COMMAND = re.compile(r"\\([A-Za-z]+)[ \t]*|\\(.)", re.DOTALL)

# Raised text does not belong to the word before it: trees<sup>2</sup>.
_RAISED = ("$^", r"\(^")

# The tags of CSL for titles, which programs also write into BibTeX.
_TAG = re.compile(r"</?(?:i|b|sc|sub|sup|span)(?:\s[^<>]*)?>", re.IGNORECASE)
_SPAN = re.compile(r"(?P<opens><span\b[^<>]*>)|(?P<closes></span\b[^<>]*>)", re.IGNORECASE)
_BRACE = re.compile(r"\\.|(?P<opens>\{)|(?P<closes>\})", re.DOTALL)
_NO_CASE = re.compile(r"<span\s+class=[\"']nocase[\"']\s*>", re.IGNORECASE)

# Combining characters for the accents of LaTeX.
_ACCENTS = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", "=": "\u0304", "u": "\u0306",
    ".": "\u0307", '"': "\u0308", "r": "\u030a", "H": "\u030b", "v": "\u030c", "d": "\u0323",
    "c": "\u0327", "k": "\u0328", "b": "\u0331",
}  # fmt: skip
_ACCENTED = re.compile(
    r"\\(?:([`'^~=.\"])\s*|([uvHcdbkr])(?:\s+|(?=\{)))"
    r"(?:\{\s*\\?([A-Za-z])\s*\}|\\([ij])(?![A-Za-z])|([A-Za-z]))"
)

# Letters that commands stand for.
_LETTERS = {
    "ss": "ß", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ",
    "aa": "å", "AA": "Å", "i": "ı", "j": "ȷ", "dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ",
}  # fmt: skip

# Each word in braces: with all in capitals, or small words among them, even if these have capitals,
# braces say nothing: a program has put them.
_SMALL_WORDS = {f"{word.capitalize()}}}" for word in TITLE_GUIDES["title-chicago"].small_words}
_BRACED_WORDS = re.compile(r"(?:\{[^{}\\$]+\}[\s:;,.?!-]*){2,}")

# Groups within groups that are read; all deeper text keeps its case anyway.
_MAX_DEPTH = 50

# Stands for mathematics in the text that the model sees.
_MATHEMATICS_TEXT = "0"


class Plain(NamedTuple):
    """A title without markup.

    Attributes
    ----------
    text : str
        Its words.
    begins, ends : sequence of int
        Start and end of each character of `text` in the title, with its markup: an accented letter
        is one character.
    letters : sequence of int
        Index in the title of the letter whose case changes with each character; -1: none.
    spans : list of (int, int)
        Addresses, code and tags in `text`, which stay as they are without braces.
    """

    text: str
    begins: range | list[int]
    ends: range | list[int]
    letters: range | list[int]
    spans: list[tuple[int, int]]


def plain(title: str) -> Plain:
    """Read the words of a title."""
    if _MAY_HAVE_MARKUP.search(title) is None:
        places = range(len(title))
        return Plain(title, places, range(1, len(title) + 1), places, [])
    is_braced = _BRACED_WORDS.fullmatch(title.strip()) is not None
    words = title.split("{")
    is_braced = is_braced and (
        title == upper(title)
        or any(map(str.islower, words))
        or any(word.rstrip() in _SMALL_WORDS for word in words[2:])
    )
    reader = _Reader(title, is_braced)
    reader.read(0, len(title), False, 0)
    text = "".join(reader.text)
    found = character_spans(text) if _MAY_HAVE_SPANS.search(text) else []
    # Text between braces keeps its case already.
    spans = [(start, end) for start, end, *_ in found if min(reader.letters[start:end]) >= 0]
    for start, end in spans:
        reader.letters[start:end] = [-1] * (end - start)
    return Plain(text, reader.begins, reader.ends, reader.letters, spans)


def character_spans(text: str) -> list[Span]:
    """Find addresses, code and markup in a line, in characters."""
    data = encode(text)
    spans = find_spans(data)
    if len(data) == len(text):
        return spans
    found = []
    place = end = 0
    for span in spans:
        start = end + len(decode(data[place : span.start]))
        end = start + len(decode(data[span.start : span.end]))
        found.append(span._replace(start=start, end=end))
        place = span.end
    return found


def closing_signs(signs: re.Pattern[str], text: str) -> dict[int, int]:
    """Where the closing sign begins of each opening one that has any, by the end of the latter.

    The groups of `signs` are ``opens`` and ``closes``.
    """
    found = {}
    opened: list[int] = []
    for sign in signs.finditer(text):
        if sign.lastgroup == "opens":
            opened.append(sign.end())
        elif sign.lastgroup == "closes" and opened:
            found[opened.pop()] = sign.start()
    return found


class _Reader:
    def __init__(self, title: str, opens_groups: bool) -> None:
        self._title = title
        self._closes = not opens_groups
        self._groups = closing_signs(_BRACE, title)
        self._spans = closing_signs(_SPAN, title)
        self.text: list[str] = []
        self.begins: list[int] = []
        self.ends: list[int] = []
        self.letters: list[int] = []

    def read(self, at: int, end: int, is_closed: bool, depth: int) -> None:
        """Read a part of the title within so many groups."""
        title = self._title
        while at < end:
            character = title[at]
            if character == "{" and depth < _MAX_DEPTH:
                at = self._group(at, end, is_closed, depth + 1)
                continue
            found = _MATHEMATICS.match(title, at, end) if character in "$\\" else None
            if found:
                if found[0].startswith(_RAISED):
                    self._add(" ", at, at, -1)
                self._add(_MATHEMATICS_TEXT, at, found.end(), -1)
                at = found.end()
            elif character == "\\":
                at = self._command(at, end, is_closed)
            elif character == "<" and (tag := _TAG.match(title, at, end)):
                at = self._tag(tag, end, depth + 1)
            elif character in "{}":
                at += 1
            else:
                # A line break within a title is white space; a tie joins two words.
                shown = " " if character in "\n~" else character
                self._add(shown, at, at + 1, -1 if is_closed else at)
                at += 1

    def _add(self, character: str, begin: int, end: int, letter: int) -> None:
        self.text.append(character)
        self.begins.append(begin)
        self.ends.append(end)
        self.letters.append(letter)

    def _tag(self, tag: re.Match[str], end: int, depth: int) -> int:
        """Read a tag, and a span that keeps its case; return the index behind."""
        begin = tag.end()
        if tag[0].lower() == "<sup>":
            self._add(" ", tag.start(), begin, -1)
        if _NO_CASE.fullmatch(tag[0]) is None or depth > _MAX_DEPTH:
            return begin
        close = self._spans.get(begin, end)
        if close >= end:
            return begin
        self.read(begin, close, True, depth)
        return close

    def _group(self, at: int, end: int, is_closed: bool, depth: int) -> int:
        close = min(self._groups.get(at + 1, end), end)
        behind = min(close + 1, end)
        accented = _ACCENTED.match(self._title, at + 1, close)
        command = _COMMAND.match(self._title, at + 1, close)
        if accented and accented.end() == close:
            self._accented(accented, at, behind, is_closed)
        elif command and command.end() == close and command[1] in _LETTERS:
            self._add(_LETTERS[command[1]], at, behind, -1)
        else:
            self.read(at + 1, close, is_closed or self._closes, depth)
        return behind

    def _accented(self, found: re.Match[str], begin: int, end: int, is_closed: bool) -> None:
        group = next(number for number in (3, 4, 5) if found[number])
        letter = unicodedata.normalize("NFC", found[group] + _ACCENTS[found[1] or found[2]])
        if len(letter) != 1:
            letter = found[group]
        # The command names \i and \j are not letters to raise.
        is_named = self._title[found.start(group) - 1] == "\\"
        self._add(letter, begin, end, -1 if is_closed or is_named else found.start(group))

    def _command(self, at: int, end: int, is_closed: bool) -> int:
        accented = _ACCENTED.match(self._title, at, end)
        if accented:
            self._accented(accented, at, accented.end(), is_closed)
            return accented.end()
        found = _COMMAND.match(self._title, at, end)
        if found is None:
            self._add("\\", at, at + 1, -1)
            return at + 1
        name = found[1]
        if name is None:
            # \& and \% are signs, "\ " a space.
            self._add(found[2] if found[2] != "\n" else " ", at, found.end(), -1)
        elif name in _LETTERS:
            self._add(_LETTERS[name], at, found.end(), -1)
        elif name == "textsuperscript":
            self._add(" ", at, found.end(), -1)
        elif not self._title.startswith("{", found.end()):
            # \LaTeX is a word, \alpha stands for one.
            for offset, letter in enumerate(name.ljust(found.end() - at - 1)):
                self._add(letter, at if offset == 0 else at + 1 + offset, at + 2 + offset, -1)
        return found.end()
