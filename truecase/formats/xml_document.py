"""XML files of translators: one pass of expat over the file, which finds where segments are.

Expat (the standard library's) tells the byte at which each tag begins. Declarations of
entities are refused, so that a small file cannot unfold into a huge one; a document type is
named in many TMX files and never fetched.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn, Protocol
from xml.parsers import expat

from truecase.files.progress import Progress
from truecase.formats.errors import FormatError
from truecase.formats.languages import Languages
from truecase.formats.segments import Segments, Span
from truecase.formats.xml_content import TAG

# Expat goes through an unfinished tag again with each chunk, so chunks are large.
_CHUNK = 1 << 20
#: Elements inside each other; files of translators have a dozen.
MAX_DEPTH = 1000

#: The attribute ``xml:lang`` as expat names it.
XML_LANG = "http://www.w3.org/XML/1998/namespace lang"


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

    def __call__(self, file: XmlFile, root: str, attributes: dict[str, str]) -> Reader:
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
        self._parser.EntityDeclHandler = self._refuse_entity
        self._reader: Reader | None = None

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

    def parse(self, readers: Mapping[str, ReaderType], progress: Progress | None = None) -> Reader:
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

        def begin(name: str, attributes: dict[str, str]) -> None:
            local = name.rpartition(" ")[2]
            if local not in readers:
                raise self.error(
                    f"the file is <{local[:60]}>, expected one of "
                    + ", ".join(f"<{known}>" for known in readers)
                )
            self.root = local
            self._reader = readers[local](self, name, attributes)
            parser.StartElementHandler = self._reader.start
            parser.EndElementHandler = self._reader.end

        parser = self._parser
        parser.StartElementHandler = begin
        view = memoryview(self.data)
        try:
            for start in range(0, len(view), _CHUNK):
                chunk = view[start : start + _CHUNK]
                parser.Parse(chunk, False)
                if progress is not None:
                    progress.add_bytes(len(chunk))
            parser.Parse(b"", True)
        except expat.ExpatError as error:
            raise FormatError(
                f"{self.name}: line {error.lineno}: broken XML: {expat.ErrorString(error.code)}"
            ) from None
        finally:
            # The reader's methods and the parser know each other.
            parser.StartElementHandler = parser.EndElementHandler = None
            parser.EntityDeclHandler = None
        assert self._reader is not None
        return self._reader

    def too_deep(self) -> NoReturn:
        """Give up on elements inside elements inside elements."""
        raise self.error(f"elements are nested more than {MAX_DEPTH} deep")

    def _refuse_entity(self, name: str, *unused: object) -> NoReturn:
        raise self.error(f"declares the entity {name[:60]!r}, which is refused")
