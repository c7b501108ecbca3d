"""What a trained model's sparse features say of the words of a text, template by template."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from truecase._core import CompiledModel
from truecase.source._block import AlignedBlock

__all__ = ["Evidence", "count_settled", "word_evidence"]

class Evidence(NamedTuple):
    """What speaks for each case of some words."""

    whole: npt.NDArray[np.float32]
    prior: npt.NDArray[np.float32]
    own: npt.NDArray[np.float32]
    hidden: npt.NDArray[np.float32]
    weights: npt.NDArray[np.float32]

def word_evidence(
    model: CompiledModel, text: bytes, most: int, source: AlignedBlock | None = None
) -> Evidence: ...
def count_settled(
    model: CompiledModel, text: bytes, source: AlignedBlock | None = None
) -> tuple[int, int, int]: ...
