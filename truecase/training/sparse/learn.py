"""Learning of sparse features and a hidden layer beside the language model.

Language model and lexicon know the text that they were counted in too well. The text is
therefore cut into folds, and weights are learned on each with the language model and lexicon of
the others; the model that is kept has those of all text.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from truecase._core import CompiledModel
from truecase.alignment.lines import AlignedLines
from truecase.alignment.phrases import Phrases
from truecase.features._sparse_features import SparseFeatures
from truecase.features.pack_sparse import (
    TABLES,
    Sparse,
    SparseWeights,
    pack_sparse,
    select_features,
)
from truecase.features.templates import BILINGUAL, HIDDEN, MONOLINGUAL, TemplateSet, field_number
from truecase.model.model import Model
from truecase.text.lines import line_slices
from truecase.training.blocks import PIECE_BYTES
from truecase.training.recipe import Recipe, SparseRecipe
from truecase.training.sparse._learner import SparseTrainer

if TYPE_CHECKING:
    from truecase.training.source.blocks import BitextBlocks
    from truecase.training.sparse.blocks import TextBlocks

#: Called with the name of a step and what share of it is done, None if that is not known.
Report = Callable[[str, float | None], None]

#: Lines without a source, or with one.
Lines = bytes | AlignedLines

#: Lines, with the model that makes their lattices, their source and their alignment.
Piece = tuple[CompiledModel, bytes, bytes | None, Phrases | None]

# Places for features in training, for each word of the text; they cost 32 bytes each.
_SLOTS_PER_WORD = 1.2
_SLOTS_PER_ALIGNED_WORD = 4.0
_MAX_SLOTS = 1 << 26
_MAX_COUNTER_BITS = 28
_MAX_ROWS = 1 << 17

_BYTES_PER_WORD = 6

# Pieces in a batch: enough for several threads to share evenly. The first weights come from few
# words, and are soon to be better: a batch is no larger than a part of what was learned from.
_PIECES_IN_BATCH = 32
_PART_IN_BATCH = 16

# Of the text that a cascade is learned from.
_CASCADE_BYTES = 1_500_000

# Weights are averages over so many moments of the last pass over development text, or of the
# last part of the last pass over the text.
_AVERAGED = 25
_AVERAGED_SHARE = 0.25


@dataclass(frozen=True)
class Folds:
    """A text in folds, each with a model that was estimated from the others.

    Attributes
    ----------
    blocks : TextBlocks or BitextBlocks
        Block i is of fold ``i % len(models)``.
    models : sequence of CompiledModel
    development : sequence of bytes or AlignedLines
        Pieces of text of the kind that the model is for, not of `blocks`. The last passes go
        over them, with the model of all text. Each piece is followed by some of the training
        text, or all else that was learned would drift away.
    """

    blocks: "TextBlocks | BitextBlocks"
    models: "Sequence[CompiledModel]"
    development: "Sequence[Lines]" = ()


@dataclass(frozen=True)
class SparseFigures:
    """What the last pass over the folds found.

    Every word was judged before its line was learned from, with a language model and lexicon
    that do not know it: the figures are those of unknown text.

    Attributes
    ----------
    words : int
    words_with_choice, errors : float
        Shares of the words that have several candidates, and that were decided wrongly.
    loss : float
        Nats per word.
    features : int
        That have a weight.
    """

    words: int
    words_with_choice: float
    errors: float
    loss: float
    features: int

    def to_dict(self) -> dict[str, Any]:
        """For the metadata of a model."""
        return vars(self).copy()


def learn(
    model: Model,
    lines: Folds,
    recipe: Recipe,
    *,
    threads: int = 1,
    report: Report = lambda step, share: None,
) -> tuple[SparseFeatures, SparseFigures]:
    """Learn the weights of a model's sparse features.

    Parameters
    ----------
    model : Model
        Estimated from all text, with sparse features that have no weights yet.
    lines : Folds
    recipe : Recipe
        With sparse features.
    threads : int
        What is learned does not depend on it.
    report : callable
        Told of the progress.

    Returns
    -------
    component : SparseFeatures
    figures : SparseFigures
    """
    assert recipe.sparse is not None and model.sparse is not None
    blocks, models, n_folds = lines.blocks, lines.models, len(lines.models)
    templates = template_set(recipe)
    trainer = make_trainer(blocks.n_bytes, recipe.sparse, templates)
    figures = by_word(trainer.progress())
    pieces = [*lines.development] * recipe.sparse.development_passes
    moments = (
        moments_to_average(len(pieces), len(lines.development))
        if pieces
        else moments_to_average(blocks.n_pieces, int(_AVERAGED_SHARE * blocks.n_pieces))
    )
    batch = Batch(trainer, threads)
    for epoch in range(recipe.sparse.epochs):
        shuffled: Iterator[tuple[int, Lines]] = blocks.shuffled(epoch)
        for done, (index, block) in enumerate(shuffled):
            batch.add(models[index % n_folds], block)
            report(f"learning weights, pass {epoch + 1}", (done + 1) / blocks.n_pieces)
            if not pieces and epoch + 1 == recipe.sparse.epochs and done + 1 in moments:
                batch.add_to_average()
        batch.learn()
        if recipe.source is not None:
            trainer.close()
        figures = by_word(trainer.progress())
    of_all_text = CompiledModel(model)
    between: Iterator[tuple[int, Lines]] = blocks.endless(recipe.sparse.epochs)
    for done, piece in enumerate(pieces):
        report("learning weights on the development text", done / len(pieces))
        batch.add(of_all_text, piece)
        for index, block in islice(between, blocks.pieces_between):
            batch.add(models[index % n_folds], block)
        if done + 1 in moments:
            batch.add_to_average()
    batch.learn()
    report("choosing features", None)
    n_bytes = recipe.sparse.size - model.sparse.arrays["prior"].size
    return component(model.sparse, learned(trainer, n_bytes, templates)), figures


def first_fold(blocks: "TextBlocks | BitextBlocks", n_folds: int) -> "list[Lines]":
    """Text of the first of the folds of a text: some of it, from all over it."""
    texts = [blocks[index] for index in range(0, len(blocks), n_folds)]
    n_bytes = sum(len(text if isinstance(text, bytes) else text.target) for text in texts)
    return texts[:: max(1, n_bytes // _CASCADE_BYTES)]


def moments_to_average(n: int, last: int) -> set[int]:
    """Steps of 1 to n after which weights are added to the average: some of the last ones."""
    last = max(1, last)
    return {n - last + math.ceil(last * (i + 1) / _AVERAGED) for i in range(_AVERAGED)}


def template_set(recipe: Recipe) -> TemplateSet:
    """What the sparse features of a recipe look at."""
    return MONOLINGUAL if recipe.source is None else BILINGUAL


class Batch:
    """Pieces of text that weights are learned from together.

    What each piece teaches is found with the weights as they are before the batch, so that threads
    can share the work; what all of them teach of a weight is added up, and moves it once. The size
    of a batch does not depend on the number of threads, nor does what is learned.

    Parameters
    ----------
    trainer : SparseTrainer
    threads : int
    admit : bool
        False: only features that have weights already learn.
    """

    def __init__(self, trainer: SparseTrainer, threads: int = 1, *, admit: bool = True) -> None:
        self._trainer = trainer
        self._admit = admit
        self._threads = threads
        self._pieces: list[Piece] = []
        self._n_learned = 0

    def add(self, model: CompiledModel, lines: Lines) -> None:
        """Learn from some lines, with the lattices of `model`, now or a little later."""
        parts = [lines] if len(target_of(lines)) <= 2 * PIECE_BYTES else _small_parts(lines)
        for part in parts:
            if isinstance(part, bytes):
                self._pieces.append((model, part, None, None))
            else:
                self._pieces.append((model, part.target, part.source, part.phrases))
            if len(self._pieces) >= self._size():
                self.learn()

    def learn(self) -> None:
        """Learn from the lines that were added and not learned from yet."""
        if self._pieces:
            self._trainer.learn(self._pieces, self._threads, admit=self._admit)
            self._n_learned += len(self._pieces)
            self._pieces = []

    def _size(self) -> int:
        """Pieces of the batch under way."""
        return min(_PIECES_IN_BATCH, 1 + self._n_learned // _PART_IN_BATCH)

    def add_to_average(self) -> None:
        """Weights become averages over those at every call of this."""
        self.learn()
        self._trainer.add_to_average(self._threads)


def target_of(lines: Lines) -> bytes:
    """The text that is to be cased."""
    return lines if isinstance(lines, bytes) else lines.target


def _small_parts(lines: Lines) -> "Iterator[Lines]":
    if isinstance(lines, bytes):
        yield from (lines[part] for part in line_slices(lines, PIECE_BYTES))
    else:
        yield from lines.parts(PIECE_BYTES)


def make_trainer(n_bytes: int, recipe: SparseRecipe, templates: TemplateSet) -> SparseTrainer:
    """A trainer whose tables are large enough for a text."""
    n_words = n_bytes // _BYTES_PER_WORD
    per_word = _SLOTS_PER_ALIGNED_WORD if templates is BILINGUAL else _SLOTS_PER_WORD
    slots = 1 << max(10, int(per_word * n_words).bit_length())
    trainer = SparseTrainer(
        n_slots=min(slots, _MAX_SLOTS),
        counter_bits=min(_MAX_COUNTER_BITS, max(10, (16 * n_words).bit_length())),
        min_count=recipe.min_count,
        alpha=recipe.alpha,
        beta=recipe.beta,
        l1=recipe.l1,
        l2=recipe.l2,
        lm_weight=recipe.lm_weight,
        edge_rate=recipe.edge_rate,
        drop_punctuation=recipe.drop_punctuation,
        hide_source=recipe.hide_source,
        hide_alignment=recipe.hide_alignment,
    )
    hidden = templates.hidden
    # Half of the features' bytes go to the rows of the hidden layer, at most.
    affordable = recipe.size // (2 * recipe.units)
    n_rows = min(_MAX_ROWS, 1 << max(4, (n_words // 64).bit_length()), max(16, affordable))
    draw = np.random.default_rng(1)
    rows = draw.standard_normal((n_rows, recipe.units)) * (0.3 / np.sqrt(len(hidden)))
    trainer.add_hidden(
        np.array([field_number(name) for name in hidden], np.uint8),
        rows.astype(np.float32),
        (0.3 * draw.standard_normal((len(TABLES), recipe.units))).astype(np.float32),
        # A word moves as many rows as there are fields, all the same way: more of them overshoot.
        recipe.hidden_rate * min(1.0, len(HIDDEN) / len(hidden)),
    )
    return trainer


def learned(
    trainer: SparseTrainer, n_bytes: int, templates: TemplateSet = MONOLINGUAL
) -> SparseWeights:
    """What a trainer has learned, its least useful features left out down to `n_bytes`."""
    rows, out, bias = trainer.hidden()
    lm_weight, transitions = trainer.edge_weights()
    return SparseWeights(
        tables=select_features(learned_tables(trainer), n_bytes - rows.size),
        rows=rows,
        out=out,
        bias=bias,
        lm_weight=lm_weight,
        transitions=transitions,
        templates=templates,
    )


def learned_tables(trainer: SparseTrainer) -> list[Sparse]:
    """All weights that a trainer has learned, by tag."""
    tables = []
    for number in range(len(TABLES)):
        hashes, weights, squares = trainer.weights(number)
        # The curvature of the loss is about the sum of squared gradients (LeCun et al. 1990).
        tables.append(Sparse(hashes, weights, 0.5 * weights * weights * squares))
    return tables


def component(sparse: SparseFeatures, weights: SparseWeights) -> SparseFeatures:
    """What was learned, in the place of the features that a model has."""
    packed, settings = pack_sparse(weights)
    arrays = {"prior": sparse.arrays["prior"], **packed}
    return SparseFeatures(arrays, {**settings, "lm_weight": weights.lm_weight})


def by_word(figures: dict[str, float]) -> SparseFigures:
    """A trainer's figures by word."""
    n_words = max(1, figures["words"])
    return SparseFigures(
        words=int(figures["words"]),
        words_with_choice=round(figures["choices"] / n_words, 6),
        errors=round(figures["errors"] / n_words, 6),
        loss=round(figures["loss"] / n_words, 6),
        features=int(figures["features"]),
    )
