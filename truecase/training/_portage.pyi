"""Observations for Ω's parameters: θ and Φ of every candidate, and which of them is right."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from truecase._core import CompiledModel

def observe(
    compiled: CompiledModel, lines: Iterable[bytes]
) -> tuple[
    npt.NDArray[np.int64],
    npt.NDArray[np.int64],
    npt.NDArray[np.uint8],
    npt.NDArray[np.float32],
    npt.NDArray[np.float32],
]:
    """θ and Φ of the words of a correctly cased text with several forms in the lexicon."""
