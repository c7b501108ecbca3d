"""Character sets: files are converted to UTF-8, cased, and converted back."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterable, Iterator

from truecase.base.encoding import check_encoding
from truecase.errors import FormatError
from truecase.formats.segments import line_of

# Longer marks first: that of UTF-32 begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# XML without a mark begins with "<", and that with an ASCII character.
_UNMARKED = ((b"<\0", "utf-16-le"), (b"\0<", "utf-16-be"))

_XML_DECLARATION = re.compile(
    rb"<\?xml\s[^<>]{0,1000}?\sencoding\s*=\s*[\"']([A-Za-z][A-Za-z0-9._:-]*)[\"']"
)
_UTF_16 = re.compile(rb"utf[-_]16", re.IGNORECASE)
# The entry with the empty msgid; the group is its string.
_PO_HEADER = re.compile(
    rb"^[ \t]*msgid[ \t\r\n]*(?:\"\"\s*)+msgstr[ \t\r\n]*"
    rb"((?:\"[^\"\\\r\n]*(?:\\.[^\"\\\r\n]*)*\"\s*)+)",
    re.MULTILINE,
)
_PO_CHARSET = re.compile(rb"charset=([^\\\"\s;]+)", re.IGNORECASE)
# Browsers look for it in the first _META_BYTES.
_META = re.compile(
    rb"<meta\s[^<>]*?charset\s*=\s*[\"']?\s*([A-Za-z][A-Za-z0-9._:-]*)", re.IGNORECASE
)
_META_BYTES = 1024
# Files are converted in chunks: as text they may need four times the memory.
_CHUNK = 1 << 20

_ASCII = bytes(range(32, 127))


class Charset:
    """How the characters of a file are encoded.

    `name` is that of a codec of Python. UTF-8 passes untouched; a byte order mark is an ordinary
    character.
    """

    def __init__(self, name: str = "utf-8") -> None:
        self.name = name
        self.is_utf8 = name == "utf-8"

    def decode(self, data: bytes, file: str) -> bytes:
        """The file in UTF-8; raises FormatError if that cannot be undone exactly."""
        decoder = codecs.getincrementaldecoder(self.name)()
        encoder = codecs.getincrementalencoder(self.name)()
        parts = []
        n_written = 0
        for start in range(0, len(data) + 1, _CHUNK):
            is_last = start + _CHUNK > len(data)
            n_held = len(decoder.getstate()[0])
            try:
                text = decoder.decode(data[start : start + _CHUNK], is_last)
            except UnicodeError as error:
                wrong = start - n_held + getattr(error, "start", 0)
                raise FormatError(
                    f"{file}: line {line_of(data, wrong)}: byte {wrong} is not {self.name.upper()}"
                ) from None
            if self.is_utf8:
                continue
            # Some character sets can write a text in several ways; the encoder knows one.
            try:
                written = encoder.encode(text, is_last)
            except UnicodeError:
                written = b""
            n_before, n_written = n_written, len(data) if is_last else n_written + len(written)
            if data[n_before:n_written] != written or (text and not written):
                raise FormatError(f"{file}: cannot be kept byte for byte in {self.name.upper()}")
            parts.append(text.encode("utf-8"))
        return data if self.is_utf8 else b"".join(parts)

    def encode(self, pieces: Iterable[bytes | memoryview]) -> Iterator[bytes | memoryview]:
        """Convert pieces of UTF-8, which may end within a character."""
        if self.is_utf8:
            yield from pieces
            return
        decoder = codecs.getincrementaldecoder("utf-8")()
        encoder = codecs.getincrementalencoder(self.name)()
        for piece in pieces:
            yield encoder.encode(decoder.decode(piece))
        yield encoder.encode("", final=True)

    @property
    def can_write(self) -> Callable[[str], bool] | None:
        """A test whether the character set has all characters of a text; None if it always has."""
        return None if self.name.startswith("utf-") else self._has

    def _has(self, text: str) -> bool:
        try:
            text.encode(self.name)
        except UnicodeError:
            return False
        return True


def charset_of_xml(data: bytes, file: str, wanted: str | None = None) -> Charset:
    """The character set of XML: `wanted`, or by the byte order mark or XML declaration."""
    declared = _XML_DECLARATION.match(data)
    # A declaration of UTF-16 that could be read is wrong, as some tools write it.
    if declared is not None and _UTF_16.match(declared[1]):
        declared = None
    return _declared(data, file, wanted, declared, _MARKS + _UNMARKED)


def charset_of_po(data: bytes, file: str, wanted: str | None = None) -> Charset:
    """The character set of gettext PO: `wanted`, or by the byte order mark or header entry."""
    header = _PO_HEADER.search(data)
    declared = None if header is None else _PO_CHARSET.search(data, *header.span(1))
    if declared is not None and declared[1] == b"CHARSET":
        declared = None
    return _declared(data, file, wanted, declared)


def charset_of_html(data: bytes, file: str, wanted: str | None = None) -> Charset:
    """The character set of HTML: `wanted`, or by the byte order mark or ``meta``."""
    return _declared(data, file, wanted, _META.search(data, 0, _META_BYTES))


def charset_of_text(data: bytes, file: str, wanted: str | None = None) -> Charset:
    """The character set of text: `wanted`, or by the byte order mark; else UTF-8."""
    return _declared(data, file, wanted, None)


def _declared(
    data: bytes,
    file: str,
    wanted: str | None,
    declared: re.Match[bytes] | None,
    marks: Iterable[tuple[bytes, str]] = _MARKS,
) -> Charset:
    """The chosen character set, or else the declared one, or UTF-8."""
    chosen = _chosen(data, file, wanted, marks)
    if chosen is not None or declared is None:
        return chosen or Charset()
    return _named(declared[1].decode("ascii", "replace"), file, line_of(data, declared.start()))


def _chosen(
    data: bytes, file: str, wanted: str | None, marks: Iterable[tuple[bytes, str]]
) -> Charset | None:
    """The character set that the user asks for, or by the byte order mark, if they agree."""
    marked = next((Charset(name) for mark, name in marks if data.startswith(mark)), None)
    if wanted is None:
        return marked
    codec = check_encoding(wanted)
    if marked is not None and (marked.name == codec or marked.name.startswith(f"{codec}-")):
        return marked
    if marked is not None or codec in ("utf-16", "utf-32"):
        found = "has no byte order mark" if marked is None else f"begins as one in {marked.name}"
        raise FormatError(f"{file}: line 1: not in {codec}: it {found}")
    return Charset("utf-8" if codec == "ascii" else codec)


def _named(name: str, file: str, line: int) -> Charset:
    try:
        codec = codecs.lookup(name).name
        agrees = _ASCII.decode(codec) == _ASCII.decode("ascii")
        codecs.getincrementaldecoder(codec)
        codecs.getincrementalencoder(codec)
    except (LookupError, UnicodeError, ValueError):
        raise FormatError(
            f"{file}: line {line}: the character set {name!r} is not known here; convert the "
            "file to UTF-8"
        ) from None
    if not agrees:
        raise FormatError(
            f"{file}: line {line}: the character set {name!r} does not fit: its name could be read "
            "as ASCII"
        )
    # US-ASCII files are UTF-8 too, and then every letter can be written.
    return Charset("utf-8" if codec in ("utf-8", "ascii", "utf-8-sig") else codec)
