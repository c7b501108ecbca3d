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
from truecase.formats.charset import Charset, charset_of_xml
from truecase.formats.format import Format, ReadOptions
from truecase.formats.placeholders import VALUE
from truecase.formats.segments import FIXED, Piece, Segments, Units
from truecase.formats.xml_file import MAX_DEPTH, XmlFile, xml_pieces

#: Between parts; no XML has it.
SEPARATOR = b"\0"

_ENCRYPTED = bytes.fromhex("d0cf11e0a1b11ae1")
_TYPES = "[Content_Types].xml"
_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml."
_STYLES = f"{_WORD}styles+xml"
_MAIN = (
    f"{_WORD}document.main+xml",
    f"{_WORD}template.main+xml",
    "application/vnd.ms-word.document.macroEnabled.main+xml",
    "application/vnd.ms-word.template.macroEnabledTemplate.main+xml",
)
_WITH_TEXT = (
    *_MAIN,
    *(f"{_WORD}{kind}+xml" for kind in ("header", "footer", "footnotes", "endnotes", "comments")),
)

# Real documents are far from both; deflate packs a thousand zeros into a byte.
_MAX_BYTES = 1 << 30
_MAX_SMALL_BYTES = 1 << 26
_MAX_RATIO = 200

# A field of sizes beyond 4 GB, which are other ones in the new archive.
_ZIP64 = 1
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    NotImplementedError,
    OSError,
    RuntimeError,
    ValueError,
)


class Part(NamedTuple):
    """A part with text in UTF-8: its name for messages, and in the archive."""

    name: str
    member: str
    data: bytes
    charset: Charset


class DocxPackage(Charset):
    """The archive, as a character set: it decodes to its parts with text, in order, joined."""

    def __init__(self, data: bytes, name: str) -> None:
        super().__init__("utf-8")
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
        part = self._part(archive, _TYPES)
        readers = {"Types": _ContentTypes}
        types = XmlFile(part.name, part.data).parse(readers)
        assert isinstance(types, _ContentTypes)
        # Where the main part's type is that of all XML, this one would be such a part, too.
        members = (member for member in archive.namelist() if member != _TYPES)
        return {member: types.of(member) for member in members}

    def _part(self, archive: zipfile.ZipFile, member: str) -> Part:
        name = f"{self._name}: {member}"
        data = archive.read(member)
        charset = charset_of_xml(data, name)
        if not charset.name.startswith("utf-"):
            raise FormatError(f"{name}: is in {charset.name.upper()}, expected UTF-8 or UTF-16")
        return Part(name, member, charset.decode(data, name), charset)


class _ContentTypes:
    """Types of members, by name or extension, whose case does not matter."""

    def __init__(self, file: XmlFile, root: str, attributes: dict[str, str]) -> None:
        self._by_name: dict[str, str] = {}
        self._by_extension: dict[str, str] = {}

    def start(self, name: str, attributes: dict[str, str]) -> None:
        kind = attributes.get("ContentType", "")
        if name.endswith("Override"):
            self._by_name[attributes.get("PartName", "").lstrip("/").lower()] = kind
        elif name.endswith("Default"):
            self._by_extension["." + attributes.get("Extension", "").lower()] = kind

    def end(self, name: str) -> None:
        pass

    def finish(self) -> Segments:
        return Segments()

    def of(self, member: str) -> str:
        """The type of a member; empty if unknown."""
        lower = member.lower()
        by_extension = self._by_extension.get(PurePosixPath(lower).suffix, "")
        return self._by_name.get(lower, by_extension)


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
_MATH = re.compile(r".*/math oMath")
# What stands for characters in a run.
_SHOWN = {"tab": " ", "ptab": " ", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}


def docx_charset(data: bytes, name: str, encoding: str | None = None) -> DocxPackage:
    """The package of a file."""
    if encoding is not None:
        raise FormatError(f"{name}: is DOCX, which says how it is encoded: give no encoding")
    return DocxPackage(data, name)


def read_docx(name: str, data: bytes, options: ReadOptions) -> Units:
    """The texts of a document, its headers, footers, notes and comments."""
    package = options.charset
    assert isinstance(package, DocxPackage)
    is_code = _code_styles(package.styles)
    units = Units()
    base = 0
    for part in package.parts:
        reader = functools.partial(_WordReader, units, base, is_code)
        XmlFile(part.name, part.data).parse(dict.fromkeys(_ROOTS, reader))
        base += len(part.data) + len(SEPARATOR)
    return units


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

    def finish(self) -> Segments:
        """The texts of all parts so far."""
        return self._units

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
    """The name of a style, and the style that it is based on."""

    name: str
    parent: str


class _StyleReader:
    """Reads the names of styles, by their ids."""

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

    def finish(self) -> Segments:
        return Segments()


def _code_styles(part: Part | None) -> Callable[[str], bool]:
    """Make a test whether a style is for code, by its name or the names of its ancestors."""
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


DOCX = Format(
    "docx",
    "DOCX",
    (".docx", ".docm", ".dotx", ".dotm"),
    lambda sample: sample.data.startswith(b"PK\x03\x04"),
    read_docx,
    charset=docx_charset,
    line_end=PARAGRAPH_END,
)
