from typing_extensions import disjoint_base

from truecase.base._component import Component

__all__ = ["CaseModels"]

@disjoint_base
class CaseModels(Component):
    @property
    def n_records(self) -> int: ...
    @property
    def multiplies_n_grams(self) -> bool: ...
