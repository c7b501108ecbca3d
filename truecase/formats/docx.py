"""DOCX: an archive of XML parts, whose paragraphs are texts.

The parts with text are joined for casing, and go back into the archive. The standard library writes
the archive anew: members keep their order, names, dates and compression, and all other parts their
bytes. Elements and their meaning are those of ECMA-376, part 1, section 17.
"""

from __future__ import annotations

import copy
import functools
import io
import lzma
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import PurePosixPath
from typing import NamedTuple

from truecase.errors import FormatError
from truecase.formats import words_of
from truecase.formats.format import Charset, Format, ReadOptions, charset_of_xml, head_has
from truecase.formats.placeholders import VALUE
from truecase.formats.segments import FIXED, Piece, Units
from truecase.formats.xml_file import Tag, XmlFile, read_xml, xml_pieces

#: Between parts; no XML has it.
SEPARATOR = b"\0"

_ENCRYPTED = bytes.fromhex("d0cf11e0a1b11ae1")
_TYPES = "[Content_Types].xml"
_STYLES, *_WITH_TEXT = words_of("docx")
_MAIN = [kind for kind in _WITH_TEXT if kind.endswith(".main+xml")]

# Real documents are far from both; deflate packs a thousand zeros into a byte.
_MAX_BYTES = 1 << 30
_MAX_SMALL_BYTES = 1 << 26
_MAX_RATIO = 200

# A field of sizes beyond 4 GB, which are other ones in the new archive.
_ZIP64 = 1
_OF_ARCHIVES = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error)
_BROKEN = (*_OF_ARCHIVES, EOFError, OSError, RuntimeError, ValueError)


class Part(NamedTuple):
    """A part with text in UTF-8: its name for messages, and in the archive."""

    name: str
    member: str
    data: bytes
    charset: Charset


class DocxPackage(Charset):
    """The archive, as a character set: it decodes to its parts with text, in order, joined."""

    def __init__(self, data: bytes, name: str, encoding: str | None = None) -> None:
        super().__init__("utf-8")
        if encoding is not None:
            raise FormatError(f"{name}: DOCX files name their own encoding: give no encoding")
        self._data = data
        self._name = name
        if data.startswith(_ENCRYPTED):
            raise FormatError(
                f"{name}: is encrypted, or a document of Word 97 to 2003: save it as DOCX, without "
                "a password"
            )
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                self._check(archive)
                types = self._content_types(archive)
                members = [info.filename for info in archive.infolist()]
                self.parts = [
                    self._part(archive, member)
                    for member in members
                    if types.get(member) in _WITH_TEXT
                ]
                styles = [member for member in members if types.get(member) == _STYLES]
                self.styles = self._part(archive, styles[0]) if styles else None
        except FormatError:
            raise
        except _BROKEN as error:
            # Other messages describe the library's own steps.
            what = f": {error}" if isinstance(error, zipfile.BadZipFile) else ""
            raise FormatError(f"{name}: is no DOCX file, or a broken one{what}") from None
        if not any(types[part.member] in _MAIN for part in self.parts):
            raise FormatError(f"{name}: is no DOCX file: the archive has no document in it")

    def decode(self, data: bytes, file: str) -> bytes:
        """All parts with text, joined."""
        return SEPARATOR.join([part.data for part in self.parts])

    def encode(self, pieces: Iterable[bytes | memoryview]) -> Iterator[bytes | memoryview]:
        """The archive with new parts, given joined."""
        texts = b"".join(pieces).split(SEPARATOR)
        new = {
            part.member: b"".join(part.charset.encode([text]))
            for part, text in zip(self.parts, texts, strict=True)
            if text != part.data
        }
        if not new:
            yield self._data
            return
        written = io.BytesIO()
        with (
            zipfile.ZipFile(io.BytesIO(self._data)) as archive,
            zipfile.ZipFile(written, "w") as output,
        ):
            output.comment = archive.comment
            for info in archive.infolist():
                data = new.get(info.filename)
                try:
                    data = archive.read(info) if data is None else data
                except _BROKEN as error:
                    raise FormatError(f"{self._name}: is broken: {error}") from None
                kept = copy.copy(info)
                kept.extra = b"".join(_extra_fields(info.extra))
                output.writestr(kept, data)
                # The library sets these where they are 0; they are written at the end.
                kept.external_attr = info.external_attr
        yield written.getvalue()

    def _check(self, archive: zipfile.ZipFile) -> None:
        infos = archive.infolist()
        names = [info.filename for info in infos]
        if len(set(names)) < len(names):
            raise FormatError(f"{self._name}: is broken: two members have the same name")
        if any(info.flag_bits & 1 for info in infos):
            raise FormatError(f"{self._name}: is encrypted: save it without a password")
        n_bytes = sum(info.file_size for info in infos)
        ratio = n_bytes / max(1, len(self._data))
        if n_bytes > _MAX_BYTES or (n_bytes > _MAX_SMALL_BYTES and ratio > _MAX_RATIO):
            raise FormatError(
                f"{self._name}: {len(self._data):,} bytes unpack to {n_bytes:,}, which is refused"
            )

    def _content_types(self, archive: zipfile.ZipFile) -> dict[str, str]:
        """The type of each member."""
        if _TYPES not in archive.namelist():
            raise FormatError(f"{self._name}: is no DOCX file: the archive has no {_TYPES}")
        by_name: dict[str, str] = {}
        by_extension: dict[str, str] = {}
        codes = {"Override": 1, "Default": 2}
        for code, attributes in _elements(self._part(archive, _TYPES), "Types", codes):
            kind = attributes.get("ContentType", "")
            # Case does not matter.
            if code == 1:
                by_name[attributes.get("PartName", "").lstrip("/").lower()] = kind
            else:
                by_extension["." + attributes.get("Extension", "").lower()] = kind
        # Where the main part's type is that of all XML, this one would be such a part, too.
        members = {name: name.lower() for name in archive.namelist() if name != _TYPES}
        return {
            name: by_name.get(lower, by_extension.get(PurePosixPath(lower).suffix, ""))
            for name, lower in members.items()
        }

    def _part(self, archive: zipfile.ZipFile, member: str) -> Part:
        name = f"{self._name}: {member}"
        data = archive.read(member)
        charset = charset_of_xml(data, name)
        if not charset.name.startswith("utf-"):
            raise FormatError(f"{name}: is in {charset.name.upper()}, expected UTF-8 or UTF-16")
        return Part(name, member, charset.decode(data, name), charset)


