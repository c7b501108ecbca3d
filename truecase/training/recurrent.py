"""Gated recurrent units in training, Adam's steps, and the model's form of their weights.

`truecase/kernels/_recurrent.pxd` defines a unit. Here it runs on many texts at a time in floating
point, padded to the longest; gradients go back through all words.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Weights = dict[str, Floats]

DIRECTIONS = ("forward", "backward")
# Units


class Seen(NamedTuple):
    """Values of a direction that its gradients need, per word and unit."""

    states: Floats
    update: Floats
    reset: Floats
    product: Floats
    proposed: Floats


def normal(draw: np.random.Generator, scale: float, *shape: int) -> Floats:
    """Initial numbers of this standard deviation."""
    values: Floats = (scale * draw.standard_normal(shape)).astype(np.float32)
    return values


def first_joining(
    draw: np.random.Generator, width: int, n_joined: int, n_outputs: int, scale: float
) -> Weights:
    """Initial weights of the layer that joins both directions, and of the output behind it."""
    return {
        "joined": normal(draw, width**-0.5, n_joined, width),
        "joined.bias": np.zeros(n_joined, np.float32),
        "out": normal(draw, scale, n_outputs, n_joined),
        "out.bias": np.zeros(n_outputs, np.float32),
    }


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
        # Behind the end of a sentence the state is zero.
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
    """Add the gradients of a direction's weights to `gradients`; return those of its inputs."""
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


# The layer that joins both directions


def join(weights: Weights, inputs: Floats) -> tuple[Floats, Floats]:
    """The units of the layer, rectified, and its outputs."""
    joined = np.maximum(inputs @ weights["joined"].T + weights["joined.bias"], 0)
    return joined, joined @ weights["out"].T + weights["out.bias"]


def join_back(
    weights: Weights, inputs: Floats, joined: Floats, of_outputs: Floats
) -> tuple[Floats, Weights]:
    """Gradients of the layer's inputs, and of its weights, from those of its outputs."""
    of_joined: Floats = (of_outputs @ weights["out"]) * (joined > 0)
    return of_joined @ weights["joined"], {
        "out": of_outputs.T @ joined,
        "out.bias": of_outputs.sum(0),
        "joined": of_joined.T @ inputs,
        "joined.bias": of_joined.sum(0),
    }


# Adam's steps

# Bounds of the model's numbers.
_MOST_WEIGHT, _MOST_ROW, _ROW_STEP = 7.9, 3.9, 1 / 32

_MEAN_OF, _SQUARE_OF = 0.9, 0.999


class Rows(NamedTuple):
    """Gradients of some rows of a table.

    Attributes
    ----------
    number : int ndarray, shape (n,)
        The rows, each once.
    gradient : float32 ndarray, shape (n, size)
    """

    number: npt.NDArray[Any]
    gradient: Floats


class Adam:
    """Steps by running means of gradients and of their squares.

    It changes `weights` in place; `tables` names those that are tables of rows, whose numbers a
    model keeps in bytes.
    """

    def __init__(self, weights: Weights, tables: tuple[str, ...]) -> None:
        self._weights = weights
        self._tables = tables
        self._mean = {name: np.zeros_like(array) for name, array in weights.items()}
        self._square = {name: np.zeros_like(array) for name, array in weights.items()}
        self._n = 0

    def step(self, gradients: Weights, rate: float, n: int, rows: Mapping[str, Rows] = {}) -> None:
        """Move the weights by gradients that are sums over `n` words.

        Steps by larger means than 1 are shortened; no weight exceeds the model's bounds.
        """
        whole = (*gradients.values(), *(part.gradient for part in rows.values()))
        size = math.sqrt(sum(float(np.vdot(g, g)) for g in whole)) / n
        scale = np.float32(1.0 / (n * max(1.0, size)))
        self._n += 1
        for name, gradient in gradients.items():
            self._move(name, slice(None), gradient * scale, rate)
        for name, part in rows.items():
            self._move(name, part.number, part.gradient * scale, rate)

    def _move(self, name: str, which: Any, gradient: Floats, rate: float) -> None:
        mean, square = self._mean[name][which], self._square[name][which]
        mean = mean + np.float32(1 - _MEAN_OF) * (gradient - mean)
        square = square + np.float32(1 - _SQUARE_OF) * (gradient * gradient - square)
        self._mean[name][which], self._square[name][which] = mean, square
        mean_part, square_part = 1 - _MEAN_OF**self._n, 1 - _SQUARE_OF**self._n
        root = np.sqrt(square / np.float32(square_part)) + np.float32(1e-8)
        most = _MOST_ROW if name in self._tables else _MOST_WEIGHT
        moved = self._weights[name][which] - np.float32(rate / mean_part) * mean / root
        self._weights[name][which] = np.clip(moved, -most, most)


