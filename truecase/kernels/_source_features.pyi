from typing_extensions import disjoint_base

from truecase.base._component import Component

__all__ = ["SourceFeatures"]

@disjoint_base
class SourceFeatures(Component):
    @property
    def weights(self) -> dict[str, tuple[float, float]]: ...
