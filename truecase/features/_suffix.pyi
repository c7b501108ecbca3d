import numpy as np
import numpy.typing as npt

__all__ = ["N_BYTES", "hash_suffixes", "slots_and_checks"]

N_BYTES: int

def hash_suffixes(
    blob: npt.NDArray[np.uint8] | bytes,
    offsets: npt.NDArray[np.int64],
    ids: npt.NDArray[np.int64],
    turkic: bool,
) -> npt.NDArray[np.uint64]: ...
def slots_and_checks(
    hashes: npt.NDArray[np.uint64],
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint8]]: ...
