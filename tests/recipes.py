"""Recipes by the last names of their options, and models of a text in memory."""

import warnings

from truecase.training.estimate import count, estimate
from truecase.training.recipe import PRESETS, Recipe
from truecase.training.train import train
from truecase.truecaser import Truecaser

#: Sizes of a network that learns in a second.
SMALL_NETWORK = {"folds": 2, "n_units": 16, "n_words": 64, "n_pairs": 64, "n_affixes": 64}


def recipe(preset: str = "ngram", **options) -> Recipe:
    """The recipe of a preset: ``recipe("crf", sigma=1.0)``, or by paths: ``network_folds``."""
    paths = {}
    for path in PRESETS[preset].options():
        # The first of a name is meant: `min_count` is that of the lexicon.
        paths.setdefault(path.rpartition(".")[2], path)
        paths.setdefault(path.replace(".", "_"), path)
    return PRESETS[preset].with_options({paths[name]: value for name, value in options.items()})


def estimated(text: bytes, preset: str = "ngram", **options):
    """A model of a text whose features have weights that nothing was learned for."""
    made = recipe(preset, **options)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # so small a text has no discounts of its own
        return Truecaser(estimate(count([text], made.text), made))


def trained(text, preset: str = "ngram", **options):
    """A model of blocks of text: bytes, or lines with their source."""
    blocks = text if isinstance(text, list) else [text]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return Truecaser(train(lambda: blocks, recipe(preset, **options)).model)
