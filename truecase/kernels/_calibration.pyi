from typing_extensions import disjoint_base

from truecase.base._component import Component

__all__ = ["ONE", "SEVERAL", "Calibration"]

SEVERAL: tuple[str, ...]
ONE: tuple[str, ...]

@disjoint_base
class Calibration(Component): ...
