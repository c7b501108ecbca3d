"""The marks between words in training: floating-point numbers where the model has whole ones.

What is computed stands in `truecase/marks/_network.pxd`. Here it is computed for many pieces of
text at a time; gradients are propagated back through all words of a piece. The names of arrays are
those of `truecase.marks._marks.Marks`.
"""

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

#: Numbers of a word's row, of its ending's, and places of the marks that are given.
WORD_SIZE, ENDING_SIZE, GIVEN_SIZE = 24, 8, 8
N_INPUTS = WORD_SIZE + ENDING_SIZE + GIVEN_SIZE
#: Names of the weights that are tables of rows.
TABLES = ("words", "endings")
#: Units of the layer that joins both directions.
JOINED = 64


class Pieces(NamedTuple):
    """Pieces of text side by side, of the same length.

    Attributes
    ----------
    word, ending : int ndarray, shape (n_words, n_pieces)
        Rows of each word and of its ending.
    given : int ndarray, shape (n_words, n_pieces)
        The mark behind the word if that is known, else 0.
    is_next_known : float32 ndarray, shape (n_words, n_pieces)
        0 where nothing of the text behind the word is known, as in a stream that is still heard.
    """

    word: npt.NDArray[Any]
    ending: npt.NDArray[Any]
    given: npt.NDArray[Any]
    is_next_known: Floats


class Forward(NamedTuple):
    """What the gradients need of some pieces."""

    inputs: Floats
    keeps: list[Floats]
    seen: list[Seen]
    gaps: Floats
    joined: Floats
    keeps_word: Floats | None


def first_weights(
    n_units: int, n_words: int, n_endings: int, n_labels: int, seed: int = 1
) -> Weights:
    """Weights to begin with: rows of words and of endings, units, and what joins them."""
    draw = np.random.default_rng(seed)
    width = 2 * n_units + 2 * N_INPUTS
    return {
        "words": normal(draw, 0.1, n_words, WORD_SIZE),
        "endings": normal(draw, 0.1, n_endings, ENDING_SIZE),
        **first_units(n_units, N_INPUTS, draw),
        "joined": normal(draw, width**-0.5, JOINED, width),
        "joined.bias": np.zeros(JOINED, np.float32),
        "out": normal(draw, 0.01, n_labels, JOINED),
        "out.bias": np.zeros(n_labels, np.float32),
    }


def label_scores(
    weights: Weights, at: Pieces, keeps_word: Floats | None = None
) -> tuple[Floats, Forward]:
    """Scores of each label behind each word, in nats.

    Parameters
    ----------
    weights : dict of str to float32 ndarray
    at : Pieces
    keeps_word : float32 ndarray, shape (n_words, n_pieces), optional
        0 for words whose row is hidden, 1 for others.

    Returns
    -------
    scores : float32 ndarray, shape (n_words, n_pieces, n_labels)
    forward : Forward
        For `gradients_of`.
    """
    words = weights["words"][at.word]
    if keeps_word is not None:
        words = words * keeps_word[..., None]
    given = (at.given[..., None] == np.arange(GIVEN_SIZE)) & (at.given[..., None] > 0)
    inputs = np.concatenate([words, weights["endings"][at.ending], given], -1, dtype=words.dtype)
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
    return scores, Forward(inputs, keeps, seen, gaps, joined, keeps_word)


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
    of_words: Floats = of_inputs[..., :WORD_SIZE]
    if forward.keeps_word is not None:
        of_words = of_words * forward.keeps_word[..., None]
    of_endings = of_inputs[..., WORD_SIZE : WORD_SIZE + ENDING_SIZE]
    rows = {"words": sum_rows(at.word, of_words), "endings": sum_rows(at.ending, of_endings)}
    return gradients, rows


def _one_earlier(values: Floats, n: int | None = None) -> Floats:
    """What belongs to the next word beside each word, nothing beside the last."""
    result = np.zeros((n or len(values), *values.shape[1:]), values.dtype)
    following = values if n else values[1:]
    result[: len(following)] = following
    return result
