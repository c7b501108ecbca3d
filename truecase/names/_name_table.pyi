"""Where the names of a list are found, for the lexicon of a model."""

from typing_extensions import Self, disjoint_base

from truecase.lexicon._model_lexicon import Lexicon
from truecase.names._name_list import NameList

__all__ = ["NameTable"]

@disjoint_base
class NameTable:
    """Where the names of a list are found, and which of them are common words to a lexicon."""

    def __new__(
        cls, names: NameList, lexicon: Lexicon, segmentation: int, turkic: bool
    ) -> Self: ...
