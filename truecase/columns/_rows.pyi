import numpy as np
import numpy.typing as npt

from truecase.columns._given import GivenChunk

__all__ = [
    "is_utf8",
    "last_row",
    "line_counts",
    "lines_of_rows",
    "row_with_lines",
    "source_lines",
    "texts_of_rows",
]

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
