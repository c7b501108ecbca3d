from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from typing_extensions import disjoint_base

from truecase.base._component import Component

__all__ = [
    "LONGEST_CODE",
    "SMALLEST",
    "TranslationTables",
    "hash_pairs",
    "hash_sources",
    "hash_targets",
]

SMALLEST: float
LONGEST_CODE: int

def hash_pairs(
    sources: npt.NDArray[np.uint64], targets: npt.NDArray[np.uint64]
) -> npt.NDArray[np.uint64]: ...
def hash_sources(sources: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]: ...
def hash_targets(targets: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]: ...

@disjoint_base
class TranslationTables(Component):
    """How likely a form is as the translation of a source form."""

    @property
    def n_pairs(self) -> int:
        """Number of pairs with their own probability, in both tables."""

    def probabilities(
        self,
        sources: npt.NDArray[np.uint64],
        targets: npt.NDArray[np.uint64],
        lower: bool = False,
    ) -> npt.NDArray[np.float32]: ...
    def features(
        self,
        text: bytes,
        segmentation: int,
        turkic: bool,
        words: Sequence[int] | None,
        forms: npt.NDArray[np.uint64],
        tags: npt.NDArray[np.uint8],
        key: int,
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32], int]: ...
