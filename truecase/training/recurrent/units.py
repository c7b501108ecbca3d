"""Gated recurrent units in training: floating-point numbers where the model has whole ones.

What a unit computes stands in `truecase/recurrent/_gru.pxd`. Here it is computed for many texts at
a time, padded to the longest; gradients are propagated back through all of their words.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Weights = dict[str, Floats]

DIRECTIONS = ("forward", "backward")
#: Names of the units' arrays.
UNIT_ARRAYS = tuple(f"{one}.{part}" for one in DIRECTIONS for part in ("inputs", "state", "bias"))


class Seen(NamedTuple):
    """What the gradients need of a direction: per word, and per unit."""

    states: Floats
    update: Floats
    reset: Floats
    product: Floats
    proposed: Floats


def normal(draw: np.random.Generator, scale: float, *shape: int) -> Floats:
    """Numbers to begin with, of this standard deviation."""
    values: Floats = (scale * draw.standard_normal(shape)).astype(np.float32)
    return values


def first_units(n_units: int, n_inputs: int, draw: np.random.Generator) -> Weights:
    """Weights of both directions to begin with."""
    weights: Weights = {}
    for name in DIRECTIONS:
        weights[f"{name}.inputs"] = normal(draw, n_inputs**-0.5, 3 * n_units, n_inputs)
        weights[f"{name}.state"] = normal(draw, n_units**-0.5, 3 * n_units, n_units)
        weights[f"{name}.bias"] = np.zeros(3 * n_units, np.float32)
    return weights


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
