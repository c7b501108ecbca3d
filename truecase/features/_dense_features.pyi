"""The dense features of a model: their weights, and what training has seen of words' neighbours."""

from collections.abc import Mapping

from typing_extensions import disjoint_base

from truecase.modelfile._component import Component

__all__ = ["DenseFeatures"]

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
