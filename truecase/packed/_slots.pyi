import numpy as np
import numpy.typing as npt

class TableError(ValueError): ...

def pack(
    hashes: npt.NDArray[np.uint64],
    payloads: npt.NDArray[np.uint64],
    fingerprint_bits: int,
    payload_bits: int,
    payload_mask: int,
    load: float,
) -> tuple[npt.NDArray[np.uint8], int, int]: ...
def find(
    data: npt.NDArray[np.uint8],
    n_slots: int,
    fingerprint_bits: int,
    payload_bits: int,
    payload_mask: int,
    max_probes: int,
    hashes: npt.NDArray[np.uint64],
    narrow: bool = False,
) -> npt.NDArray[np.uint64]: ...
