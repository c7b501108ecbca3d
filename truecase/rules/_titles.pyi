"""Lines of a block: their kind by case, junk, and a detector of titles by their form."""

import numpy as np
import numpy.typing as npt
from typing_extensions import disjoint_base

__all__ = ["BODY", "N_WEIGHTS", "TITLE", "UNCLEAR", "TitleDetector"]

BODY: int
TITLE: int
UNCLEAR: int
N_WEIGHTS: int

@disjoint_base
class TitleDetector:
    """Tells titles from body text by the form of a line: its words, length, marks, ending."""

    def __new__(
        cls,
        segmentation: str = "raw",
        language: str = "",
        weights: npt.NDArray[np.float32] | None = None,
    ) -> TitleDetector: ...
    @property
    def weights(self) -> npt.NDArray[np.float32]:
        """Learned weights, shape (32768,)."""

    def learn(self, block: bytes) -> None:
        """Learn from the lines of naturally cased text whose kind is clear."""

    def detect(self, block: bytes) -> npt.NDArray[np.uint8]:
        """Find lines with the form of a title, one entry per line."""

    def look(self, block: bytes) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.bool_]]:
        """Judge naturally cased lines by case alone: kinds, and whether mostly upper case."""
