"""Texts of DOCX: paragraphs of WordprocessingML, with sentences that run over runs.

A paragraph is a text; ``w:t`` in its runs hold its characters. Elements and their meaning are
those of ECMA-376, part 1, section 17.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import NamedTuple

from truecase.formats.docx_package import SEPARATOR, DocxPackage, Part
from truecase.formats.flow import FIXED, Piece
from truecase.formats.languages import Languages
from truecase.formats.protect import VALUE
from truecase.formats.segments import Segments
from truecase.formats.units import Units
from truecase.formats.xml_content import xml_pieces
from truecase.formats.xml_document import MAX_DEPTH, XmlFile

#: What ends a paragraph: how far in the file a text is, is told by their number.
PARAGRAPH_END = b"</w:p>"

_ROOTS = ("document", "hdr", "ftr", "footnotes", "endnotes", "comments")

# Styles by the names that Word, LibreOffice, pandoc and people give them.
_CODE_STYLE = re.compile(
    r"^code|code$|code[ _](?:block|char|text)|verbatim|preformatted"
    r"|source[ _]*(?:code|text)|(?:computer|inline|program)[ _]*code|^macro text|teletype|monospace"
    r"|^html[ _](?:code|keyboard|sample|typewriter|variable)",
    re.IGNORECASE,
)
_NO_CODE = re.compile(r"caption|title|heading|legend|zip|post|colou?r", re.IGNORECASE)
# What fields show is put there by the program, but for these, whose texts people have written.
_PROSE_FIELD = re.compile(r"\s*(?:HYPERLINK|TOC|FORMTEXT)\b", re.IGNORECASE)
_MATH = re.compile(r".*/math oMath")
# What stands for characters in a run.
_SHOWN = {"tab": " ", "ptab": " ", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}


def read_docx(package: DocxPackage) -> Units:
    """The texts of a document, its headers, footers, notes and comments.

    Raises
    ------
    FormatError
        If a part is not what it should be.
    """
    is_code = _code_styles(package.styles)
    units = Units()
    base = 0
    for part in package.parts:
        reader = functools.partial(_WordReader, units, base, is_code)
        XmlFile(part.name, part.data).parse(dict.fromkeys(_ROOTS, reader))
        base += len(part.data) + len(SEPARATOR)
    return units


class _Paragraph:
    """A paragraph that is open."""

    def __init__(self) -> None:
        self.pieces: list[Piece] = []
        self.is_code = False
        # Whether a style makes its innermost run code.
        self.has_code_run = False


class _Field:
    """A field that is open: its instruction, and then what it shows."""

    def __init__(self, instruction: str = "", *, is_shown: bool = False) -> None:
        self.instruction = instruction
        self.is_shown = is_shown

    @property
    def is_fixed(self) -> bool:
        """Whether its text is the program's."""
        return self.is_shown and _PROSE_FIELD.match(self.instruction) is None


