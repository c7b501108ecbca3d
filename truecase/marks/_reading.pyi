from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
from typing_extensions import Buffer

__all__ = ["FLAGS", "read_words", "word_rows"]

FLAGS: dict[str, int]

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
