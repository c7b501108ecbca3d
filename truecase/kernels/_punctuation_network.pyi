from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
from typing_extensions import Buffer, disjoint_base

from truecase.base._component import Component

__all__ = [
    "FLAGS",
    "INPUTS",
    "IN_BUCKET",
    "JOINED",
    "MAX_BEFORE",
    "MAX_MARKS",
    "MAX_PAIRS",
    "MAX_UNITS",
    "Marks",
    "is_sign",
    "pair_keys",
    "pair_rows",
    "place_pairs",
    "read_words",
    "word_rows",
]

INPUTS: tuple[int, int, int, int]
JOINED: int
MAX_MARKS: int
MAX_BEFORE: int
MAX_PAIRS: int
MAX_UNITS: int

def is_sign(sign: object) -> bool:
    """Whether a mark of a model may be this: one character that is no letter, digit or space."""

@disjoint_base
class Marks(Component):
    """Recurrent units over words, and which marks they put between them."""

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
]:
    """The words of a text: keys, endings, marks behind them, flags, marks in front of them."""

def word_rows(keys: npt.NDArray[np.uint64], n_rows: int) -> npt.NDArray[np.int32]:
    """Rows of words, by their keys."""

def pair_keys(
    before: npt.NDArray[np.uint64], keys: npt.NDArray[np.uint64]
) -> npt.NDArray[np.uint64]:
    """Keys of pairs, of those of two words each."""

def place_pairs(keys: npt.NDArray[np.uint64], n_rows: int) -> npt.NDArray[np.uint16]:
    """What each row of a table of pairs is found by, the first of them first."""

def pair_rows(
    keys: npt.NDArray[np.uint64], checks: npt.NDArray[np.uint16]
) -> npt.NDArray[np.int32]:
    """Rows of pairs, as many as there are rows for those that have none."""
