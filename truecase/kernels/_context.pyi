from typing_extensions import disjoint_base

from truecase.base._component import Component

__all__ = ["FARTHEST_LEAD", "INPUTS", "JOINED", "MAX_UNITS", "PRIORS", "ContextLayer"]

FARTHEST_LEAD: float
INPUTS: tuple[int, int, int, int]
JOINED: int
MAX_UNITS: int
PRIORS: int

@disjoint_base
class ContextLayer(Component): ...
