"""Sorted n-grams and their counts as bytes."""

from truecase.base.spool import UInt8s, UInt32s, UInt64s

def encode(keys: UInt64s, width: int, counts: UInt32s, previous: tuple[int, int]) -> UInt8s: ...
def decode(
    coded: UInt8s | bytes, n: int, width: int, previous: tuple[int, int]
) -> tuple[UInt64s, UInt32s]: ...
