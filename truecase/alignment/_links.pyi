import numpy as np
import numpy.typing as npt

__all__ = [
    "BAD_FORM",
    "BAD_PROBABILITY",
    "BAD_SOURCE",
    "BAD_TARGET",
    "parse",
    "split_tokens",
    "write",
]

BAD_FORM: int
BAD_PROBABILITY: int
BAD_SOURCE: int
BAD_TARGET: int

def parse(
    block: bytes,
    n_source: npt.NDArray[np.int32],
    n_target: npt.NDArray[np.int32],
    threshold: float,
    keep_possible: bool,
) -> tuple[
    npt.NDArray[np.int64],
    npt.NDArray[np.int64],
    npt.NDArray[np.int32],
    npt.NDArray[np.uint8],
    npt.NDArray[np.int64],
]:
    """Line offsets, offsets and source words, as in `Phrases`; what is wrong, and where.

    A line in which something is wrong has no links; of it, one of the codes ``BAD_…`` (0 if
    nothing is wrong) and the byte of the block where the wrong link begins.

    Raises
    ------
    ValueError
        The block does not have as many lines as there are counts.
    """

def write(
    line_offsets: npt.NDArray[np.int64],
    offsets: npt.NDArray[np.int64],
    source: npt.NDArray[np.int32],
) -> bytes:
    """Lines of Pharaoh form from arrays that `Phrases` has checked."""

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
