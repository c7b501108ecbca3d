"""Fast paths of files: the texts of many segments at once, and the tags of XML."""

from collections.abc import Callable, Container, Iterable, Mapping

from typing_extensions import Self, disjoint_base

from truecase.formats.segments import Segments
from truecase.formats.xml_file import Tag

#: Notations of contents: XML, XML with the escapes of Android, strings of PO, a string of JSON
#: without its quotation marks.
XML: int
ANDROID: int
PO: int
JSON: int

#: Stand-ins of a value that a program will put in, and of one right before a unit.
VALUE: str
UNIT_VALUE: str

@disjoint_base
class SegmentTexts:
    """The texts of consecutive segments of a file in UTF-8.

    Parameters
    ----------
    data, segments, block
        The file, its segments, and the numbers of those to be read; IndexError if one is not in
        the file.
    notation : {XML, ANDROID, PO, JSON}
    other : callable
        Returns, by its number, the lines of a segment that is not plain, and as many lines of its
        source.
    has_accelerators : bool
        The texts may have marks of menus' keys.
    takes_source : bool
        Also make lines of the sources.

    Attributes
    ----------
    lines : bytes
        Newline-separated: a line for each segment, or the lines that `other` returns.
    sources : bytes or None
        As many lines, empty for a segment without a source.
    n_words, n_changed, n_changed_words : int
        Of plain segments, after `put_back`; see `truecase.formats.file_caser.Summary`.
    """

    lines: bytes
    sources: bytes | None
    n_words: int
    n_changed: int
    n_changed_words: int

    def __new__(
        cls,
        data: bytes,
        segments: Segments,
        block: range,
        notation: int,
        other: Callable[[int], tuple[bytes, bytes]],
        *,
        has_accelerators: bool = False,
        takes_source: bool = False,
    ) -> Self: ...
    def put_back(
        self,
        cased: bytes,
        position: int,
        other: Callable[[int, bytes], Iterable[tuple[int, int, bytes]]],
    ) -> bytes:
        """The bytes of the file from `position` to the end of the last segment.

        `cased` is what `lines` became; ValueError if the lengths differ. `other` returns the
        splices of a segment that is not plain, by its number and its cased lines.
        """

#: Names that a scanner finds, at most.
MAX_NAMES: int

@disjoint_base
class TagScanner:
    """Finds the tags with certain names in a well-formed file.

    `names` has codes, from 1, by names as written in the file; `ends` has the codes of elements
    whose end tags are wanted, too.
    """

    def __new__(
        cls, data: bytes, names: Mapping[bytes, int], ends: Container[int], max_depth: int
    ) -> Self: ...
    def tags(self, n_bytes: int) -> list[Tag] | None:
        """The tags of about the next `n_bytes` of the file; None at its end.

        Raises OverflowError if elements are nested deeper than `max_depth`, or markup is not
        closed.
        """
