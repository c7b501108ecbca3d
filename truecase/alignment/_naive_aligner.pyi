"""Types of the compiled module `truecase.alignment._naive_aligner`."""

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
    """Draw phrase pairs; return `line_offsets` and `bounds` as in `PhrasePairs`.

    The first three arrays are those of `Phrases`. ValueError if a link leads beyond its source
    line.
    """
