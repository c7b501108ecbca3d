import numpy as np
import numpy.typing as npt

__all__ = ["bin_means", "nearest"]

def nearest(
    bounds: npt.NDArray[np.float64], values: npt.NDArray[np.float32], first_code: int
) -> npt.NDArray[np.uint32]: ...
def bin_means(
    bounds: npt.NDArray[np.float64],
    values: npt.NDArray[np.float32],
    counts: npt.NDArray[np.int64],
    weighted: npt.NDArray[np.float64],
) -> npt.NDArray[np.float64]: ...
