"""Gated recurrent units in training, steps of their weights, and the model's form of these.

`truecase/kernels/_recurrent.pxd` defines a unit. Here it runs in floating point over whole
sentences, and gradients go back through all words. Tables of rows move by Adagrad (Duchi et al.
2011), all else by Adam.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from truecase.kernels._components import UNITS_IN_GROUP as GROUP
from truecase.kernels._punctuation_network import IN_BUCKET, place_pairs
from truecase.training._network_text import run_units, run_units_back

Floats = npt.NDArray[np.float32]
Weights = dict[str, Floats]

Lengths = npt.NDArray[np.int32]
#: States, gates, products and proposed states of a direction; the last states are zeros.
Seen = tuple[Floats, ...]

DIRECTIONS = ("forward", "backward")
# Units


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


def first_units(draw: np.random.Generator, n_units: int, n_inputs: int) -> Weights:
    """Initial weights of both directions; rows for z, r and c of each group in turn."""
    weights: Weights = {}
    for name in DIRECTIONS:
        weights[f"{name}.inputs"] = normal(draw, n_inputs**-0.5, 3 * n_units, n_inputs)
        shape = n_units // GROUP, 3 * GROUP, GROUP
        weights[f"{name}.state"] = normal(draw, GROUP**-0.5, *shape)
        weights[f"{name}.bias"] = np.zeros(3 * n_units, np.float32)
    return weights


def run_both(weights: Weights, inputs: Floats, lengths: Sequence[Lengths]) -> list[Seen]:
    """Run both directions over words of these inputs.

    `lengths` has, for each direction, the words of each sentence that it runs over.
    """
    seen = []
    for name, length in zip(DIRECTIONS, lengths, strict=True):
        sums = inputs @ weights[f"{name}.inputs"].T
        sums += weights[f"{name}.bias"]
        seen.append(run_units(sums, weights[f"{name}.state"], length, name == "backward"))
    return seen


def run_both_back(
    weights: Weights,
    inputs: Floats,
    lengths: Sequence[Lengths],
    seen: Sequence[Seen],
    of_states: Sequence[Floats],
    of_inputs: Floats,
) -> Weights:
    """Gradients of the weights from those of the states of both directions.

    Those of the inputs are added to `of_inputs`.
    """
    gradients: Weights = {}
    for k, name in enumerate(DIRECTIONS):
        of_sums, gradients[f"{name}.state"] = run_units_back(
            of_states[k], weights[f"{name}.state"], lengths[k], name == "backward", seen[k]
        )
        gradients[f"{name}.inputs"] = of_sums.T @ inputs
        gradients[f"{name}.bias"] = of_sums.sum(0)
        of_inputs += of_sums @ weights[f"{name}.inputs"]
    return gradients


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


# Steps

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
    """Steps by running means of gradients and of their squares; `weights` change in place."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._mean = {name: np.zeros_like(array) for name, array in weights.items()}
        self._square = {name: np.zeros_like(array) for name, array in weights.items()}
        self._n = 0

    def step(self, gradients: Weights, rate: float) -> None:
        """Move the weights; longer gradients than 1 are shortened, and no weight gets too large."""
        size = math.sqrt(sum(float(np.vdot(g, g)) for g in gradients.values()))
        scale = np.float32(1.0 / max(1.0, size))
        self._n += 1
        mean_part, square_part = 1 - _MEAN_OF**self._n, 1 - _SQUARE_OF**self._n
        for name, gradient in gradients.items():
            gradient = gradient * scale
            mean, square = self._mean[name], self._square[name]
            mean += np.float32(1 - _MEAN_OF) * (gradient - mean)
            square += np.float32(1 - _SQUARE_OF) * (gradient * gradient - square)
            root = np.sqrt(square / np.float32(square_part)) + np.float32(1e-8)
            moved = self._weights[name] - np.float32(rate / mean_part) * mean / root
            self._weights[name][...] = np.clip(moved, -_MOST_WEIGHT, _MOST_WEIGHT)