def _elements(part: Part, root: str, codes: dict[str, int]) -> list[tuple[int, dict[str, str]]]:
    """Codes and attributes of some elements, by local names, of a part whose first is `root`."""

    def read(file: XmlFile) -> list[tuple[int, dict[str, str]]]:
        tags = file.tags(codes, (), any_namespace=True)
        return [(tag[0], file.attributes(tag)) for tag in tags]

    return read_xml(part.name, part.data, ReadOptions(), {root: read})[1]


def _extra_fields(extra: bytes) -> Iterator[bytes]:
    """The extra fields of a member that stay true in the new archive."""
    position = 0
    while position + 4 <= len(extra):
        kind, size = struct.unpack_from("<HH", extra, position)
        end = position + 4 + size
        if kind != _ZIP64:
            yield extra[position:end]
        position = end


#: The end of a paragraph; messages name a place by the number of its paragraph.
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
_MATH = [f"{namespace} oMath" for namespace in words_of("maths")]
# What stands for characters in a run.
_SHOWN = {"tab": " ", "ptab": " ", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_ELEMENTS = (*words_of("elements"), *_SHOWN)


def read_docx(name: str, data: bytes, options: ReadOptions) -> Units:
    """The texts of a document, its headers, footers, notes and comments."""
    package = options.charset
    assert isinstance(package, DocxPackage)
    is_code = _code_styles(package.styles)
    units = Units()
    base = 0
    for part in package.parts:
        for pieces in _texts(part, base, is_code):
            units.add_unit(pieces)
        base += len(part.data) + len(SEPARATOR)
    return units


def _texts(part: Part, base: int, is_code: Callable[[str], bool]) -> list[list[Piece]]:
    """The texts of a part that begins at `base`."""
    readers = {root: lambda file: _WordReader(file, base, is_code).read() for root in _ROOTS}
    return read_xml(part.name, part.data, ReadOptions(), readers)[1]


class _Paragraph:
    """An open paragraph."""

    def __init__(self) -> None:
        self.pieces: list[Piece] = []
        self.is_code = False
        # Whether a style makes its innermost run code.
        self.has_code_run = False


class _Field:
    """An open field: first its instruction, then what it shows."""

    def __init__(self, instruction: str = "", *, is_shown: bool = False) -> None:
        self.instruction = instruction
        self.is_shown = is_shown

    @property
    def is_fixed(self) -> bool:
        """Whether a program writes its text."""
        return self.is_shown and _PROSE_FIELD.match(self.instruction) is None


class _WordReader:
    """Reads one part; a paragraph is a text, and ``w:t`` in its runs hold the characters."""

    def __init__(self, file: XmlFile, base: int, is_code: Callable[[str], bool]) -> None:
        self._file = file
        # Where the part begins.
        self._base = base
        self._is_code = is_code
        # Elements that are open, with their depths; paragraphs and fields. In a text box there is
        # another text.
        self._open: list[tuple[str, int]] = []
        self._paragraphs: list[_Paragraph] = []
        self._fields: list[_Field] = []
        self._fields_outside: list[list[_Field]] = []
        self._n_moved = 0
        self._start = 0

    def read(self) -> list[list[Piece]]:
        """The texts of the part."""
        found: list[list[Piece]] = []
        names = {self._file.namespace + name: name for name in _ELEMENTS}
        names.update(dict.fromkeys(_MATH, "oMath"))
        codes = {name: code for code, name in enumerate(names, 1)}
        locals_ = list(names.values())
        for tag in self._file.tags(codes, frozenset(codes.values())):
            if tag[0] > 0:
                self._begin(locals_[tag[0] - 1], tag)
            elif self._open.pop()[0] == "p":
                paragraph = self._paragraphs.pop()
                if not paragraph.is_code:
                    found.append(paragraph.pieces)
            else:
                self._end(locals_[-tag[0] - 1], tag[2])
        return found

    def _begin(self, name: str, tag: Tag) -> None:
        """Handle a start tag."""
        _, depth, start, end, _ = tag
        is_in_run = bool(self._open) and self._open[-1] == ("r", depth - 1)
        self._open.append((name, depth))
        if name == "p":
            self._paragraphs.append(_Paragraph())
        elif name == "txbxContent":
            self._fields_outside.append(self._fields)
            self._fields = []
        elif name == "moveFrom":
            self._n_moved += 1
        elif name == "fldSimple":
            self._fields.append(_Field(self._value(tag, "instr"), is_shown=True))
        elif name == "r" and self._paragraphs:
            self._paragraphs[-1].has_code_run = False
        elif name in ("pStyle", "rStyle") and self._paragraphs:
            self._style(name, depth, self._value(tag, "val"))
        elif name in ("t", "instrText"):
            self._start = end
        elif is_in_run and name == "fldChar":
            self._field_sign(self._value(tag, "fldCharType"))
        elif is_in_run and name in _SHOWN:
            self._stand_in(_SHOWN[name], start)
        elif name == "oMath":
            self._stand_in(VALUE, start)

    def _end(self, name: str, position: int) -> None:
        """Handle an end tag."""
        if name == "txbxContent":
            self._fields = self._fields_outside.pop()
        elif name == "moveFrom":
            self._n_moved -= 1
        elif name == "fldSimple" and self._fields:
            self._fields.pop()
        elif name == "instrText" and self._fields and self._start < position:
            instruction = self._file.data[self._start : position].decode("utf-8")
            self._fields[-1].instruction += instruction
        elif name == "t" and self._paragraphs and not self._n_moved and self._start < position:
            self._text(self._start, position)

    def _value(self, tag: Tag, name: str) -> str:
        return self._file.attributes(tag).get(self._file.namespace + name, "")

    def _style(self, element: str, depth: int, style: str) -> None:
        # What a style was before a change that is tracked has other elements around it.
        around = self._open[-3:-1]
        if element == "pStyle" and around == [("p", depth - 2), ("pPr", depth - 1)]:
            self._paragraphs[-1].is_code = self._is_code(style)
        elif element == "rStyle" and around == [("r", depth - 2), ("rPr", depth - 1)]:
            self._paragraphs[-1].has_code_run = self._is_code(style)

    def _field_sign(self, kind: str) -> None:
        if kind == "begin":
            self._fields.append(_Field())
        elif kind == "separate" and self._fields:
            self._fields[-1].is_shown = True
        elif kind == "end" and self._fields:
            self._fields.pop()

    def _stand_in(self, text: str, position: int) -> None:
        if self._paragraphs and not self._n_moved:
            position += self._base
            self._paragraphs[-1].pieces.append(Piece(FIXED, position, position, text))

    def _text(self, start: int, end: int) -> None:
        paragraph = self._paragraphs[-1]
        is_fixed = paragraph.has_code_run or any(field.is_fixed for field in self._fields)
        for kind, first, last, text in xml_pieces(self._file.data, start, end):
            shown = FIXED if is_fixed else kind
            paragraph.pieces.append(Piece(shown, self._base + first, self._base + last, text))


def _code_styles(part: Part | None) -> Callable[[str], bool]:
    """Make a test whether a style is for code, by its name or the names of its ancestors."""
    names: dict[str, str] = {}
    parents: dict[str, str] = {}
    style_id = ""
    codes = {"style": 1, "name": 2, "basedOn": 3}
    for code, attributes in [] if part is None else _elements(part, "styles", codes):
        values = {name.rpartition(" ")[2]: value for name, value in attributes.items()}
        if code == 1:
            style_id = values.get("styleId", "")
            names[style_id] = parents[style_id] = ""
        elif style_id in names:
            (names if code == 2 else parents)[style_id] = values.get("val", "")

    @functools.cache
    def is_code(style: str) -> bool:
        seen: set[str] = set()
        while style and style not in seen:
            seen.add(style)
            name = names.get(style) or style
            if _NO_CODE.search(name):
                return False
            if _CODE_STYLE.search(name):
                return True
            style = parents.get(style, "")
        return False

    return is_code


_IS_ARCHIVE = head_has(re.compile(rb"\APK\x03\x04"))
_DOCX = ("docx", "DOCX", (".docx", ".docm", ".dotx", ".dotm"), _IS_ARCHIVE, read_docx)
DOCX = Format(*_DOCX, charset=DocxPackage, line_end=PARAGRAPH_END)
