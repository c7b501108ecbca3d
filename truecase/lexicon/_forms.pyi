import numpy as np
import numpy.typing as npt

def padded(text: npt.NDArray[np.uint8] | bytes) -> npt.NDArray[np.uint8]: ...
def describe(
    blob: npt.NDArray[np.uint8] | bytes, offsets: npt.NDArray[np.int64], turkic: bool
) -> tuple[
    npt.NDArray[np.uint64],
    npt.NDArray[np.uint64],
    npt.NDArray[np.uint64],
    npt.NDArray[np.uint8],
    npt.NDArray[np.uint8],
    npt.NDArray[np.uint8],
]: ...
def special_forms() -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]: ...
