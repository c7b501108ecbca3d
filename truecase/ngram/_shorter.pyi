import numpy as np
import numpy.typing as npt

def find_shorter(
    words: npt.NDArray[np.uint32], below: npt.NDArray[np.uint32], threads: int = 1
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]: ...
def raise_to(
    places: npt.NDArray[np.int32], values: npt.NDArray[np.float32], below: npt.NDArray[np.float32]
) -> None: ...
