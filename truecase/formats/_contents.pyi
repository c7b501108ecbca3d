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

#: How contents are written: XML, the same with the escapes of Android, strings of PO, what is
#: between the quotation marks of a string of JSON.
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
        Gives the lines of a segment by its number, and as many of its source, for segments whose
        contents are not plain: what takes knowledge of placeholders, or is seldom.
    has_accelerators : bool
        Whether marks of menus' keys may be in the texts.
    takes_source : bool
        Whether lines of the sources are wanted.

    Attributes
    ----------
    lines : bytes
        Newline-separated: of each segment one line, or those that `other` gives.
    sources : bytes or None
        As many lines, empty where there is no source.
    n_words, n_changed, n_changed_words : int
        Of plain segments, after `put_back`: white-space separated words, segments that changed, and
        words that changed in these.

    Raises
    ------
    IndexError
        If a segment is not in the file.
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
            What `lines` became, UTF-8.
        position : int
        other : callable
            Gives what to write for a segment that is not plain, by its number and its cased
            lines: bytes that take the place of others, in the order of the file.

        Raises
        ------
        ValueError
            If `cased` differs from `lines` in more than case, as far as lengths tell.
        """

def follow_one_another(starts: array[int], ends: array[int]) -> bool:
    """Whether each span of the file begins where the one before ends, or later."""

#: How many names a scanner looks for, at most.
MAX_NAMES: int

@disjoint_base
class TagScanner:
    """Finds the tags with certain names.

    Parameters
    ----------
    data : bytes
        A whole file, well-formed.
    names : mapping of bytes to int
        Code, from 1, by the name as it is written.
    ends : set of int
        Codes of the elements whose end tags are wanted, too.
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
            About how long the part is; it ends with a tag.

        Raises
        ------
        OverflowError
            If elements are nested deeper, or markup is not closed.
        """

def find_attribute(data: bytes, start: int, end: int, name: bytes) -> bytes | None:
    """The value of an attribute, as it is written; None if there is no such attribute.

    Parameters
    ----------
    data : bytes
        Well-formed.
    start, end : int
        The bytes of a start tag.
    name : bytes
    """
