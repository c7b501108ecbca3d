"""Gated recurrent units in training, steps of their weights, and the model's form of these.

`truecase/kernels/_recurrent.pxd` defines a unit. Here it runs in floating point over whole
sentences, and gradients go back through all words. Tables of rows move by Adagrad (Duchi et al.
2011), all else by Adam.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from truecase.base.spool import Float32s, Int32s, UInt8s, UInt16s, UInt64s
from truecase.base.threads import ordered_map
from truecase.kernels._components import UNITS_IN_GROUP as GROUP
from truecase.kernels._punctuation_network import IN_BUCKET, place_keys
from truecase.training._network_text import run_units, run_units_back

Weights = dict[str, Float32s]
Indices = npt.NDArray[np.intp]
#: States, gates, products and proposed states of a direction; the last states are zeros.
Seen = tuple[Float32s, ...]

DIRECTIONS = ("forward", "backward")


def columns_of(names: Sequence[str], sizes: Sequence[int]) -> dict[str, slice]:
    """The columns of parts of these sizes, one behind the other; further sizes have no part."""
    ends = zip(names, sizes, accumulate(sizes), strict=False)
    return {name: slice(end - size, end) for name, size, end in ends}


class Places(NamedTuple):
    """What the joining layer reads for each of its outputs, as indices of words.

    Of the word `here` it reads the state of the forward direction and the inputs, of the word
    `backward` the state of the backward direction, and of the word `after` some of the inputs. The
    number of words is the index of no word.
    """

    here: Indices | slice
    backward: Indices
    after: Indices


class Forward(NamedTuple):
    """Values of some words that `Architecture.gradients` needs."""

    inputs: Float32s
    lengths: tuple[Int32s, Int32s]
    places: Places
    seen: list[Seen]
    read: Float32s
    joined: Float32s


@dataclass(frozen=True)
class Architecture:
    """What a network reads of a word, and the sizes of the layer that joins both directions.

    Attributes
    ----------
    columns : dict of str to slice
        The columns of each table's rows in the inputs of a word.
    n_inputs : int
        Numbers of a word's inputs.
    after : slice
        The columns of the next word's inputs that the layer reads, too.
    n_joined : int
        Units of the layer.
    scale : float
        Standard deviation of the first weights of the outputs.
    """

    columns: dict[str, slice]
    n_inputs: int
    after: slice
    n_joined: int
    scale: float

    def first_weights(self, n_units: int, n_rows: Mapping[str, int], n_outputs: int) -> Weights:
        """Initial weights; the last row of words and of pairs stands for those without one.

        Weights of the states have rows for z, r and c of each group in turn.
        """
        draw = np.random.default_rng(1)

        def normal(scale: float, *shape: int) -> Float32s:
            values: Float32s = (scale * draw.standard_normal(shape)).astype(np.float32)
            return values

        weights: Weights = {}
        for name, of_row in self.columns.items():
            size = of_row.stop - of_row.start
            weights[name] = normal(0.0 if name == "pairs" else 0.1, n_rows[name], size)
        weights["words"][-1] = 0
        for name in DIRECTIONS:
            weights[f"{name}.inputs"] = normal(self.n_inputs**-0.5, 3 * n_units, self.n_inputs)
            weights[f"{name}.state"] = normal(GROUP**-0.5, n_units // GROUP, 3 * GROUP, GROUP)
            weights[f"{name}.bias"] = np.zeros(3 * n_units, np.float32)
        width = 2 * n_units + self.n_inputs + self.after.stop - self.after.start
        weights["joined"] = normal(width**-0.5, self.n_joined, width)
        weights["joined.bias"] = np.zeros(self.n_joined, np.float32)
        weights["out"] = normal(self.scale, n_outputs, self.n_joined)
        weights["out.bias"] = np.zeros(n_outputs, np.float32)
        return weights

    def inputs(self, weights: Weights, rows: Mapping[str, npt.NDArray[Any]]) -> Float32s:
        """The inputs of words by their rows; all else is 0, and a row of zeros follows."""
        inputs = np.zeros((len(rows["words"]) + 1, self.n_inputs), weights["words"].dtype)
        for name, columns in self.columns.items():
            inputs[:-1, columns] = weights[name][rows[name]]
        return inputs

    def outputs(
        self, weights: Weights, inputs: Float32s, lengths: tuple[Int32s, Int32s], places: Places
    ) -> tuple[Float32s, Forward]:
        """Run both directions over some words, and the layer that joins them.

        `inputs` has a row of zeros after those of the words; `lengths` has, for each direction, the
        words of each sentence that it runs over. Returns the outputs, and what `gradients` needs.
        """
        seen = []
        for name, length in zip(DIRECTIONS, lengths, strict=True):
            sums = inputs[:-1] @ weights[f"{name}.inputs"].T
            sums += weights[f"{name}.bias"]
            seen.append(run_units(sums, weights[f"{name}.state"], length, name == "backward"))
        here, backward, after = places
        states = seen[0][0][here], seen[1][0][backward]
        read = np.concatenate([*states, inputs[here], inputs[:, self.after][after]], axis=1)
        joined = np.maximum(read @ weights["joined"].T + weights["joined.bias"], 0)
        outputs = joined @ weights["out"].T + weights["out.bias"]
        return outputs, Forward(inputs, lengths, places, seen, read, joined)

    def gradients(
        self, weights: Weights, forward: Forward, of_outputs: Float32s
    ) -> tuple[Weights, Float32s]:
        """Gradients of the weights, and of the inputs of the words, from those of the outputs."""
        inputs, lengths, (here, backward, after), seen, read, joined = forward
        of_joined: Float32s = (of_outputs @ weights["out"]) * (joined > 0)
        gradients: Weights = {
            "out": of_outputs.T @ joined,
            "out.bias": of_outputs.sum(0),
            "joined": of_joined.T @ read,
            "joined.bias": of_joined.sum(0),
        }
        of_read = of_joined @ weights["joined"]
        n, n_inputs = seen[0][0].shape[1], inputs.shape[1]
        of_inputs = np.zeros_like(inputs)
        of_inputs[here] = of_read[:, 2 * n : 2 * n + n_inputs]
        # A word stands after one other, at most; the last row is of no word.
        of_inputs[:, self.after][after] += of_read[:, 2 * n + n_inputs :]
        of_states = np.zeros((2, len(inputs), n), of_read.dtype)
        of_states[0][here] = of_read[:, :n]
        of_states[1][backward] = of_read[:, n : 2 * n]
        of_inputs = of_inputs[:-1]
        for k, name in enumerate(DIRECTIONS):
            of_sums, gradients[f"{name}.state"] = run_units_back(
                of_states[k, :-1], weights[f"{name}.state"], lengths[k], name == "backward", seen[k]
            )
            gradients[f"{name}.inputs"] = of_sums.T @ inputs[:-1]
            gradients[f"{name}.bias"] = of_sums.sum(0)
            of_inputs += of_sums @ weights[f"{name}.inputs"]
        return gradients, of_inputs


# Steps

# Bounds of the model's numbers.
_MOST_WEIGHT, _MOST_ROW, _ROW_STEP = 7.9, 3.9, 1 / 32

_MEAN_OF, _SQUARE_OF = 0.9, 0.999


class Part(NamedTuple):
    """What a part of a step learned from: sums over its words.

    `rows` has the rows of the words in each table, `n` is the number of words that were judged.
    """

    gradients: Weights
    of_inputs: Float32s
    rows: Mapping[str, npt.NDArray[Any]]
    n: int


class Optimiser:
    """Moves weights in place: the rows of tables by Adagrad, all else by Adam.

    `columns` are those of the tables in the inputs. Of the tables in `frequent`, the last row
    stands for all keys without one, and keeps zeros. `row_rate` goes with a rate of `rate`.
    """

    def __init__(
        self,
        weights: Weights,
        columns: Mapping[str, slice],
        frequent: Iterable[str],
        rate: float,
        row_rate: float,
        threads: int = 1,
    ) -> None:
        self._weights = weights
        self._columns = columns
        self._n_rows = {name: len(weights[name]) - (name in frequent) for name in columns}
        # Of gradients: running means, running means of squares; for rows, sums of squares.
        self._mean = {n: np.zeros_like(one) for n, one in weights.items() if n not in columns}
        self._square = {name: np.zeros_like(array) for name, array in weights.items()}
        self._n = 0
        self._rate = rate
        self._row_rate = row_rate
        self._threads = threads

    def step(self, parts: Sequence[Part], rate: float) -> None:
        """Move the weights, and the rows of the words, by the mean gradients of all parts."""
        n = sum(part.n for part in parts)
        if n == 0:
            return
        share = np.float32(1 / n)
        gradients = {
            name: share * np.sum([part.gradients[name] for part in parts], 0)
            for name in parts[0].gradients
        }
        self._move_weights(gradients, rate)
        of_inputs = share * np.concatenate([part.of_inputs for part in parts])
        row_rate = np.float32(self._row_rate * rate / self._rate)

        def move(name: str) -> None:
            rows = np.concatenate([part.rows[name] for part in parts])
            self._move_rows(name, rows, of_inputs[:, self._columns[name]], row_rate)

        # Each table has rows of its own.
        list(ordered_map(move, self._columns, self._threads))

    def _move_weights(self, gradients: Weights, rate: float) -> None:
        """Move by Adam; longer gradients than 1 are shortened, and no weight gets too large."""
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

    def _move_rows(
        self, name: str, rows: npt.NDArray[Any], of_rows: Float32s, rate: np.float32
    ) -> None:
        """Move by Adagrad; a row moves by the sum of the gradients at all its places."""
        order = np.argsort(rows, kind="stable")
        number, first = np.unique(rows[order], return_index=True)
        gradient = np.add.reduceat(of_rows[order], first, axis=0)
        last = int(np.searchsorted(number, self._n_rows[name]))
        number, gradient = number[:last], gradient[:last]
        table, squares = self._weights[name], self._square[name]
        squares[number] += gradient * gradient
        step = rate * gradient / (np.sqrt(squares[number]) + np.float32(1e-6))
        table[number] = np.clip(table[number] - step, -_MOST_ROW, _MOST_ROW)


def hide_rows(rows: Int32s, share: float, n_rows: int, draw: np.random.Generator) -> Int32s:
    """Replace the rows of a share of the words by `n_rows`, the row of words without one."""
    return np.where(draw.random(rows.shape, np.float32) < share, np.int32(n_rows), rows)


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

#: A row of a rarer word or pair would learn the text by heart.
LEAST_OFTEN = {"words": 4, "pairs": 8}

# Keys that are counted at a time, and those that are kept between, both at most.
_COUNTED_KEYS, _KEPT_KEYS = 1 << 22, 1 << 23


class Counted:
    """Counts keys in bounded memory: where there are too many, the rarest are forgotten."""

    def __init__(self) -> None:
        self._keys = np.zeros(0, np.uint64)
        self._counts = np.zeros(0, np.int64)
        self._waiting: list[UInt64s] = []
        self._n_waiting = 0

    def add(self, keys: UInt64s) -> None:
        """Count these keys."""
        self._waiting.append(keys)
        self._n_waiting += len(keys)
        if self._n_waiting >= _COUNTED_KEYS:
            self._merge()

    def _merge(self) -> None:
        new, n_new = np.unique(np.concatenate([self._keys[:0], *self._waiting]), return_counts=True)
        keys, counts = np.append(self._keys, new), np.append(self._counts, n_new)
        # Both runs ascend: a stable sort merges them.
        order = np.argsort(keys, kind="stable")
        keys = keys[order]
        first = np.flatnonzero(np.append(True, keys[1:] != keys[:-1])[: len(keys)])
        keys, counts = keys[first], np.add.reduceat(counts[order], first)
        self._waiting, self._n_waiting = [], 0
        least = 2
        while len(keys) > _KEPT_KEYS:
            keys, counts = keys[counts >= least], counts[counts >= least]
            least += 1
        self._keys, self._counts = keys, counts

    def checks(self, most: int, least: int) -> UInt16s:
        """The checks of a table for the most frequent keys that occur `least` times or more.

        The table has `most` rows at most, a multiple of 4.
        """
        self._merge()
        often = self._counts >= least
        keys, counts = self._keys[often], self._counts[often]
        # Buckets fill unevenly.
        wanted = -(-len(keys) * 4 // 3 // IN_BUCKET) * IN_BUCKET
        order = np.argsort(-counts, kind="stable")[: 2 * most]
        return place_keys(keys[order], min(most, wanted))


def with_checks(checks: UInt16s, numbers: UInt8s) -> UInt8s:
    """Rows as a model has them; `numbers` end with those of keys without a row."""
    n = len(checks)
    in_front = checks.astype("<u2").view(np.uint8).reshape(n, 2)
    rows: UInt8s = np.hstack([in_front, numbers.reshape(n + 1, -1)[:n]])
    return rows.ravel()


def without_checks(rows: UInt8s, n_numbers: int) -> tuple[UInt16s, UInt8s]:
    """Undo `with_checks`, for rows of `n_numbers`."""
    split = rows.reshape(-1, 2 + n_numbers)
    checks = np.ascontiguousarray(split[:, :2]).view("<u2").ravel().astype(np.uint16)
    return checks, np.pad(split[:, 2:], ((0, 1), (0, 0)), constant_values=128)


# Rates and reports

#: Called with the share that is learned.
Report = Callable[[float], None]

# Steps between reports.
_EVERY = 50


class Steps:
    """Counts steps, lowers their rate from `rate` to 0 along a cosine, and reports their share."""

    def __init__(self, rate: float, n_steps: int, report: Report) -> None:
        self._first_rate = rate
        self._n_steps = n_steps
        self._report = report
        self._done = 0

    @property
    def share(self) -> float:
        """The share of the steps that is done."""
        return self._done / self._n_steps

    @property
    def rate(self) -> float:
        """The rate of the next step."""
        return self._first_rate * 0.5 * (1 + math.cos(math.pi * self.share))

    def count(self) -> None:
        """Count a step."""
        self._done += 1
        if self._done % _EVERY == 0 or self._done == self._n_steps:
            self._report(self.share)


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
