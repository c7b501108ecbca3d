"""The records of a format, of a character set, and of a file that was read.

Files are converted to UTF-8, cased, and converted back.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from truecase.base.compression import suffix_of
from truecase.base.encoding import BYTE_ORDER_MARKS, can_encode, check_encoding, head_of
from truecase.base.progress import Progress
from truecase.errors import FormatError
from truecase.formats import rows_of
from truecase.formats._contents import JSON
from truecase.formats.languages import Languages
from truecase.formats.segments import FINAL, LOCKED, Piece, Segments, Units, line_of, text_of
from truecase.kernels.text import CAPITALS_IN_TITLE
from truecase.model.embedded import SAMPLE
from truecase.options import Context

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
        #: A test whether the character set has all characters of a text; None if it always has.
        self.can_write = None if name.startswith("utf-") else partial(can_encode, codec=name)

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
                what = f"byte {wrong} is not {self.name.upper()}: give its encoding"
                raise FormatError(f"{file}: line {line_of(data, wrong)}: {what}") from None
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


def charset_of_xml(data: bytes, file: str, wanted: str | None = None) -> Charset:
    """The character set of XML: `wanted`, or by the byte order mark or XML declaration."""
    declared = _XML_DECLARATION.match(data)
    # A declaration of UTF-16 that could be read is wrong, as some tools write it.
    if declared is not None and _UTF_16.match(declared[1]):
        declared = None
    return charset_of_text(data, file, wanted, declared, BYTE_ORDER_MARKS + _UNMARKED)


def charset_of_po(data: bytes, file: str, wanted: str | None = None) -> Charset:
    """The character set of gettext PO: `wanted`, or by the byte order mark or header entry."""
    header = _PO_HEADER.search(data)
    declared = None if header is None else _PO_CHARSET.search(data, *header.span(1))
    if declared is not None and declared[1] == b"CHARSET":
        declared = None
    return charset_of_text(data, file, wanted, declared)


def charset_of_html(data: bytes, file: str, wanted: str | None = None) -> Charset:
    """The character set of HTML: `wanted`, or by the byte order mark or ``meta``."""
    return charset_of_text(data, file, wanted, _META.search(data, 0, _META_BYTES))


def charset_of_text(
    data: bytes,
    file: str,
    wanted: str | None = None,
    declared: re.Match[bytes] | None = None,
    marks: Iterable[tuple[bytes, str]] = BYTE_ORDER_MARKS,
) -> Charset:
    """The character set of text: `wanted`, or by the byte order mark, or as declared; else UTF-8.

    The first group of `declared` is a name.
    """
    marked = next((Charset(name) for mark, name in marks if data.startswith(mark)), None)
    if wanted is None:
        if marked is not None or declared is None:
            return marked or Charset()
        return _named(declared[1].decode("ascii", "replace"), file, line_of(data, declared.start()))
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


# The language of a file is found by the text of so many segments.
_FIRST = 150

# A file has its case if most words of its first segments stand in mixed case behind a capital, and
# not in titles; lists in lower case may stand between them. Segments of fewer than _LONG words are
# judged only where the others have too few words; titles of a word or two say nothing of a file.
_FIRST_JUDGED = 1000
_LONG = 4
_FEWEST_WORDS = 40
_SHARE_OF_MIXED = 0.6


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
    return Sample(plain_name(name), data, head_of(data))


def head_has(pattern: re.Pattern[bytes]) -> Callable[[Sample], bool]:
    """Make a test whether the beginning of a file has a match of a pattern."""
    return lambda sample: pattern.search(sample.head) is not None


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
        Finds the texts. It takes the file's name, its bytes in UTF-8 and `ReadOptions`; for XML, an
        `XmlFile`.
    element : str
        For XML, the local name of the first element.
    charset : callable
        Finds the character set. It takes the bytes, the file's name and the encoding asked for.
    notation : int, optional
        How contents are written: a constant of `truecase.formats._contents`; None for `Units`.
    pieces : callable
        Finds the pieces of a content. It takes the bytes of the file, and where the content is.
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
    pieces: Callable[[bytes, int, int], Sequence[Piece]] = lambda data, start, end: []
    has_placeholders: bool = False
    has_accelerators: bool = False
    is_spoken: bool = False
    line_end: bytes = b"\n"


#: Makes a format of the texts of programs and their menus.
of_programs = partial(Format, has_placeholders=True, has_accelerators=True)
#: Makes a format of transcripts or subtitles.
of_speech = partial(Format, is_spoken=True)


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
        return self.kind.notation not in (None, JSON) or self.has_sources

    @property
    def has_sources(self) -> bool:
        """Whether any text has a source, be it a key."""
        return self.segments.n_keys > 0 or any(start >= 0 for start in self.segments.source_start)

    def target_pieces(self, i: int) -> Sequence[Piece]:
        """The text of a segment that is to be cased."""
        if isinstance(self.segments, Units):
            return self.segments.pieces(i)
        return self.kind.pieces(self.data, *self.segments.target(i))

    def beginning(self) -> str:
        """The text of the first segments, by which its language is known."""
        return "\n".join(self._first_texts(_FIRST))

    def has_case(self) -> bool:
        """Whether the texts have their case, and are no titles."""
        n_words, n_mixed = [0, 0], [0, 0]
        for text in self._first_texts(_FIRST_JUDGED):
            words = [word for word in text.split() if word.lower() != word.upper()]
            is_long = len(words) >= _LONG
            most = (1 + CAPITALS_IN_TITLE) * sum(map(str.islower, words))
            is_mixed = len(words) <= most if is_long else text != text.upper()
            n_words[is_long] += len(words)
            if words and is_mixed and not words[0].islower():
                n_mixed[is_long] += len(words)
        long = n_words[True] >= _FEWEST_WORDS
        return n_words[long] >= _FEWEST_WORDS and n_mixed[long] >= _SHARE_OF_MIXED * n_words[long]

    def _first_texts(self, most: int) -> Iterator[str]:
        """The texts of the first segments, the first SAMPLE characters of each."""
        for i in range(min(len(self.segments), most)):
            yield text_of(self.target_pieces(i))[:SAMPLE]

    def n_lines_between(self, start: int, end: int) -> int:
        """How many lines (or paragraphs) end between two bytes."""
        return self.data.count(self.kind.line_end, start, end)


def plain_name(name: str) -> str:
    """The name of a file before it was compressed, in lower case."""
    lower = name.lower()
    return lower.removesuffix(suffix_of(lower) or "")


def format_by_extension(name: str, formats: Mapping[str, Format]) -> str | None:
    """The name of the format that a file's extension belongs to; None if it is unknown."""
    lower = plain_name(name)
    return next(
        (known.name for known in formats.values() if lower.endswith(known.extensions)), None
    )


_AS_TEXT = "--format text cases its lines"


def check_is_read(name: str, has_other: bool) -> None:
    """Refuse a format that is known, and not read; text is text if there is another way."""
    plain, advice = plain_name(name), ""
    for title, ends, own_advice in rows_of("not_read.txt"):
        advice = own_advice or advice
        is_it = plain.endswith(tuple(ends.split()))
        if is_it and not (has_other and advice == _AS_TEXT):
            raise FormatError(f"{name}: line 1: is {title}, which is not read: {advice}")
