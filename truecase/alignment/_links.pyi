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
    """Parse lines of links.

    Returns
    -------
    line_offsets, offsets, source_words
        As in `Phrases`; a line with a bad link has no links.
    problem, problem_at
        Of each line, a code ``BAD_…`` (0 for a good line), and the byte where the bad link begins.

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
    """Write lines of links; the arrays are those of `Phrases`."""

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
        Index of each token's word in its line. Words are runs of bytes other than ASCII white
        space; a token of several words belongs to the first.
    """
