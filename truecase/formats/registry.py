"""All formats of files with texts: detects the format of a file, and reads the file."""

from __future__ import annotations

from truecase.base.progress import Progress
from truecase.base.read import check_is_text
from truecase.errors import FormatError
from truecase.formats import catalogues, docx, po, prose, subtitles, transcripts, translations
from truecase.formats.format import (
    Document,
    Format,
    ReadOptions,
    check_is_read,
    format_by_extension,
    sample_of,
)
from truecase.formats.languages import Languages, language_of_path, language_said, languages_of
from truecase.formats.segments import Segments
from truecase.formats.xml_file import ANY_XML, looks_like_xml, read_xml
from truecase.model.embedded import language_code

_FORMATS = (
    translations.TMX,
    translations.XLIFF,
    po.PO,
    *translations.INTERFACES,
    *catalogues.FORMATS,
    *subtitles.FORMATS,
    *transcripts.FORMATS,
    *prose.FORMATS,
    docx.DOCX,
    transcripts.KALDI,
    prose.TEXT,
)
#: Formats of files with texts, by the names of ``--format``.
FORMATS = {known.name: known for known in _FORMATS}

_BY_ELEMENT = {known.element: known for known in FORMATS.values() if known.element}
# A file is tested for these in this order.
_BY_CONTENT = [
    ANY_XML if name == "xml" else FORMATS[name]
    for name in (
        "sami kaldi docx html xml ass microdvd lrc manifest xcstrings transcript json vtt "
        "srt sbv po strings".split()
    )
]


def detect(data: bytes, name: str, otherwise: str | None = None) -> Format:
    """Find a file's format: by its name's extension, else by its content, else `otherwise`.

    Raises FormatError if no format fits, and there is no `otherwise`.
    """
    known = format_by_extension(name, FORMATS)
    if known is not None:
        return FORMATS[known]
    sample = sample_of(name, data)
    check_is_read(name, otherwise is not None)
    for format in _BY_CONTENT:
        if format.looks_like is not None and format.looks_like(sample):
            return format
    check_is_text(data, name)
    if otherwise is not None:
        return FORMATS[otherwise]
    raise FormatError(
        f"{name}: line 1: neither the name nor the content shows the format; give --format, or "
        "case plain text with truecase -i"
    )


def read_document(
    data: bytes,
    name: str,
    format: str | None = None,
    options: ReadOptions | None = None,
    encoding: str | None = None,
    otherwise: str | None = None,
) -> Document:
    """Find the segments of a file.

    Parameters
    ----------
    data : bytes
        The whole file.
    name : str
        For messages.
    format : str, optional
        One of `FORMATS`; detected by default.
    options : ReadOptions, optional
        `is_known` and `charset` are filled in here.
    encoding : str, optional
        The file's character set; by default as the file says.
    otherwise : str, optional
        As for `detect`.

    Raises
    ------
    FormatError
        The file is broken, or has another format; or the format is unknown, or an option has no
        effect on it.
    """
    options = options or ReadOptions()
    if format is not None and format not in FORMATS:
        raise FormatError(f"format {format!r}: expected one of {', '.join(FORMATS)}")
    kind = detect(data, name, otherwise) if format is None else FORMATS[format]
    if options.field is not None and kind is not transcripts.MANIFEST:
        raise FormatError(
            f"{name}: is {kind.title}: only manifests in JSON lines have a named field"
        )
    if options.context != "line" and kind is not prose.TEXT:
        raise FormatError(f"{name}: is {kind.title}: only of plain text can lines be the context")
    if kind is not docx.DOCX:
        check_is_text(data, name)
    _check_is_xml(kind, name, data)
    charset = kind.charset(data, name, encoding)
    # Expat itself names the line of a byte that is not UTF-8.
    text = data if kind.element and charset.is_utf8 else charset.decode(data, name)
    options = options._replace(is_known=format is not None, charset=charset)
    again = options._replace(progress=Progress(enabled=False))
    kind, segments = _read(kind, name, text, options)
    segments.leave_out_keys(text)
    if not kind.element:
        options.progress.add_bytes(len(data))
    found = segments.languages or Languages()
    if said := language_said(kind.name, text):
        found = languages_of(name, options.wanted, None, said)
    document = Document(
        name, kind, text, charset, segments, found, lambda text: _read(kind, name, text, again)[1]
    )
    target = found.target if found.target and language_code(found.target) else None
    # The path may say what the file does not.
    target = options.wanted.target or target or language_of_path(name, document.beginning())
    return document._replace(languages=found._replace(target=target))


def _read(kind: Format, name: str, text: bytes, options: ReadOptions) -> tuple[Format, Segments]:
    """The segments of a file, and its format, which the first element of XML names."""
    if not kind.element:
        assert kind.read is not None
        return kind, kind.read(name, text, options)
    known = _BY_ELEMENT if kind is ANY_XML else {kind.element: kind}
    readers = {element: one.read for element, one in known.items() if one.read is not None}
    root, segments = read_xml(name, text, options, readers)
    return known[root], segments


def _check_is_xml(kind: Format, name: str, data: bytes) -> None:
    is_xml = looks_like_xml(sample_of(name, data))
    if kind.element and not is_xml:
        raise FormatError(f"{name}: line 1: expected XML, this is something else")
    if kind is po.PO and is_xml:
        raise FormatError(f"{name}: line 1: expected gettext PO, this is something else")
