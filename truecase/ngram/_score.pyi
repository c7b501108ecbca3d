from typing import Any

import numpy as np
import numpy.typing as npt
from typing_extensions import Self, disjoint_base

@disjoint_base
class NgramScorer:
    def __new__(
        cls,
        form: npt.NDArray[np.uint64],
        log_probability: npt.NDArray[np.float32],
        log_backoff: npt.NDArray[np.float32],
        tables: list[tuple[dict[str, npt.NDArray[np.generic]], dict[str, Any]]],
        closed: bool = False,
    ) -> Self: ...
    @property
    def unigram_backoff(self) -> npt.NDArray[np.float32]: ...
    def last_word(
        self, words: npt.NDArray[np.uint32], skip: int = 0
    ) -> npt.NDArray[np.float32]: ...
