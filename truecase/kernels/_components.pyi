"""Types of the compiled module `truecase.kernels._components`."""

from collections.abc import Mapping

from typing_extensions import disjoint_base

from truecase.base._component import Component
from truecase.base.spool import Int64s, UInt8s, UInt64s

@disjoint_base
class CaseModels(Component):
    @property
    def n_records(self) -> int: ...
    @property
    def multiplies_n_grams(self) -> bool: ...

SUFFIX_TABLE_BYTES: int

def hash_suffixes(blob: UInt8s | bytes, offsets: Int64s, ids: Int64s, turkic: bool) -> UInt64s: ...
def slots_and_checks(hashes: UInt64s) -> tuple[Int64s, UInt8s]: ...

@disjoint_base
class DenseFeatures(Component):
    @property
    def weights(self) -> dict[str, float]: ...
    @property
    def n_records(self) -> int | None: ...
    def with_weights(self, weights: Mapping[str, float]) -> DenseFeatures: ...

@disjoint_base
class SourceFeatures(Component):
    @property
    def weights(self) -> dict[str, tuple[float, float]]: ...

SMALLEST: float
LONGEST_CODE: int

def hash_entries(sources: UInt64s | None, targets: UInt64s | None) -> UInt64s: ...

@disjoint_base
class TranslationTables(Component):
    """How likely a form is as the translation of a source form."""

    @property
    def n_pairs(self) -> int:
        """Number of pairs with their own probability, in both tables."""

VECTOR: tuple[int, int, int, int, int]
NETWORK_JOINED: int
MAX_NETWORK: int
UNITS_IN_GROUP: int

@disjoint_base
class Network(Component):
    def unsettled(self) -> Network: ...

SEVERAL: tuple[str, ...]
ONE: tuple[str, ...]

@disjoint_base
class Calibration(Component): ...
