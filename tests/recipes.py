"""Recipes by the last names of their options, and models of a text in memory."""

import warnings

from truecase.training._sparse_learner import SparseTrainer
from truecase.training.estimate import count, estimate
from truecase.training.recipe import PRESETS, Recipe, SparseRecipe
from truecase.training.train import train
from truecase.truecaser import Truecaser


def recipe(preset: str = "ngram", **options) -> Recipe:
    """The recipe of a preset: ``recipe("crf", sigma=1.0)``; ``sparse_size`` is ``sparse.size``."""
    paths = {}
    for path in PRESETS[preset].options():
        # The first of a name is meant: `min_count` is that of the lexicon.
        paths.setdefault(path.rpartition(".")[2], path)
        paths.setdefault(path.replace(".", "_"), path)
    return PRESETS[preset].with_options({paths[name]: value for name, value in options.items()})


def sparse_trainer(n_slots: int = 1 << 16, counter_bits: int = 12, **options) -> SparseTrainer:
    """A trainer without norms that hides nothing and keeps the weights of edges, by default."""
    plain = {"min_count": 1, "l1": 0.0, "lm_weight": 1.0, "edge_rate": 0.0}
    shown = {"hide_source": 0.0, "hide_alignment": 0.0}
    return SparseTrainer(SparseRecipe(**{**plain, **shown, **options}), n_slots, counter_bits)


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
