"""What a context layer is to be, and how it is learned."""

from dataclasses import dataclass

from truecase.context._context import MAX_UNITS
from truecase.errors import TrainingError


@dataclass(frozen=True)
class ContextRecipe:
    """What a context layer is to be, and how it is learned.

    Attributes
    ----------
    n_units : int
        Of each direction, a multiple of 8.
    n_rows : int
        Of words, which share them by their hashes.
    doubt : float
        Nats: words whose second case is farther behind the first stay as they are. Of 1, the
        embedded model keeps 0.86 of its speed; of 3, 0.7, for an eighth more of what is gained.
    passes : int
        Over the text.
    rate : float
        Adam's at the beginning, from which it falls to 0 along a cosine.
    hide_words : float
        Share of the words whose rows are hidden, so that not all is learned of words alone.
    drop_punctuation : float
        Share of the lines that lose their marks.

    Raises
    ------
    TrainingError
        A number is out of range.
    """

    n_units: int = 32
    n_rows: int = 8192
    doubt: float = 1.0
    passes: int = 2
    rate: float = 3e-3
    hide_words: float = 0.2
    drop_punctuation: float = 0.3

    def __post_init__(self) -> None:
        if not 8 <= self.n_units <= MAX_UNITS or self.n_units % 8:
            raise TrainingError(f"units {self.n_units}: expected 8, 16, 24 … {MAX_UNITS}")
        if not 1 <= self.n_rows < 1 << 31:
            raise TrainingError(f"n_rows {self.n_rows}: expected 1 to {(1 << 31) - 1}")
        if self.passes < 1:
            raise TrainingError(f"passes {self.passes}: expected 1 or more")
        if not (self.doubt >= 0 and self.rate > 0):
            raise TrainingError("doubt, rate: expected numbers above 0")
        for name in ("hide_words", "drop_punctuation"):
            if not 0 <= getattr(self, name) <= 1:
                raise TrainingError(f"{name} {getattr(self, name)}: expected 0 to 1")
