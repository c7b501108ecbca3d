"""The weights of a model for lines with a source."""

from typing_extensions import disjoint_base

from truecase.base._component import Component

__all__ = ["SourceFeatures"]

@disjoint_base
class SourceFeatures(Component):
    """Weights that were learned on lines with a source."""

    @property
    def weights(self) -> dict[str, tuple[float, float]]:
        """By the name of the feature, of lines with an alignment and of lines without."""
