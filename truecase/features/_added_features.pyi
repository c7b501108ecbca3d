"""Weights of sparse features that a domain adds to a model's."""

from typing_extensions import disjoint_base

from truecase.modelfile._component import Component

__all__ = ["AddedFeatures"]

@disjoint_base
class AddedFeatures(Component):
    """Weights of a domain, added to those that a model's sparse features have."""

    @property
    def n_features(self) -> int:
        """Those that have a weight, of all tables together."""
