"""Learn and pack sparse features and a hidden layer beside the language model.

Language model and lexicon know the text that they were counted in too well. Training therefore
cuts the text into folds and learns weights on each with the language model and lexicon of the
others. Adaptation learns a domain's weights in a second table of the same features, which starts at
zero, while the model's own weights stay as they are.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from truecase._core import CompiledModel
from truecase.alignment.lines import Phrases
from truecase.base.model_file import Arrays
from truecase.base.spool import Float32s, UInt64s
from truecase.kernels._components import AddedFeatures, SparseFeatures
from truecase.kernels._maps import pack
from truecase.kernels.quantise import quantise
from truecase.kernels.templates import (
    BILINGUAL,
    HIDDEN,
    MONOLINGUAL,
    TemplateSet,
    encode_templates,
    field_number,
)
from truecase.model.model import Model
from truecase.training._sparse_learner import SparseTrainer
from truecase.training.material import (
    PIECE_BYTES,
    BitextBlocks,
    DomainText,
    Lines,
    TextBlocks,
    parts_of,
    sides,
    target_of,
)
from truecase.training.recipe import Adaptation, Recipe, SparseRecipe
from truecase.training.reports import Report

# Packing

#: Tags with a table of weights, in the order of `truecase/kernels/_sparse.pxd`.
TABLES = ("iu", "au", "mx")

#: Width of a weight's code, of a slot's fingerprint, and the share of filled slots.
WEIGHT_BITS = 6
FINGERPRINT_BITS = 11
LOAD = 0.85

_N_STATES = 8

# Entries of the hidden layer's rows are cut at this many times their 0.9999 quantile.
_WIDEST = 6.0


@dataclass
class Sparse:
    """Weights of hashed features for one tag.

    `hashes` are uint64, `weights` and `losses` float32; a loss estimates the cost of leaving the
    feature out for the training text, in nats.
    """

    hashes: UInt64s
    weights: Float32s
    losses: Float32s

    @classmethod
    def empty(cls) -> Sparse:
        """No features."""
        none = np.zeros(0, np.float32)
        return cls(np.zeros(0, np.uint64), none, none)


@dataclass
class SparseWeights:
    """Everything that sparse training learns.

    `tables` has an entry for each of `TABLES`. The hidden layer, float32, is `rows`, (n_rows,
    n_units), `out`, (3, n_units), and `bias`, (n_units,); without rows there is no layer.
    `transitions`, float32, shape (64,), weigh neighbouring tags, [state before, state].
    """

    tables: list[Sparse] = field(default_factory=lambda: [Sparse.empty() for _ in TABLES])
    rows: Float32s = field(default_factory=lambda: np.zeros((0, 0), np.float32))
    out: Float32s = field(default_factory=lambda: np.zeros((len(TABLES), 0), np.float32))
    bias: Float32s = field(default_factory=lambda: np.zeros(0, np.float32))
    lm_weight: float = 1.0
    transitions: Float32s = field(
        default_factory=lambda: np.zeros(_N_STATES * _N_STATES, np.float32)
    )
    templates: TemplateSet = MONOLINGUAL


def select_features(tables: list[Sparse], n_bytes: float) -> list[Sparse]:
    """Keep the features that cost most to leave out and fit into `n_bytes`."""
    bits = WEIGHT_BITS + FINGERPRINT_BITS
    n_kept = max(0, int(n_bytes * 8 * LOAD / bits))
    losses = np.concatenate([table.losses for table in tables])
    if len(losses) <= n_kept:
        return tables
    threshold = np.inf
    if n_kept:
        threshold = np.partition(losses, len(losses) - n_kept)[len(losses) - n_kept]
    selected = []
    for table in tables:
        keep = table.losses > threshold
        selected.append(Sparse(table.hashes[keep], table.weights[keep], table.losses[keep]))
    return selected


def pack_sparse(model: SparseWeights) -> tuple[Arrays, dict[str, Any]]:
    """Arrays and decoder settings of sparse features, except ``prior``."""
    always, rare = model.templates.always, model.templates.rare
    encoded = encode_templates(always, rare)
    arrays: Arrays = {
        "templates": encoded.ravel(),
        "transition": np.asarray(model.transitions, np.float32),
    }
    settings: dict[str, Any] = {
        "n_templates": len(always),
        "n_templates_with_rare": len(encoded),
        "templates": [*always, *rare],
        "hidden": _pack_hidden(model, arrays),
    }
    packed, of_tables = pack_weights(model.tables)
    return {**arrays, **packed}, {**settings, **of_tables}


def pack_weights(tables: list[Sparse]) -> tuple[Arrays, dict[str, Any]]:
    """Arrays and settings of the weights of `TABLES`, without the templates."""
    arrays: Arrays = {}
    settings: dict[str, Any] = {}
    for name, table in zip(TABLES, tables, strict=True):
        order = np.argsort(table.hashes, kind="stable")
        codes, book = quantise(table.weights[order], WEIGHT_BITS, 1)
        slots, n_slots, max_probes = pack(
            np.ascontiguousarray(table.hashes[order]),
            codes.astype(np.uint64),
            FINGERPRINT_BITS,
            WEIGHT_BITS,
            (1 << WEIGHT_BITS) - 1,
            LOAD,
        )
        arrays[f"{name}.slots"] = slots
        arrays[f"{name}.weight"] = book
        settings[name] = {
            "n_entries": len(order),
            "n_slots": n_slots,
            "max_probes": max_probes,
            "fingerprint_bits": FINGERPRINT_BITS,
            "weight_bits": WEIGHT_BITS,
        }
    return arrays, settings


def _pack_hidden(model: SparseWeights, arrays: Arrays) -> dict[str, Any]:
    """Add the hidden layer's arrays, its rows in steps of one byte; return its settings."""
    hidden = model.templates.hidden
    n_rows, n_units = model.rows.shape
    if n_rows == 0:
        return {"n_units": 0}
    # A few entries far beyond all others are cut, which makes the steps of the others finer. No
    # more than that: the largest entries belong to the rows that most words choose.
    sizes = np.abs(model.rows)
    largest = min(float(sizes.max()), _WIDEST * float(np.quantile(sizes, 0.9999)))
    scale = largest / 127 or 1.0
    steps = np.clip(np.rint(model.rows / scale), -128, 127) + 128
    arrays["hidden.rows"] = steps.astype(np.uint8).ravel()
    arrays["hidden.bias"] = np.asarray(model.bias, np.float32)
    arrays["hidden.out"] = np.ascontiguousarray(model.out, np.float32).ravel()
    arrays["hidden.fields"] = np.array([field_number(name) for name in hidden], np.uint8)
    return {
        "n_units": n_units,
        "n_rows": n_rows,
        "n_fields": len(hidden),
        "scale": scale,
        "fields": list(hidden),
    }


