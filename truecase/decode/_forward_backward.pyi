import numpy as np
import numpy.typing as npt

from truecase.ngram._score import NgramScorer

__all__ = ["posteriors"]

def posteriors(
    scorer: NgramScorer,
    first_node: npt.NDArray[np.int32],
    form: npt.NDArray[np.uint64],
    lm: npt.NDArray[np.float32],
    backoff: npt.NDArray[np.float32],
    score: npt.NDArray[np.float32],
    start_form: int,
    start_backoff: float,
    lm_weight: float = 1.0,
    state: npt.NDArray[np.uint8] | None = None,
    transition: npt.NDArray[np.float32] | None = None,
    allowed: npt.NDArray[np.uint64] | None = None,
) -> tuple[float, npt.NDArray[np.float64], float, npt.NDArray[np.float64]]: ...
