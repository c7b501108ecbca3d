"""Texts of HTML: sentences run through inline tags, and end at blocks.

Tags are found as HTML's tokeniser finds them, by the bytes; a page need not be well-formed.
"""

from __future__ import annotations

import html
import re

from truecase.formats.flow import FIXED, Piece
from truecase.formats.pieces import blank, plain
from truecase.formats.units import Units

_REFERENCE = rb"&(?:[A-Za-z]\w{1,30}|\#\d{1,7}|\#[xX][0-9A-Fa-f]{1,6});?"
_TOKEN = re.compile(
    rb"<!--.*?(?:-->|\Z)"
    rb"|<[!?][^>]*(?:>|\Z)"
    rb"|<(?P<slash>/?)(?P<name>[A-Za-z][^\s/>]*)"
    # A quotation mark that is not closed is a sign like others.
    rb"(?P<attributes>(?:[^>\"']|\"[^\"]*\"|'[^']*'){0,5000}|[^>]*)>"
    rb"|" + _REFERENCE,
    re.DOTALL,
)
_ENTITY = re.compile(_REFERENCE)
_NOT_TRANSLATED = re.compile(rb"\btranslate\s*=\s*[\"']?no\b|\bnotranslate\b", re.IGNORECASE)

# Elements that stand within a sentence; all others end it.
_INLINE = frozenset(
    b"a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark nobr q"
    b" rp rt ruby s samp small span strike strong sub sup time tt u var wbr".split()
)
# Inline elements whose text is none, but belongs to the sentence.
_CODE = frozenset(b"code kbd samp tt var".split())
# Blocks without text; of those in the second list, not even tags are read.
_SKIPPED = frozenset(b"pre svg math template object".split())
_RAW = frozenset(b"script style textarea xmp iframe noembed noframes plaintext".split())
_VOID = frozenset(b"area base br col embed hr img input link meta source track wbr".split())


def read_html(name: str, data: bytes) -> Units:
    """The texts of a page."""
    units = Units()
    add_html(units, data, 0, len(data))
    return units


def add_html(units: Units, data: bytes, start: int, end: int) -> None:
    """Find the texts of bytes `start` … `end` - 1."""
    reader = _Reader(units, data)
    position = start
    # After the last end of a tag there are none, and looking for their ends would take long.
    last = data.rfind(b">", start, end) + 1
    while position < end:
        token = _TOKEN.search(data, position, last) if position < last else None
        token = token or _ENTITY.search(data, max(position, last), end)
        if token is None:
            break
        reader.text(position, token.start())
        position = reader.token(token, end)
    reader.text(position, end)
    reader.finish()


class _Reader:
    def __init__(self, units: Units, data: bytes) -> None:
        self._units = units
        self._data = data
        self._pieces: list[Piece] = []
        # The element in which text is left alone, and how many of its name are open.
        self._kept = b""
        self._n_kept = 0
        self._is_skipped = False
        self._n_breaks = 0

    def finish(self) -> None:
        """End a text."""
        if self._pieces:
            self._units.add_unit(self._pieces)
        self._pieces = []
        self._n_breaks = 0

    def text(self, start: int, end: int) -> None:
        """Take text."""
        if start >= end or self._is_skipped:
            return
        piece = plain(self._data, start, end)
        if not piece.text.isspace():
            self._n_breaks = 0
        self._pieces.append(piece._replace(kind=FIXED) if self._kept else piece)

    def token(self, token: re.Match[bytes], end: int) -> int:
        """Take a tag, a comment or an entity; return where the text goes on."""
        if token[0].startswith(b"&"):
            if not self._is_skipped:
                text = html.unescape(token[0].decode("ascii"))
                self._pieces.append(Piece(FIXED, *token.span(), text))
        elif token["name"] is not None:
            return self._tag(token, end)
        return token.end()

    def _tag(self, token: re.Match[bytes], end: int) -> int:
        name = token["name"].lower()
        is_start = not token["slash"]
        is_empty = name in _VOID or token["attributes"].endswith(b"/")
        if self._kept:
            if name == self._kept and not (is_start and is_empty):
                self._n_kept += 1 if is_start else -1
                if not self._n_kept:
                    self._kept, self._is_skipped = b"", False
            return token.end()
        if name == b"br":
            self._n_breaks += 1
            if self._n_breaks > 1:
                self.finish()
            else:
                self._pieces.append(blank(token.end()))
            return token.end()
        if name not in _INLINE:
            self.finish()
        if not is_start or is_empty:
            return token.end()
        if name in _RAW:
            close = re.compile(rb"</" + re.escape(name) + rb"(?=[\s/>])", re.IGNORECASE)
            found = close.search(self._data, token.end(), end)
            return end if found is None else found.start()
        if name in _CODE | _SKIPPED or _NOT_TRANSLATED.search(token["attributes"]):
            self._kept, self._n_kept = name, 1
            self._is_skipped = name not in _INLINE
        return token.end()
