"""Learn a context layer on the decisions of models about text that they were not trained on.

The layer adds scores to the candidates of open words in the decoder's lattices. The gradient is
that of the likelihood of the text's case over all paths: posterior less gold. A layer that learned
word by word would add too much, since neighbours pass on their gains. Each step takes some pieces
of text.
"""

import math
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from truecase._core import CompiledModel
from truecase.base.progress import Progress
from truecase.errors import ModelError, TrainingError, WrongTypeError
from truecase.kernels._components import FARTHEST_LEAD, INPUTS, JOINED, PRIORS, ContextLayer
from truecase.model.model import Model
from truecase.training import recurrent
from truecase.training._context_decisions import Decisions, first_decisions, posteriors_beside
from truecase.training.material import Holdout, Text, TextBlocks, check_files, file_names, read_text
from truecase.training.recipe import ContextRecipe
from truecase.training.recurrent import (
    DIRECTIONS,
    Adam,
    Floats,
    Report,
    Seen,
    Steps,
    Weights,
    go_back,
    go_over,
    in_one_thread,
    join,
    join_back,
    packed,
)
from truecase.training.reports import Comparison, compare, reporter

# The layer

#: Sizes of a word's row, of its usual case's row, and of its leads.
WORD_SIZE, PRIOR_SIZE, N_CASES, _ = INPUTS
N_INPUTS = sum(INPUTS)
#: Names of the weights that are tables of rows.
TABLES = ("words", "priors")


class Sentences(NamedTuple):
    """Sentences side by side, padded to the longest; arrays have shape (n_words, n_sentences).

    `row`, `prior` and `lead`, int, int and float32, the last with 4 values a word, are those of
    `Decisions`. `is_there`, float32, is 1 for a word, 0 for padding. `asked`, bool, marks words
    whose cases get scores of the layer. `place`, int64, is the word's place in the text.
    """

    row: npt.NDArray[np.int32]
    prior: npt.NDArray[np.int16]
    lead: Floats
    is_there: Floats
    asked: npt.NDArray[np.bool_]
    place: npt.NDArray[np.int64]


def first_weights(n_units: int, n_rows: int, seed: int = 1) -> Weights:
    """Initial weights."""
    tables = {"words": (0.1, n_rows, WORD_SIZE), "priors": (0.1, PRIORS, PRIOR_SIZE)}
    joined = 2 * n_units + N_INPUTS, JOINED, N_CASES
    return recurrent.first_weights(tables, n_units, N_INPUTS, joined, seed)


def inputs_of(weights: Weights, at: Sentences) -> Floats:
    """The inputs of the units, shape (n_words, n_sentences, N_INPUTS)."""
    words, priors = weights["words"][at.row], weights["priors"][at.prior]
    lead = np.maximum(at.lead, -FARTHEST_LEAD) / 4
    is_case = np.isfinite(at.lead).astype(words.dtype)
    return np.concatenate([words, priors, lead, is_case], axis=-1, dtype=words.dtype)


class Forward(NamedTuple):
    """Values of some sentences that `gradients_of` needs."""

    inputs: Floats
    seen: list[Seen]
    asked: Floats
    joined: Floats
    keeps_word: Floats | None


def added_scores(
    weights: Weights, at: Sentences, keeps_word: Floats | None = None
) -> tuple[Floats, Forward]:
    """The scores that the layer adds to the cases of the asked words, in nats.

    `keeps_word`, float32, has 0 for words whose row is hidden, 1 for others. Returns the scores,
    float32, shape (n_asked, 4), and the values for `gradients_of`.
    """
    inputs = inputs_of(weights, at)
    if keeps_word is not None:
        inputs[..., :WORD_SIZE] *= keeps_word[..., None]
    seen = [go_over(weights, name, inputs, at.is_there) for name in DIRECTIONS]
    asked = np.concatenate([*(one.states[at.asked] for one in seen), inputs[at.asked]], axis=-1)
    joined, added = join(weights, asked)
    return added, Forward(inputs, seen, asked, joined, keeps_word)


def gradients_of(weights: Weights, at: Sentences, forward: Forward, of_added: Floats) -> Weights:
    """Gradients of the weights from those of the added scores."""
    of_asked, gradients = join_back(weights, forward.asked, forward.joined, of_added)
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
    """Sums of the gradients of each row of a table."""
    flat, size = values.reshape(-1, values.shape[-1]), values.shape[-1]
    places = (chosen.reshape(-1, 1).astype(np.int64) * size + np.arange(size)).ravel()
    total = np.bincount(places, flat.ravel(), n_rows * size)
    return total.reshape(n_rows, size).astype(values.dtype)


# Learning


class Part(NamedTuple):
    """Whole lines, and a model without a context layer that was not trained on them."""

    model: CompiledModel
    text: TextBlocks


# Pieces of 8 kB in each step.
_PIECES_IN_BATCH = 8