def sum_rows(chosen: npt.NDArray[Any], values: Floats) -> Rows:
    """Sums of the gradients of each row that was looked up."""
    flat = values.reshape(-1, values.shape[-1])
    order = np.argsort(chosen, axis=None, kind="stable")
    number, first = np.unique(chosen.ravel()[order], return_index=True)
    return Rows(number, np.add.reduceat(flat[order], first, axis=0))


def step_rows(table: Floats, squares: Floats, rows: Rows, rate: float) -> None:
    """Move rows of a table by Adagrad; `squares` are the sums of squares of their gradients."""
    squares[rows.number] += rows.gradient * rows.gradient
    step = np.float32(rate) * rows.gradient / (np.sqrt(squares[rows.number]) + np.float32(1e-6))
    table[rows.number] = np.clip(table[rows.number] - step, -_MOST_ROW, _MOST_ROW)


def packed(weights: Weights, tables: Iterable[str]) -> dict[str, npt.NDArray[Any]]:
    """Weights as a model keeps them: the numbers of tables in bytes."""
    arrays: dict[str, npt.NDArray[Any]] = {name: array.ravel() for name, array in weights.items()}
    for name in tables:
        steps = np.clip(np.rint(arrays[name] / _ROW_STEP) + 128, 0, 255)
        arrays[name] = steps.astype(np.uint8)
    return arrays


def unpacked(
    arrays: Mapping[str, npt.NDArray[Any]], tables: Iterable[str], shapes: Mapping[str, Any]
) -> Weights:
    """Undo `packed`: weights of these shapes."""
    weights = {name: arrays[name].astype(np.float32).reshape(shapes[name]) for name in shapes}
    for name in tables:
        weights[name] = (weights[name] - np.float32(128)) * np.float32(_ROW_STEP)
    return weights


# Rates and reports

#: Called with the share that is learned, and the loss since the last call.
Report = Callable[[float, float], None]

# Steps between reports.
_EVERY = 50


class Steps:
    """Counts steps, lowers their rate from `rate` to 0 along a cosine, and reports them.

    `report` gets the share that is done, and the loss since its last call, in nats per decision.
    """

    def __init__(self, rate: float, n_steps: int, report: Report | None = None) -> None:
        self._first_rate = rate
        self._n_steps = n_steps
        self._report = report
        self._done = 0
        self._loss = 0.0
        self._n_decisions = 0

    @property
    def share(self) -> float:
        """The share of the steps that is done."""
        return self._done / self._n_steps

    @property
    def rate(self) -> float:
        """The rate of the next step."""
        return self._first_rate * 0.5 * (1 + math.cos(math.pi * self.share))

    def add(self, loss: float, n_decisions: int) -> None:
        """Count a step; `loss` is the sum over its decisions."""
        self._done += 1
        self._loss += loss
        self._n_decisions += n_decisions
        if self._report is not None and (self._done % _EVERY == 0 or self._done == self._n_steps):
            self._report(self._done / self._n_steps, self._loss / max(1, self._n_decisions))
            self._loss, self._n_decisions = 0.0, 0


def in_one_thread() -> AbstractContextManager[object]:
    """Limit linear algebra to one thread, in the whole process, until the context ends.

    The matrices of a step are so small that threads gain nothing; on a busy machine they mostly
    wait for each other. Without the package threadpoolctl nothing changes.
    """
    try:
        from threadpoolctl import threadpool_limits
    except ImportError:
        return nullcontext()
    limits: AbstractContextManager[object] = threadpool_limits(1, user_api="blas")
    return limits
