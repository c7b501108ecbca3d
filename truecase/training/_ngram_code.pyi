"""Sorted n-grams and their counts as bytes."""

import numpy as np
import numpy.typing as npt

def encode(
    keys: npt.NDArray[np.uint64],
    width: int,
    counts: npt.NDArray[np.uint32],
    previous: tuple[int, int],
) -> npt.NDArray[np.uint8]: ...
def decode(
    coded: npt.NDArray[np.uint8] | bytes, n: int, width: int, previous: tuple[int, int]
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint32]]: ...
