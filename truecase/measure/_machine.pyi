"""Loops that run at the limits of a machine: no program that does as much can run faster."""

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["follow", "gather", "pass_over_words"]

def pass_over_words(
    text: Buffer, out: Buffer, table: npt.NDArray[np.uint32]
) -> tuple[int, int]: ...
def gather(table: npt.NDArray[np.uint64], n: int) -> int: ...
def follow(table: npt.NDArray[np.uint64], n: int) -> int: ...
