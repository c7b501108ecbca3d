"""Types of the compiled module `truecase.ngram._count`."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from typing_extensions import disjoint_base

_Bytes = npt.NDArray[np.uint8]
_Integers = npt.NDArray[np.int64]
_Ids = npt.NDArray[np.uint32]
_Keys = npt.NDArray[np.uint64]
_Counted = tuple[_Keys, npt.NDArray[np.uint32]]

@disjoint_base
class NgramBlock:
    order: int
    bits: int
    width: int
    capacity: int
    def __new__(cls, order: int, bits: int, capacity: int, counted: bool = False) -> NgramBlock: ...
    def __len__(self) -> int: ...
    def add_ids(
        self, start: int, ids: _Ids, vocabulary_size: int, first: int = 0, last: int = 0xFFFFFFFF
    ) -> int: ...
    def add_suffixes(
        self, start: int, keys: _Keys, first: int = 0, last: int = 0xFFFFFFFF
    ) -> int: ...
    def add_renumbered(
        self, start: int, keys: _Keys, counts: _Ids, order: int, bits: int, new_id: _Ids
    ) -> int: ...
    def add_line_ends(self, start: int, keys: _Keys, counts: _Ids) -> int: ...
    def flush(self, copy: bool = True) -> _Counted: ...

@disjoint_base
class RunMerger:
    def __new__(cls, sources: list[Callable[[], _Counted]], width: int) -> RunMerger: ...
    def take(self, n_out: int) -> _Counted: ...

def surface_order(blob: _Bytes, offsets: _Integers, first: int = 0) -> _Ids: ...
def take_surfaces(blob: _Bytes, offsets: _Integers, ids: _Ids) -> tuple[_Bytes, _Integers]: ...
def first_words(
    stream: _Ids, key: _Keys, tag: _Bytes, word_class: _Bytes, flags: _Bytes
) -> npt.NDArray[np.bool_]: ...
def by_place(
    stream: _Ids, is_first: npt.NDArray[np.bool_], inside: _Ids, initial: _Ids
) -> _Ids: ...
def tally_stops(stream: _Ids, flags: _Bytes, tag: _Bytes, counts: _Integers) -> _Keys: ...
