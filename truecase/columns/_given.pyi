from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from truecase.columns.types import TextType

__all__ = ["GivenChunk", "GivenColumn"]

class GivenChunk:
    type: TextType
    length: int
    dictionary: GivenChunk | None
    def n_bytes(self) -> int: ...
    def nulls(self) -> npt.NDArray[np.bool_] | None: ...
    def numbers(self) -> npt.NDArray[np.integer]: ...

class GivenColumn:
    type: TextType
    is_stream: bool
    name: str
    def __init__(self, column: object, name: str = "column") -> None: ...
    def __iter__(self) -> Iterator[GivenChunk]: ...
