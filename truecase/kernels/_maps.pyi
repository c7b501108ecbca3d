import numpy as np
import numpy.typing as npt
from typing_extensions import Self, disjoint_base

@disjoint_base
class SlotPacker:
    data: npt.NDArray[np.uint8]
    def __new__(
        cls, n: int, fingerprint_bits: int, payload_bits: int, payload_mask: int, load: float
    ) -> Self: ...
    @property
    def n_slots(self) -> int: ...
    def add(self, hashes: npt.NDArray[np.uint64], payloads: npt.NDArray[np.uint64]) -> None: ...
    def n_probes(self, hashes: npt.NDArray[np.uint64], payloads: npt.NDArray[np.uint64]) -> int: ...

def pack(
    hashes: npt.NDArray[np.uint64],
    payloads: npt.NDArray[np.uint64],
    fingerprint_bits: int,
    payload_bits: int,
    payload_mask: int,
    load: float,
) -> tuple[npt.NDArray[np.uint8], int, int]: ...

MAX_PROBES: int
