from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
from typing_extensions import Buffer

__all__ = [
    "FLAGS",
    "IN_BUCKET",
    "pair_keys",
    "pair_rows",
    "place_pairs",
    "read_words",
    "word_rows",
]

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
