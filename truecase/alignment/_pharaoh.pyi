"""Alignments in Pharaoh form, parsed into the arrays of `Phrases` and written from them."""

import numpy as np
import numpy.typing as npt

__all__ = ["BAD_FORM", "BAD_PROBABILITY", "BAD_SOURCE", "BAD_TARGET", "parse", "write"]

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
