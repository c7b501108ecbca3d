"""What a file is, by its name and its content."""

from __future__ import annotations

import itertools
import re
from typing import NamedTuple

from truecase.formats.errors import FormatError

#: How files of a format are read: by the element that XML begins with, as gettext PO, as text, or
#: as an archive of XML.
XML, PO, TEXT, DOCX = "xml", "po", "text", "docx"
#: JSON lines, whose text is in a named field.
MANIFEST = "manifest"
#: Names its character set.
HTML = "html"
#: An utterance a line, after its name.
KALDI = "kaldi"
#: The texts of several languages.
XCSTRINGS = "xcstrings"

_COMPRESSED = (".gz", ".xz", ".bz2", ".zst")


class Format(NamedTuple):
    """A format of files.

    Attributes
    ----------
    title : str
        For people.
    container : {"xml", "po", "text", "docx"}
    extensions : tuple of str
        What names of its files end in.
    has_placeholders : bool
        Whether its texts are those of programs, with ``%s`` and markup in them.
    """

    title: str
    container: str
    extensions: tuple[str, ...]
    has_placeholders: bool = False


#: By the names of ``--format``.
FORMATS = {
    "tmx": Format("TMX", XML, (".tmx",)),
    "xliff": Format("XLIFF", XML, (".xlf", ".xliff", ".sdlxliff", ".mxliff", ".mqxliff")),
    "po": Format("gettext PO", PO, (".po", ".pot")),
    "android": Format("Android strings", XML, ()),
    "resx": Format("resx", XML, (".resx", ".resw")),
    "qt": Format("Qt TS", XML, (".ts",)),
    "strings": Format("Apple strings", TEXT, (".strings",), True),
    XCSTRINGS: Format("Xcode string catalogue", TEXT, (".xcstrings",), True),
    "json": Format("JSON", TEXT, (".arb",), True),
    "yaml": Format("YAML", TEXT, (".yaml", ".yml"), True),
    "srt": Format("SubRip", TEXT, (".srt",)),
    "vtt": Format("WebVTT", TEXT, (".vtt",)),
    "ass": Format("SubStation Alpha", TEXT, (".ass", ".ssa")),
    "ttml": Format("TTML", XML, (".ttml", ".dfxp")),
    "transcript": Format("transcript", TEXT, ()),
    MANIFEST: Format("manifest", TEXT, (".jsonl", ".ndjson")),
    "ctm": Format("CTM", TEXT, (".ctm",)),
    "stm": Format("STM", TEXT, (".stm",)),
    "markdown": Format("Markdown", TEXT, (".md", ".markdown"), True),
    HTML: Format("HTML", TEXT, (".html", ".htm", ".xhtml")),
    DOCX: Format("DOCX", DOCX, (".docx", ".docm", ".dotx", ".dotm")),
    KALDI: Format("Kaldi text", TEXT, ()),
    "text": Format("plain text", TEXT, ()),
}
_BY_EXTENSION = {end: name for name, known in FORMATS.items() for end in known.extensions}

_ZIP_START = b"PK\x03\x04"
_XML_START = re.compile(rb"(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[\s\0]*<")
_HTML_START = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^<>]*>\s*|<!--.*?-->\s*)?<(?:!doctype\s+html|html)\b",
    re.IGNORECASE | re.DOTALL,
)
_PO_LINE = re.compile(
    rb"^(?:\xef\xbb\xbf)?[ \t]*(?:#~[ \t|]*)?(?:msgid|msgctxt|domain)[ \t\r\n\"]", re.MULTILINE
)
_SRT_TIMES = re.compile(rb"^\s*\d+\s*[\r\n]+\s*[\d:]+[,.]\d+\s*-->", re.MULTILINE)
_ASS_SECTION = re.compile(rb"^\s*\[(?:Script Info|Events)\]", re.MULTILINE | re.IGNORECASE)
_TRANSCRIPT = re.compile(
    rb"\"(?:segments|word_segments|transcription|chunks)\"\s*:\s*\[|\A\s*\[.{0,9999}\"text\""
    rb"|\A\s*\{\s*\"text\"\s*:\s*\"",
    re.DOTALL,
)
_JSON_LINES = re.compile(rb"\A\s*\{[^\n]*\}[ \t\r]*\n\s*\{|\A\s*\{[^\n]*\"audio_filepath\"")
_XCSTRINGS = re.compile(rb"\A\s*\{\s*\"sourceLanguage\"\s*:[^{}]*\"strings\"\s*:\s*\{")
_APPLE_STRING = re.compile(rb"^\s*\"[^\"\r\n]*\"\s*=\s*\"[^\r\n]*;", re.MULTILINE)
# What Kaldi calls the file, and how names of utterances look: they have a number, and where that is
# all there is to go by, a sign.
_KALDI_NAME = "text"
_NAME = re.compile(rb"[^\d\s]*\d\S*")
_UTTERANCE = re.compile(rb"(?=[^\d]*\d)(?=[^_-]*[_-])[A-Za-z0-9][\w.-]*\w")
_KALDI_LINES = 1000
# What tells a format stands near its beginning, but in PO files, with their comments.
_HEAD = 1 << 16


