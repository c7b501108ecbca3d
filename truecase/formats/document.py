"""Any file of translations, read: its format, its segments, its languages."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from truecase.files.progress import Progress
from truecase.formats.charset import Charset, charset_of_po, charset_of_xml
from truecase.formats.errors import FormatError
from truecase.formats.flow import Piece
from truecase.formats.languages import Languages
from truecase.formats.po import PoFile, po_pieces
from truecase.formats.segments import FINAL, LOCKED, Segments
from truecase.formats.tmx import TmxReader
from truecase.formats.xliff import xliff_reader
from truecase.formats.xml_content import xml_pieces
from truecase.formats.xml_document import ReaderType, XmlFile

#: Names of formats, for `read_document`.

_XML_START = re.compile(rb"(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[\s\0]*<")
_PO_LINE = re.compile(
    rb"^(?:\xef\xbb\xbf)?[ \t]*(?:#~[ \t|]*)?(?:msgid|msgctxt|domain)[ \t\r\n\"]", re.MULTILINE
)
_XLIFF_ROOT = "xliff"


class Document(NamedTuple):
    """A file of translations.

    Attributes
    ----------
    name : str
        For messages.
    format : str
        For people, such as ``XLIFF 1.2``.
    data : bytes
        The file as UTF-8.
    charset : Charset
        How the file is written.
    segments : Segments
        What is to be cased.
    languages : Languages
        Source and target; None where nothing tells.
    pieces : callable
        The text of a span of `data`.
    has_accelerators : bool
        Whether its texts may be those of menus, with marks in words.
    """

    name: str
    format: str
    data: bytes
    charset: Charset
    segments: Segments
    languages: Languages
    pieces: Callable[[bytes, int, int], list[Piece]]
    has_accelerators: bool = False


def read_document(
    data: bytes,
    name: str,
    format: str | None = None,
    wanted: Languages | None = None,
    leave: Iterable[str] = (FINAL, LOCKED),
    progress: Progress | None = None,
    encoding: str | None = None,
) -> Document:
    """Find the segments of a file.

    Parameters
    ----------
    data : bytes
        The whole file, in any character set that it names.
    name : str
        For messages.
    format : {"tmx", "xliff", "po"}, optional
        What it must be; by default what it looks like.
    wanted : Languages, optional
        Source and target language; a TMX file with more than two needs the target.
    leave : iterable of {FINAL, LOCKED}
        Segments of XLIFF with these marks are left alone.
    progress : Progress, optional
        Told of the bytes.
    encoding : str, optional
        How the file's characters are written, whatever it says of itself.

    Raises
    ------
    FormatError
        If the file is not what it should be.
    """
    progress = progress or Progress(enabled=False)
    wanted = wanted or Languages()
    is_xml = _XML_START.match(data) is not None
    if not is_xml and (format == "po" or (format is None and _PO_LINE.search(data))):
        charset = charset_of_po(data, name, encoding)
        text = charset.decode(data, name)
        po = PoFile(name, text).parse(progress)
        segments, languages = po.finish(wanted)
        return Document(name, po.format, text, charset, segments, languages, po_pieces, True)
    if not is_xml or format == "po":
        expected = {"po": "gettext PO", None: "TMX, XLIFF or gettext PO"}.get(format, "XML")
        raise FormatError(f"{name}: line 1: expected {expected}, this is something else")
    charset = charset_of_xml(data, name, encoding)
    # Expat tells the line of a wrong byte itself, if it is to be UTF-8.
    text = data if charset.is_utf8 else charset.decode(data, name)
    readers: dict[str, ReaderType] = {
        "tmx": TmxReader,
        _XLIFF_ROOT: functools.partial(xliff_reader, leave=leave),
    }
    if format is not None:
        readers = {format: readers[format]}
    reader = XmlFile(name, text).parse(readers, progress)
    segments, languages = reader.finish(wanted)
    return Document(name, reader.format, text, charset, segments, languages, xml_pieces)
