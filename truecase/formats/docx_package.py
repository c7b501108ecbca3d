"""The archive that a DOCX file is: its parts with text come out as one, and go back into it.

The archive is written anew by the standard library: members keep order, names, dates and kinds
of compression, and all but the parts with text their bytes.
"""

from __future__ import annotations

import copy
import io
import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import NamedTuple

from truecase.errors import FormatError
from truecase.formats.charset import Charset, charset_of_xml
from truecase.formats.languages import Languages
from truecase.formats.segments import Segments
from truecase.formats.xml_document import XmlFile

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

# A field of sizes beyond 4 GB, which says nothing of what is written anew.
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
    """A part with text.

    Attributes
    ----------
    name : str
        Of the file and the part, for messages.
    member : str
        Its name in the archive.
    data : bytes
        UTF-8.
    charset : Charset
        How it is written.
    """

    name: str
    member: str
    data: bytes
    charset: Charset


class DocxPackage(Charset):
    """How the characters of a DOCX file are bytes: in several parts of an archive.

    Parameters
    ----------
    data : bytes
        The file.
    name : str
        For messages.

    Attributes
    ----------
    parts : list of Part
        In the order of the archive.
    styles : Part, optional

    Raises
    ------
    FormatError
        If this is no DOCX file, or an encrypted or broken one.
    """

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
            # Other errors tell of the library's own steps.
            what = f": {error}" if isinstance(error, zipfile.BadZipFile) else ""
            raise FormatError(f"{name}: is no DOCX file, or a broken one{what}") from None
        if not any(types[part.member] in _MAIN for part in self.parts):
            raise FormatError(f"{name}: is no DOCX file: the archive has no document in it")

    @property
    def text(self) -> bytes:
        """All parts with text."""
        return SEPARATOR.join([part.data for part in self.parts])

    def encode(self, pieces: Iterable[bytes | memoryview]) -> Iterator[bytes | memoryview]:
        """The archive with new texts of its parts, given as one."""
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
        """The type of each member, as the archive tells it."""
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
    """Types by name and by extension; names are the same in any case."""

    format = "content types"

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

    def finish(self, wanted: Languages) -> tuple[Segments, Languages]:
        return Segments(), wanted

    def of(self, member: str) -> str:
        """The type of a member; empty if it has none."""
        lower = member.lower()
        by_extension = self._by_extension.get(PurePosixPath(lower).suffix, "")
        return self._by_name.get(lower, by_extension)


def _extra_fields(extra: bytes) -> Iterator[bytes]:
    """The fields of a member that stay true when it is written anew."""
    position = 0
    while position + 4 <= len(extra):
        kind, size = struct.unpack_from("<HH", extra, position)
        end = position + 4 + size
        if kind != _ZIP64:
            yield extra[position:end]
        position = end
