"""The content of a target or source in XML, as pieces of text.

The parser has found it well-formed before; what is needed here is where each character
stands, and how it is written, which a parser does not tell.
"""

from __future__ import annotations

import html
import re

from truecase.formats.flow import DECIMAL, FIXED, HEXADECIMAL, PLAIN, Piece
from truecase.formats.protect import VALUE, is_placeholder

_ATTRIBUTES = rb"(?:[^\"'<>/]+|\"[^\"]*\"|'[^']*'|/(?!>))*"
#: From the start of a tag to its end.
TAG = re.compile(rb"<[^\s/>]+" + _ATTRIBUTES + rb"/?>")
_MARKUP = re.compile(
    rb"<!--.*?-->"
    rb"|<!\[CDATA\[(?P<cdata>.*?)\]\]>"
    rb"|<\?.*?\?>"
    rb"|</(?P<end>[^\s>]+)\s*>"
    rb"|<(?P<start>[^\s/>]+)(?P<attributes>" + _ATTRIBUTES + rb")(?P<empty>/?)>"
    rb"|&(?P<reference>[^;]*);",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(rb"([^\s=\"']+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")

# Native code is in them, no text; of TMX and XLIFF 1.2.
_CODES = frozenset([b"ph", b"bpt", b"ept", b"it", b"ut"])
# Elements that stand for something in the text, rather than for its looks; also of XLIFF 2.
_STANDALONE = frozenset([b"ph", b"x", b"ut", b"cp"])
_SHOWN_AS = (b"equiv-text", b"equiv", b"disp")
_PREDEFINED = {b"amp": "&", b"lt": "<", b"gt": ">", b"quot": '"', b"apos": "'"}


def xml_pieces(data: bytes, start: int, end: int) -> list[Piece]:
    """The text of bytes `start` … `end` - 1 of an XML file in UTF-8.

    Tags and comments are left out; native code in ``bpt ept it ph ut`` is no text; ``ph`` and
    ``x`` show as a number if they are known to stand for a value, else as a blank. Text in
    ``mrk`` that is protected or not to be translated does not change.
    """
    raw = data[start:end]
    if b"<" not in raw and b"&" not in raw:
        return [Piece(PLAIN, start, end, raw.decode("utf-8"))]
    reader = _Reader(data)
    position = start
    for match in _MARKUP.finditer(data, start, end):
        reader.text(position, match.start())
        reader.markup(match)
        position = match.end()
    reader.text(position, end)
    return reader.pieces


class _Reader:
    """Goes through a content once."""

    def __init__(self, data: bytes) -> None:
        self.pieces: list[Piece] = []
        self._data = data
        # Elements that are open in a code, with the code itself; its start.
        self._n_in_code = 0
        self._code_start = 0
        self._code = b""
        # Of each open element, whether what it marks is not to change; and open sm of XLIFF 2.
        self._fixed: list[bool] = []
        self._fixed_ids: set[bytes] = set()

    @property
    def _is_fixed(self) -> bool:
        return bool(self._fixed_ids) or (bool(self._fixed) and self._fixed[-1])

    def _add(self, kind: int, start: int, end: int, text: str) -> None:
        self.pieces.append(Piece(FIXED if self._is_fixed else kind, start, end, text))

    def text(self, start: int, end: int) -> None:
        if start < end and not self._n_in_code:
            self._add(PLAIN, start, end, self._data[start:end].decode("utf-8"))

    def markup(self, match: re.Match[bytes]) -> None:
        kind = match.lastgroup
        if match["start"] is not None:
            self._start(match)
        elif kind == "end":
            self._end(match)
        elif self._n_in_code:
            return
        elif kind == "cdata":
            self.text(match.start("cdata"), match.end("cdata"))
        elif kind == "reference":
            self._reference(match)

    def _start(self, match: re.Match[bytes]) -> None:
        name = match["start"].rpartition(b":")[2]
        is_empty = bool(match["empty"])
        if self._n_in_code:
            self._n_in_code += not is_empty
            return
        if name in _STANDALONE:
            self._standalone(match)
        if name == b"sm" or name == b"em":
            self._fixed_span(name, _attributes(match["attributes"]))
        if is_empty:
            return
        if name in _CODES:
            self._n_in_code = 1
            self._code_start = match.end()
            self._code = name
        elif name == b"mrk":
            self._fixed.append(_keeps_case(_attributes(match["attributes"]), self._is_fixed))
        else:
            self._fixed.append(self._is_fixed)

    def _end(self, match: re.Match[bytes]) -> None:
        if not self._n_in_code:
            if self._fixed:
                self._fixed.pop()
            return
        self._n_in_code -= 1
        if not self._n_in_code and self._code in _STANDALONE:
            code = self._data[self._code_start : match.start()].decode("utf-8")
            if is_placeholder(html.unescape(code)):
                self.pieces[-1] = self.pieces[-1]._replace(text=VALUE)

    def _standalone(self, match: re.Match[bytes]) -> None:
        attributes = _attributes(match["attributes"])
        shown = " "
        for name in _SHOWN_AS:
            code = attributes.get(name, b"").decode("utf-8")
            if is_placeholder(html.unescape(code)):
                shown = VALUE
        self.pieces.append(Piece(FIXED, match.start(), match.start(), shown))

    def _fixed_span(self, name: bytes, attributes: dict[bytes, bytes]) -> None:
        if name == b"em":
            self._fixed_ids.discard(attributes.get(b"startRef", b""))
        elif _keeps_case(attributes, False):
            self._fixed_ids.add(attributes.get(b"id", b""))

    def _reference(self, match: re.Match[bytes]) -> None:
        name = match["reference"]
        if name.startswith(b"#"):
            # Python reads numbers of thousands of digits as little as it should; XML has them.
            kind, digits, base = (
                (HEXADECIMAL, name[2:], 16) if name[1:2] == b"x" else (DECIMAL, name[1:], 10)
            )
            self._add(kind, *match.span(), chr(int(digits.lstrip(b"0"), base)))
        elif name in _PREDEFINED:
            self._add(FIXED, match.start(), match.end(), _PREDEFINED[name])
        else:
            # Of a document type that is not read; HTML's names are what others use as well.
            text = html.unescape(match[0].decode("utf-8"))
            self._add(FIXED, match.start(), match.end(), text)


def _attributes(raw: bytes) -> dict[bytes, bytes]:
    return {
        match[1].rpartition(b":")[2]: match[2] if match[2] is not None else match[3]
        for match in _ATTRIBUTE.finditer(raw)
    }


def _keeps_case(attributes: dict[bytes, bytes], inherited: bool) -> bool:
    if attributes.get(b"mtype") == b"protected":
        return True
    translate = attributes.get(b"translate")
    return inherited if translate is None else translate == b"no"
