from typing_extensions import disjoint_base

from truecase.modelfile._component import Component

__all__ = [
    "INPUTS",
    "JOINED",
    "MAX_BEFORE",
    "MAX_MARKS",
    "MAX_PAIRS",
    "MAX_UNITS",
    "Marks",
    "is_sign",
]

INPUTS: tuple[int, int, int, int]
JOINED: int
MAX_MARKS: int
MAX_BEFORE: int
MAX_PAIRS: int
MAX_UNITS: int

def is_sign(sign: object) -> bool:
    """Whether a mark of a model may be this: one character that is no letter, digit or space."""

@disjoint_base
class Marks(Component):
    """Recurrent units over words, and which marks they put between them."""

    marks: tuple[str, ...]
    openings: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
