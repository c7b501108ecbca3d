from collections.abc import Iterable

from typing_extensions import Buffer, disjoint_base

from truecase.base._component import Component
from truecase.base.spool import Int32s, UInt8s, UInt16s, UInt32s, UInt64s

INPUTS: tuple[int, int, int, int]
JOINED: int
MAX_MARKS: int
MAX_BEFORE: int
MAX_PAIRS: int
MAX_UNITS: int

def is_sign(sign: object) -> bool: ...

@disjoint_base
class Marks(Component):
    marks: tuple[str, ...]
    openings: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]

FLAGS: dict[str, int]
IN_BUCKET: int

def read_words(
    text: Buffer, signs: dict[str, int], turkic: bool = False, openings: Iterable[str] = ()
) -> tuple[UInt64s, UInt32s, UInt8s, UInt8s, UInt8s]: ...
def pair_keys(before: UInt64s, keys: UInt64s) -> UInt64s: ...
def place_keys(keys: UInt64s, n_rows: int) -> UInt16s: ...
def find_rows(keys: UInt64s, checks: UInt16s) -> Int32s: ...
