from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from typing_extensions import Self, disjoint_base

from truecase.truecaser.arrow_types import TextType

__all__ = [
    "InputChunk",
    "InputColumn",
    "is_utf8",
    "last_row",
    "line_counts",
    "lines_of_rows",
    "row_with_lines",
    "source_lines",
    "texts_of_rows",
]

@disjoint_base
class InputChunk:
    type: TextType
    length: int
    dictionary: InputChunk | None
    def n_bytes(self) -> int: ...
    def nulls(self) -> npt.NDArray[np.bool_] | None: ...
    def numbers(self) -> npt.NDArray[np.integer]: ...

@disjoint_base
class InputColumn:
    type: TextType
    is_stream: bool
    name: str
    def __new__(cls, column: object, name: str = "column") -> Self: ...
    def __iter__(self) -> Iterator[InputChunk]: ...

def last_row(chunk: InputChunk, begin: int, n_bytes: int) -> int: ...
def lines_of_rows(chunk: InputChunk, begin: int, end: int, n_feeds: int = 1) -> bytes: ...
def line_counts(
    chunk: InputChunk, begin: int, end: int, n_feeds: int = 1
) -> npt.NDArray[np.int64]: ...
def is_utf8(block: bytes) -> bool: ...
def texts_of_rows(chunk: InputChunk) -> list[bytes | None]: ...
def row_with_lines(chunk: InputChunk, begin: int, end: int) -> int: ...
def source_lines(
    chunk: InputChunk, begin: int, end: int, sources: InputChunk, source_begin: int
) -> bytes: ...
