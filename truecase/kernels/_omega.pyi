"""Portage's models of the case of a word by itself, and how they are joined with the n-grams."""

from typing_extensions import disjoint_base

from truecase.base._component import Component

__all__ = ["CaseModels"]

@disjoint_base
class CaseModels(Component):
    """Portage's models of the case of a word by itself (Agbago et al. 2005)."""

    @property
    def n_records(self) -> int:
        """Form records of the lexicon that they belong to."""

    @property
    def multiplies_n_grams(self) -> bool:
        """Whether edges stay the n-grams' own: Φ and Π are factors beside them."""
