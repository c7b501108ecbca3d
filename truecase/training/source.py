"""Learn the weights of the columns that look at the source sentence.

Wang, Knight & Marcu (2006) describe the weights in 4.2, the tables and phrases in 4.3 and 5. If the
model's other features are columns, too, they get other weights for lines with a source; any other
model's score without a source is one column, whose weight stays 1.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from truecase._core import CompiledModel
from truecase.alignment.lines import AlignedLines, all_caps_lines, wrong_links
from truecase.alignment.naive_aligner import draw_pairs
from truecase.base.model_file import Arrays
from truecase.kernels._components import SourceFeatures
from truecase.kernels._segment import count_words
from truecase.kernels.schema import (
    BASE,
    LM,
    SOURCE_COLUMNS,
    columns,
    named_weights,
    transition_states,
    weight_vector,
)
from truecase.kernels.text import language_of
from truecase.model.model import Model
from truecase.training.dense import SIGMA, Development, Fit, ablate_features, fit_weights
from truecase.training.recipe import SourceRecipe, TextRecipe
from truecase.training.translation_tables import (
    SmoothedTables,
    TableOptions,
    count_translations,
    pack_tables,
    smooth,
)

_Vector = npt.NDArray[np.float64]

_N_STATES = 8

# One line in this many is repeated in upper case on both sides: a source in upper case is strong
# evidence, but development texts have too little of it to learn that.
_ALL_CAPS_EVERY = 20

# Lines are repeated with this share of their links wrong, since aligners err. Errors of the
# embedded model fall by 0.4 %, with the links as they are and with half of them wrong.
_WRONG_LINKS = 0.3


def add_source_weights(
    model: Model, aligned: _Vector, unaligned: _Vector | None = None, casing: str = "default"
) -> Model:
    """The same model with weights for a source, whose language has this `casing`.

    The weights, float64, in the order of `truecase.kernels.schema.columns`, are for lines with an
    alignment and for lines without one; by default the same.
    """
    unaligned = aligned if unaligned is None else unaligned
    return model.replace(source=_component(model, aligned, unaligned, casing))


def _component(model: Model, aligned: _Vector, unaligned: _Vector, casing: str) -> SourceFeatures:
    place = {name: index for index, name in enumerate(columns())}
    values = [
        float(vector[place[name]]) for vector in (aligned, unaligned) for name in SOURCE_COLUMNS
    ]
    arrays: Arrays = {"weights": np.array(values, np.float32)}
    settings: dict[str, Any] = {"features": list(SOURCE_COLUMNS), "casing": casing}
    if model.dense is not None:
        others = named_weights(aligned)
        others = {name: w for name, w in others.items() if name not in (*SOURCE_COLUMNS, BASE)}
        others.setdefault(LM, 0.0)
        arrays["dense_weights"] = np.array(list(others.values()), np.float32)
        settings["dense_features"] = list(others)
    return SourceFeatures(arrays, settings)


def weights_of(model: Model) -> _Vector:
    """The weights of a model without a source, in the order of `columns`."""
    if model.dense is not None:
        return weight_vector(model.dense.weights)
    lm_weight = 1.0 if model.sparse is None else model.sparse.lm_weight
    weights = weight_vector({LM: lm_weight, BASE: 1.0})
    if model.sparse is not None:
        transitions = model.sparse.arrays["transition"]
        first = len(columns()) - 2 - len(list(transition_states()))
        for index, (before, now) in enumerate(transition_states(), first):
            weights[index] = transitions[_N_STATES * before + now]
    return weights


def learn_source(
    model: Model,
    lines: AlignedLines,
    recipe: SourceRecipe,
    *,
    sigma: float = SIGMA,
    threads: int = 1,
    judge: bool = False,
) -> tuple[SourceFeatures, Fit]:
    """Learn the weights of a model for lines with a source.

    Parameters
    ----------
    model : Model
        Its language model has order 2 at least.
    lines : AlignedLines
        Cased text that the model was not estimated from. Weights for aligned lines are learned
        with its phrases and with deliberately wrong ones, weights for other lines without phrases.
    sigma : float
        Standard deviation of the weights' prior. The prior's mean is 0, or the weight without a
        source for columns that have one.
    threads, judge
        As for `learn_dense`. The result's `Fit` is that of aligned lines.
    """
    start = weights_of(model)
    casing = recipe.casing
    languages = (model.text.casing_language, language_of(casing))
    all_caps = all_caps_lines(lines, _ALL_CAPS_EVERY, *languages)
    lines = AlignedLines.join([lines, all_caps])
    linked = lines
    if lines.phrases is not None:
        linked = AlignedLines.join([lines, wrong_links(lines, _WRONG_LINKS)])
    bare = CompiledModel(add_source_weights(model, start, None, casing))
    of_source = np.isin(columns(), SOURCE_COLUMNS)
    free = of_source | (model.dense is not None)
    mean = np.where(of_source, 0.0, start)
    development = Development(bare, linked, threads)
    fit = fit_weights(development, start, sigma=sigma, mean=mean, active=list(free))
    if judge:
        fit.features = ablate_features(development, fit.weights)
    del development
    unaligned = fit.weights
    if lines.phrases is not None:
        development = Development(bare, lines.without_alignment(), threads)
        unaligned = fit_weights(
            development,
            fit.weights,
            sigma=sigma,
            mean=mean,
            active=list(of_source),
        ).weights
    return _component(model, fit.weights, unaligned, casing), fit


def translation_tables(
    bitext: Iterable[AlignedLines], text: TextRecipe, source: SourceRecipe
) -> tuple[Arrays, dict[str, Any]]:
    """Count, smooth and pack translation tables of a bitext; `text` is for its target side."""
    assert source.translation is not None
    turkic = source.casing == "turkic", text.casing == "turkic"
    smoothed = smooth(count_translations(bitext, text.segmentation, *turkic))
    return pack_tables(
        smoothed,
        TableOptions(max_bytes=source.translation.table_size),
        ambiguous_keys(smoothed),
    )


def ambiguous_keys(tables: SmoothedTables) -> npt.NDArray[np.uint64]:
    """Keys of the target words that occur in several forms."""
    keys = tables.lower.counts.target
    return keys[np.bincount(tables.target_key, minlength=len(keys)) > 1]


def with_naive_phrases(lines: AlignedLines) -> AlignedLines:
    """The same lines with phrases that the naive phrase aligner makes of their word links."""
    if lines.phrases is None:
        return lines
    phrases = draw_pairs(lines.phrases, count_words(lines.source)).to_phrases()
    return AlignedLines(lines.target, lines.source, phrases)
