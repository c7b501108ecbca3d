"""XML files of translators: one pass of expat over the file, which finds where segments are.

Expat (the standard library's) tells the byte at which each tag begins. Declarations of
entities are refused, so that a small file cannot unfold into a huge one; a document type is
named in many TMX files and never fetched.

A call from expat for each tag takes longer than all else. So a reader that asks for the tags of a
few elements gets them from a scanner, once expat has found the file well-formed, unless what tags
mean changes within it: by name spaces that are declared after the first tag, or by a document type
with declarations of its own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NoReturn, Protocol
from xml.parsers import expat

from truecase.base.progress import Progress
from truecase.errors import FormatError
from truecase.formats._tags import MAX_NAMES, TagScanner, find_attribute
from truecase.formats.languages import Languages
from truecase.formats.segments import Segments, Span
from truecase.formats.tags import NotScannable, Tag, TagReader
from truecase.formats.xml_content import TAG

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
    """Gathers the segments of one format."""

    @property
    def format(self) -> str:
        """Name for people."""

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Handle a start tag."""

    def end(self, name: str) -> None:
        """Handle an end tag."""

    def finish(self, wanted: Languages) -> tuple[Segments, Languages]:
        """The segments of the wanted languages, and which they are."""


class ReaderType(Protocol):
    """A class of readers."""

    def __call__(self, file: XmlFile, root: str, attributes: dict[str, str]) -> Reader | TagReader:
        """Make a reader, by the start tag of the file's first element."""


class XmlFile:
    """A file that is being parsed.

    Parameters
    ----------
    name : str
        For messages.
    data : bytes
        UTF-8, whatever the XML declaration says.
    """

    def __init__(self, name: str, data: bytes) -> None:
        self.name = name
        self.data = data
        #: Local name of the first element, once it is read.
        self.root = ""
        self._parser = expat.ParserCreate("utf-8", " ")
        self._reader: Reader | TagReader | None = None
        # What the prefixes of the first element's tag mean.
        self._namespaces = {"xml": _XML}

    def position(self) -> int:
        """Where the tag begins that is being handled, or ends if it is an end without tag."""
        return self._parser.CurrentByteIndex

    def content_start(self) -> int:
        """Where the content begins whose start tag is being handled."""
        match = TAG.match(self.data, self.position())
        assert match is not None
        return match.end()

    def content(self, start: int) -> Span:
        """The content whose end tag is being handled; empty if there is but one tag."""
        return Span(start, max(start, self.position()))

    def error(self, what: str) -> FormatError:
        """What is wrong with the tag that is being handled."""
        return FormatError(f"{self.name}: line {self._parser.CurrentLineNumber}: {what}")

    def attribute(self, tag: Tag, name: str) -> str | None:
        """An attribute of a start tag, by its name as expat gives it; None if it has none.

        `name` has no name space, or is `XML_LANG`.
        """
        if tag[4] is not None:
            return tag[4].get(name)
        written = b"xml:lang" if name == XML_LANG else name.encode("utf-8")
        value = find_attribute(self.data, tag[2], tag[3], written)
        return None if value is None else _value(value)

    def attributes(self, tag: Tag) -> dict[str, str]:
        """The attributes of a start tag, by their names as expat gives them."""
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
        """What is wrong with a tag."""
        line = 1 + sum(1 for _ in _LINE_END.finditer(self.data, 0, tag[2]))
        return FormatError(f"{self.name}: line {line}: {what}")

    def parse(
        self, readers: Mapping[str, ReaderType], progress: Progress | None = None
    ) -> Reader | TagReader:
        """Go through the file.

        Parameters
        ----------
        readers : mapping
            By local name of the file's first element.
        progress : Progress, optional
            Told of the bytes.

        Raises
        ------
        FormatError
            If it is not well-formed, declares entities, begins with another element, or the
            reader does not like it.
        """
        try:
            self._parse(readers, progress, may_scan=True)
            if isinstance(self._reader, TagReader) and self._scans:
                self._scan(self._reader)
        except (NotScannable, expat.ExpatError):
            # Whatever is wrong first is to be told, and the reader knows what that is.
            self._parse(readers, None, may_scan=False)
        assert self._reader is not None
        return self._reader

    def _parse(
        self, readers: Mapping[str, ReaderType], progress: Progress | None, may_scan: bool
    ) -> None:
        """Have expat go through the file: to find it well-formed, or to tell the reader of tags."""
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
                    events.tell()
                if progress is not None:
                    progress.add_bytes(len(chunk))
            parser.Parse(b"", True)
        except expat.ExpatError as error:
            if self._scans and self._reader is not None:
                raise
            if events is not None:
                events.tell()
            raise FormatError(
                f"{self.name}: line {error.lineno}: broken XML: {expat.ErrorString(error.code)}"
            ) from None
        finally:
            # The reader's methods and the parser know each other.
            parser.StartElementHandler = parser.EndElementHandler = None
            parser.EntityDeclHandler = parser.StartNamespaceDeclHandler = None
            parser.StartDoctypeDeclHandler = None

    def _scan(self, reader: TagReader) -> None:
        """Tell the reader of the tags of a file that is well-formed."""
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
        """Give up on elements inside elements inside elements."""
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
    """Makes tags of expat's events, for readers that ask for tags."""

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
            self.tell()
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

    def tell(self) -> None:
        """Tell the reader of the tags so far."""
        tags, self._tags = self._tags, []
        self._reader.read(tags)


def _value(written: bytes) -> str:
    """What the value of an attribute says."""
    value = written.decode("utf-8")
    if "&" not in value:
        return value if value.isprintable() else _WHITE.sub(" ", value)
    return _REFERENCE.sub(_character, _WHITE.sub(" ", value))


def _character(match: re.Match[str]) -> str:
    number = _NUMBER.fullmatch(match[1])
    if number is not None:
        digits = number[1] or number[2]
        # Python reads numbers of thousands of digits as little as it should; XML has them.
        return chr(int(digits.lstrip("0"), 16 if number[1] else 10))
    if match[1] in _PREDEFINED:
        return _PREDEFINED[match[1]]
    raise NotScannable
