"""Types of the compiled module `truecase.alignment._symmetrise`."""

import numpy as np
import numpy.typing as npt

from truecase.alignment.lines import Phrases

__all__ = ["grow_diag_final_and"]

def grow_diag_final_and(
    forward: Phrases, reverse: Phrases, n_source: npt.NDArray[np.int32]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    """Join the links of both directions; return `offsets` and `source_words` as in `Phrases`.

    Chosen are the links of both directions; then, repeatedly, links of either direction next to a
    chosen one, also diagonally, if one of their words has no chosen link; at last links of the
    forward, then of the reverse direction if both words have no chosen link.

    Parameters
    ----------
    forward, reverse : Phrases
        Links of the same lines, both as source words of the target words.
    n_source : int32 ndarray, shape (n_lines,)
        Words of each source line.
    """
