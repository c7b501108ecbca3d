"""The scoring function Ω over arrays, for tests and tools; the decoder calls it in place."""

import numpy as np
import numpy.typing as npt

from truecase.ngram._score import NgramScorer

__all__ = ["VARIANTS", "best_path"]

VARIANTS: tuple[str, ...]

def best_path(
    scorer: NgramScorer,
    first_node: npt.NDArray[np.int32],
    form: npt.NDArray[np.uint64],
    lm: npt.NDArray[np.float32],
    backoff: npt.NDArray[np.float32],
    case_ln: npt.NDArray[np.float32],
    known: npt.NDArray[np.uint8],
    start_form: int,
    start_backoff: float,
    variant: str = "product",
    joint: bool = True,
    left_to_right: bool = False,
    lm_share: float = 0.5,
    alpha: float = 1.0,
) -> npt.NDArray[np.int32]:
    """Candidates that Ω chooses for each word of one sentence."""
