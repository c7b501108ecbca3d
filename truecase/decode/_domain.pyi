"""A domain's lexicon and n-grams, and their share."""

from typing_extensions import disjoint_base

from truecase.lexicon._model_lexicon import Lexicon
from truecase.modelfile._component import Component
from truecase.ngram._language_model import LanguageModel

__all__ = ["Domain"]

@disjoint_base
class Domain(Component):
    """A second lexicon and language model, interpolated with the first."""

    @property
    def lexicon(self) -> Lexicon: ...
    @property
    def lm(self) -> LanguageModel: ...
    @property
    def share(self) -> float:
        """How much of the domain's probability is taken."""

    @staticmethod
    def of(share: float, lexicon: Lexicon, lm: LanguageModel) -> Domain:
        """That of parts which are there."""
