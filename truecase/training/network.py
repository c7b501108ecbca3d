"""Learn a network that scores the cases of words in their sentence, in addition to n-grams.

The gradient is that of the likelihood of the text's case over all paths of the decoder's lattices:
posterior less gold (Ma & Hovy 2016). Counts and n-grams come from the other folds of the text: with
those of its own fold, the network would learn to read its answer.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from truecase._core import CompiledModel
from truecase.base.progress import Report
from truecase.base.spool import Int32s, UInt8s, UInt16s
from truecase.base.threads import ordered_map
from truecase.kernels._components import NETWORK_JOINED, VECTOR, Network
from truecase.kernels._punctuation_network import find_rows
from truecase.training import recurrent
from truecase.training._network_text import posteriors_of, vectors_of
from truecase.training.material import TextBlocks, Vectors
from truecase.training.recipe import NetworkRecipe
from truecase.training.recurrent import Weights

#: For each pair, the case of its second and of its first word, if the pair alone shows it, and the
#: odds of that case, in one number; shape (n_pairs + 1, 2).
Sides = UInt8s
#: Checks of the tables of words and of pairs.
Checks = dict[str, UInt16s]

N_CASES = 4
#: Facts that say in which case a word came.
GIVEN = slice(23, 23 + N_CASES)


# The network

_PARTS = "words", "suffixes", "prefixes", "facts", "pairs"
_COLUMNS = recurrent.columns_of(_PARTS, VECTOR)
#: The columns of facts in a word's vector.
FACTS = _COLUMNS.pop("facts")
ARCHITECTURE = recurrent.Architecture(
    _COLUMNS, sum(VECTOR), _COLUMNS["pairs"], NETWORK_JOINED, scale=0.02
)


def words_after(length: Int32s) -> recurrent.Indices:
    """The place of the word after each word; the number of words at a sentence's end.

    `length` are the words of each sentence.
    """
    n = int(length.sum())
    after = np.arange(1, n + 1)
    after[np.cumsum(length, dtype=np.intp)[length > 0] - 1] = n
    return after


# Learning

# Pairs count what is decided from this share of the steps on.
_DECIDED_FROM = 0.5
# Added to the counts of the case that a word of a pair mostly got, and of the others, which may be
# 0; and the largest odds, in quarters of a nat, that fit in a byte with the case.
_UNSEEN, _MOST_ODDS = 0.25, 60

# Pieces of a step, all of one fold, and of each of its parts, which threads share.
_PIECES_IN_STEP, _PIECES_IN_PART = 4, 2

# For a network that learns further on a domain's text; chosen on development text.
_DOMAIN_ROW_RATE = 0.02


def learn_network(
    blocks: TextBlocks,
    models: Sequence[CompiledModel],
    recipe: NetworkRecipe,
    report: Report = lambda step, share: None,
    threads: int = 1,
) -> Network:
    """Learn a network.

    Block i of `blocks` belongs to fold ``i % len(models)``, and that model was estimated from the
    others. `report` gets each step and its share that is done. The network does not depend on
    `threads`; more than two gain nothing.
    """
    checks = _frequent(blocks, models, recipe, report, threads)
    weights = _first_weights(recipe, checks)
    learner = _Learner(models, recipe, checks, weights, threads)
    learner.learn(blocks, recipe.epochs, report)
    return network_of(weights, checks, sides_of(learner.decided), recipe)


def _pieces_of_steps(
    blocks: TextBlocks, n_folds: int, seed: int
) -> Iterator[tuple[int, list[bytes]]]:
    """All pieces by the steps that learn from them, each with its fold, in an order by `seed`."""
    waiting: list[list[bytes]] = [[] for _ in range(n_folds)]
    for index, piece in blocks.shuffled(seed):
        fold = index % n_folds
        waiting[fold].append(piece)
        if len(waiting[fold]) == _PIECES_IN_STEP:
            yield fold, waiting[fold]
            waiting[fold] = []
    yield from ((fold, rest) for fold, rest in enumerate(waiting) if rest)


def _frequent(
    blocks: TextBlocks,
    models: Sequence[CompiledModel],
    recipe: NetworkRecipe,
    report: Report,
    threads: int,
) -> Checks:
    """The checks of the tables of words and of pairs."""

    def read(piece: tuple[int, bytes]) -> Vectors:
        return vectors_of(models[piece[0] % len(models)], piece[1], 1)

    words, pairs = recurrent.Counted(), recurrent.Counted()
    for done, vectors in enumerate(ordered_map(read, blocks.shuffled(0), threads)):
        words.add(vectors.word)
        pairs.add(vectors.pair)
        report("finding frequent words", (done + 1) / blocks.n_pieces)
    return {
        "words": words.checks(recipe.n_words, recurrent.LEAST_OFTEN["words"]),
        "pairs": pairs.checks(recipe.n_pairs, recurrent.LEAST_OFTEN["pairs"]),
    }


def _first_weights(recipe: NetworkRecipe, checks: Checks) -> Weights:
    n_rows = {name: len(of_rows) + 1 for name, of_rows in checks.items()}
    n_rows |= dict.fromkeys(("suffixes", "prefixes"), recipe.n_affixes)
    return ARCHITECTURE.first_weights(recipe.n_units, n_rows, N_CASES)


class _Learner:
    """Moves weights, in place; with `only_rows`, only those of rows."""

    def __init__(
        self,
        models: Sequence[CompiledModel],
        recipe: NetworkRecipe,
        checks: Checks,
        weights: Weights,
        threads: int,
        only_rows: bool = False,
    ) -> None:
        self._models = models
        self._recipe = recipe
        self._checks = checks
        self._weights = weights
        self._threads = threads
        self._only_rows = only_rows
        self._optimiser = recurrent.Optimiser(
            weights, ARCHITECTURE.columns, checks, recipe.rate, recipe.row_rate, threads
        )
        self._draw = np.random.default_rng(2)
        # How often each pair's second and first word got each case.
        self.decided = np.zeros((len(checks["pairs"]) + 1, 2, N_CASES), np.int32)

    def learn(self, blocks: TextBlocks, epochs: int, report: Report) -> None:
        """Learn from the folds of a text."""
        n_folds, rate = len(self._models), self._recipe.rate
        n_steps = sum(math.ceil(n / _PIECES_IN_STEP) for n in blocks.n_pieces_by_fold(n_folds))
        steps = recurrent.Steps(rate, n_steps * epochs, partial(report, "learning the network"))
        with recurrent.in_one_thread():
            for epoch in range(epochs):
                for fold, pieces in _pieces_of_steps(blocks, n_folds, epoch):
                    self._step(fold, pieces, steps)

    def _step(self, fold: int, pieces: list[bytes], steps: recurrent.Steps) -> None:
        """Learn from whole lines by the model of a fold."""
        texts = [
            (b"".join(pieces[at : at + _PIECES_IN_PART]), *self._draw.integers(1 << 62, size=2))
            for at in range(0, len(pieces), _PIECES_IN_PART)
        ]
        decides = not self._only_rows and steps.share >= _DECIDED_FROM
        parts = list(ordered_map(lambda one: self._part(fold, decides, *one), texts, self._threads))
        for _, decided in parts:
            for side, pairs_and_cases in enumerate(decided):
                np.add.at(self.decided[:, side], pairs_and_cases, 1)
        self._optimiser.step([part for part, _ in parts], steps.rate)
        steps.count()

    def _part(
        self, fold: int, decides: bool, text: bytes, seed: int, seed_of_rows: int
    ) -> tuple[recurrent.Part, list[tuple[recurrent.Indices, recurrent.Indices]]]:
        """Compute the gradients of a part of a step; `seed` selects the lines that are spoilt.

        If it `decides`, pairs also come with the cases of their second words, and of their first.
        """
        recipe, model = self._recipe, self._models[fold]
        how = recipe.drop_punctuation, recipe.spoil_case, seed
        read = vectors_of(model, text, recipe.n_affixes, *how)
        rows = {
            "suffixes": read.suffix,
            "prefixes": read.prefix,
            "words": find_rows(read.word, self._checks["words"]),
            "pairs": find_rows(read.pair, self._checks["pairs"]),
        }
        # Each word decides for the pairs that it and the word after it stand in.
        pairs = np.append(rows["pairs"], len(self._checks["pairs"])).astype(np.intp)
        draw = np.random.default_rng(seed_of_rows)
        for name, checks in self._checks.items():
            rows[name] = recurrent.hide_rows(rows[name], recipe.hide_rows, len(checks), draw)
        vectors = ARCHITECTURE.inputs(self._weights, rows)
        vectors[:-1, FACTS] = (read.facts.astype(np.float32) - 128) / 32
        asked = np.flatnonzero(read.is_open)
        places = recurrent.Places(asked, asked, words_after(read.length)[asked])
        lengths = read.length, read.length
        scores, forward = ARCHITECTURE.outputs(self._weights, vectors, lengths, places)
        added = np.zeros((len(read.gold), N_CASES), np.float32)
        added[asked] = scores
        of_scores = posteriors_of(model, text, added, *how)[asked]
        decided = []
        if decides:
            anew = ~(read.facts[asked, GIVEN] > 128).any(1)
            case = of_scores[anew].argmax(1)
            decided = [(pairs[words], case) for words in (asked[anew], places.after[anew])]
        gold = read.gold[asked].astype(np.intp)
        known = np.flatnonzero(gold >= 0)
        of_scores[known, gold[known]] -= 1
        of_scores[gold < 0] = 0
        gradients, of_vectors = ARCHITECTURE.gradients(self._weights, forward, of_scores)
        gradients = {} if self._only_rows else gradients
        return recurrent.Part(gradients, of_vectors, rows, len(known)), decided


def sides_of(decided: Int32s) -> Sides:
    """The cases that pairs show, from the counts of their words' cases, shape (…, N_CASES)."""
    total, most = decided.sum(-1), decided.max(-1)
    odds = np.log((most + _UNSEEN) / (total - most + _UNSEEN))
    odds = np.clip(np.floor(4 * odds), 0, _MOST_ODDS)
    sides: Sides = np.where(total > 0, 1 + decided.argmax(-1) + N_CASES * odds, 0).astype(np.uint8)
    return sides


