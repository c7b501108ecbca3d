"""The context layer in training: floating-point numbers where the model has whole ones.

What the layer computes stands in `truecase/context/_context.pxd` and `_gru.pxd`. Here it is
computed for many sentences at a time, padded to the longest; gradients are propagated back through
all words of a sentence. The names of arrays are those of `truecase.context._context.ContextLayer`.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from truecase.context._context import FARTHEST_LEAD, INPUTS, JOINED, PRIORS

Floats = npt.NDArray[np.float32]
Weights = dict[str, Floats]

#: Numbers of a word's row, of its usual case, leads, and whether there are such cases.
WORD_SIZE, PRIOR_SIZE, N_CASES, _ = INPUTS
N_INPUTS = sum(INPUTS)

DIRECTIONS = ("forward", "backward")


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


class Seen(NamedTuple):
    """What the gradients need of a direction: per word, and per unit."""

    states: Floats
    update: Floats
    reset: Floats
    product: Floats
    proposed: Floats


def first_weights(n_units: int, n_rows: int, seed: int = 1) -> Weights:
    """Weights to begin with."""
    draw = np.random.default_rng(seed)

    def normal(*shape: int, scale: float) -> Floats:
        return (scale * draw.standard_normal(shape)).astype(np.float32)

    width = 2 * n_units + N_INPUTS
    weights = {
        "words": normal(n_rows, WORD_SIZE, scale=0.1),
        "priors": normal(PRIORS, PRIOR_SIZE, scale=0.1),
    }
    for name in DIRECTIONS:
        weights[f"{name}.inputs"] = normal(3 * n_units, N_INPUTS, scale=N_INPUTS**-0.5)
        weights[f"{name}.state"] = normal(3 * n_units, n_units, scale=n_units**-0.5)
        weights[f"{name}.bias"] = np.zeros(3 * n_units, np.float32)
    weights["joined"] = normal(JOINED, width, scale=width**-0.5)
    weights["joined.bias"] = np.zeros(JOINED, np.float32)
    weights["out"] = normal(N_CASES, JOINED, scale=0.01)
    weights["out.bias"] = np.zeros(N_CASES, np.float32)
    return weights


def inputs_of(weights: Weights, at: Sentences) -> Floats:
    """What the units read; shape (n_words, n_sentences, N_INPUTS)."""
    words, priors = weights["words"][at.row], weights["priors"][at.prior]
    lead = np.maximum(at.lead, -FARTHEST_LEAD) / 4
    is_case = np.isfinite(at.lead).astype(words.dtype)
    return np.concatenate([words, priors, lead, is_case], axis=-1, dtype=words.dtype)


def go_over(weights: Weights, name: str, inputs: Floats, is_there: Floats) -> Seen:
    """The states of a direction beside each word."""
    n_words, n_sentences, _ = inputs.shape
    of_state = weights[f"{name}.state"]
    n = of_state.shape[1]
    of_inputs = inputs @ weights[f"{name}.inputs"].T + weights[f"{name}.bias"]
    seen = Seen(*(np.zeros((n_words, n_sentences, n), inputs.dtype) for _ in range(5)))
    state = np.zeros((n_sentences, n), inputs.dtype)
    backward = name == "backward"
    for i in range(n_words - 1, -1, -1) if backward else range(n_words):
        products = state @ of_state.T
        gates = 0.5 + 0.25 * (of_inputs[i, :, : 2 * n] + products[:, : 2 * n])
        np.clip(gates, 0, 1, out=gates)
        update, reset = gates[:, :n], gates[:, n:]
        product = products[:, 2 * n :]
        proposed = np.clip(of_inputs[i, :, 2 * n :] + reset * product, -1, 1)
        # Behind the end of a sentence nothing has been seen.
        state = (state + update * (proposed - state)) * is_there[i, :, None]
        seen.states[i], seen.update[i], seen.reset[i] = state, update, reset
        seen.product[i], seen.proposed[i] = product, proposed
    return seen


def go_back(
    weights: Weights,
    name: str,
    inputs: Floats,
    is_there: Floats,
    seen: Seen,
    of_states: Floats,
    gradients: Weights,
) -> Floats:
    """Gradients of a direction's weights, and those of the inputs, from those of its states."""
    n_words, n_sentences, n = seen.states.shape
    of_state = weights[f"{name}.state"]
    of_sums = np.zeros((n_words, n_sentences, 3 * n), inputs.dtype)
    of_products = np.zeros((n_words, n_sentences, 3 * n), inputs.dtype)
    before = np.zeros((n_words, n_sentences, n), inputs.dtype)
    backward = name == "backward"
    if backward:
        before[:-1] = seen.states[1:]
    else:
        before[1:] = seen.states[:-1]
    carried = np.zeros((n_sentences, n), inputs.dtype)
    for i in range(n_words) if backward else range(n_words - 1, -1, -1):
        of_now = (of_states[i] + carried) * is_there[i, :, None]
        update, reset, proposed = seen.update[i], seen.reset[i], seen.proposed[i]
        of_proposed = of_now * update * (np.abs(proposed) < 1)
        of_update = 0.25 * of_now * (proposed - before[i]) * ((update > 0) & (update < 1))
        of_reset = 0.25 * of_proposed * seen.product[i] * ((reset > 0) & (reset < 1))
        of_sums[i, :, :n], of_sums[i, :, n : 2 * n] = of_update, of_reset
        of_sums[i, :, 2 * n :] = of_proposed
        of_products[i] = of_sums[i]
        of_products[i, :, 2 * n :] *= reset
        carried = of_now * (1 - update) + of_products[i] @ of_state
    flat = of_sums.reshape(-1, 3 * n)
    gradients[f"{name}.inputs"] = flat.T @ inputs.reshape(-1, inputs.shape[-1])
    gradients[f"{name}.state"] = of_products.reshape(-1, 3 * n).T @ before.reshape(-1, n)
    gradients[f"{name}.bias"] = flat.sum(0)
    return of_sums @ weights[f"{name}.inputs"]


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
