from typing import Any

import numpy as np
import numpy.typing as npt
from typing_extensions import Self, disjoint_base

__all__ = ["PairCounter"]

_Forms = tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64], npt.NDArray[np.uint8]]

@disjoint_base
class PairCounter:
    def __new__(cls, segmentation: int, source_turkic: bool, target_turkic: bool) -> Self: ...
    def add(
        self,
        source: Any,
        target: Any,
        line_offsets: npt.NDArray[np.int64],
        offsets: npt.NDArray[np.int64],
        links: npt.NDArray[np.int32],
        unaligned: npt.NDArray[np.uint8],
    ) -> None: ...
    @property
    def n_words(self) -> int: ...
    @property
    def n_bytes(self) -> int: ...
    def pairs(self) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint32]]: ...
    def source_forms(self) -> _Forms: ...
    def target_forms(self) -> _Forms: ...
