"""Marks learned from punctuated text, by the likelihood of the mark behind each word."""

from typing import Any

import numpy as np
import numpy.typing as npt

from truecase.errors import TrainingError
from truecase.marks._marks import Marks
from truecase.training.marks.frequent_pairs import with_checks
from truecase.training.marks.labelled import LabelledWords
from truecase.training.marks.network import (
    TABLES,
    Pieces,
    first_weights,
    gradients_of,
    label_scores,
)
from truecase.training.recipe import MarksRecipe
from truecase.training.recurrent.adam import Adam, in_bytes
from truecase.training.recurrent.one_thread import in_one_thread
from truecase.training.recurrent.steps import Report, Steps
from truecase.training.recurrent.units import UNIT_ARRAYS, Floats, Weights

# Words at the beginning of a piece, whose past is cut off, teach nothing of what is behind them.
_WARM_UP = 8


def learn_marks(
    text: LabelledWords, recipe: MarksRecipe, turkic: bool = False, report: Report | None = None
) -> Marks:
    """Learn which marks stand between words.

    Parameters
    ----------
    text : LabelledWords
    recipe : MarksRecipe
    turkic : bool
        How the words of `text` were folded.
    report : callable
        Told, every now and then, what share is done and the loss since the last time, in nats for
        each word.

    Raises
    ------
    TrainingError
        The text is too short.
    """
    n_pieces = len(text.label) // recipe.length - 1
    passes = recipe.passes_over(len(text.label))
    n_steps = passes * n_pieces // recipe.batch
    if n_steps < 1:
        least = recipe.length * (recipe.batch + 1)
        raise TrainingError(f"marks are learned from {least:,} words or more: give more text")
    # One more for pairs that have none.
    n_pairs = len(text.pair_checks)
    n_rows = {"words": recipe.n_words, "endings": recipe.n_endings, "pairs": n_pairs + 1}
    weights = first_weights(recipe.n_units, n_rows, len(recipe.pairs))
    weights["pairs"][-1] = 0
    optimiser = Adam(weights, tuple(TABLES))
    draw = np.random.default_rng(3)
    order = np.concatenate([draw.permutation(n_pieces) for _ in range(passes)])
    steps = Steps(recipe.rate, n_steps, report)
    with in_one_thread():
        for done in range(n_steps):
            chosen = order[done * recipe.batch : (done + 1) * recipe.batch] * recipe.length
            # Pieces begin elsewhere in each step, so that each word comes to stand in each place.
            place = chosen + draw.integers(recipe.length) + _heard(recipe, len(chosen), draw)
            place = np.minimum(place, len(text.label) - 1)
            steps.add(*_step(weights, optimiser, text, place, steps.rate, recipe, draw))
    return marks_of(weights, recipe, text, turkic)


def _heard(recipe: MarksRecipe, n_pieces: int, draw: np.random.Generator) -> npt.NDArray[np.int64]:
    """Which words of each piece a recogniser hears, one after the other: shape (length, n_pieces).

    One that is doubled is there twice, one that is dropped is not.
    """
    if not recipe.dropped and not recipe.doubled:
        return np.arange(recipe.length)[:, None]
    kind = draw.random((recipe.length, n_pieces))
    step = np.where(
        kind < recipe.dropped, 2, np.where(kind < recipe.dropped + recipe.doubled, 0, 1)
    )
    step[0] = 0
    return np.cumsum(step, 0)


def _labels(
    text: LabelledWords, place: npt.NDArray[np.int64], n_behind: int
) -> npt.NDArray[np.intp]:
    """Labels of the gaps behind the words that are heard; `n_behind` marks, or none, end words.

    The mark of a word which is not heard goes to the one before it. Between two copies of a word
    that is heard twice there is none.
    """
    label = text.label[place].astype(np.intp)
    following = np.append(place[1:], place[-1:] + 1, axis=0)
    passed = following - place == 2
    other = text.label[place[passed] + 1]
    label[passed] = (
        other - other % n_behind + np.maximum(label[passed] % n_behind, other % n_behind)
    )
    label[following == place] = 0
    return label


def _step(
    weights: Weights,
    optimiser: Adam,
    text: LabelledWords,
    place: npt.NDArray[np.int64],
    rate: float,
    recipe: MarksRecipe,
    draw: np.random.Generator,
) -> tuple[float, int]:
    """Learn from some pieces of text; their loss, and of how many words it is the sum."""
    shape = place.shape
    n_behind = 1 + len(recipe.marks)
    label = _labels(text, place, n_behind)
    is_cut = (draw.random(shape) < recipe.cut_gaps) & (draw.random(shape[1]) < recipe.cut)
    is_shown = (draw.random(shape) < draw.random(shape[1])) & (draw.random(shape[1]) < recipe.show)
    heard = place
    if recipe.misheard:
        # Another word of the text, so that frequent ones are heard more often.
        others = draw.integers(len(text.label), size=shape)
        heard = np.where(draw.random(shape) < recipe.misheard, others, place)
    looked_up = {name: table[heard] for name, table in text.rows.items()}
    keeps = {
        name: (draw.random(shape, np.float32) >= recipe.hide_words).astype(np.float32)
        for name in ("words", "pairs")
    }
    # Those that have no row have zeros for good.
    keeps["pairs"] *= looked_up["pairs"] < len(text.pair_checks)
    at = Pieces(
        rows=looked_up,
        given=np.where(is_shown, label % n_behind, 0),
        is_next_known=(~is_cut).astype(np.float32),
    )
    scores, forward = label_scores(weights, at, keeps)
    scores = scores - scores.max(-1, keepdims=True)
    of_scores: Floats = np.exp(scores)
    of_scores /= of_scores.sum(-1, keepdims=True)
    of_label = np.take_along_axis(of_scores, label[..., None], -1)
    # What stands in front of the next word is asked for beside a mark that is given, too.
    asked = (at.given == 0) | bool(recipe.openings)
    asked[:_WARM_UP] = False
    loss = -float(np.log(np.maximum(of_label[..., 0][asked], 1e-30)).sum(dtype=np.float64))
    np.put_along_axis(of_scores, label[..., None], of_label - 1, -1)
    of_scores *= asked[..., None]
    n = int(asked.sum())
    if n:
        gradients, rows = gradients_of(weights, at, forward, of_scores)
        optimiser.step(gradients, rate, n, rows)
    return loss, n


def marks_of(
    weights: Weights, recipe: MarksRecipe, text: LabelledWords, turkic: bool = False
) -> Marks:
    """The numbers of a model from those of training."""
    arrays: dict[str, npt.NDArray[Any]] = {name: in_bytes(weights[name]) for name in TABLES}
    arrays["pairs"] = with_checks(text.pair_checks, arrays["pairs"])
    arrays["abbreviations"] = text.abbreviations
    for name in (
        *UNIT_ARRAYS,
        *("joined", "joined.bias", "out"),
    ):
        arrays[name] = weights[name].ravel()
    offsets = [
        recipe.offsets.get(mark, 0.0) + (recipe.offsets.get(opening, 0.0) if opening else 0.0)
        for mark, opening in recipe.pairs
    ]
    arrays["out.bias"] = weights["out.bias"] + np.array(offsets, np.float32)
    settings = {
        "n_units": recipe.n_units,
        "n_words": recipe.n_words,
        "n_endings": recipe.n_endings,
        "n_pairs": len(text.pair_checks),
        "marks": list(recipe.marks),
        "ends": list(recipe.ends),
        "openings": list(recipe.openings),
        "alike": recipe.used_alike,
        "turkic": int(turkic),
    }
    return Marks(arrays, settings)
