from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
from typing_extensions import Buffer, disjoint_base

from truecase.base._component import Component

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
) -> tuple[
    npt.NDArray[np.uint64],
    npt.NDArray[np.uint32],
    npt.NDArray[np.uint8],
    npt.NDArray[np.uint8],
    npt.NDArray[np.uint8],
]: ...
def pair_keys(
    before: npt.NDArray[np.uint64], keys: npt.NDArray[np.uint64]
) -> npt.NDArray[np.uint64]: ...
def place_pairs(keys: npt.NDArray[np.uint64], n_rows: int) -> npt.NDArray[np.uint16]: ...
def pair_rows(
    keys: npt.NDArray[np.uint64], checks: npt.NDArray[np.uint16]
) -> npt.NDArray[np.int32]: ...
