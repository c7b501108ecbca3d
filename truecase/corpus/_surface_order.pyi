"""Words in the order of their bytes."""

import numpy as np
import numpy.typing as npt

def surface_order(
    blob: npt.NDArray[np.uint8], offsets: npt.NDArray[np.int64], first: int = 0
) -> npt.NDArray[np.uint32]: ...
