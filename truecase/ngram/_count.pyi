from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from typing_extensions import disjoint_base

__all__ = ["CountedBlock", "KeyBlock", "RunMerger", "count_second_words"]

def count_second_words(
    keys: npt.NDArray[np.uint64], order: int, bits: int, of_words: npt.NDArray[np.int64]
) -> None: ...

@disjoint_base
class KeyBlock:
    order: int
    bits: int
    width: int
    capacity: int
    def __new__(cls, order: int, bits: int, capacity: int) -> KeyBlock: ...
    def __len__(self) -> int: ...
    def add_ids(
        self,
        ids: npt.NDArray[np.uint32],
        start: int,
        vocabulary_size: int,
        first: int = 0,
        last: int = 0xFFFFFFFF,
    ) -> int: ...
    def add_suffixes(
        self,
        keys: npt.NDArray[np.uint64],
        start: int,
        first: int = 0,
        last: int = 0xFFFFFFFF,
    ) -> int: ...
    def flush(self, copy: bool = True) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint32]]: ...

@disjoint_base
class RunMerger:
    def __new__(
        cls,
        sources: list[Callable[[], tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint32]]]],
        width: int,
    ) -> RunMerger: ...
    def take(self, n_out: int) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint32]]: ...

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