# Learning on folds

#: Lines, the model that makes their lattices, their source and their alignment.
Piece = tuple[CompiledModel, bytes, bytes | None, Phrases | None]


class TableSize(NamedTuple):
    """Slots for features in training, for each word of a text; a slot takes 32 bytes.

    `least`, `most` and `most_counters` are the bits of the numbers of slots and counters.
    """

    per_word: float
    least: int
    most: int
    most_counters: int


_TABLES = TableSize(1.2, 10, 26, 28)
_ALIGNED_TABLES = TableSize(4.0, 10, 26, 28)
_DOMAIN_TABLES = TableSize(8, 12, 23, 26)

_MAX_ROWS = 1 << 17

_BYTES_PER_WORD = 6

# Pieces in a batch: enough for several threads to share evenly. The first weights come from few
# words and soon improve: a batch is no larger than a part of the text learned from so far.
_PIECES_IN_BATCH = 32
_PART_IN_BATCH = 16

# Weights are averages over this many moments of the last pass over development text, or of the
# last part of the last pass over the text.
_AVERAGED = 25
_AVERAGED_SHARE = 0.25


@dataclass(frozen=True)
class Folds:
    """A text in folds, each with a model that was estimated from the others.

    Block i of `blocks` belongs to fold ``i % len(models)``. `development` has pieces of other text
    of the kind that the model is for. The last passes go over them with the model of all text. Some
    training text follows each piece; otherwise all else that was learned would drift away.
    """

    blocks: TextBlocks | BitextBlocks
    models: Sequence[CompiledModel]
    development: Sequence[Lines] = ()


@dataclass(frozen=True)
class SparseFigures:
    """Figures of the last pass over the folds.

    The pass judges every word before it learns from its line, with a language model and lexicon
    that do not know it: the figures hold for unknown text.

    Attributes
    ----------
    words, features : int
        Words judged; features with a weight.
    words_with_choice, errors : float
        Shares of the words that have several candidates, and that were decided wrongly.
    loss : float
        Nats per word.
    """

    words: int
    words_with_choice: float
    errors: float
    loss: float
    features: int

    def to_dict(self) -> dict[str, Any]:
        """The figures for the metadata of a model."""
        return vars(self).copy()


