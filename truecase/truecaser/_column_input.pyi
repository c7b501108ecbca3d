from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from typing_extensions import Self, disjoint_base

from truecase.truecaser.column_types import TextType

__all__ = [
    "GivenChunk",
    "GivenColumn",
    "is_utf8",
    "last_row",
    "line_counts",
    "lines_of_rows",
    "row_with_lines",
    "source_lines",
    "texts_of_rows",
]

@disjoint_base
class GivenChunk:
    type: TextType
    length: int
    dictionary: GivenChunk | None
    def n_bytes(self) -> int: ...
    def nulls(self) -> npt.NDArray[np.bool_] | None: ...
    def numbers(self) -> npt.NDArray[np.integer]: ...

@disjoint_base
class GivenColumn:
    type: TextType
    is_stream: bool
    name: str
    def __new__(cls, column: object, name: str = "column") -> Self: ...
    def __iter__(self) -> Iterator[GivenChunk]: ...

def last_row(chunk: GivenChunk, begin: int, n_bytes: int) -> int: ...
def lines_of_rows(chunk: GivenChunk, begin: int, end: int, n_feeds: int = 1) -> bytes: ...
def line_counts(
    chunk: GivenChunk, begin: int, end: int, n_feeds: int = 1
) -> npt.NDArray[np.int64]: ...
def is_utf8(block: bytes) -> bool: ...
def texts_of_rows(chunk: GivenChunk) -> list[bytes | None]: ...
def row_with_lines(chunk: GivenChunk, begin: int, end: int) -> int: ...
def source_lines(
    chunk: GivenChunk, begin: int, end: int, sources: GivenChunk, source_begin: int
) -> bytes: ...
