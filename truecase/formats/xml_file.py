"""XML files: the places of segments, and the pieces of their contents.

Expat, of the standard library, finds a file well-formed and gives the byte of each tag. It refuses
declarations of entities, so that a small file cannot unfold into a huge one, and fetches no
document type. As its calls are slow, `TagScanner` then finds the tags of a few elements, unless
tags change their meaning within the file: by name spaces declared after the first tag, or by a
document type with declarations of its own.
"""

from __future__ import annotations

import abc
import html
import re
from collections.abc import Iterable, Mapping
from typing import NoReturn, Protocol, TypeAlias
from xml.parsers import expat

from truecase.errors import FormatError
from truecase.formats._contents import MAX_NAMES, XML, TagScanner, find_attribute
from truecase.formats.charset import charset_of_xml
from truecase.formats.format import Format, ReadOptions, Sample
from truecase.formats.placeholders import VALUE, is_placeholder
from truecase.formats.segments import (
    DECIMAL,
    FIXED,
    HEXADECIMAL,
    PLAIN,
    Piece,
    Segments,
    Span,
)

# Expat goes through an unfinished tag again with each chunk, so chunks are large.
_CHUNK = 1 << 20
#: Elements inside each other; files of translators have a dozen.
MAX_DEPTH = 1000

#: The attribute ``xml:lang`` as expat names it.
XML_LANG = "http://www.w3.org/XML/1998/namespace lang"
_XML = "http://www.w3.org/XML/1998/namespace"

