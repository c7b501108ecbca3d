"""The context layer in training: floating-point numbers where the model has whole ones.

What the layer computes stands in `truecase/context/_context.pxd`. Here it is
computed for many sentences at a time, padded to the longest; gradients are propagated back through
all words of a sentence. The names of arrays are those of `truecase.context._context.ContextLayer`.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from truecase.context._context import FARTHEST_LEAD, INPUTS, JOINED, PRIORS
from truecase.training.recurrent.units import (
    DIRECTIONS,
    Floats,
    Seen,
    Weights,
    first_units,
    go_back,
    go_over,
    normal,
)

#: Numbers of a word's row, of its usual case, leads, and whether there are such cases.
WORD_SIZE, PRIOR_SIZE, N_CASES, _ = INPUTS
N_INPUTS = sum(INPUTS)
#: Names of the weights that are tables of rows.
TABLES = ("words", "priors")


class Sentences(NamedTuple):
    """Sentences side by side, the first word of each first, padded to the longest.

    Attributes
    ----------
    row, prior : int ndarray, shape (n_words, n_sentences)
        As in `truecase.training.context._decisions.Decisions`.
    lead : float32 ndarray, shape (n_words, n_sentences, 4)
    is_there : float32 ndarray, shape (n_words, n_sentences)
        1 of a word, 0 of what pads.
    asked : bool ndarray, shape (n_words, n_sentences)
        Whether something is to be added to the word's cases.
    place : int64 ndarray, shape (n_words, n_sentences)
        Of the word among those of the text.
    """

    row: npt.NDArray[np.int32]
    prior: npt.NDArray[np.int16]
    lead: Floats
    is_there: Floats
    asked: npt.NDArray[np.bool_]
    place: npt.NDArray[np.int64]


def first_weights(n_units: int, n_rows: int, seed: int = 1) -> Weights:
    """Weights to begin with."""
    draw = np.random.default_rng(seed)
    width = 2 * n_units + N_INPUTS
    weights = {
        "words": normal(draw, 0.1, n_rows, WORD_SIZE),
        "priors": normal(draw, 0.1, PRIORS, PRIOR_SIZE),
    }
    weights |= first_units(n_units, N_INPUTS, draw)
    weights["joined"] = normal(draw, width**-0.5, JOINED, width)
    weights["joined.bias"] = np.zeros(JOINED, np.float32)
    weights["out"] = normal(draw, 0.01, N_CASES, JOINED)
    weights["out.bias"] = np.zeros(N_CASES, np.float32)
    return weights


def inputs_of(weights: Weights, at: Sentences) -> Floats:
    """What the units read; shape (n_words, n_sentences, N_INPUTS)."""
    words, priors = weights["words"][at.row], weights["priors"][at.prior]
    lead = np.maximum(at.lead, -FARTHEST_LEAD) / 4
    is_case = np.isfinite(at.lead).astype(words.dtype)
    return np.concatenate([words, priors, lead, is_case], axis=-1, dtype=words.dtype)


class Forward(NamedTuple):
    """What the gradients need of some sentences."""

    inputs: Floats
    seen: list[Seen]
    asked: Floats
    joined: Floats
    keeps_word: Floats | None


def added_scores(
    weights: Weights, at: Sentences, keeps_word: Floats | None = None
) -> tuple[Floats, Forward]:
    """What the layer adds to the cases of the words that are asked for, in nats.

    Parameters
    ----------
    weights : dict of str to float32 ndarray
    at : Sentences
    keeps_word : float32 ndarray, shape (n_words, n_sentences), optional
        0 for words whose row is hidden, 1 for others.

    Returns
    -------
    added : float32 ndarray, shape (n_asked, 4)
    forward : Forward
        For `gradients_of`.
    """
    inputs = inputs_of(weights, at)
    if keeps_word is not None:
        inputs[..., :WORD_SIZE] *= keeps_word[..., None]
    seen = [go_over(weights, name, inputs, at.is_there) for name in DIRECTIONS]
    asked = np.concatenate([*(one.states[at.asked] for one in seen), inputs[at.asked]], axis=-1)
    joined = np.maximum(asked @ weights["joined"].T + weights["joined.bias"], 0)
    added = joined @ weights["out"].T + weights["out.bias"]
    return added, Forward(inputs, seen, asked, joined, keeps_word)


def gradients_of(weights: Weights, at: Sentences, forward: Forward, of_added: Floats) -> Weights:
    """Gradients of the weights from those of the scores that were added."""
    gradients = {"out": of_added.T @ forward.joined, "out.bias": of_added.sum(0)}
    of_joined = (of_added @ weights["out"]) * (forward.joined > 0)
    gradients["joined"] = of_joined.T @ forward.asked
    gradients["joined.bias"] = of_joined.sum(0)
    of_asked = of_joined @ weights["joined"]
    n = forward.seen[0].states.shape[-1]
    of_inputs = np.zeros_like(forward.inputs)
    of_inputs[at.asked] = of_asked[:, 2 * n :]
    for k, name in enumerate(DIRECTIONS):
        of_states = np.zeros_like(forward.seen[k].states)
        of_states[at.asked] = of_asked[:, k * n : (k + 1) * n]
        of_inputs += go_back(
            weights, name, forward.inputs, at.is_there, forward.seen[k], of_states, gradients
        )
    of_rows = of_inputs * at.is_there[..., None]
    of_priors = of_rows[..., WORD_SIZE : WORD_SIZE + PRIOR_SIZE]
    of_words = of_rows[..., :WORD_SIZE]
    if forward.keeps_word is not None:
        of_words = of_words * forward.keeps_word[..., None]
    gradients["words"] = _sum_rows(at.row, of_words, len(weights["words"]))
    gradients["priors"] = _sum_rows(at.prior, of_priors, PRIORS)
    return gradients


def _sum_rows(chosen: npt.NDArray[Any], values: Floats, n_rows: int) -> Floats:
    """Sums of the gradients that each row of a table gets."""
    flat, size = values.reshape(-1, values.shape[-1]), values.shape[-1]
    places = (chosen.reshape(-1, 1).astype(np.int64) * size + np.arange(size)).ravel()
    total = np.bincount(places, flat.ravel(), n_rows * size)
    return total.reshape(n_rows, size).astype(values.dtype)
