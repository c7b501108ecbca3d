"""The naive phrase aligner's walk through the source lines (Wang, Knight & Marcu 2006, 5)."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

__all__ = ["MAX_LENGTH", "sample"]

MAX_LENGTH: int

def sample(
    line_offsets: npt.NDArray[np.int64],
    offsets: npt.NDArray[np.int64],
    source: npt.NDArray[np.int32],
    n_source: npt.NDArray[np.int32],
    weights: Sequence[float],
    seed: int,
    first_line: int,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    """First pair of each line, and the pairs: bounds of source and of target words.

    The first three arrays are those of `Phrases`, which has checked them.

    Raises
    ------
    ValueError
        A link leads beyond its source line.
    """
