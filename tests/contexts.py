"""Context layers to test with, and models that have one."""

import numpy as np

from truecase.kernels._components import INPUTS, JOINED, PRIORS, ContextLayer
from truecase.truecaser import Truecaser


def random_layer(seed: int, n_units: int = 8, n_rows: int = 50, doubt: float = 4.0, scale=1.0):
    """A layer of random weights, whose gates are open, shut and between."""
    draw = np.random.default_rng(seed)
    n_inputs = sum(INPUTS)

    def floats(n, spread=scale):
        return (spread * draw.standard_normal(n)).astype(np.float32)

    arrays = {
        "words": draw.integers(0, 256, n_rows * INPUTS[0], dtype=np.uint8),
        "priors": draw.integers(0, 256, PRIORS * INPUTS[1], dtype=np.uint8),
        "joined": floats(JOINED * (2 * n_units + n_inputs)),
        "joined.bias": floats(JOINED),
        "out": floats(4 * JOINED),
        "out.bias": floats(4),
    }
    for name in ("forward", "backward"):
        arrays[f"{name}.inputs"] = floats(3 * n_units * n_inputs)
        arrays[f"{name}.state"] = floats(3 * n_units * n_units)
        arrays[f"{name}.bias"] = floats(3 * n_units)
    return ContextLayer(arrays, {"n_units": n_units, "n_rows": n_rows, "doubt": doubt})


def refined(truecaser: Truecaser, seed: int = 1, **options) -> Truecaser:
    """The same with such a layer."""
    return Truecaser(truecaser.model.replace(context=random_layer(seed, **options)))
