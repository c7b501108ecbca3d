import numpy as np
import numpy.typing as npt

def tally(
    stream: npt.NDArray[np.uint32],
    tag: npt.NDArray[np.uint8],
    word_class: npt.NDArray[np.uint8],
    flags: npt.NDArray[np.uint8],
    counts: npt.NDArray[np.int64],
) -> None: ...
def tally_stops(
    stream: npt.NDArray[np.uint32],
    flags: npt.NDArray[np.uint8],
    begins: npt.NDArray[np.uint8],
    counts: npt.NDArray[np.int64],
) -> None: ...
def rewrite(
    stream: npt.NDArray[np.uint32],
    tag: npt.NDArray[np.uint8],
    word_class: npt.NDArray[np.uint8],
    flags: npt.NDArray[np.uint8],
    inside: npt.NDArray[np.uint32],
    initial: npt.NDArray[np.uint32],
    out: npt.NDArray[np.uint32],
) -> None: ...
