"""Types of the compiled module `truecase.ngram._count`."""

from typing_extensions import disjoint_base

from truecase.base.spool import Bools, Int64s, UInt8s, UInt32s, UInt64s

_Counted = tuple[UInt64s, UInt32s]

@disjoint_base
class NgramBlock:
    order: int
    bits: int
    width: int
    capacity: int
    def __new__(cls, order: int, bits: int, capacity: int, counted: bool = False) -> NgramBlock: ...
    def __len__(self) -> int: ...
    def add_ids(
        self, start: int, ids: UInt32s, vocabulary_size: int, first: int = 0, last: int = 0xFFFFFFFF
    ) -> int: ...
    def add_suffixes(
        self, start: int, keys: UInt64s, first: int = 0, last: int = 0xFFFFFFFF
    ) -> int: ...
    def add_renumbered(
        self, start: int, keys: UInt64s, counts: UInt32s, order: int, bits: int, new_id: UInt32s
    ) -> int: ...
    def add_counted(
        self, start: int, keys: UInt64s, counts: UInt32s, last: tuple[int, int] | None = None
    ) -> int: ...
    def flush(self, copy: bool = True) -> _Counted: ...

def take_surfaces(blob: UInt8s, offsets: Int64s, ids: UInt32s) -> tuple[UInt8s, Int64s]: ...
def first_words(
    stream: UInt32s, key: UInt64s, tag: UInt8s, word_class: UInt8s, flags: UInt8s
) -> Bools: ...
def tally_stops(stream: UInt32s, flags: UInt8s, tag: UInt8s, counts: Int64s) -> UInt64s: ...