def learn_sparse(
    model: Model,
    lines: Folds,
    recipe: Recipe,
    *,
    threads: int = 1,
    report: Report = lambda step, share: None,
) -> tuple[SparseFeatures, SparseFigures]:
    """Learn the weights of a model's sparse features.

    `model` was estimated from all text; its sparse features have no weights yet. The weights do not
    depend on `threads`; `report` gets each step and its share that is done.
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


def moments_to_average(n: int, last: int) -> set[int]:
    """The last of the steps 1 to n, after which training adds weights to the average."""
    last = max(1, last)
    return {n - last + math.ceil(last * (i + 1) / _AVERAGED) for i in range(_AVERAGED)}


def template_set(recipe: Recipe) -> TemplateSet:
    """The templates of a recipe's sparse features."""
    return MONOLINGUAL if recipe.source is None else BILINGUAL


class Batch:
    """Pieces of text that weights are learned from together.

    Each piece is read with the weights as they are before the batch, so that threads can share the
    work; a weight then makes one step by the sum of its gradients. The size of a batch does not
    depend on the number of threads, and neither do the weights. Without `admit`, only features that
    already have weights learn.
    """

    def __init__(self, trainer: SparseTrainer, threads: int = 1, *, admit: bool = True) -> None:
        self._trainer = trainer
        self._admit = admit
        self._threads = threads
        self._pieces: list[Piece] = []
        self._n_learned = 0

    def add(self, model: CompiledModel, lines: Lines) -> None:
        """Learn from some lines, with the lattices of `model`, now or a little later."""
        is_small = len(target_of(lines)) <= 2 * PIECE_BYTES
        for part in [lines] if is_small else parts_of(lines, PIECE_BYTES):
            self._pieces.append((model, *sides(part)))
            if len(self._pieces) >= self._size():
                self.learn()

    def learn(self) -> None:
        """Learn from the added lines that are still waiting."""
        if self._pieces:
            self._trainer.learn(self._pieces, self._threads, admit=self._admit)
            self._n_learned += len(self._pieces)
            self._pieces = []

    def _size(self) -> int:
        """Number of pieces in the current batch."""
        return min(_PIECES_IN_BATCH, 1 + self._n_learned // _PART_IN_BATCH)

    def add_to_average(self) -> None:
        """Turn the weights into averages over their values at every call of this."""
        self.learn()
        self._trainer.add_to_average(self._threads)


def make_trainer(n_bytes: int, recipe: SparseRecipe, templates: TemplateSet) -> SparseTrainer:
    """A trainer whose tables are large enough for a text."""
    n_words = n_bytes // _BYTES_PER_WORD
    trainer = _plain_trainer(
        n_words, recipe, _ALIGNED_TABLES if templates is BILINGUAL else _TABLES
    )
    hidden = templates.hidden
    # The rows of the hidden layer take at most half of the features' bytes.
    affordable = recipe.size // (2 * recipe.units)
    n_rows = min(_MAX_ROWS, 1 << max(4, (n_words // 64).bit_length()), max(16, affordable))
    draw = np.random.default_rng(1)
    rows = draw.standard_normal((n_rows, recipe.units)) * (0.3 / np.sqrt(len(hidden)))
    trainer.add_hidden(
        np.array([field_number(name) for name in hidden], np.uint8),
        rows.astype(np.float32),
        (0.3 * draw.standard_normal((len(TABLES), recipe.units))).astype(np.float32),
        # A word moves one row per field, all in the same direction: more of them overshoot.
        recipe.hidden_rate * min(1.0, len(HIDDEN) / len(hidden)),
    )
    return trainer


def _plain_trainer(n_words: int, recipe: SparseRecipe, size: TableSize) -> SparseTrainer:
    """A trainer without a hidden layer."""
    slot_bits = min(size.most, max(size.least, int(size.per_word * n_words).bit_length()))
    counter_bits = min(size.most_counters, max(size.least, (16 * n_words).bit_length()))
    return SparseTrainer(recipe, 1 << slot_bits, counter_bits)


def learned(
    trainer: SparseTrainer, n_bytes: int, templates: TemplateSet = MONOLINGUAL
) -> SparseWeights:
    """The weights of a trainer without its least useful features, down to `n_bytes`."""
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
    """All weights of a trainer, by tag."""
    tables = []
    for number in range(len(TABLES)):
        hashes, weights, squares = trainer.weights(number)
        # The curvature of the loss is about the sum of squared gradients (LeCun et al. 1990).
        tables.append(Sparse(hashes, weights, 0.5 * weights * weights * squares))
    return tables


def component(sparse: SparseFeatures, weights: SparseWeights) -> SparseFeatures:
    """The component with learned weights in the place of a model's features."""
    packed, settings = pack_sparse(weights)
    arrays = {"prior": sparse.arrays["prior"], **packed}
    return SparseFeatures(arrays, {**settings, "lm_weight": weights.lm_weight})


def by_word(figures: dict[str, float]) -> SparseFigures:
    """A trainer's figures per word."""
    n_words = max(1, figures["words"])
    return SparseFigures(
        words=int(figures["words"]),
        words_with_choice=round(figures["choices"] / n_words, 6),
        errors=round(figures["errors"] / n_words, 6),
        loss=round(figures["loss"] / n_words, 6),
        features=int(figures["features"]),
    )


# Learning for a domain

# Rates and norms of FTRL-Proximal, chosen on development text of three domains; halving or doubling
# any of them changes hardly anything. The weights of edges stay those of the model.
_DOMAIN = SparseRecipe(
    alpha=0.1, beta=1.0, l1=0.5, l2=0.0, min_count=2, lm_weight=1.0, edge_rate=0.0
)

# Learned weights are moved part of their way back to the model (Wortsman et al. 2022): far fewer
# words of other text change for the worse, and hardly more of the domain's are wrong.
_KEPT = 0.75
_KEPT_WITHOUT_GENERAL = 0.5

# Bytes of general text for each byte of the domain's, and for each pass at least; but at most this
# many passes over it, since text that is known by heart teaches nothing about other text.
_GENERAL_SHARE = 3
_LEAST_GENERAL = 350_000
_GENERAL_PASSES = 3


def learn_added(
    lines: DomainText,
    recipe: Adaptation,
    max_size: int,
    *,
    threads: int = 1,
    report: Report = lambda step, share: None,
) -> tuple[AddedFeatures, SparseFigures]:
    """Learn the weights that a domain adds to the sparse features of a model.

    `max_size` limits the bytes of the weights; `threads` and `report` are those of `learn_sparse`.
    The figures come from the first pass, which judges words before it learns from them.
    """
    trainer = _plain_trainer(lines.domain.n_bytes // _BYTES_PER_WORD, _DOMAIN, _DOMAIN_TABLES)
    trainer.stand_beside(lines.whole)
    batch, others = Batch(trainer, threads), Batch(trainer, threads, admit=False)
    general = _Replay(lines, recipe.passes)
    figures = None
    n = lines.domain.n_pieces
    moments = moments_to_average(n, int(_AVERAGED_SHARE * n))
    for epoch in range(recipe.passes):
        for done, (index, piece) in enumerate(lines.domain.shuffled(epoch)):
            batch.add(lines.models[index % len(lines.models)], piece)
            for other in general.beside(len(piece)):
                others.add(lines.whole, other)
            report(f"learning weights, pass {epoch + 1}", (done + 1) / n)
            if epoch + 1 == recipe.passes and done + 1 in moments:
                others.learn()
                batch.add_to_average()
        batch.learn()
        others.learn()
        figures = figures or by_word(trainer.progress())
    assert figures is not None
    report("choosing features", None)
    kept = _KEPT if lines.general is not None else _KEPT_WITHOUT_GENERAL
    tables = [
        replace(table, weights=(kept * table.weights).astype(np.float32))
        for table in learned_tables(trainer)
    ]
    return AddedFeatures(*pack_weights(select_features(tables, max_size))), figures


class _Replay:
    """General text in random order, again and again; each piece of the domain's gets some of it."""

    def __init__(self, lines: DomainText, passes: int) -> None:
        n_bytes = max(1, lines.domain.n_bytes)
        self._share = max(_GENERAL_SHARE, _LEAST_GENERAL / n_bytes)
        if lines.general is not None:
            most = _GENERAL_PASSES * lines.general.n_bytes / (passes * n_bytes)
            self._share = min(self._share, most)
        self._owed = 0.0
        self._pieces = iter(()) if lines.general is None else lines.general.endless(0)

    def beside(self, n_bytes: int) -> Iterator[bytes]:
        """The general text to learn from after `n_bytes` of the domain's text."""
        self._owed += self._share * n_bytes
        while self._owed > 0:
            _, piece = next(self._pieces, (0, b""))
            if not piece:
                return
            self._owed -= len(piece)
            yield piece
