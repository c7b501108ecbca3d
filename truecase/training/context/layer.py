"""A context layer learned on what models decide of text that they were not trained on.

What the layer adds to the candidates of open words is added to lattices of the decoder's own, and
the gradient is that of the likelihood of the text's case over all their paths: posterior less gold.
A layer that was learned word by word would say too much, as neighbours pass on what each of them
is told. A step for some pieces of text.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from truecase._core import CompiledModel
from truecase.context._context import ContextLayer
from truecase.training.context._decisions import Decisions, first_decisions, posteriors_beside
from truecase.training.context.network import (
    N_CASES,
    TABLES,
    Forward,
    Sentences,
    added_scores,
    first_weights,
    gradients_of,
)
from truecase.training.recipe import ContextRecipe
from truecase.training.recurrent.adam import Adam, in_bytes
from truecase.training.recurrent.one_thread import in_one_thread
from truecase.training.recurrent.steps import Report, Steps
from truecase.training.recurrent.units import UNIT_ARRAYS, Floats, Weights
from truecase.training.sparse.blocks import TextBlocks


class Part(NamedTuple):
    """A text of whole lines, and a model without such a layer that was not trained on it."""

    model: CompiledModel
    text: TextBlocks


# Of 8 kB each, that weights make a step by.
_PIECES_IN_BATCH = 8

# Sentences of about the same length go together; of longer ones, parts.
_LENGTHS = (8, 16, 24, 32, 48, 64)


def learn_layer(
    parts: Sequence[Part],
    recipe: ContextRecipe,
    report: Report | None = None,
) -> ContextLayer:
    """Learn a layer.

    Parameters
    ----------
    parts : sequence of Part
    recipe : ContextRecipe
    report : callable
        Told, every now and then, what share is done and the loss since the last time, in nats for
        each open word.
    """
    weights = first_weights(recipe.n_units, recipe.n_rows)
    optimiser = Adam(weights, TABLES)
    draw = np.random.default_rng(2)
    n_steps = recipe.passes * sum(
        math.ceil(part.text.n_pieces / _PIECES_IN_BATCH) for part in parts
    )
    steps = Steps(recipe.rate, n_steps, report)
    with in_one_thread():
        for epoch in range(recipe.passes):
            for model, batch in _batches(parts, epoch):
                seed = int(draw.integers(1 << 63))
                gradients, of_batch, n = _look_at(weights, model, batch, seed, recipe, draw)
                if n:
                    optimiser.step(gradients, steps.rate, n)
                steps.add(of_batch, n)
    return layer_of(weights, recipe)


def _batches(parts: Sequence[Part], epoch: int) -> Iterator[tuple[CompiledModel, bytes]]:
    """Pieces from all over the texts, some of one text at a time."""
    streams = [_batches_of(part.text, epoch) for part in parts]
    sizes = [math.ceil(part.text.n_pieces / _PIECES_IN_BATCH) for part in parts]
    order = np.random.default_rng(epoch).permutation(np.repeat(np.arange(len(parts)), sizes))
    for number in order.tolist():
        yield parts[number].model, next(streams[number])


def _batches_of(text: TextBlocks, epoch: int) -> Iterator[bytes]:
    pieces = (piece for _, piece in text.shuffled(epoch))
    while batch := b"".join(islice(pieces, _PIECES_IN_BATCH)):
        yield batch


def _look_at(
    weights: Weights,
    model: CompiledModel,
    batch: bytes,
    seed: int,
    recipe: ContextRecipe,
    draw: np.random.Generator,
) -> tuple[Weights, float, int]:
    """What a batch teaches: gradients, its loss, and of how many words that is the sum."""
    found = first_decisions(model, batch, recipe.n_rows, recipe.drop_punctuation, seed)
    added = np.zeros((len(found.row), N_CASES), np.float32)
    seen: list[tuple[Sentences, Forward]] = []
    for at in sentences_of(found):
        keeps = (draw.random(at.row.shape, np.float32) >= recipe.hide_words).astype(np.float32)
        scores, forward = added_scores(weights, at, keeps)
        added[at.place[at.asked]] = scores
        seen.append((at, forward))
    posterior = posteriors_beside(model, batch, added, recipe.drop_punctuation, seed)
    asked = np.flatnonzero(found.is_open & (found.gold >= 0))
    gold = found.gold[asked].astype(np.intp)
    loss = -float(np.log(np.maximum(posterior[asked, gold], 1e-30)).sum(dtype=np.float64))
    gradient = np.zeros_like(posterior)
    gradient[asked] = posterior[asked]
    gradient[asked, gold] -= 1
    total: Weights = {}
    for at, forward in seen:
        of_added = gradient[at.place[at.asked]]
        for name, array in gradients_of(weights, at, forward, of_added).items():
            total[name] = total[name] + array if name in total else array
    return total, loss, len(asked)


def sentences_of(found: Decisions) -> Iterator[Sentences]:
    """The sentences of a text side by side, those of about the same length together."""
    spans = _spans(found.length)
    lengths = spans[:, 1] - spans[:, 0]
    shortest = 0
    for longest in _LENGTHS:
        chosen = spans[(lengths > shortest) & (lengths <= longest)]
        shortest = longest
        if not len(chosen):
            continue
        begin, end = chosen.T
        step = np.arange((end - begin).max())[:, None]
        is_there = step < end - begin
        place = np.where(is_there, begin + step, begin)
        yield Sentences(
            row=found.row[place],
            prior=found.prior[place],
            lead=np.where(is_there[..., None], found.lead[place], -np.inf).astype(np.float32),
            is_there=is_there.astype(np.float32),
            asked=found.is_open[place] & is_there,
            place=place,
        )


def _spans(length: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
    """Beginning and end of each sentence, or of its parts."""
    spans = []
    end = 0
    for n in length.tolist():
        begin, end = end, end + n
        for start in range(begin, end, _LENGTHS[-1]):
            spans.append((start, min(end, start + _LENGTHS[-1])))
    return np.array(spans, np.int64).reshape(-1, 2)


def layer_of(weights: Weights, recipe: ContextRecipe) -> ContextLayer:
    """The numbers of a model from those of training."""
    arrays: dict[str, npt.NDArray[np.uint8] | Floats] = {
        name: in_bytes(weights[name]) for name in TABLES
    }
    for name in (
        *UNIT_ARRAYS,
        *("joined", "joined.bias", "out", "out.bias"),
    ):
        arrays[name] = weights[name].ravel()
    settings = {"n_units": recipe.n_units, "n_rows": recipe.n_rows, "doubt": recipe.doubt}
    return ContextLayer(arrays, settings)
