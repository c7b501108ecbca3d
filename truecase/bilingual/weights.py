"""Weights of the columns that look at the source sentence, learned on aligned cased text.

As Wang, Knight & Marcu (2006), 4.2, learn them. A model whose other features are columns, too,
gets other weights for these where there is a source; of any other model the score that it
has without a source is one column, whose weight stays 1.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from truecase.bilingual.aligned_lines import AlignedLines
from truecase.bilingual.shouted import shouted_lines
from truecase.crf.features import (
    BASE,
    LM,
    SOURCE_COLUMNS,
    columns,
    named_weights,
    transition_states,
    weight_vector,
)
from truecase.crf.train import SIGMA, Development, Fit, Report, fit_weights, judge_features

if TYPE_CHECKING:
    from truecase.modelfile.layout import Arrays
    from truecase.truecaser import Truecaser

_Vector = npt.NDArray[np.float64]

_N_STATES = 8

# Of so many lines one is there again in upper case, on both sides: what a source in upper case
# tells is sure, but development texts have too little of it to learn that.
_SHOUTED_EVERY = 20

# A language of each casing.
_LANGUAGE = {"default": "", "turkic": "tr"}


def add_source_weights(
    truecaser: "Truecaser",
    aligned: _Vector,
    unaligned: _Vector | None = None,
    tables: "tuple[Arrays, dict[str, Any]] | None" = None,
    casing: str = "default",
) -> "Truecaser":
    """The same model with weights for a source.

    Parameters
    ----------
    truecaser : Truecaser
    aligned, unaligned : float64 ndarray
        In the order of `truecase.crf.features.columns`: of lines with an alignment, and of
        lines without one, by default the same.
    tables : (arrays, settings), optional
        Translation tables, as `truecase.bilingual.packed_tables.pack_tables` gives them.
    casing : {"default", "turkic"}
        Of the source language.
    """
    from truecase.truecaser import Truecaser

    unaligned = aligned if unaligned is None else unaligned
    place = {name: index for index, name in enumerate(columns())}
    values = [
        float(vector[place[name]]) for vector in (aligned, unaligned) for name in SOURCE_COLUMNS
    ]
    arrays = dict(truecaser.arrays)
    decoder = dict(truecaser.metadata["decoder"])
    if tables is not None:
        arrays.update(tables[0])
        decoder["translation"] = tables[1]
    arrays["source.weights"] = np.array(values, np.float32)
    decoder["source"] = {"columns": list(SOURCE_COLUMNS), "casing": casing}
    if "crf" in decoder:
        others = named_weights(aligned)
        others = {name: w for name, w in others.items() if name not in (*SOURCE_COLUMNS, BASE)}
        others.setdefault(LM, 0.0)
        arrays["source.crf_weights"] = np.array(list(others.values()), np.float32)
        decoder["source"]["crf_columns"] = list(others)
    return Truecaser(arrays, {**truecaser.metadata, "decoder": decoder})


def weights_of(truecaser: "Truecaser") -> _Vector:
    """The weights that a model has without a source, in the order of `columns`."""
    decoder = truecaser.metadata["decoder"]
    arrays = truecaser.arrays
    if "crf" in decoder:
        names = decoder["crf"]["columns"]
        return weight_vector(dict(zip(names, map(float, arrays["crf.weights"]), strict=True)))
    weights = weight_vector({LM: float(decoder["lm_weight"]), BASE: 1.0})
    if "fine.transition" in arrays:
        first = len(columns()) - 2 - len(list(transition_states()))
        for index, (before, now) in enumerate(transition_states(), first):
            weights[index] = arrays["fine.transition"][_N_STATES * before + now]
    return weights


def learn_source_weights(
    truecaser: "Truecaser",
    development: AlignedLines,
    *,
    sigma: float = SIGMA,
    threads: int = 1,
    report: Report | None = None,
    tables: "tuple[Arrays, dict[str, Any]] | None" = None,
    casing: str = "default",
    judge: bool = False,
) -> tuple["Truecaser", Fit]:
    """Learn the weights that a model has where there is a source.

    Parameters
    ----------
    truecaser : Truecaser
        Of any preset with a language model of order 2 at least.
    development : AlignedLines
        Cased text that neither the model nor `tables` were estimated from. Where it has
        phrases, weights are learned with them; and without them for lines that have none.
    sigma : float
        Standard deviation of the prior around 0; around the weights without a source for
        columns that are there without one.
    threads, report
        As for `truecase.crf.train.fit_weights`.
    tables, casing
        As for `add_source_weights`.
    judge : bool
        Also find each feature's share of the decisions.

    Returns
    -------
    truecaser : Truecaser
    fit : Fit
        That of aligned lines.
    """
    start = weights_of(truecaser)
    own_casing = truecaser.metadata["decoder"]["casing"]
    shouted = shouted_lines(development, _SHOUTED_EVERY, _LANGUAGE[own_casing], _LANGUAGE[casing])
    development = AlignedLines.join([development, shouted])
    bare = add_source_weights(truecaser, start, None, tables, casing)
    of_source = np.isin(columns(), SOURCE_COLUMNS)
    free = of_source | ("crf" in truecaser.metadata["decoder"])
    mean = np.where(of_source, 0.0, start)
    lines = Development(bare._compiled, development, threads)
    fit = fit_weights(lines, start, sigma=sigma, mean=mean, report=report, active=list(free))
    if judge:
        fit.features = judge_features(lines, fit.weights)
    del lines
    unaligned = fit.weights
    if development.phrases is not None:
        lines = Development(bare._compiled, development.whole(), threads)
        unaligned = fit_weights(
            lines,
            fit.weights,
            sigma=sigma,
            mean=mean,
            report=report,
            active=list(of_source),
        ).weights
    learned = add_source_weights(truecaser, fit.weights, unaligned, tables, casing)
    learned.metadata["source"] = fit.to_dict()
    return learned, fit
