"""The texts of files, many segments at once, and the tags of XML."""

from array import array
from collections.abc import Callable, Container, Iterable, Mapping

from typing_extensions import Self, disjoint_base

from truecase.formats.segments import Segments
from truecase.formats.xml_file import Tag

__all__ = [
    "ANDROID",
    "JSON",
    "MAX_NAMES",
    "PO",
    "XML",
    "SegmentTexts",
    "TagScanner",
    "find_attribute",
    "follow_one_another",
]

#: Notations of contents: XML, XML with the escapes of Android, strings of PO, a string of JSON
#: without its quotation marks.
XML: int
ANDROID: int
PO: int
JSON: int

@disjoint_base
class SegmentTexts:
    """The texts of consecutive segments.

    Parameters
    ----------
    data : bytes
        The file, valid UTF-8.
    segments : Segments
    block : range
        Which of them.
    notation : {XML, ANDROID, PO, JSON}
    other : callable
        Returns the lines of a segment that is not plain, by its number, and as many lines of its
        source.
    has_accelerators : bool
        The texts may have marks of menus' keys.
    takes_source : bool
        Lines of the sources are wanted.

    Attributes
    ----------
    lines : bytes
        Newline-separated; one line for each segment, or the lines that `other` returns.
    sources : bytes or None
        As many lines, empty where there is no source.
    n_words, n_changed, n_changed_words : int
        For plain segments, after `put_back`: white-space separated words, segments that changed,
        and words that changed.

    Raises
    ------
    IndexError
        A segment is not in the file.
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

        Parameters
        ----------
        cased : bytes
            The cased `lines`.
        position : int
        other : callable
            Returns the splices of a segment that is not plain, by its number and cased lines.

        Raises
        ------
        ValueError
            The lengths of `cased` and `lines` differ.
        """

def follow_one_another(starts: array[int], ends: array[int]) -> bool:
    """Whether each span of the file begins where the one before ends, or later."""

#: Names that a scanner finds, at most.
MAX_NAMES: int

@disjoint_base
class TagScanner:
    """Finds the tags with certain names.

    Parameters
    ----------
    data : bytes
        A whole file, well-formed.
    names : mapping of bytes to int
        Codes, from 1, by names as written in the file.
    ends : set of int
        Codes of elements whose end tags are wanted, too.
    max_depth : int
        Elements inside each other.
    """

    def __new__(
        cls, data: bytes, names: Mapping[bytes, int], ends: Container[int], max_depth: int
    ) -> Self: ...
    def tags(self, n_bytes: int) -> list[Tag] | None:
        """The tags of the next part of the file; None at its end.

        Parameters
        ----------
        n_bytes : int
            The length of the part, about; it ends with a tag.

        Raises
        ------
        OverflowError
            Elements are nested deeper than `max_depth`, or markup is not closed.
        """

def find_attribute(data: bytes, start: int, end: int, name: bytes) -> bytes | None:
    """The value of an attribute, as written; None if missing.

    Parameters
    ----------
    data : bytes
        Well-formed.
    start, end : int
        The bytes of a start tag.
    name : bytes
    """
