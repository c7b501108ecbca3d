from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
from typing_extensions import disjoint_base

from truecase.base._component import Component

__all__ = ["N_BYTES", "DenseFeatures", "hash_suffixes", "slots_and_checks"]

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

@disjoint_base
class DenseFeatures(Component):
    @property
    def weights(self) -> dict[str, float]: ...
    @property
    def n_records(self) -> int | None: ...
    def with_weights(self, weights: Mapping[str, float]) -> DenseFeatures: ...
