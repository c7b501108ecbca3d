"""Readers of XML that ask for the tags of a few elements, rather than for all that there are."""

from __future__ import annotations

import abc
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from truecase.formats.languages import Languages
from truecase.formats.segments import Segments

#: A code, which is negative for end tags, the number of elements that are open with this one, the
#: bytes of the tag, and the attributes of a start tag if a parser has read them. An element of one
#: tag has two: the second is empty, and after the first.
Tag: TypeAlias = tuple[int, int, int, int, dict[str, str] | None]


class TagReader(abc.ABC):
    """Gathers the segments of one format.

    Attributes
    ----------
    format : str
        Name for people.
    codes : mapping of str to int
        Which elements it is told of: codes from 1, by names as expat gives them.
    ends : frozenset of int
        Of these elements it is told of end tags, too.
    any_namespace : bool
        Whether names in `codes` are those of elements in any name space.
    """

    format: str
    codes: Mapping[str, int]
    ends: frozenset[int]
    any_namespace = False

    @abc.abstractmethod
    def read(self, tags: Iterable[Tag]) -> None:
        """Go on with tags."""

    @abc.abstractmethod
    def finish(self, wanted: Languages) -> tuple[Segments, Languages]:
        """The segments of the wanted languages, and which they are."""


class NotScannable(Exception):
    """That a file must be read by a parser."""
