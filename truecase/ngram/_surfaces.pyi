"""The surface forms of a vocabulary: their order, and some of them by themselves."""

import numpy as np
import numpy.typing as npt

__all__ = ["surface_order", "take_surfaces"]

def surface_order(
    blob: npt.NDArray[np.uint8], offsets: npt.NDArray[np.int64], first: int = 0
) -> npt.NDArray[np.uint32]: ...
def take_surfaces(
    blob: npt.NDArray[np.uint8], offsets: npt.NDArray[np.int64], ids: npt.NDArray[np.uint32]
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]: ...