# Sentences of similar length go together; longer ones are cut.
_LENGTHS = (8, 16, 24, 32, 48, 64)


def learn_layer(
    parts: Sequence[Part], recipe: ContextRecipe, report: Report | None = None
) -> ContextLayer:
    """Learn a layer.

    `report` gets the share that is done and the loss since its last call, in nats per open word.
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
    """The gradients of a batch, its loss, and the number of words that these sum over."""
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
    """The sentences of a text side by side, those of similar length together."""
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
    """Pack the weights of training for a model."""
    settings = {"n_units": recipe.n_units, "n_rows": recipe.n_rows, "doubt": recipe.doubt}
    return ContextLayer(packed(weights, TABLES), settings)


# Refining a model

#: The default recipe.
DEFAULT = ContextRecipe()

# Largest number of words that are held out to judge by.
_JUDGED_WORDS = 50_000


@dataclass(frozen=True)
class Refined:
    """A model with a context layer, and its gain."""

    model: Model
    judged: Comparison


def refine(
    model: Model,
    text: Text = (),
    recipe: ContextRecipe = DEFAULT,
    *,
    unseen: Sequence[tuple[Model, Text]] = (),
    threads: int = 1,
    progress: Progress | None = None,
    encoding: str | None = None,
) -> Refined:
    """Learn a layer that decides words in doubt by their sentence.

    Parameters
    ----------
    model : Model
        Has sparse features and n-grams. A new layer replaces its layer, and removes its
        calibration, which fits the former scores.
    text : path-like, sequence of path-like, or callable
        Cased text of all kinds that the model is for, other than its training text; a million
        words or more. A part of it is held out to judge by.
    recipe : ContextRecipe
    unseen : sequence of (Model, text), optional
        Parts of the training text of `model`, each with a model that was trained like it on all
        other parts; the layer learns from their decisions how `model` decides unseen text. They
        replace `text` or join it; a held-out part of each judges its own model.
    threads : int
        Only judging uses them. The layer does not depend on it.
    progress, encoding
        See `truecase.training.train.train`.

    Raises
    ------
    WrongTypeError
        `model` is not a Model.
    ModelError
        The model has no sparse features or no n-grams, is adapted to a domain, or its features
        look at a source.
    TrainingError
        The text is too short.
    OSError, ValueError
        A file cannot be read or has another format; the message names it.
    """
    if not isinstance(model, Model):
        raise WrongTypeError(f"model: expected a Model, found {type(model).__name__}")
    for one in (model, *(given for given, _ in unseen)):
        _check(one)
    given = [(model, text)] if text else []
    if not given and not unseen:
        raise TrainingError("a layer needs text that the model was not trained on")
    texts = [(one.replace(context=None), part) for one, part in (*given, *unseen)]
    check_files([name for _, part in texts for name in file_names(part)])
    held_out = []
    with ExitStack() as spools:
        parts = []
        for one, part in texts:
            holdout = Holdout(
                read_text(part, progress, encoding), words=_JUDGED_WORDS // len(texts)
            )
            spool = spools.enter_context(closing(TextBlocks(holdout.training())))
            parts.append(Part(CompiledModel(one), spool))
            held_out.append((one, _held_out(holdout, part)))
        tell = reporter(progress)
        layer = learn_layer(parts, recipe, lambda share, loss: tell("learning the layer", share))
        n_bytes = sum(part.text.n_bytes for part in parts)
    judged = _judge(held_out, layer, threads)
    notes = {"bytes": n_bytes, **vars(recipe), "judged": vars(judged).copy()}
    refined = model.replace(context=layer).with_notes(refined=notes)
    return Refined(refined, judged)


def _held_out(holdout: Holdout, text: Text) -> bytes:
    try:
        return holdout.text()
    except TrainingError:
        raise TrainingError(
            f"{', '.join(file_names(text)) or 'the text'}: too short to learn from and to judge "
            "by: give more of it"
        ) from None


def _judge(
    held_out: Sequence[tuple[Model, bytes]], layer: ContextLayer, threads: int
) -> Comparison:
    """Errors of each model on its held-out text, without and with the layer."""
    each = [compare(model, model.replace(context=layer), text, threads) for model, text in held_out]
    return Comparison(
        sum(one.words for one in each),
        sum(one.before for one in each),
        sum(one.after for one in each),
    )


def _check(model: Model) -> None:
    """Refuse models that lack the parts that a layer builds on."""
    if model.sparse is None or model.lm is None or model.lm.order < 2:
        raise ModelError(
            f"a model of the preset {model.preset} cannot be refined: only crf-sparse has what the "
            "layer goes by"
        )
    if model.sparse.reads_source:
        raise ModelError(
            f"a model of the preset {model.preset} cannot be refined: its features look at a source"
        )
    if model.domain is not None or model.sparse_domain is not None:
        raise ModelError("an adapted model cannot be refined; refine its base, and adapt that")
