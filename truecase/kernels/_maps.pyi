from typing_extensions import Self, disjoint_base

from truecase.base.spool import UInt8s, UInt64s

@disjoint_base
class SlotPacker:
    data: UInt8s
    def __new__(
        cls, n: int, fingerprint_bits: int, payload_bits: int, payload_mask: int, load: float
    ) -> Self: ...
    @property
    def n_slots(self) -> int: ...
    def add(self, hashes: UInt64s, payloads: UInt64s) -> None: ...
    def n_probes(self, hashes: UInt64s, payloads: UInt64s) -> int: ...

def pack(
    hashes: UInt64s,
    payloads: UInt64s,
    fingerprint_bits: int,
    payload_bits: int,
    payload_mask: int,
    load: float,
) -> tuple[UInt8s, int, int]: ...

MAX_PROBES: int
