"""How a model is adapted: a recipe of its own."""

from dataclasses import dataclass
from typing import Literal

from truecase.base.field_types import check_field_types
from truecase.errors import TrainingError
from truecase.training.recipe import DenseRecipe, LexiconRecipe


@dataclass(frozen=True)
class Adaptation:
    """How a model is fitted to a domain.

    Attributes
    ----------
    sigma : float or "search"
        Of dense features: standard deviation of the weights around those of the model. The
        smaller, the closer they stay.
    passes : int
        Of sparse features: passes over the domain's text.
    min_count : int
        Forms of the domain's text seen less often are left to their word class.
    max_size : int, optional
        Bytes that the domain's words and n-grams, and of sparse features the weights, may add to
        the model file.
    """

    sigma: float | Literal["search"] = 0.1
    passes: int = 2
    min_count: int = 1
    max_size: int | None = None

    def __post_init__(self) -> None:
        check_field_types(self)
        DenseRecipe(self.sigma)
        if not 1 <= self.passes <= 100:
            raise TrainingError(f"passes {self.passes}: expected 1 to 100")
        LexiconRecipe(min_count=self.min_count)
