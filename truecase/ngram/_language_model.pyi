"""The n-grams of a model."""

from typing_extensions import disjoint_base

from truecase.modelfile._component import Component

__all__ = ["LanguageModel"]

@disjoint_base
class LanguageModel(Component):
    """Cased n-grams of order 2 and more; unigrams are the lexicon's."""

    @property
    def weight(self) -> float:
        """Of the n-grams, if no features beside them have it."""

    @property
    def order(self) -> int:
        """Longest n-gram, in words."""
