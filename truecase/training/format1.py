"""How a model file of format 1 names presets and options of training.

Files of this format were written before presets and options got the names that they have now, and
still are; nothing else knows the old names.
"""

from typing import Any

from truecase.model.format1 import FORMAT1_PRESETS
from truecase.training.recipe import Recipe


def format1_options(recipe: Recipe) -> dict[str, Any]:
    """The metadata ``training`` of a file: the options that shape the model, side by side."""
    filters, lexicon = recipe.filters, recipe.lexicon
    options: dict[str, Any] = {
        "preset": FORMAT1_PRESETS[recipe.preset],
        "segmentation": recipe.text.segmentation,
        "language": recipe.text.language,
        "clean": filters.clean,
        "titles": filters.titles,
        "title_patterns": list(filters.title_patterns),
        "title_detector": filters.title_detector,
        "min_count": lexicon.min_count,
        "gen": lexicon.candidates,
        "min_share": lexicon.least_share,
        "smartcase": lexicon.smartcase,
        "max_size": recipe.max_size,
    }
    if recipe.lm is not None:
        packing = recipe.lm.packing
        options.update(
            order=recipe.lm.order,
            prune=list(recipe.lm.prune),
            decision_loss=recipe.lm.decision_loss,
            keep_ngrams=recipe.lm.keep_ngrams,
            probability_bits=packing.probability_bits,
            backoff_bits=packing.backoff_bits,
            fingerprint_bits=packing.fingerprint_bits,
            load=packing.load,
        )
    if recipe.dense is not None:
        options.update(sigma=recipe.dense.sigma)
    if recipe.sparse is not None:
        options.update(
            fine_size=recipe.sparse.size,
            folds=recipe.sparse.folds,
            epochs=recipe.sparse.epochs,
            drop_punctuation=recipe.sparse.drop_punctuation,
        )
    if recipe.source is not None:
        options.update(source_language=recipe.source.language)
        if recipe.source.translation is not None:
            options.update(
                phrases=recipe.source.translation.phrases,
                table_size=recipe.source.translation.table_size,
            )
    if recipe.portage is not None:
        options.update(variant=recipe.portage.variant, search=recipe.portage.search)
    return options
