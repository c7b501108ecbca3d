"""Alignments of both directions made one: grow-diag-final-and (Koehn, Och & Marcu 2003)."""

import numpy as np
import numpy.typing as npt

from truecase.alignment.lines import Phrases

__all__ = ["grow_diag_final_and"]

def grow_diag_final_and(
    forward: Phrases, reverse: Phrases, n_source: npt.NDArray[np.int32]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    """Offsets and source words, as in `Phrases`, of the links that both directions lead to.

    Links of both directions; from these on, again and again, links of either direction beside
    a chosen one, also diagonally, if one of their words has none yet; at last links of the
    forward, then of the reverse direction of which neither word has any.

    Parameters
    ----------
    forward, reverse : Phrases
        Links of the same lines, both as source words of the target words.
    n_source : int32 ndarray, shape (n_lines,)
        Words of each source line.
    """