def sum_rows(chosen: npt.NDArray[Any], values: Floats) -> Rows:
    """Sums of the gradients of each row that was looked up."""
    flat = values.reshape(-1, values.shape[-1])
    order = np.argsort(chosen, axis=None, kind="stable")
    number, first = np.unique(chosen.ravel()[order], return_index=True)
    return Rows(number, np.add.reduceat(flat[order], first, axis=0))


class Adagrad:
    """Steps of rows of tables by the sums of the squares of their gradients; in place.

    Of the tables in `frequent`, the last row stands for all keys without one, and keeps zeros.
    """

    def __init__(self, tables: Weights, frequent: Iterable[str]) -> None:
        self._tables = tables
        self._n_rows = {name: len(table) - (name in frequent) for name, table in tables.items()}
        self.squares = {name: np.zeros_like(table) for name, table in tables.items()}

    def step(self, name: str, chosen: npt.NDArray[Any], gradients: Floats, rate: float) -> None:
        """Move the rows that were looked up, by the gradient at each place."""
        rows = sum_rows(chosen, gradients)
        last = int(np.searchsorted(rows.number, self._n_rows[name]))
        number, gradient = rows.number[:last], rows.gradient[:last]
        table, squares = self._tables[name], self.squares[name]
        squares[number] += gradient * gradient
        step = np.float32(rate) * gradient / (np.sqrt(squares[number]) + np.float32(1e-6))
        table[number] = np.clip(table[number] - step, -_MOST_ROW, _MOST_ROW)


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


# Rows of frequent words and pairs

# Keys that are counted at a time, and those that are kept between, both at most.
_COUNTED_KEYS, _KEPT_KEYS = 1 << 22, 1 << 23


class Counted:
    """Counts keys in bounded memory: where there are too many, the rarest are forgotten."""

    def __init__(self) -> None:
        self._keys = np.zeros(0, np.uint64)
        self._counts = np.zeros(0, np.int64)
        self._waiting: list[npt.NDArray[np.uint64]] = []
        self._n_waiting = 0

    def add(self, keys: npt.NDArray[np.uint64]) -> None:
        """Count these keys."""
        self._waiting.append(keys)
        self._n_waiting += len(keys)
        if self._n_waiting >= _COUNTED_KEYS:
            self._merge()

    def _merge(self) -> None:
        keys, inverse = np.unique(np.concatenate([self._keys, *self._waiting]), return_inverse=True)
        ones = np.ones(self._n_waiting, np.int64)
        counts = np.bincount(inverse, np.concatenate([self._counts, ones]), len(keys))
        self._waiting, self._n_waiting = [], 0
        least = 2
        while len(keys) > _KEPT_KEYS:
            keys, counts = keys[counts >= least], counts[counts >= least]
            least += 1
        self._keys, self._counts = keys, counts.astype(np.int64)

    def checks(self, most: int, least: int) -> npt.NDArray[np.uint16]:
        """The checks of a table for the most frequent keys that occur `least` times or more.

        The table has `most` rows at most, a multiple of 4.
        """
        self._merge()
        often = self._counts >= least
        keys, counts = self._keys[often], self._counts[often]
        # Buckets fill unevenly.
        wanted = -(-len(keys) * 4 // 3 // IN_BUCKET) * IN_BUCKET
        order = np.argsort(-counts, kind="stable")[: 2 * most]
        return place_pairs(keys[order], min(most, wanted))


def with_checks(
    checks: npt.NDArray[np.uint16], numbers: npt.NDArray[np.uint8]
) -> npt.NDArray[np.uint8]:
    """Rows as a model has them; `numbers` end with those of pairs without a row."""
    n = len(checks)
    in_front = checks.astype("<u2").view(np.uint8).reshape(n, 2)
    rows: npt.NDArray[np.uint8] = np.hstack([in_front, numbers.reshape(n + 1, -1)[:n]])
    return rows.ravel()


def without_checks(
    rows: npt.NDArray[np.uint8], n_numbers: int
) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.uint8]]:
    """Undo `with_checks`, for rows of `n_numbers`."""
    split = rows.reshape(-1, 2 + n_numbers)
    checks = np.ascontiguousarray(split[:, :2]).view("<u2").ravel().astype(np.uint16)
    return checks, np.pad(split[:, 2:], ((0, 1), (0, 0)), constant_values=128)


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
