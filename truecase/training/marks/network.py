"""The marks between words in training: floating-point numbers where the model has whole ones.

What is computed stands in `truecase/marks/_network.pxd`. Here it is computed for many pieces of
text at a time; gradients are propagated back through all words of a piece. The names of arrays are
those of `truecase.marks._marks.Marks`.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from truecase.training.recurrent.adam import Rows, sum_rows
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

#: Weights that are tables of rows, and how many numbers a row has.
TABLES = {"words": 24, "endings": 8, "pairs": 8}
#: Places of the marks that are given.
GIVEN_SIZE = 8
N_INPUTS = sum(TABLES.values()) + GIVEN_SIZE
#: Units of the layer that joins both directions.
JOINED = 64


# Deviations of the numbers of rows to begin with.
_FIRST_ROWS = {"words": 0.1, "endings": 0.1, "pairs": 0.02}


class Pieces(NamedTuple):
    """Pieces of text side by side, of the same length.

    Attributes
    ----------
    rows : dict of str to int ndarray, shape (n_words, n_pieces)
        Of each word in each of the tables. The last one of pairs is that of those which have none.
    given : int ndarray, shape (n_words, n_pieces)
        The mark behind the word if that is known, else 0.
    is_next_known : float32 ndarray, shape (n_words, n_pieces)
        0 where nothing of the text behind the word is known, as in a stream that is still heard.
    """

    rows: dict[str, npt.NDArray[Any]]
    given: npt.NDArray[Any]
    is_next_known: Floats


class Forward(NamedTuple):
    """What the gradients need of some pieces."""

    inputs: Floats
    keeps: list[Floats]
    seen: list[Seen]
    gaps: Floats
    joined: Floats
    keeps_rows: dict[str, Floats]


def first_weights(n_units: int, n_rows: dict[str, int], n_labels: int, seed: int = 1) -> Weights:
    """Weights to begin with: rows of each table, units, and what joins them."""
    draw = np.random.default_rng(seed)
    width = 2 * n_units + 2 * N_INPUTS
    tables = {
        name: normal(draw, _FIRST_ROWS[name], n_rows[name], size) for name, size in TABLES.items()
    }
    return {
        **tables,
        **first_units(n_units, N_INPUTS, draw),
        "joined": normal(draw, width**-0.5, JOINED, width),
        "joined.bias": np.zeros(JOINED, np.float32),
        "out": normal(draw, 0.01, n_labels, JOINED),
        "out.bias": np.zeros(n_labels, np.float32),
    }


def label_scores(
    weights: Weights, at: Pieces, keeps_rows: Mapping[str, Floats] = MappingProxyType({})
) -> tuple[Floats, Forward]:
    """Scores of each label behind each word, in nats.

    Parameters
    ----------
    weights : dict of str to float32 ndarray
    at : Pieces
    keeps_rows : mapping of str to float32 ndarray, shape (n_words, n_pieces)
        0 for words whose row of a table is hidden, 1 for others.

    Returns
    -------
    scores : float32 ndarray, shape (n_words, n_pieces, n_labels)
    forward : Forward
        For `gradients_of`.
    """
    read = [weights[name][at.rows[name]] for name in TABLES]
    for numbers, name in zip(read, TABLES, strict=True):
        if name in keeps_rows:
            numbers *= keeps_rows[name][..., None]
    given = (at.given[..., None] == np.arange(GIVEN_SIZE)) & (at.given[..., None] > 0)
    inputs = np.concatenate([*read, given], -1, dtype=read[0].dtype)
    # A state of the direction that comes from behind is carried on where the next word is known.
    carried = np.ones_like(at.is_next_known)
    carried[1:] = at.is_next_known[:-1]
    keeps = [np.ones_like(carried), carried]
    seen = [
        go_over(weights, name, inputs, keep) for name, keep in zip(DIRECTIONS, keeps, strict=True)
    ]
    behind = at.is_next_known[:-1, :, None] > 0
    gaps = np.concatenate(
        [
            seen[0].states,
            _one_earlier(seen[1].states),
            inputs,
            _one_earlier(inputs[1:] * behind, len(inputs)),
        ],
        axis=-1,
    )
    joined = np.maximum(gaps @ weights["joined"].T + weights["joined.bias"], 0)
    scores = joined @ weights["out"].T + weights["out.bias"]
    return scores, Forward(inputs, keeps, seen, gaps, joined, dict(keeps_rows))


def gradients_of(
    weights: Weights, at: Pieces, forward: Forward, of_scores: Floats
) -> tuple[Weights, dict[str, Rows]]:
    """Gradients of the weights from those of the scores: whole arrays, and rows of tables."""
    n = forward.seen[0].states.shape[-1]
    flat = of_scores.reshape(-1, of_scores.shape[-1])
    joined = forward.joined.reshape(len(flat), -1)
    gradients: Weights = {"out": flat.T @ joined, "out.bias": flat.sum(0)}
    of_joined: Floats = (flat @ weights["out"]) * (joined > 0)
    gradients["joined"] = of_joined.T @ forward.gaps.reshape(len(flat), -1)
    gradients["joined.bias"] = of_joined.sum(0)
    of_gaps: Floats = (of_joined @ weights["joined"]).reshape(forward.gaps.shape)
    of_inputs: Floats = of_gaps[..., 2 * n : 2 * n + N_INPUTS].copy()
    of_next: Floats = of_gaps[:-1, :, 2 * n + N_INPUTS :] * at.is_next_known[:-1, :, None]
    of_inputs[1:] += of_next
    of_behind = np.zeros_like(forward.seen[1].states)
    of_behind[1:] = of_gaps[:-1, :, n : 2 * n]
    of_both: tuple[Floats, Floats] = (of_gaps[..., :n], of_behind)
    for k, of_states in enumerate(of_both):
        of_inputs += go_back(
            weights,
            DIRECTIONS[k],
            forward.inputs,
            forward.keeps[k],
            forward.seen[k],
            of_states,
            gradients,
        )
    rows: dict[str, Rows] = {}
    first = 0
    for name, size in TABLES.items():
        of_rows = of_inputs[..., first : first + size]
        if name in forward.keeps_rows:
            of_rows = of_rows * forward.keeps_rows[name][..., None]
        rows[name] = sum_rows(at.rows[name], of_rows)
        first += size
    return gradients, rows


def _one_earlier(values: Floats, n: int | None = None) -> Floats:
    """What belongs to the next word beside each word, nothing beside the last."""
    result = np.zeros((n or len(values), *values.shape[1:]), values.dtype)
    following = values if n else values[1:]
    result[: len(following)] = following
    return result
