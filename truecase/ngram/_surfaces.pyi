"""Types of the compiled module `truecase.ngram._surfaces`."""

import numpy as np
import numpy.typing as npt

__all__ = ["by_place", "first_words", "surface_order", "take_surfaces", "tally_stops"]

def surface_order(
    blob: npt.NDArray[np.uint8], offsets: npt.NDArray[np.int64], first: int = 0
) -> npt.NDArray[np.uint32]: ...
def take_surfaces(
    blob: npt.NDArray[np.uint8], offsets: npt.NDArray[np.int64], ids: npt.NDArray[np.uint32]
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]: ...
def first_words(
    stream: npt.NDArray[np.uint32],
    key: npt.NDArray[np.uint64],
    tag: npt.NDArray[np.uint8],
    word_class: npt.NDArray[np.uint8],
    flags: npt.NDArray[np.uint8],
) -> npt.NDArray[np.bool_]: ...
def by_place(
    stream: npt.NDArray[np.uint32],
    is_first: npt.NDArray[np.bool_],
    inside: npt.NDArray[np.uint32],
    initial: npt.NDArray[np.uint32],
) -> npt.NDArray[np.uint32]: ...
def tally_stops(
    stream: npt.NDArray[np.uint32],
    flags: npt.NDArray[np.uint8],
    tag: npt.NDArray[np.uint8],
    counts: npt.NDArray[np.int64],
) -> npt.NDArray[np.uint64]: ...
