"""A list of names as a component of a model.

Where the names of a list are found, for the lexicon of a model.
"""

import numpy as np
import numpy.typing as npt
from typing_extensions import Buffer, Self, disjoint_base

from truecase.base._component import Component
from truecase.kernels._lexicon import Lexicon

__all__ = ["BONUS", "LONGEST", "NameList", "NameTable", "scan_names"]

BONUS: dict[str, float]
LONGEST: int

def scan_names(
    text: Buffer,
) -> tuple[dict[str, npt.NDArray[np.generic]] | None, int, int, tuple[int, str] | None]:
    """The names of a plain list, one a line."""

@disjoint_base
class NameList(Component):
    """Names in their right case, of words and phrases."""

    def __len__(self) -> int: ...
    def __getitem__(self, index: int) -> str:
        """A name as it was written in its list, with the ! in front if there was one."""

@disjoint_base
class NameTable:
    """Where the names of a list are found, and which of them are common words to a lexicon."""

    def __new__(
        cls, names: NameList, lexicon: Lexicon, segmentation: int, turkic: bool
    ) -> Self: ...
