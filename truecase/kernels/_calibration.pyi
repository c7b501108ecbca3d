"""What makes the probabilities of a model those of being right."""

from typing_extensions import disjoint_base

from truecase.base._component import Component

__all__ = ["ONE", "SEVERAL", "Calibration"]

SEVERAL: tuple[str, ...]
ONE: tuple[str, ...]

@disjoint_base
class Calibration(Component):
    """Weights that turn the probability of a word's form into how often such a form is right."""
