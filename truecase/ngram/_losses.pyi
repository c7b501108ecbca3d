import numpy as np
import numpy.typing as npt
from typing_extensions import Self, disjoint_base

from truecase.kernels._ngrams import NgramScorer

__all__ = ["CasingLosses", "find_shorter", "raise_to"]

@disjoint_base
class CasingLosses:
    def __new__(
        cls,
        scorer: NgramScorer,
        alternatives_start: npt.NDArray[np.int64],
        alternatives: npt.NDArray[np.uint32],
        node_score: npt.NDArray[np.float32],
    ) -> Self: ...
    def of(
        self,
        words: npt.NDArray[np.uint32],
        counts: npt.NDArray[np.uint32],
        context_backoff: npt.NDArray[np.float32],
    ) -> npt.NDArray[np.float32]: ...

def find_shorter(
    words: npt.NDArray[np.uint32], below: npt.NDArray[np.uint32], threads: int = 1
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]: ...
def raise_to(
    places: npt.NDArray[np.int32], values: npt.NDArray[np.float32], below: npt.NDArray[np.float32]
) -> None: ...
