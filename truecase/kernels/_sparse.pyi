"""The sparse features of a model: their weights, and those of neighbouring tags beside them.

Weights of sparse features that a domain adds to a model's.
"""

from typing_extensions import disjoint_base

from truecase.base._component import Component

__all__ = ["AddedFeatures", "SparseFeatures"]

@disjoint_base
class SparseFeatures(Component):
    """Weights of millions of features, and a hidden layer."""

    @property
    def n_records(self) -> int:
        """Form records of the lexicon that they belong to."""

    @property
    def n_features(self) -> int:
        """Those that have a weight, of all tables together."""

    @property
    def lm_weight(self) -> float:
        """Weight of the n-grams beside them."""

    @property
    def has_cascade(self) -> bool:
        """Whether words that an estimate decides surely get no other features."""

    def without_cascade(self) -> SparseFeatures:
        """The same, with all features of every word."""

    @property
    def reads_source(self) -> bool:
        """Whether some of them look at the source of a translation."""

@disjoint_base
class AddedFeatures(Component):
    """Weights of a domain, added to those that a model's sparse features have."""

    @property
    def n_features(self) -> int:
        """Those that have a weight, of all tables together."""
