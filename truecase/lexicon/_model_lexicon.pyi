"""The lexicon of a model."""

from typing_extensions import disjoint_base

from truecase.modelfile._component import Component

__all__ = ["Lexicon"]

@disjoint_base
class Lexicon(Component):
    """Lowercase word → its forms, their unigrams and counts; the classes of unknown words."""

    @property
    def n_records(self) -> int:
        """Form records."""

    @property
    def sentence_start_backoff_ln(self) -> float: ...
    @property
    def sentence_end_ln(self) -> float: ...
    @property
    def proposes_all(self) -> bool:
        """Whether case forms that training never saw are candidates, too."""

    @property
    def smartcase(self) -> bool:
        """Whether first words of training sentences were counted as they are cased elsewhere."""
