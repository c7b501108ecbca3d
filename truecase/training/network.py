"""Learn a network that scores the cases of words by their sentence, beside n-grams.

The gradient is that of the likelihood of the text's case over all paths of the decoder's lattices:
posterior less gold (Ma & Hovy 2016). Counts and n-grams come from the other folds of the text: with
those of its own fold, the network would learn to read its answer.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from truecase._core import CompiledModel
from truecase.kernels._components import NETWORK_JOINED, VECTOR, Network
from truecase.kernels._punctuation_network import pair_rows
from truecase.training._network_text import Vectors, posteriors_of, vectors_of
from truecase.training.material import DomainText, TextBlocks
from truecase.training.recipe import NetworkRecipe
from truecase.training.recurrent import (
    Adagrad,
    Adam,
    Counted,
    Floats,
    Seen,
    Steps,
    Weights,
    first_joining,
    first_units,
    in_one_thread,
    join,
    join_back,
    normal,
    packed,
    run_both,
    run_both_back,
    unpacked,
    with_checks,
    without_checks,
)
from truecase.training.reports import Report

Indices = npt.NDArray[np.intp]
#: What each pair settles of its second and of its first word, shape (n_pairs + 1, 2).
Sides = npt.NDArray[np.uint8]
#: Checks of the tables of words and of pairs.
Checks = dict[str, npt.NDArray[np.uint16]]

PARTS = "words", "suffixes", "prefixes", "facts", "pairs"
SIZES = dict(zip(PARTS, VECTOR, strict=True))
#: Tables of rows: the size of a row, and the standard deviation of its first numbers.
TABLES = {name: (SIZES[name], 0.0 if name == "pairs" else 0.1) for name in PARTS if name != "facts"}
ENDS = dict(zip(PARTS, np.cumsum(VECTOR).tolist(), strict=True))
#: The columns of each table in a word's vector, and of its facts.
COLUMNS = {name: slice(ENDS[name] - SIZES[name], ENDS[name]) for name in PARTS}
N_VECTOR = sum(VECTOR)
N_CASES = 4
#: Facts that say in which case a word came.
GIVEN = slice(23, 23 + N_CASES)


# The network


def first_weights(n_units: int, n_rows: dict[str, int], seed: int = 1) -> Weights:
    """Initial weights; the last row of words and of pairs stands for those without one."""
    draw = np.random.default_rng(seed)
    weights: Weights = {
        name: normal(draw, scale, n_rows[name], size) for name, (size, scale) in TABLES.items()
    }
    for name in ("words", "pairs"):
        weights[name][-1] = 0
    weights |= first_units(draw, n_units, N_VECTOR)
    width = 2 * n_units + N_VECTOR + SIZES["pairs"]
    return weights | first_joining(draw, width, NETWORK_JOINED, N_CASES, 0.02)


class Forward(NamedTuple):
    """Values of some sentences that `gradients_of` needs."""

    vectors: Floats
    length: npt.NDArray[np.int32]
    after: Indices
    seen: list[Seen]
    asked: Indices
    read: Floats
    joined: Floats


def words_after(length: npt.NDArray[np.int32]) -> Indices:
    """The place of the word after each word; the number of words at a sentence's end.

    `length` are the words of each sentence.
    """
    n = int(length.sum())
    after = np.arange(1, n + 1)
    after[np.cumsum(length, dtype=np.intp)[length > 0] - 1] = n
    return after


def case_scores(
    weights: Weights, vectors: Floats, length: npt.NDArray[np.int32], asked: Indices
) -> tuple[Floats, Forward]:
    """Scores of the cases of the words at `asked`, in nats, shape (n_asked, 4).

    `vectors` has shape (n_words + 1, N_VECTOR), zeros in the last row; `length`, the words of each
    sentence.
    """
    seen = run_both(weights, vectors[:-1], (length, length))
    after = words_after(length)
    words = vectors[asked], vectors[after[asked], COLUMNS["pairs"]]
    read = np.concatenate([*(states[asked] for states, *_ in seen), *words], axis=1)
    joined, scores = join(weights, read)
    return scores, Forward(vectors, length, after, seen, asked, read, joined)


def gradients_of(weights: Weights, forward: Forward, of_scores: Floats) -> tuple[Weights, Floats]:
    """Gradients of the weights and of the vectors from those of the scores."""
    of_read, gradients = join_back(weights, forward.read, forward.joined, of_scores)
    asked = forward.asked
    n = forward.seen[0][0].shape[1]
    of_vectors = np.zeros_like(forward.vectors)
    of_vectors[asked] = of_read[:, 2 * n : 2 * n + N_VECTOR]
    # A word stands after one other, at most; the last row is of no word.
    of_vectors[forward.after[asked], COLUMNS["pairs"]] += of_read[:, 2 * n + N_VECTOR :]
    of_states = np.zeros((2, len(of_vectors) - 1, n), of_read.dtype)
    for k in range(2):
        of_states[k, asked] = of_read[:, k * n : (k + 1) * n]
    gradients |= run_both_back(
        weights,
        forward.vectors[:-1],
        (forward.length, forward.length),
        forward.seen,
        list(of_states),
        of_vectors[:-1],
    )
    of_vectors[-1] = 0
    return gradients, of_vectors


# Learning

# Pairs count what is decided from this share of the steps on.
_DECIDED_FROM = 0.5
# Added to the counts of the case that a word of a pair mostly got, and of the others, which may be
# 0; and the most quarters of a nat of their odds, which fit in a byte beside the case.
_UNSEEN, _MOST_ODDS = 0.25, 60

# Pieces of a step, all of one fold.
_PIECES_IN_STEP = 4
_LEAST_OFTEN = {"words": 4, "pairs": 8}

# For a network that learns further on a domain's text: rates with general text beside it and
# without, and steps on general text after each on the domain's; chosen on development text.
_DOMAIN_RATE, _ROW_RATE_BESIDE_GENERAL, _ROW_RATE_ALONE = 3e-4, 0.05, 0.02
_GENERAL_STEPS = 3


def learn_network(
    blocks: TextBlocks,
    models: Sequence[CompiledModel],
    recipe: NetworkRecipe,
    report: Report = lambda step, share: None,
) -> Network:
    """Learn a network.

    Block i of `blocks` belongs to fold ``i % len(models)``, and that model was estimated from the
    others. `report` gets each step and its share that is done.
    """
    learner = _Learner(models, recipe, _frequent(blocks, models, recipe, report))
    steps = _steps_over(blocks, recipe.epochs, len(models), recipe.rate, report)
    with in_one_thread():
        for epoch in range(recipe.epochs):
            for fold, text in _texts_of_steps(blocks, len(models), epoch):
                learner.learn(fold, text, steps)
    return learner.network(sides_of(learner.decided))


def _steps_over(
    blocks: TextBlocks, epochs: int, n_folds: int, rate: float, report: Report
) -> Steps:
    n_steps = epochs * sum(math.ceil(n / _PIECES_IN_STEP) for n in blocks.n_pieces_by_fold(n_folds))
    return Steps(rate, n_steps, lambda share, loss: report("learning the network", share))


def _texts_of_steps(blocks: TextBlocks, n_folds: int, seed: int) -> Iterator[tuple[int, bytes]]:
    """All text in the parts that steps learn from, each with its fold, in an order by `seed`."""
    waiting: list[list[bytes]] = [[] for _ in range(n_folds)]
    for index, piece in blocks.shuffled(seed):
        fold = index % n_folds
        waiting[fold].append(piece)
        if len(waiting[fold]) == _PIECES_IN_STEP:
            yield fold, b"".join(waiting[fold])
            waiting[fold] = []
    for fold, rest in enumerate(waiting):
        if rest:
            yield fold, b"".join(rest)


def _frequent(
    blocks: TextBlocks, models: Sequence[CompiledModel], recipe: NetworkRecipe, report: Report
) -> Checks:
    """The checks of the tables of words and of pairs."""
    words, pairs = Counted(), Counted()
    for done, (index, piece) in enumerate(blocks.shuffled(0)):
        read = vectors_of(models[index % len(models)], piece, 1)
        words.add(read.word)
        pairs.add(read.pair)
        report("finding frequent words", (done + 1) / blocks.n_pieces)
    return {
        "words": words.checks(recipe.n_words, _LEAST_OFTEN["words"]),
        "pairs": pairs.checks(recipe.n_pairs, _LEAST_OFTEN["pairs"]),
    }


def _weights_before(recipe: NetworkRecipe, checks: Checks) -> Weights:
    n_rows = {name: len(of_rows) + 1 for name, of_rows in checks.items()}
    n_rows |= dict.fromkeys(("suffixes", "prefixes"), recipe.n_affixes)
    return first_weights(recipe.n_units, n_rows)


class _Learner:
    """The weights, and how they move."""

    def __init__(
        self,
        models: Sequence[CompiledModel],
        recipe: NetworkRecipe,
        checks: Checks,
        weights: Weights | None = None,
        only_rows: bool = False,
    ) -> None:
        self._models = models
        self._recipe = recipe
        self._checks = checks
        self._weights = weights or _weights_before(recipe, checks)
        self._only_rows = only_rows
        self._adam = Adam({n: one for n, one in self._weights.items() if n not in TABLES})
        self._adagrad = Adagrad({name: self._weights[name] for name in TABLES}, checks)
        self._draw = np.random.default_rng(2)
        # How often each pair's second and first word got each case.
        self.decided = np.zeros((len(checks["pairs"]) + 1, 2, N_CASES), np.int32)

    def learn(self, fold: int, text: bytes, steps: Steps) -> None:
        """Learn from whole lines of a fold."""
        recipe, model = self._recipe, self._models[fold]
        how = recipe.drop_punctuation, recipe.spoil_case, int(self._draw.integers(1 << 62))
        read = vectors_of(model, text, recipe.n_affixes, *how)
        rows = self._rows(read)
        pairs = rows["pairs"]
        for name in self._checks:
            rows[name] = self._hide(rows[name], name)
        vectors = self._vectors(read, rows)
        asked = np.flatnonzero(read.is_open)
        scores, forward = case_scores(self._weights, vectors, read.length, asked)
        added = np.zeros((len(read.gold), N_CASES), np.float32)
        added[asked] = scores
        of_scores = posteriors_of(model, text, added, *how)[asked]
        if steps.share >= _DECIDED_FROM:
            anew = ~(read.facts[asked, GIVEN] > 128).any(1)
            words = asked[anew]
            self._count(pairs, words, forward.after[words], of_scores[anew].argmax(1))
        gold = read.gold[asked].astype(np.intp)
        known = np.flatnonzero(gold >= 0)
        right = of_scores[known, gold[known]]
        loss = -float(np.log(np.maximum(right, 1e-30)).sum(dtype=np.float64))
        of_scores[known, gold[known]] -= 1
        of_scores[gold < 0] = 0
        if len(known):
            of_scores /= np.float32(len(known))
            gradients, of_vectors = gradients_of(self._weights, forward, of_scores)
            if not self._only_rows:
                self._adam.step(gradients, steps.rate)
            row_rate = recipe.row_rate * steps.rate / recipe.rate
            for name in TABLES:
                self._adagrad.step(name, rows[name], of_vectors[:-1, COLUMNS[name]], row_rate)
        steps.add(loss, len(known))

    def _rows(self, read: Vectors) -> dict[str, npt.NDArray[np.int32]]:
        """The row of each word in each table."""
        return {
            "suffixes": read.suffix,
            "prefixes": read.prefix,
            "words": pair_rows(read.word, self._checks["words"]),
            "pairs": pair_rows(read.pair, self._checks["pairs"]),
        }

    def _hide(self, rows: npt.NDArray[np.int32], name: str) -> npt.NDArray[np.int32]:
        is_hidden = self._draw.random(len(rows), np.float32) < self._recipe.hide_rows
        return np.where(is_hidden, np.int32(len(self._checks[name])), rows)

    def _count(
        self, pairs: npt.NDArray[np.int32], words: Indices, after: Indices, case: Indices
    ) -> None:
        """Count the cases of some words by the pairs that they and the words after stand in."""
        pairs = np.append(pairs, np.int32(len(self._checks["pairs"])))
        for side, places in enumerate((words, after)):
            np.add.at(self.decided[:, side], (pairs[places].astype(np.intp), case), 1)

    def _vectors(self, read: Vectors, rows: dict[str, npt.NDArray[np.int32]]) -> Floats:
        vectors = np.zeros((len(read.gold) + 1, N_VECTOR), np.float32)
        for name in TABLES:
            vectors[:-1, COLUMNS[name]] = self._weights[name][rows[name]]
        vectors[:-1, COLUMNS["facts"]] = (read.facts.astype(np.float32) - 128) / 32
        return vectors

    def network(self, sides: Sides) -> Network:
        """The weights as a component of a model."""
        return network_of(self._weights, self._checks, sides, self._recipe)


def sides_of(decided: npt.NDArray[np.int32]) -> Sides:
    """What pairs settle, from the counts of the cases that their words got, shape (…, N_CASES)."""
    total, most = decided.sum(-1), decided.max(-1)
    odds = np.log((most + _UNSEEN) / (total - most + _UNSEEN))
    odds = np.clip(np.floor(4 * odds), 0, _MOST_ODDS)
    sides: Sides = np.where(total > 0, 1 + decided.argmax(-1) + N_CASES * odds, 0).astype(np.uint8)
    return sides


def network_of(weights: Weights, checks: Checks, sides: Sides, recipe: NetworkRecipe) -> Network:
    """Pack weights for a model; `checks` are those of words and of pairs."""
    arrays = packed(weights, TABLES)
    arrays["pairs"] = np.hstack([arrays["pairs"].reshape(len(sides), -1), sides]).ravel()
    for name, of_rows in checks.items():
        arrays[name] = with_checks(of_rows, arrays[name])
    settings = {
        "n_units": recipe.n_units,
        "n_affixes": recipe.n_affixes,
        **{f"n_{name}": len(of_rows) for name, of_rows in checks.items()},
        "lm_weight": recipe.lm_weight,
    }
    return Network(arrays, settings)


def weights_of(network: Network) -> tuple[Weights, Checks, Sides, NetworkRecipe]:
    """Undo `network_of`; the recipe has the sizes of the network, and else the defaults."""
    settings = network.settings
    sizes = {name: int(settings[name]) for name in ("n_units", "n_affixes")}
    recipe = NetworkRecipe(**sizes, lm_weight=float(settings["lm_weight"]))
    arrays, checks = dict(network.arrays), {}
    checks["words"], arrays["words"] = without_checks(arrays["words"], TABLES["words"][0])
    n_numbers = TABLES["pairs"][0]
    checks["pairs"], pairs = without_checks(arrays["pairs"], n_numbers + 2)
    arrays["pairs"] = pairs[:, :n_numbers]
    shapes = {name: one.shape for name, one in _weights_before(recipe, checks).items()}
    return unpacked(arrays, TABLES, shapes), checks, pairs[:, n_numbers:], recipe


def learn_domain(
    network: Network, lines: DomainText, passes: int, report: Report = lambda step, share: None
) -> Network:
    """Learn a network further on a domain's text, with general text in between.

    Without general text only rows move: other text has other words.
    """
    weights, checks, sides, recipe = weights_of(network)
    general, n_general, row_rate = None, 0, _ROW_RATE_ALONE
    if lines.general is not None:
        general = lines.general.endless(0)
        n_general, row_rate = _GENERAL_STEPS, _ROW_RATE_BESIDE_GENERAL
    recipe = replace(recipe, rate=_DOMAIN_RATE, row_rate=row_rate)
    n_folds, models = len(lines.models), [*lines.models, lines.whole]
    learner = _Learner(models, recipe, checks, weights, only_rows=general is None)
    steps = _steps_over(lines.domain, passes * (1 + n_general), n_folds, _DOMAIN_RATE, report)
    with in_one_thread():
        for epoch in range(passes):
            for fold, text in _texts_of_steps(lines.domain, n_folds, epoch):
                learner.learn(fold, text, steps)
                for _, other in islice(general or (), n_general):
                    learner.learn(n_folds, other, steps)
    # With a domain, no pair settles a word (`score_network` in `_core.pyx`).
    return learner.network(sides)


def empty_network(recipe: NetworkRecipe) -> Network:
    """A network that has learned nothing: it scores all cases alike."""
    none = {name: np.zeros(0, np.uint16) for name in ("words", "pairs")}
    n_rows = {"words": 1, "pairs": 1, "suffixes": recipe.n_affixes, "prefixes": recipe.n_affixes}
    weights = first_weights(recipe.n_units, n_rows)
    weights["out"][:] = 0
    return network_of(weights, none, np.zeros((1, 2), np.uint8), recipe)
