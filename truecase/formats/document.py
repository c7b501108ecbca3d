"""Any file that is cased, read: its format, its segments, its languages."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from truecase.files.progress import Progress
from truecase.formats._segment_text import ANDROID as NOTATION_ANDROID
from truecase.formats._segment_text import JSON as NOTATION_JSON
from truecase.formats._segment_text import PO as NOTATION_PO
from truecase.formats._segment_text import XML as NOTATION_XML
from truecase.formats.catalogues import read_json, read_strings, read_xcstrings, read_yaml
from truecase.formats.charset import (
    Charset,
    charset_of_html,
    charset_of_po,
    charset_of_text,
    charset_of_xml,
)
from truecase.formats.detect import (
    DOCX,
    FORMATS,
    HTML,
    MANIFEST,
    PO,
    TEXT,
    XCSTRINGS,
    XML,
    check_container,
    detect,
)
from truecase.formats.docx_package import DocxPackage
from truecase.formats.docx_text import PARAGRAPH_END, read_docx
from truecase.formats.errors import FormatError
from truecase.formats.flow import Piece
from truecase.formats.html_text import read_html
from truecase.formats.interface_xml import AndroidReader, QtReader, ResxReader, android_pieces
from truecase.formats.languages import Languages
from truecase.formats.markdown_text import read_markdown
from truecase.formats.plain_text import read_paragraphs, read_sentences
from truecase.formats.po import PoFile, po_pieces
from truecase.formats.segments import FINAL, LOCKED, Segments
from truecase.formats.speech_columns import read_ctm, read_kaldi, read_stm
from truecase.formats.subtitles import read_ass, read_srt, read_vtt
from truecase.formats.tmx import TmxReader
from truecase.formats.transcripts import read_manifest, read_transcript
from truecase.formats.ttml import TtmlReader
from truecase.formats.units import SpannedUnits, Units
from truecase.formats.xliff import xliff_reader
from truecase.formats.xml_content import xml_pieces
from truecase.formats.xml_document import ReaderType, XmlFile
from truecase.options import Context


class Document(NamedTuple):
    """A file whose texts are to be cased.

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
    has_placeholders : bool
        Whether its texts may be those of programs, with ``%s`` and markup in them.
    notation : int, optional
        How the contents of segments are written, for `truecase.formats._segment_text`.
    read_text : callable, optional
        Finds the texts of such a file in its bytes, UTF-8; only of transcripts and subtitles.
    line_end : bytes
        What is counted to tell where a text stands: ends of lines, or of paragraphs.
    """

    name: str
    format: str
    data: bytes
    charset: Charset
    segments: Segments
    languages: Languages
    pieces: Callable[[bytes, int, int], list[Piece]]
    has_accelerators: bool = False
    has_placeholders: bool = True
    line_end: bytes = b"\n"
    notation: int | None = None
    read_text: Callable[[bytes], Segments] | None = None

    @property
    def has_sources(self) -> bool:
        """Whether any text has a source beside it."""
        return any(start >= 0 for start in self.segments.source_start)

    def target_pieces(self, i: int) -> Sequence[Piece]:
        """The text of a segment that is to be cased."""
        if isinstance(self.segments, Units):
            return self.segments.pieces(i)
        return self.pieces(self.data, *self.segments.target(i))


def _no_pieces(data: bytes, start: int, end: int) -> list[Piece]:
    """Of a file whose units know their pieces, and which has no sources."""
    return []


def read_document(
    data: bytes,
    name: str,
    format: str | None = None,
    wanted: Languages | None = None,
    leave: Iterable[str] = (FINAL, LOCKED),
    progress: Progress | None = None,
    encoding: str | None = None,
    field: str | None = None,
    context: Context = "line",
    otherwise: str | None = None,
) -> Document:
    """Find the segments of a file.

    Parameters
    ----------
    data : bytes
        The whole file, in any character set that it names.
    name : str
        For messages.
    format : str, optional
        One of `truecase.formats.detect.FORMATS`; by default what the file's name and content
        tell.
    wanted : Languages, optional
        Source and target language; a TMX file with more than two needs the target.
    leave : iterable of {FINAL, LOCKED}
        Segments of XLIFF with these marks are left alone.
    progress : Progress, optional
        Told of the bytes.
    encoding : str, optional
        How the file's characters are written, whatever it says of itself.
    field : str, optional
        Of manifests in JSON lines, the name of the text; ``text`` by default.
    context : {"line", "document"}
        Of plain text, whether each line is sentences by itself, or sentences run over lines; see
        `truecase.documents.line_ends`.
    otherwise : str, optional
        The format of a file if nothing tells.

    Raises
    ------
    FormatError
        If the file is not what it should be.
    """
    progress = progress or Progress(enabled=False)
    wanted = wanted or Languages()
    kind = format or detect(data, name, otherwise)
    if field is not None and kind != MANIFEST:
        title = "XML" if kind == XML else FORMATS[kind].title
        raise FormatError(f"{name}: is {title}: only manifests in JSON lines have a named field")
    if context != "line" and kind != TEXT:
        title = "XML" if kind == XML else FORMATS[kind].title
        raise FormatError(f"{name}: is {title}: only of plain text can lines be the context")
    container = XML if kind == XML else FORMATS[kind].container
    check_container(data, name, kind)
    if container == DOCX:
        if encoding is not None:
            raise FormatError(f"{name}: is DOCX, which says how it is encoded: give no encoding")
        package = DocxPackage(data, name)
        texts = read_docx(package)
        progress.add_bytes(len(data))
        return Document(
            name,
            FORMATS[kind].title,
            package.text,
            package,
            texts,
            Languages(None, wanted.target),
            _no_pieces,
            has_placeholders=False,
            line_end=PARAGRAPH_END,
        )
    if container == PO:
        charset = charset_of_po(data, name, encoding)
        text = charset.decode(data, name)
        po = PoFile(name, text).parse(progress)
        segments, languages = po.finish(wanted)
        return Document(
            name,
            po.format,
            text,
            charset,
            segments,
            languages,
            po_pieces,
            True,
            notation=NOTATION_PO,
        )
    if container == TEXT:
        find_charset = charset_of_html if kind == HTML else charset_of_text
        charset = find_charset(data, name, encoding)
        text = charset.decode(data, name)
        is_known = format is not None
        read = functools.partial(_read_text, kind, name, field, wanted.target, context, is_known)
        segments, target = read(text)
        progress.add_bytes(len(data))
        languages = Languages(None, target)
        return Document(
            name,
            FORMATS[kind].title,
            text,
            charset,
            segments,
            languages,
            _no_pieces,
            has_placeholders=FORMATS[kind].has_placeholders,
            notation=NOTATION_JSON if isinstance(segments, SpannedUnits) else None,
            read_text=(lambda text: read(text)[0]) if kind in SPOKEN else None,
        )
    charset = charset_of_xml(data, name, encoding)
    # Expat tells the line of a wrong byte itself, if it is to be UTF-8.
    text = data if charset.is_utf8 else charset.decode(data, name)
    elements = _ELEMENTS if kind == XML else {_ELEMENT_OF[kind]: _ELEMENTS[_ELEMENT_OF[kind]]}
    readers = {element: known.reader for element, known in elements.items()}
    if _XLIFF in readers:
        readers[_XLIFF] = functools.partial(xliff_reader, leave=leave)
    file = XmlFile(name, text)
    reader = file.parse(readers, progress)
    segments, languages = reader.finish(wanted)
    known = _ELEMENTS[file.root]

    def read_xml(text: bytes) -> Segments:
        return XmlFile(name, text).parse(readers, Progress(enabled=False)).finish(wanted)[0]

    return Document(
        name,
        reader.format,
        text,
        charset,
        segments,
        languages,
        known.pieces,
        known.has_accelerators,
        not isinstance(segments, Units),
        notation=None if isinstance(segments, Units) else known.notation,
        read_text=read_xml if known.format in SPOKEN else None,
    )


#: Formats of what is spoken, whose texts have been cut by time.
SPOKEN = ("srt", "vtt", "ass", "ttml", "transcript", "ctm", "stm", "kaldi", MANIFEST)


class _Element(NamedTuple):
    """What is known of a format of XML by the first element of its files."""

    format: str
    reader: ReaderType
    pieces: Callable[[bytes, int, int], list[Piece]] = xml_pieces
    has_accelerators: bool = False
    notation: int = NOTATION_XML


_XLIFF = "xliff"
_ELEMENTS = {
    "tmx": _Element("tmx", TmxReader),
    _XLIFF: _Element("xliff", xliff_reader),
    "resources": _Element("android", AndroidReader, android_pieces, notation=NOTATION_ANDROID),
    "root": _Element("resx", ResxReader),
    "TS": _Element("qt", QtReader, has_accelerators=True),
    "tt": _Element("ttml", TtmlReader),
}
_ELEMENT_OF = {known.format: element for element, known in _ELEMENTS.items()}


_TEXT_READERS: dict[str, Callable[[str, bytes], Units]] = {
    "srt": read_srt,
    "vtt": read_vtt,
    "ass": read_ass,
    "transcript": read_transcript,
    "ctm": read_ctm,
    "stm": read_stm,
    "kaldi": read_kaldi,
    "strings": read_strings,
    "markdown": read_markdown,
    TEXT: read_sentences,
    HTML: read_html,
}


# What is of this format, but need not be a catalogue.
_VALUE_READERS = {"json": read_json, "yaml": read_yaml}


def _read_text(
    kind: str,
    name: str,
    field: str | None,
    target: str | None,
    context: Context,
    is_known: bool,
    text: bytes,
) -> tuple[Units, str | None]:
    if kind == MANIFEST:
        return read_manifest(name, text, field), target
    if kind == XCSTRINGS:
        return read_xcstrings(name, text, target)
    if kind == TEXT and context == "document":
        return read_paragraphs(name, text), target
    if kind in _VALUE_READERS:
        return _VALUE_READERS[kind](name, text, is_known), target
    return _TEXT_READERS[kind](name, text), target
