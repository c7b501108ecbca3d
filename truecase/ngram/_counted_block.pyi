"""Sorting of n-grams that come with counts, and adding up of those that are the same."""

import numpy as np
import numpy.typing as npt
from typing_extensions import disjoint_base

__all__ = ["CountedBlock"]

@disjoint_base
class CountedBlock:
    order: int
    bits: int
    width: int
    capacity: int
    def __new__(cls, order: int, bits: int, capacity: int) -> CountedBlock: ...
    def __len__(self) -> int: ...
    def add_renumbered(
        self,
        keys: npt.NDArray[np.uint64],
        counts: npt.NDArray[np.uint32],
        start: int,
        order: int,
        bits: int,
        new_id: npt.NDArray[np.uint32],
    ) -> int: ...
    def add_line_ends(
        self, keys: npt.NDArray[np.uint64], counts: npt.NDArray[np.uint32], start: int
    ) -> int: ...
    def flush(self, copy: bool = True) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint32]]: ...
