"""Calibrations to test with, and models that have one."""

import random

import numpy as np

from truecase.kernels._components import ONE, SEVERAL, Calibration
from truecase.truecaser import Truecaser


def calibration(several, one) -> Calibration:
    """One of these weights."""
    return Calibration({"several": np.array(several, np.float32), "one": np.array(one, np.float32)})


def sums_to_one(word, within: float) -> bool:
    """Whether a word's candidates have all there is; a calibrated word with one, less."""
    total = sum(candidate.posterior for candidate in word.candidates)
    return total <= 1 + within and (len(word.candidates) == 1 or total >= 1 - within)


def random_calibration(seed: int) -> Calibration:
    """One of moderate weights, whose probabilities are all over."""
    draw = random.Random(seed)
    several = [draw.uniform(-2, 2) for _ in SEVERAL]
    for place, name in enumerate(SEVERAL):
        if "log_odds" in name:
            several[place] = draw.uniform(0, 1.5)
    return calibration(several, [draw.uniform(-2, 2) for _ in ONE])


def calibrated(truecaser: Truecaser, seed: int = 1) -> Truecaser:
    """The same with such a calibration."""
    model = truecaser.model.replace(calibration=random_calibration(seed))
    return Truecaser(model, casing=truecaser.casing)