class _WordReader:
    """Goes through a part once."""

    format = "DOCX"

    def __init__(
        self,
        units: Units,
        base: int,
        is_code: Callable[[str], bool],
        file: XmlFile,
        root: str,
        attributes: dict[str, str],
    ) -> None:
        self._units = units
        # Where the part begins.
        self._base = base
        self._is_code = is_code
        self._file = file
        self._prefix = root[: len(root) - len(file.root)]
        # Elements that are open, paragraphs and fields; in a text box there is another text.
        self._open = [root]
        self._paragraphs: list[_Paragraph] = []
        self._fields: list[_Field] = []
        self._fields_outside: list[list[_Field]] = []
        self._n_moved = 0
        self._start = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Handle a start tag."""
        if len(self._open) >= MAX_DEPTH:
            self._file.too_deep()
        local = name.removeprefix(self._prefix)
        parent = self._open[-1]
        self._open.append(local)
        if local == "p":
            self._paragraphs.append(_Paragraph())
        elif local == "txbxContent":
            self._fields_outside.append(self._fields)
            self._fields = []
        elif local == "moveFrom":
            self._n_moved += 1
        elif local == "fldSimple":
            self._fields.append(_Field(self._value(attributes, "instr"), is_shown=True))
        elif local == "r" and self._paragraphs:
            self._paragraphs[-1].has_code_run = False
        elif local in ("pStyle", "rStyle") and self._paragraphs:
            self._style(local, self._value(attributes, "val"))
        elif local in ("t", "instrText"):
            self._start = self._file.content_start()
        elif parent == "r" and local == "fldChar":
            self._field_sign(self._value(attributes, "fldCharType"))
        elif parent == "r" and local in _SHOWN:
            self._stand_in(_SHOWN[local])
        elif _MATH.fullmatch(name):
            self._stand_in(VALUE)

    def end(self, name: str) -> None:
        """Handle an end tag."""
        local = self._open.pop()
        if local == "p":
            paragraph = self._paragraphs.pop()
            if not paragraph.is_code:
                self._units.add_unit(paragraph.pieces)
        elif local == "txbxContent":
            self._fields = self._fields_outside.pop()
        elif local == "moveFrom":
            self._n_moved -= 1
        elif local == "fldSimple" and self._fields:
            self._fields.pop()
        elif local == "instrText" and self._fields:
            start, end = self._file.content(self._start)
            self._fields[-1].instruction += self._file.data[start:end].decode("utf-8")
        elif local == "t" and self._paragraphs and not self._n_moved:
            self._text()

    def finish(self, wanted: Languages) -> tuple[Segments, Languages]:
        """The texts of all parts so far."""
        return self._units, wanted

    def _value(self, attributes: dict[str, str], name: str) -> str:
        return attributes.get(self._prefix + name, "")

    def _style(self, element: str, style: str) -> None:
        # What a style was before a change that is tracked has other elements around it.
        around = self._open[-3:-1]
        if element == "pStyle" and around == ["p", "pPr"]:
            self._paragraphs[-1].is_code = self._is_code(style)
        elif element == "rStyle" and around == ["r", "rPr"]:
            self._paragraphs[-1].has_code_run = self._is_code(style)

    def _field_sign(self, kind: str) -> None:
        if kind == "begin":
            self._fields.append(_Field())
        elif kind == "separate" and self._fields:
            self._fields[-1].is_shown = True
        elif kind == "end" and self._fields:
            self._fields.pop()

    def _stand_in(self, text: str) -> None:
        if self._paragraphs and not self._n_moved:
            position = self._base + self._file.position()
            self._paragraphs[-1].pieces.append(Piece(FIXED, position, position, text))

    def _text(self) -> None:
        paragraph = self._paragraphs[-1]
        is_fixed = paragraph.has_code_run or any(field.is_fixed for field in self._fields)
        span = self._file.content(self._start)
        for kind, start, end, text in xml_pieces(self._file.data, *span):
            shown = FIXED if is_fixed else kind
            paragraph.pieces.append(Piece(shown, self._base + start, self._base + end, text))


class _Style(NamedTuple):
    """A style's name for people, and the style that it is based on."""

    name: str
    parent: str


class _StyleReader:
    """Names of styles, which are known in text by their ids."""

    format = "styles"

    def __init__(self, file: XmlFile, root: str, attributes: dict[str, str]) -> None:
        self._prefix = root.removesuffix("styles")
        self._style = ""
        self.styles: dict[str, _Style] = {}

    def start(self, name: str, attributes: dict[str, str]) -> None:
        local = name.removeprefix(self._prefix)
        if local == "style":
            self._style = attributes.get(f"{self._prefix}styleId", "")
            self.styles[self._style] = _Style("", "")
        elif local in ("name", "basedOn") and self._style in self.styles:
            value = attributes.get(f"{self._prefix}val", "")
            field = "name" if local == "name" else "parent"
            self.styles[self._style] = self.styles[self._style]._replace(**{field: value})

    def end(self, name: str) -> None:
        pass

    def finish(self, wanted: Languages) -> tuple[Segments, Languages]:
        return Segments(), wanted


def _code_styles(part: Part | None) -> Callable[[str], bool]:
    """Tells of a style's id whether it is one of code, by its name or those it is based on."""
    styles: dict[str, _Style] = {}
    if part is not None:
        reader = XmlFile(part.name, part.data).parse({"styles": _StyleReader})
        assert isinstance(reader, _StyleReader)
        styles = reader.styles

    @functools.cache
    def is_code(style: str) -> bool:
        seen: set[str] = set()
        while style and style not in seen:
            seen.add(style)
            name, parent = styles.get(style, _Style("", ""))
            if _NO_CODE.search(name or style):
                return False
            if _CODE_STYLE.search(name or style):
                return True
            style = parent
        return False

    return is_code
