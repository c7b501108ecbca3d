from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from typing_extensions import Self, disjoint_base

from truecase.columns.types import TextType

__all__ = ["GivenChunk", "GivenColumn"]

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