def detect(data: bytes, name: str, otherwise: str | None = None) -> str:
    """The name of a file's format, or ``xml`` for the one that its first element tells.

    Parameters
    ----------
    data : bytes
    name : str
        Of the file; its extension goes before its content.
    otherwise : str, optional
        The format if nothing tells.

    Raises
    ------
    FormatError
        If nothing tells, and there is no `otherwise`.
    """
    known = _by_name(name)
    if known is not None:
        return known
    if _is_kaldi(data, _plain_name(name)):
        return KALDI
    if data.startswith(_ZIP_START):
        return DOCX
    if _HTML_START.match(data):
        return HTML
    if _XML_START.match(data):
        return XML
    found = _by_content(data) or otherwise
    if found is None and name.lower().endswith(".bib"):
        raise FormatError(
            f"{name}: line 1: is BibTeX: its titles are for truecase text sentence-case"
        )
    if found is None:
        raise FormatError(
            f"{name}: line 1: neither its name nor its content tells what format this is; give "
            "--format"
        )
    return found


def check_container(data: bytes, name: str, format: str) -> None:
    """Refuse XML that is not, and what is XML instead of gettext PO.

    Raises
    ------
    FormatError
    """
    container = XML if format == XML else FORMATS[format].container
    is_xml = _XML_START.match(data) is not None
    if container == XML and not is_xml:
        raise FormatError(f"{name}: line 1: expected XML, this is something else")
    if container == PO and is_xml:
        raise FormatError(f"{name}: line 1: expected gettext PO, this is something else")


def _plain_name(name: str) -> str:
    """A name as it was before the file was compressed, in lower case."""
    lower = name.lower()
    for end in _COMPRESSED:
        lower = lower.removesuffix(end)
    return lower


def _by_name(name: str) -> str | None:
    lower = _plain_name(name)
    return next((found for end, found in _BY_EXTENSION.items() if lower.endswith(end)), None)


def _is_kaldi(data: bytes, name: str) -> bool:
    """Whether each line begins with a name of its own, as of utterances in Kaldi's ``text``.

    Where the file is not called so, the names have to be sorted, as Kaldi's tools ask for.
    """
    lines = data.split(b"\n", _KALDI_LINES)[:_KALDI_LINES]
    names = [line.split(None, 1)[0] for line in lines if line.strip()]
    if not names or len(set(names)) < len(names):
        return False
    if name.replace("\\", "/").rpartition("/")[2] == _KALDI_NAME:
        return all(_NAME.fullmatch(utterance) for utterance in names)
    is_sorted = all(a < b for a, b in itertools.pairwise(names))
    return len(names) > 1 and is_sorted and all(map(_UTTERANCE.fullmatch, names))


def _by_content(data: bytes) -> str | None:
    head = data[:_HEAD].replace(b"\0", b"").removeprefix(b"\xef\xbb\xbf").lstrip(b"\xff\xfe")
    if _ASS_SECTION.search(head):
        return "ass"
    if head[:1] in (b"{", b"["):
        return _json_format(data.removeprefix(b"\xef\xbb\xbf"))
    if head.startswith(b"WEBVTT"):
        return "vtt"
    if _SRT_TIMES.search(head):
        return "srt"
    if _PO_LINE.search(data):
        return "po"
    if _APPLE_STRING.search(head):
        return "strings"
    return None


def _json_format(data: bytes) -> str | None:
    if _JSON_LINES.match(data):
        return MANIFEST
    if _XCSTRINGS.search(data):
        return XCSTRINGS
    return "transcript" if _TRANSCRIPT.search(data) else "json"
