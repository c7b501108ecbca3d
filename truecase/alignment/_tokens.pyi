"""Lines as their tokens with one space between them, and the word that each token belongs to."""

import numpy as np
import numpy.typing as npt

__all__ = ["split_tokens"]

def split_tokens(
    block: bytes, segmentation: str = "raw", language: str = ""
) -> tuple[bytes, npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    """Tokenise lines.

    Returns
    -------
    text : bytes
        As many lines, each ended by a line feed; white space within a token becomes ``_``.
    line_offsets : int64 ndarray, shape (n_lines + 1,)
        First token of each line, counted over the block.
    word : int32 ndarray, shape (n_tokens,)
        Number of each token's word in its line. A word is a run of bytes other than ASCII white
        space; a token that is more than one belongs to the first.
    """
