import numpy as np
import numpy.typing as npt

def hash_ngrams(
    words: npt.NDArray[np.uint32], form_hashes: npt.NDArray[np.uint64]
) -> npt.NDArray[np.uint64]: ...
def mix_hash(x: int) -> int: ...
