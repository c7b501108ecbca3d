"""Tags of well-formed XML, found without a parser."""

from collections.abc import Container, Mapping

from typing_extensions import Self, disjoint_base

from truecase.formats.tags import Tag

__all__ = ["MAX_NAMES", "TagScanner", "find_attribute"]

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
