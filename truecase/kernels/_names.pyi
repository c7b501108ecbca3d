import numpy as np
import numpy.typing as npt
from typing_extensions import Buffer, Self, disjoint_base

from truecase.base._component import Component
from truecase.kernels._lexicon import Lexicon

BONUS: dict[str, float]
LONGEST: int

def scan_names(
    text: Buffer,
) -> tuple[dict[str, npt.NDArray[np.generic]] | None, int, int, tuple[int, str] | None]:
    """Read the names of a plain list."""

@disjoint_base
class NameList(Component):
    """Names in their right case, of words and phrases."""

    def __len__(self) -> int: ...
    def __getitem__(self, index: int, /) -> str:
        """A name as in its list, with the ! in front of a forced one."""

@disjoint_base
class NameTable:
    """Finds the names of a list; the lexicon says which of them are also common words."""

    def __new__(
        cls, names: NameList, lexicon: Lexicon, segmentation: int, turkic: bool
    ) -> Self: ...
