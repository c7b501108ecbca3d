from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from typing_extensions import Buffer, Self, disjoint_base

from truecase.base.spool import Bools, Int32s, Int64s
from truecase.truecaser.arrow_types import TextType

@disjoint_base
class InputChunk:
    type: TextType
    length: int
    dictionary: InputChunk | None
    def n_bytes(self) -> int: ...
    def nulls(self) -> Bools | None: ...
    def numbers(self) -> npt.NDArray[np.integer]: ...

@disjoint_base
class InputColumn:
    type: TextType
    name: str
    def __new__(cls, column: object, name: str = "column") -> Self: ...
    def __iter__(self) -> Iterator[InputChunk]: ...

@disjoint_base
class ArrowChunk:
    length: int
    null_count: int
    buffers: list[Any]
    dictionary: ArrowChunk | None
    def __new__(
        cls,
        length: int,
        buffers: list[Any],
        nulls: Bools | None = None,
        dictionary: ArrowChunk | None = None,
    ) -> Self: ...

def last_row(chunk: InputChunk, begin: int, n_bytes: int) -> int: ...
def lines_of_rows(chunk: InputChunk, begin: int, end: int, n_feeds: int = 1) -> bytes: ...
def line_counts(chunk: InputChunk, begin: int, end: int, n_feeds: int = 1) -> Int64s: ...
def texts_of_rows(chunk: InputChunk) -> list[bytes | None]: ...
def texts_of_lines(
    chunk: InputChunk, begin: int, end: int, block: bytes, n_feeds: int = 1
) -> tuple[memoryview, Int64s]: ...
def views_of_texts(
    texts: Buffer, ends: Int64s, views: Int32s, buffer: int, start: int
) -> memoryview: ...
def schema_capsule(kind: TextType) -> object: ...
def array_capsules(kind: TextType, chunk: ArrowChunk) -> tuple[object, object]: ...
def stream_capsule(kind: TextType, chunks: list[ArrowChunk]) -> object: ...
