from typing_extensions import disjoint_base

from truecase.base._component import Component

__all__ = ["AddedFeatures", "SparseFeatures"]

@disjoint_base
class SparseFeatures(Component):
    @property
    def n_records(self) -> int: ...
    @property
    def n_features(self) -> int: ...
    @property
    def lm_weight(self) -> float: ...
    @property
    def has_cascade(self) -> bool: ...
    def without_cascade(self) -> SparseFeatures: ...
    @property
    def reads_source(self) -> bool: ...

@disjoint_base
class AddedFeatures(Component):
    @property
    def n_features(self) -> int: ...
