"""Marks to test with, and models that have them."""

import numpy as np

from truecase.kernels._punctuation_network import INPUTS, JOINED, Marks, pair_keys, place_keys
from truecase.training.recurrent import with_checks
from truecase.truecaser import Truecaser


def random_marks(
    seed: int,
    n_units: int = 16,
    scale=1.0,
    marks=(",", ".", "?"),
    openings=(),
    words=None,
    pairs=None,
    **settings,
):
    """Marks by random weights, whose gates are open, shut and between.

    `words` and `pairs` have the rows of frequent ones.
    """
    draw = np.random.default_rng(seed)
    n_inputs, n_endings = sum(INPUTS), 20

    def floats(n, spread=scale):
        return (spread * draw.standard_normal(n)).astype(np.float32)

    arrays = {
        "words": np.zeros(0, np.uint8) if words is None else words,
        "endings": draw.integers(0, 256, n_endings * INPUTS[1], dtype=np.uint8),
        "pairs": np.zeros(0, np.uint8) if pairs is None else pairs,
        "joined": floats(JOINED * (2 * n_units + 2 * n_inputs)),
        "joined.bias": floats(JOINED),
        "out": floats((1 + len(marks)) * (1 + len(openings)) * JOINED, 0.3 * scale),
        "out.bias": floats((1 + len(marks)) * (1 + len(openings))),
        "abbreviations": np.array([5, 1 << 60], np.uint64),
    }
    for name in ("forward", "backward"):
        arrays[f"{name}.inputs"] = floats(3 * n_units * n_inputs)
        arrays[f"{name}.state"] = floats(3 * n_units * 16)
        arrays[f"{name}.bias"] = floats(3 * n_units)
    given = {
        "n_units": n_units,
        "n_endings": n_endings,
        "marks": list(marks),
        "ends": [mark for mark in marks if mark in ".?!"],
        "alike": {"!": "."} if "." in marks and "!" not in marks else {},
        "openings": list(openings),
        "turkic": 0,
        "n_words": len(arrays["words"]) // (2 + INPUTS[0]),
        "n_pairs": len(arrays["pairs"]) // (2 + INPUTS[2]),
    }
    return Marks(arrays, {**given, **settings})


def random_rows(seed: int, keys, n_rows: int, size: int):
    """Rows of `size` numbers for every other key."""
    checks = place_keys(keys[::2].copy(), n_rows)
    draw = np.random.default_rng(seed)
    return with_checks(checks, draw.integers(0, 256, (n_rows + 1) * size, dtype=np.uint8))


def random_words(seed: int, keys, n_rows: int):
    """Rows of some words, some of which have none."""
    return random_rows(seed, pair_keys(np.zeros_like(keys), keys), n_rows, INPUTS[0])


def random_pairs(seed: int, keys, n_rows: int):
    """Rows of the pairs of some words, some of which have none."""
    pairs = pair_keys(np.append(np.uint64(0), keys[:-1]), keys)
    return random_rows(seed, pairs, n_rows, INPUTS[2])


def punctuating(truecaser: Truecaser, seed: int = 1, **options) -> Truecaser:
    """The same with such marks."""
    return Truecaser(truecaser.model.replace(marks=random_marks(seed, **options)))
