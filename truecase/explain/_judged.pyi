from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from truecase._core import CompiledModel

__all__ = ["JudgedWords", "judged_words"]

class JudgedWords(NamedTuple):
    """Words with case, an entry for each."""

    probability: npt.NDArray[np.float64]
    values: npt.NDArray[np.float64]
    is_one: npt.NDArray[np.bool_]
    is_decided: npt.NDArray[np.bool_]
    is_right: npt.NDArray[np.bool_]

def judged_words(model: CompiledModel, block: bytes, reference: bytes) -> JudgedWords: ...