def network_of(weights: Weights, checks: Checks, sides: Sides, recipe: NetworkRecipe) -> Network:
    """Pack weights for a model; `checks` are those of words and of pairs."""
    arrays = recurrent.packed(weights, ARCHITECTURE.columns)
    arrays["pairs"] = np.hstack([arrays["pairs"].reshape(len(sides), -1), sides]).ravel()
    for name, of_rows in checks.items():
        arrays[name] = recurrent.with_checks(of_rows, arrays[name])
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
    checks["words"], arrays["words"] = recurrent.without_checks(arrays["words"], VECTOR[0])
    n_numbers = VECTOR[-1]
    checks["pairs"], pairs = recurrent.without_checks(arrays["pairs"], n_numbers + 2)
    arrays["pairs"] = pairs[:, :n_numbers]
    shapes = {name: one.shape for name, one in _first_weights(recipe, checks).items()}
    weights = recurrent.unpacked(arrays, ARCHITECTURE.columns, shapes)
    return weights, checks, pairs[:, n_numbers:], recipe


def learn_domain(
    network: Network,
    domain: TextBlocks,
    models: Sequence[CompiledModel],
    passes: int,
    report: Report,
    threads: int,
) -> Network:
    """Learn a network further on a domain's text.

    Only rows move: other text has other words. `models` are those of the folds of `domain`, as for
    `learn_network`.
    """
    weights, checks, sides, recipe = weights_of(network)
    recipe = replace(recipe, row_rate=_DOMAIN_ROW_RATE)
    learner = _Learner(models, recipe, checks, weights, threads, only_rows=True)
    learner.learn(domain, passes, report)
    # With a domain, no pair settles a word (`score_network` in `_core.pyx`).
    return network_of(weights, checks, sides, recipe)


def empty_network(recipe: NetworkRecipe) -> Network:
    """A network that has learned nothing: it scores all cases alike."""
    none = {name: np.zeros(0, np.uint16) for name in ("words", "pairs")}
    weights = _first_weights(recipe, none)
    weights["out"][:] = 0
    return network_of(weights, none, np.zeros((1, 2), np.uint8), recipe)
