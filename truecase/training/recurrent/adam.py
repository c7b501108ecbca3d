"""Steps of learning, and the numbers of a model from those of training.

Adam (Kingma & Ba 2015). Of large tables of rows only those are moved that a batch has looked up:
their running means are those of the batches that did.
"""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from truecase.training.recurrent.units import Floats, Weights

# What the model's numbers can hold.
_MOST_WEIGHT, _MOST_ROW, _ROW_STEP = 7.9, 3.9, 1 / 32

_MEAN_OF, _SQUARE_OF = 0.9, 0.999


class Rows(NamedTuple):
    """Gradients of some rows of a table.

    Attributes
    ----------
    number : int ndarray, shape (n,)
        Of the rows, each once.
    gradient : float32 ndarray, shape (n, size)
    """

    number: npt.NDArray[Any]
    gradient: Floats


class Adam:
    """Steps by running means of gradients and of their squares.

    Parameters
    ----------
    weights : dict of str to float32 ndarray
        Moved where they are.
    tables : collection of str
        Names of those that are tables of rows, whose numbers a model keeps in bytes.
    """

    def __init__(self, weights: Weights, tables: tuple[str, ...]) -> None:
        self._weights = weights
        self._tables = tables
        self._mean = {name: np.zeros_like(array) for name, array in weights.items()}
        self._square = {name: np.zeros_like(array) for name, array in weights.items()}
        self._n = 0

    def step(self, gradients: Weights, rate: float, n: int, rows: Mapping[str, Rows] = {}) -> None:
        """Move the weights by gradients that are sums over `n` words.

        Steps by larger means than 1 are shortened; no weight goes farther than the model can hold.
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
    """Sums of the gradients that each row gets that was looked up."""
    flat = values.reshape(-1, values.shape[-1])
    order = np.argsort(chosen, axis=None, kind="stable")
    number, first = np.unique(chosen.ravel()[order], return_index=True)
    return Rows(number, np.add.reduceat(flat[order], first, axis=0))


def in_bytes(rows: Floats) -> npt.NDArray[np.uint8]:
    """A table's numbers as a model keeps them."""
    numbers: npt.NDArray[np.uint8] = np.clip(np.rint(rows / _ROW_STEP) + 128, 0, 255).astype(
        np.uint8
    )
    return numbers.ravel()
