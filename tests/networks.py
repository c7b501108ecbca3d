"""Networks to test with, and models that have one."""

import numpy as np

from truecase._core import CompiledModel
from truecase.kernels._components import NETWORK_JOINED, VECTOR, Network
from truecase.kernels._punctuation_network import place_keys
from truecase.training._network_text import vectors_of
from truecase.training.recurrent import with_checks
from truecase.truecaser import Truecaser


def random_network(seed: int, n_units: int = 16, n_words: int = 64, n_pairs: int = 32, scale=1.0):
    """A network of random weights, whose gates are open, shut and between."""
    draw = np.random.default_rng(seed)
    of_word, of_suffix, of_prefix, _, of_pair = VECTOR
    n_vector = sum(VECTOR)

    def floats(n, spread=scale):
        return (spread * draw.standard_normal(n)).astype(np.float32)

    def numbers(n):
        return draw.integers(0, 256, n, dtype=np.uint8)

    arrays = {
        "words": numbers(n_words * (of_word + 2)),
        "pairs": numbers(n_pairs * (of_pair + 4)),
        "suffixes": numbers(50 * of_suffix),
        "prefixes": numbers(50 * of_prefix),
        "joined": floats(NETWORK_JOINED * (2 * n_units + n_vector + of_pair)),
        "joined.bias": floats(NETWORK_JOINED),
        "out": floats(4 * NETWORK_JOINED, 0.1 * scale),
        "out.bias": floats(4),
    }
    for name in ("forward", "backward"):
        arrays[f"{name}.inputs"] = floats(3 * n_units * n_vector)
        arrays[f"{name}.state"] = floats(3 * n_units * 16)
        arrays[f"{name}.bias"] = floats(3 * n_units)
    settings = {"n_units": n_units, "n_words": n_words, "n_pairs": n_pairs, "n_affixes": 50}
    return Network(arrays, {**settings, "lm_weight": 0.5})


def neural(truecaser: Truecaser, seed: int = 1, **options) -> Truecaser:
    """An n-gram model with such a network."""
    return Truecaser(truecaser.model.replace(network=random_network(seed, **options)))


def settling(truecaser: Truecaser, text: str, seed: int):
    """A model whose network has a row for each pair of a text, and what the pairs settle.

    Returns the model, the checks of the rows, and two numbers for each row.
    """
    read = vectors_of(CompiledModel(neural(truecaser).model), text.lower().encode(), 50)
    checks = place_keys(np.unique(read.pair), 4096)
    draw = np.random.default_rng(seed)
    odds = draw.choice(np.array([0, 10, 17, 24, 34, 63]), (len(checks) + 1, 2))
    case = draw.choice(4, odds.shape, p=[0.7, 0.1, 0.1, 0.1])
    sides = np.where(draw.random(odds.shape) < 0.3, 0, np.minimum(1 + case + 4 * odds, 255))
    sides = sides.astype(np.uint8)
    sides[-1] = 0
    rows = np.hstack([np.full((len(checks) + 1, 16), 128, np.uint8), sides])
    network = random_network(seed, scale=0.1)
    arrays = {**network.arrays, "pairs": with_checks(checks, rows)}
    settings = {**network.settings, "n_pairs": len(checks)}
    network = Network(arrays, settings)
    return Truecaser(truecaser.model.replace(network=network)), checks, sides
