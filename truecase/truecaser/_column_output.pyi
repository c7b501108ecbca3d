from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from typing_extensions import Buffer, Self, disjoint_base

from truecase.truecaser._column_input import InputChunk
from truecase.truecaser.arrow_types import TextType

__all__ = [
    "ArrowChunk",
    "TextWriter",
    "array_capsules",
    "chunk_of_buffers",
    "chunk_of_numbers",
    "dictionary_chunk",
    "schema_capsule",
    "stream_capsule",
]

@disjoint_base
class ArrowChunk:
    length: int
    null_count: int
    dictionary: ArrowChunk | None
    numbers: npt.NDArray[np.generic] | None

@disjoint_base
class TextWriter:
    def __new__(cls, given: InputChunk, name: str) -> Self: ...
    def write(self, block: bytes, end: int, n_feeds: int = 1) -> None: ...
    def finish(self) -> ArrowChunk: ...

def chunk_of_buffers(
    length: int, null_count: int, buffers: Sequence[Buffer | npt.NDArray[np.uint8] | None]
) -> ArrowChunk: ...
def chunk_of_numbers(
    numbers: npt.NDArray[np.generic], nulls: npt.NDArray[np.bool_] | None = None
) -> ArrowChunk: ...
def dictionary_chunk(
    numbers: npt.NDArray[np.integer],
    texts: ArrowChunk,
    nulls: npt.NDArray[np.bool_] | None = None,
) -> ArrowChunk: ...
def schema_capsule(kind: TextType | str) -> object: ...
def array_capsules(kind: TextType | str, chunk: ArrowChunk) -> tuple[object, object]: ...
def stream_capsule(kind: TextType | str, chunks: list[ArrowChunk]) -> object: ...