_ATTRIBUTE = re.compile(rb"([^\s=\"'<>/]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_WHITE = re.compile(r"\r\n|[\t\r\n]")
_REFERENCE = re.compile(r"&([^;]*);")
_NUMBER = re.compile(r"#(?:x([0-9A-Fa-f]+)|([0-9]+))")
_PREDEFINED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_LINE_END = re.compile(rb"\r\n?|\n")


class Reader(Protocol):
    """Gathers the segments of one format, tag by tag."""

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Handle a start tag."""

    def end(self, name: str) -> None:
        """Handle an end tag."""

    def finish(self) -> Segments:
        """The segments of the wanted languages."""


class ReaderType(Protocol):
    """A class of readers."""

    def __call__(self, file: XmlFile, root: str, attributes: dict[str, str]) -> Reader | TagReader:
        """Make a reader, by the start tag of the file's first element."""


class XmlFile:
    """An XML file in UTF-8, whatever its declaration says, and the tag that is being read."""

    def __init__(self, name: str, data: bytes, options: ReadOptions | None = None) -> None:
        self.name = name
        self.options = options or ReadOptions()
        self.data = data
        #: Local name of the first element, once it is read.
        self.root = ""
        self._parser = expat.ParserCreate("utf-8", " ")
        self._reader: Reader | TagReader | None = None
        # The name spaces of prefixes in the first element's tag.
        self._namespaces = {"xml": _XML}

    def position(self) -> int:
        """The beginning of the current tag; the end of an element of a single tag."""
        return self._parser.CurrentByteIndex

    def content_start(self) -> int:
        """The beginning of the current start tag's content."""
        match = TAG.match(self.data, self.position())
        assert match is not None
        return match.end()

    def content(self, start: int) -> Span:
        """The content before the current end tag; empty for an element of a single tag."""
        return Span(start, max(start, self.position()))

    def error(self, what: str) -> FormatError:
        """An error about the current tag."""
        return FormatError(f"{self.name}: line {self._parser.CurrentLineNumber}: {what}")

    def attribute(self, tag: Tag, name: str) -> str | None:
        """An attribute of a start tag, by the name that expat gives it; None if missing.

        `name` has no name space, or is `XML_LANG`.
        """
        if tag[4] is not None:
            return tag[4].get(name)
        written = b"xml:lang" if name == XML_LANG else name.encode("utf-8")
        value = find_attribute(self.data, tag[2], tag[3], written)
        return None if value is None else _value(value)

    def attributes(self, tag: Tag) -> dict[str, str]:
        """The attributes of a start tag, by the names that expat gives them."""
        if tag[4] is not None:
            return tag[4]
        found = {}
        for match in _ATTRIBUTE.finditer(self.data, tag[2], tag[3]):
            prefix, colon, name = match[1].decode("utf-8").rpartition(":")
            if colon:
                name = f"{self._namespaces[prefix]} {name}"
            found[name] = _value(match[2] if match[2] is not None else match[3])
        return found

    def error_at(self, tag: Tag, what: str) -> FormatError:
        """An error about a tag."""
        line = 1 + sum(1 for _ in _LINE_END.finditer(self.data, 0, tag[2]))
        return FormatError(f"{self.name}: line {line}: {what}")

    def parse(self, readers: Mapping[str, ReaderType]) -> Reader | TagReader:
        """Read the file by the reader for the local name of its first element.

        Raises FormatError if the file is not well-formed, declares entities, or begins with another
        element; and the errors of the reader.
        """
        try:
            self._parse(readers, may_scan=True)
            if isinstance(self._reader, TagReader) and self._scans:
                self._scan(self._reader)
        except (NotScannable, expat.ExpatError):
            # The first error counts, and it may be one of the reader.
            self._parse(readers, may_scan=False)
        assert self._reader is not None
        return self._reader

    def _parse(self, readers: Mapping[str, ReaderType], may_scan: bool) -> None:
        """Run expat over the file, to check it, or to give all tags to the reader."""
        self._parser = parser = expat.ParserCreate("utf-8", " ")
        parser.EntityDeclHandler = self._refuse_entity
        parser.StartNamespaceDeclHandler = self._declare
        parser.StartDoctypeDeclHandler = self._begin_doctype
        self._namespaces = {"xml": _XML}
        self._scans = may_scan
        self._reader = None
        events: _TagEvents | None = None

        def begin(name: str, attributes: dict[str, str]) -> None:
            nonlocal events
            local = name.rpartition(" ")[2]
            if local not in readers:
                raise self.error(
                    f"the file is <{local[:60]}>, expected one of "
                    + ", ".join(f"<{known}>" for known in readers)
                )
            self.root = local
            self._reader = reader = readers[local](self, name, attributes)
            if not isinstance(reader, TagReader):
                self._scans = False
                parser.StartElementHandler, parser.EndElementHandler = reader.start, reader.end
            elif self._scans:
                parser.StartElementHandler = None
            else:
                events = _TagEvents(self, reader)
                parser.StartElementHandler, parser.EndElementHandler = events.start, events.end

        parser.StartElementHandler = begin
        view = memoryview(self.data)
        try:
            for start in range(0, len(view), _CHUNK):
                chunk = view[start : start + _CHUNK]
                parser.Parse(chunk, False)
                if events is not None:
                    events.flush()
                if may_scan:
                    self.options.progress.add_bytes(len(chunk))
            parser.Parse(b"", True)
        except expat.ExpatError as error:
            if self._scans and self._reader is not None:
                raise
            if events is not None:
                events.flush()
            raise FormatError(
                f"{self.name}: line {error.lineno}: broken XML: {expat.ErrorString(error.code)}"
            ) from None
        finally:
            # The reader's methods and the parser know each other.
            parser.StartElementHandler = parser.EndElementHandler = None
            parser.EntityDeclHandler = parser.StartNamespaceDeclHandler = None
            parser.StartDoctypeDeclHandler = None

    def _scan(self, reader: TagReader) -> None:
        """Give the tags of a well-formed file to the reader."""
        written = {}
        for name, code in reader.codes.items():
            namespace, _, local = name.rpartition(" ")
            for prefix, meant in self._namespaces.items():
                if meant == namespace or reader.any_namespace:
                    written[f"{prefix}:{local}" if prefix else local] = code
            if reader.any_namespace or (not namespace and "" not in self._namespaces):
                written[local] = code
        names = {name.encode("utf-8"): code for name, code in written.items()}
        if len(names) > MAX_NAMES:
            raise NotScannable
        scanner = TagScanner(self.data, names, reader.ends, MAX_DEPTH)
        try:
            while (tags := scanner.tags(_CHUNK)) is not None:
                reader.read(tags)
        except OverflowError:
            raise NotScannable from None

    def too_deep(self) -> NoReturn:
        """Raise the error for elements that are nested too deep."""
        raise self.error(f"elements are nested more than {MAX_DEPTH} deep")

    def _declare(self, prefix: str | None, namespace: str | None) -> None:
        if self._reader is None:
            self._namespaces[prefix or ""] = namespace or ""
        elif self._scans:
            raise NotScannable

    def _begin_doctype(
        self, name: str, system: str | None, public: str | None, has_declarations: bool
    ) -> None:
        if has_declarations:
            self._scans = False

    def _refuse_entity(self, name: str, *unused: object) -> NoReturn:
        raise self.error(f"declares the entity {name[:60]!r}, which is refused")


class _TagEvents:
    """Makes tags of expat's events."""

    def __init__(self, file: XmlFile, reader: TagReader) -> None:
        self._file = file
        self._reader = reader
        self._codes, self._ends = reader.codes, reader.ends
        self._any_namespace = reader.any_namespace
        self._depth = 1
        self._tags: list[Tag] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            self.flush()
            self._file.too_deep()
        code = self._code(name)
        if code is not None:
            start = self._file.position()
            end = self._file.content_start()
            self._tags.append((code, self._depth, start, end, attributes))

    def end(self, name: str) -> None:
        code = self._code(name)
        if code in self._ends:
            position = self._file.position()
            self._tags.append((-code, self._depth, position, position, None))
        self._depth -= 1

    def _code(self, name: str) -> int | None:
        return self._codes.get(name.rpartition(" ")[2] if self._any_namespace else name)

    def flush(self) -> None:
        """Give the tags so far to the reader."""
        tags, self._tags = self._tags, []
        self._reader.read(tags)


def _value(written: bytes) -> str:
    """The text of an attribute."""
    value = written.decode("utf-8")
    if "&" not in value:
        return value if value.isprintable() else _WHITE.sub(" ", value)
    return _REFERENCE.sub(_character, _WHITE.sub(" ", value))


def _character(match: re.Match[str]) -> str:
    number = _NUMBER.fullmatch(match[1])
    if number is not None:
        digits = number[1] or number[2]
        # Python limits the digits of numbers; XML does not.
        return chr(int(digits.lstrip("0"), 16 if number[1] else 10))
    if match[1] in _PREDEFINED:
        return _PREDEFINED[match[1]]
    raise NotScannable


#: A code, which is negative for end tags, the number of elements that are open with this one, the
#: bytes of the tag, and the attributes of a start tag if a parser has read them. An element of a
#: single tag gets an empty end tag behind it.
Tag: TypeAlias = tuple[int, int, int, int, dict[str, str] | None]


class TagReader(abc.ABC):
    """Gathers the segments of one format, from the tags of a few elements.

    Attributes
    ----------
    codes : mapping of str to int
        The wanted elements: codes from 1, by the names that expat gives them.
    ends : frozenset of int
        Codes of elements whose end tags are wanted, too.
    any_namespace : bool
        `codes` has local names, for any name space.
    """

    codes: Mapping[str, int]
    ends: frozenset[int]
    any_namespace = False

    @abc.abstractmethod
    def read(self, tags: Iterable[Tag]) -> None:
        """Read more tags."""

    @abc.abstractmethod
    def finish(self) -> Segments:
        """The segments of the wanted languages."""


class NotScannable(Exception):
    """Only a parser can read the file."""


# The pieces of contents.

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

# Elements of TMX and XLIFF 1.2 that contain native code.
_CODES = frozenset([b"ph", b"bpt", b"ept", b"it", b"ut"])
# Elements, also of XLIFF 2, in place of something in the text; others change its looks.
_STANDALONE = frozenset([b"ph", b"x", b"ut", b"cp"])
_SHOWN_AS = (b"equiv-text", b"equiv", b"disp")


def xml_pieces(data: bytes, start: int, end: int) -> list[Piece]:
    """The text of bytes `start` … `end` - 1 of an XML file in UTF-8.

    Tags and comments are left out, and so is native code in ``bpt ept it ph ut``. ``ph`` and ``x``
    become a digit if they stand for a value, else a blank. Text in ``mrk`` that is protected, or
    not to be translated, does not change.
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
    """Reads one content."""

    def __init__(self, data: bytes) -> None:
        self.pieces: list[Piece] = []
        self._data = data
        # How many elements are open in native code, with the code's own; its start.
        self._n_in_code = 0
        self._code_start = 0
        self._code = b""
        # Whether each open element protects its text; and the protecting open sm of XLIFF 2.
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
            # Python limits the digits of numbers; XML does not.
            kind, digits, base = (
                (HEXADECIMAL, name[2:], 16) if name[1:2] == b"x" else (DECIMAL, name[1:], 10)
            )
            self._add(kind, *match.span(), chr(int(digits.lstrip(b"0"), base)))
        else:
            # The document type is not read; most declare names of HTML.
            self._add(FIXED, *match.span(), html.unescape(match[0].decode("utf-8")))


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


_XML_START = re.compile(rb"(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[\s\0]*<")


def looks_like_xml(sample: Sample) -> bool:
    """Whether a file begins as XML does."""
    return _XML_START.match(sample.data) is not None


def xml_format(
    name: str, title: str, extensions: tuple[str, ...], element: str, reader: ReaderType
) -> Format:
    """A format of XML whose contents are messages, with placeholders of programs in them.

    The parameters are attributes of `Format`.
    """
    return Format(
        name, title, extensions, None, None, element, reader, charset_of_xml, XML, xml_pieces, True
    )
