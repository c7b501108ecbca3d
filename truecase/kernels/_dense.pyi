"""The dense features of a model: their weights, and what training has seen of words' neighbours."""

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
    """Weights of a few dozen features of each candidate in its context."""

    @property
    def weights(self) -> dict[str, float]:
        """By the name of the feature."""

    @property
    def n_records(self) -> int | None:
        """Form records of the lexicon that they belong to; None if nothing is told of them."""

    def with_weights(self, weights: Mapping[str, float]) -> DenseFeatures:
        """The same features with other weights, by name."""
