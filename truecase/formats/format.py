"""The records of a format, and of a file that was read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from truecase.base.progress import Progress
from truecase.formats._contents import JSON
from truecase.formats.charset import Charset, charset_of_text
from truecase.formats.segments import FINAL, LOCKED, Languages, Piece, Segments, Units
from truecase.options import Context

_COMPRESSED = (".gz", ".xz", ".bz2", ".zst")
# All formats but gettext PO, with its comments, show in the beginning of a file.
_HEAD = 1 << 16


class ReadOptions(NamedTuple):
    """How a file is read.

    Attributes
    ----------
    wanted : Languages
        Source and target; a TMX file with more than two languages needs the target.
    leave : collection of {FINAL, LOCKED}
        XLIFF segments with these marks stay.
    field : str, optional
        The field of a manifest that holds the text; ``text`` by default.
    context : {"line", "document"}
        Whether sentences of plain text end with their lines; see `truecase.truecaser.line_ends`.
    is_known : bool
        The user has named the format; otherwise a reader refuses a file that probably has another.
    charset : Charset
    progress : Progress
        Counts bytes.
    """

    wanted: Languages = Languages()
    leave: Collection[str] = (FINAL, LOCKED)
    field: str | None = None
    context: Context = "line"
    is_known: bool = False
    charset: Charset = Charset()
    progress: Progress = Progress(enabled=False)


class Sample(NamedTuple):
    """A file's name in lower case, its bytes and its beginning, by which formats are detected."""

    name: str
    data: bytes
    head: bytes


def sample_of(name: str, data: bytes) -> Sample:
    """Make the sample of a file."""
    head = data[:_HEAD].replace(b"\0", b"").removeprefix(b"\xef\xbb\xbf").lstrip(b"\xff\xfe")
    return Sample(plain_name(name), data, head)


def _no_pieces(data: bytes, start: int, end: int) -> Sequence[Piece]:
    return []


@dataclass(frozen=True)
class Format:
    """A format of files.

    Attributes
    ----------
    name : str
        As ``--format`` takes it.
    title : str
        For people.
    extensions : tuple of str
    looks_like : callable, optional
        Detects the format by the content of a file.
    read : callable
        Finds the texts: of the file's name, its bytes in UTF-8 and `ReadOptions`; of XML, of an
        `XmlFile`.
    element : str
        For XML, the local name of the first element.
    charset : callable
        Finds the character set: of the bytes, the file's name and the encoding asked for.
    notation : int, optional
        How contents are written: a constant of `truecase.formats._contents`; None for `Units`.
    pieces : callable
        The pieces of a content: of the bytes, its start and its end.
    has_placeholders : bool
        The texts may be those of programs, with ``%s`` and markup in them.
    has_accelerators : bool
        The texts may be those of menus, with marks of keys in words.
    is_spoken : bool
        A transcript or subtitles: the text has been cut by time, and may lack punctuation.
    line_end : bytes
        The end of a line, or of a paragraph, by whose number messages name a place.
    """

    name: str
    title: str
    extensions: tuple[str, ...] = ()
    looks_like: Callable[[Sample], bool] | None = None
    read: Callable[..., Any] | None = None
    element: str = ""
    charset: Callable[[bytes, str, str | None], Charset] = charset_of_text
    notation: int | None = None
    pieces: Callable[[bytes, int, int], Sequence[Piece]] = _no_pieces
    has_placeholders: bool = False
    has_accelerators: bool = False
    is_spoken: bool = False
    line_end: bytes = b"\n"


class Document(NamedTuple):
    """A file with its segments.

    Attributes
    ----------
    name : str
        For messages.
    kind : Format
    data : bytes
        The file in UTF-8.
    charset : Charset
        The file's own encoding.
    segments : Segments
    languages : Languages
    read_again : callable
        Finds the segments in other bytes of the same format.
    """

    name: str
    kind: Format
    data: bytes
    charset: Charset
    segments: Segments
    languages: Languages
    read_again: Callable[[bytes], Segments]

    @property
    def format(self) -> str:
        """For people, with the version, such as ``XLIFF 1.2``."""
        return self.segments.format or self.kind.title

    @property
    def takes_source(self) -> bool:
        """Whether texts of this format may have sources."""
        return self.kind.notation not in (None, JSON)

    @property
    def has_sources(self) -> bool:
        """Whether any text has a source."""
        return any(start >= 0 for start in self.segments.source_start)

    def target_pieces(self, i: int) -> Sequence[Piece]:
        """The text of a segment that is to be cased."""
        if isinstance(self.segments, Units):
            return self.segments.pieces(i)
        return self.kind.pieces(self.data, *self.segments.target(i))

    def line_of(self, start: int, end: int) -> int:
        """How many lines (or paragraphs) end between two bytes."""
        return self.data.count(self.kind.line_end, start, end)


_AnyFormat = TypeVar("_AnyFormat", bound=Format)


def by_name(formats: Iterable[_AnyFormat]) -> Mapping[str, _AnyFormat]:
    """Formats by their names, in order."""
    return {known.name: known for known in formats}


def plain_name(name: str) -> str:
    """The name of a file before it was compressed, in lower case."""
    lower = name.lower()
    for end in _COMPRESSED:
        lower = lower.removesuffix(end)
    return lower


def format_by_extension(name: str, formats: Mapping[str, Format]) -> str | None:
    """The name of the format that a file's extension belongs to; None if it is unknown."""
    lower = plain_name(name)
    return next(
        (known.name for known in formats.values() if lower.endswith(known.extensions)), None
    )
