"""Types of the compiled module `truecase.ngram._arpa`."""

import numpy as np
import numpy.typing as npt
from typing_extensions import disjoint_base

from truecase.ngram._intern import WordIds

def format_number(number: float) -> str: ...
def format_lines(
    words: npt.NDArray[np.uint32],
    log10_prob: npt.NDArray[np.float32],
    log10_backoff: npt.NDArray[np.float32] | None,
    blob: npt.NDArray[np.uint8],
    offsets: npt.NDArray[np.int64],
    start: int,
    out: npt.NDArray[np.uint8],
) -> tuple[int, int]: ...

@disjoint_base
class ArpaWords(WordIds):
    has_special: list[bool]
    def __new__(cls) -> ArpaWords: ...
    def parse_lines(
        self,
        block: bytes,
        start: int,
        highest: bool,
        words: npt.NDArray[np.uint32],
        log10_prob: npt.NDArray[np.float32],
        log10_backoff: npt.NDArray[np.float32],
        row: int,
    ) -> tuple[int, int, int, int]: ...

def lexicographic_order(words: npt.NDArray[np.uint32], bits: int) -> npt.NDArray[np.int64]: ...
