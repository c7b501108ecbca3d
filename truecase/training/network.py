"""Learn a network that scores the cases of words by their sentence, beside n-grams.

The gradient is that of the likelihood of the text's case over all paths of the decoder's lattices:
posterior less gold (Ma & Hovy 2016). Counts and n-grams come from the other folds of the text: with
those of its own fold, the network would learn to read its answer. Gradients go back through whole
sentences; tables of rows move by Adagrad (Duchi et al. 2011), all else by Adam.
"""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from truecase._core import CompiledModel
from truecase.kernels._components import NETWORK_JOINED, VECTOR, Network
from truecase.kernels._punctuation_network import IN_BUCKET, pair_rows, place_pairs
from truecase.training._context_decisions import Vectors, posteriors_of, vectors_of
from truecase.training.material import TextBlocks
from truecase.training.punctuation import with_checks
from truecase.training.recipe import NetworkRecipe
from truecase.training.recurrent import (
    DIRECTIONS,
    Adam,
    Floats,
    Rows,
    Steps,
    Weights,
    in_one_thread,
    join,
    join_back,
    normal,
    packed,
    step_rows,
    sum_rows,
)
from truecase.training.reports import Report

Indices = npt.NDArray[np.intp]
#: Checks of the tables of words and of pairs.
Checks = dict[str, npt.NDArray[np.uint16]]

#: Tables of rows: the size of a row, and the standard deviation of its first numbers.
TABLES = {
    "words": (VECTOR[0], 0.1),
    "suffixes": (VECTOR[1], 0.1),
    "prefixes": (VECTOR[2], 0.1),
    "pairs": (VECTOR[4], 0.0),
}
#: The columns of each table in a word's vector, and of its facts.
COLUMNS = {
    name: slice(end - size, end)
    for name, size, end in zip(
        ("words", "suffixes", "prefixes", "facts", "pairs"),
        VECTOR,
        np.cumsum(VECTOR).tolist(),
        strict=True,
    )
}
N_VECTOR = sum(VECTOR)
N_CASES = 4


# Frequent words and pairs

# Keys that are counted at a time, and those that are kept between, both at most.
_COUNTED_KEYS, _KEPT_KEYS = 1 << 22, 1 << 23


class Counted:
    """Counts keys in bounded memory: where there are too many, the rarest are forgotten."""

    def __init__(self) -> None:
        self._keys = np.zeros(0, np.uint64)
        self._counts = np.zeros(0, np.int64)
        self._waiting: list[npt.NDArray[np.uint64]] = []
        self._n_waiting = 0

    def add(self, keys: npt.NDArray[np.uint64]) -> None:
        """Count these keys."""
        self._waiting.append(keys)
        self._n_waiting += len(keys)
        if self._n_waiting >= _COUNTED_KEYS:
            self._merge()

    def _merge(self) -> None:
        keys, inverse = np.unique(np.concatenate([self._keys, *self._waiting]), return_inverse=True)
        ones = np.ones(self._n_waiting, np.int64)
        counts = np.bincount(inverse, np.concatenate([self._counts, ones]), len(keys))
        self._waiting, self._n_waiting = [], 0
        least = 2
        while len(keys) > _KEPT_KEYS:
            keys, counts = keys[counts >= least], counts[counts >= least]
            least += 1
        self._keys, self._counts = keys, counts.astype(np.int64)

    def checks(self, most: int, least: int) -> npt.NDArray[np.uint16]:
        """The checks of a table for the most frequent keys that occur `least` times or more.

        The table has `most` rows at most, a multiple of 4.
        """
        self._merge()
        often = self._counts >= least
        keys, counts = self._keys[often], self._counts[often]
        # Buckets fill unevenly.
        wanted = -(-len(keys) * 4 // 3 // IN_BUCKET) * IN_BUCKET
        order = np.argsort(-counts, kind="stable")[: 2 * most]
        return place_pairs(keys[order], min(most, wanted))


# The network


class Sentences(NamedTuple):
    """The words of some sentences, in the order in which the units read them.

    First come the first words of all sentences, the longest sentence first, then the second words,
    and so on.

    Attributes
    ----------
    place : intp ndarray, shape (n_words,)
        Each word's place in the text.
    first : intp ndarray
        Where the words of each step begin, and the end.
    before, after : intp ndarray, shape (n_words,)
        The places, in this order, of the words beside; n_words outside the sentence.
    """

    place: Indices
    first: Indices
    before: Indices
    after: Indices

    @property
    def n_sentences(self) -> int:
        """Number of the sentences, which all have a first word."""
        return int(self.first[1]) if len(self.first) > 1 else 0


def order_sentences(length: npt.NDArray[np.int32]) -> Sentences:
    """Order the words of sentences that follow one another in a text."""
    lengths = length.astype(np.intp)
    begin = np.cumsum(lengths) - lengths
    order = np.argsort(-lengths, kind="stable")
    begin, lengths = begin[order], lengths[order]
    n, longest = int(lengths.sum()), int(lengths[0]) if len(lengths) else 0
    n_at = np.searchsorted(-lengths, -np.arange(longest), side="left")
    first = np.concatenate([[0], np.cumsum(n_at)])
    step = np.repeat(np.arange(longest), n_at)
    sentence = np.arange(n) - first[step]
    before = np.where(step > 0, first[np.maximum(step - 1, 0)] + sentence, n)
    is_last = step + 1 == lengths[sentence]
    after = np.where(is_last, n, first[np.minimum(step + 1, longest - 1)] + sentence)
    return Sentences(begin[sentence] + step, first, before, after)


class Seen(NamedTuple):
    """Values of a direction, shape (n_words + 1, n_units); the last row is of no word."""

    states: Floats
    gates: Floats
    proposed: Floats


def first_weights(n_units: int, n_rows: dict[str, int], seed: int = 1) -> Weights:
    """Initial weights; the last row of words and of pairs stands for those without one."""
    draw = np.random.default_rng(seed)
    weights: Weights = {
        name: normal(draw, scale, n_rows[name], size) for name, (size, scale) in TABLES.items()
    }
    for name in ("words", "pairs"):
        weights[name][-1] = 0
    for name in DIRECTIONS:
        weights[f"{name}.inputs"] = normal(draw, N_VECTOR**-0.5, 2 * n_units, N_VECTOR)
        weights[f"{name}.bias"] = np.zeros(2 * n_units, np.float32)
        # Gates that begin half closed remember some words.
        weights[f"{name}.bias"][:n_units] = -0.5
    width = 2 * n_units + 3 * N_VECTOR
    weights["joined"] = normal(draw, width**-0.5, NETWORK_JOINED, width)
    weights["joined.bias"] = np.zeros(NETWORK_JOINED, np.float32)
    weights["out"] = normal(draw, 0.02, N_CASES, NETWORK_JOINED)
    weights["out.bias"] = np.zeros(N_CASES, np.float32)
    return weights


def _steps(at: Sentences, backward: bool) -> Iterator[slice]:
    spans = [slice(int(a), int(b)) for a, b in zip(at.first, at.first[1:], strict=False)]
    return reversed(spans) if backward else iter(spans)


def go_over(weights: Weights, name: str, vectors: Floats, at: Sentences) -> Seen:
    """The states of a direction; `vectors` has shape (n_words + 1, N_VECTOR)."""
    sums = vectors @ weights[f"{name}.inputs"].T
    sums += weights[f"{name}.bias"]
    n = sums.shape[1] // 2
    gates = sums[:, :n] * np.float32(0.25)
    gates += np.float32(0.5)
    np.clip(gates, 0, 1, out=gates)
    proposed = np.clip(sums[:, n:], -1, 1)
    states = np.zeros_like(gates)
    state = np.zeros((at.n_sentences, n), vectors.dtype)
    for span in _steps(at, name == "backward"):
        now = state[: span.stop - span.start]
        now += gates[span] * (proposed[span] - now)
        states[span] = now
    return Seen(states, gates, proposed)


def go_back(
    weights: Weights, name: str, vectors: Floats, at: Sentences, seen: Seen, of_states: Floats
) -> tuple[Floats, Weights]:
    """Gradients of the vectors and of a direction's weights."""
    n = seen.states.shape[1]
    of_all = np.zeros_like(seen.states)
    carried = np.zeros((at.n_sentences, n), vectors.dtype)
    kept = 1 - seen.gates
    for span in _steps(at, name == "forward"):
        now = carried[: span.stop - span.start]
        now += of_states[span]
        of_all[span] = now
        now *= kept[span]
    beside = at.after if name == "backward" else at.before
    came = np.append(seen.states[beside], seen.states[-1:], axis=0)
    of_sums = np.empty((len(vectors), 2 * n), vectors.dtype)
    is_moving = (seen.gates > 0) & (seen.gates < 1)
    of_sums[:, :n] = np.float32(0.25) * of_all * (seen.proposed - came) * is_moving
    of_sums[:, n:] = of_all * seen.gates * (np.abs(seen.proposed) < 1)
    gradients = {f"{name}.inputs": of_sums.T @ vectors, f"{name}.bias": of_sums.sum(0)}
    return of_sums @ weights[f"{name}.inputs"], gradients


class Forward(NamedTuple):
    """Values of some sentences that `gradients_of` needs."""

    vectors: Floats
    seen: list[Seen]
    asked: Indices
    read: Floats
    joined: Floats


def case_scores(
    weights: Weights, at: Sentences, vectors: Floats, asked: Indices
) -> tuple[Floats, Forward]:
    """Scores of the cases of the words at `asked`, in nats, shape (n_asked, 4).

    `vectors` has shape (n_words + 1, N_VECTOR), zeros in the last row.
    """
    seen = [go_over(weights, name, vectors, at) for name in DIRECTIONS]
    read = np.concatenate(
        [
            *(one.states[asked] for one in seen),
            vectors[asked],
            vectors[at.before[asked]],
            vectors[at.after[asked]],
        ],
        axis=1,
    )
    joined, scores = join(weights, read)
    return scores, Forward(vectors, seen, asked, read, joined)


def gradients_of(
    weights: Weights, at: Sentences, forward: Forward, of_scores: Floats
) -> tuple[Weights, Floats]:
    """Gradients of the weights and of the vectors from those of the scores."""
    of_read, gradients = join_back(weights, forward.read, forward.joined, of_scores)
    n = forward.seen[0].states.shape[1]
    of_vectors = np.zeros_like(forward.vectors)
    for k, places in enumerate((forward.asked, at.before[forward.asked], at.after[forward.asked])):
        # A word stands before one other, at most; the last row is of no word.
        first = 2 * n + k * N_VECTOR
        of_vectors[places] += of_read[:, first : first + N_VECTOR]
    for k, name in enumerate(DIRECTIONS):
        of_states = np.zeros_like(forward.seen[k].states)
        of_states[forward.asked] = of_read[:, k * n : (k + 1) * n]
        of_inputs, of_unit = go_back(weights, name, forward.vectors, at, forward.seen[k], of_states)
        of_vectors += of_inputs
        gradients.update(of_unit)
    of_vectors[-1] = 0
    return gradients, of_vectors


# Learning

# Pieces of a step, all of one fold.
_PIECES_IN_STEP = 4
_LEAST_OFTEN = {"words": 4, "pairs": 8}


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
    checks, n_pieces = _frequent(blocks, models, recipe, report)
    learner = _Learner(models, recipe, checks)
    n_steps = recipe.epochs * sum(math.ceil(n / _PIECES_IN_STEP) for n in n_pieces)
    steps = Steps(recipe.rate, n_steps, lambda share, loss: report("learning the network", share))
    with in_one_thread():
        for epoch in range(recipe.epochs):
            waiting: list[list[bytes]] = [[] for _ in models]
            for index, piece in blocks.shuffled(epoch):
                fold = index % len(models)
                waiting[fold].append(piece)
                if len(waiting[fold]) == _PIECES_IN_STEP:
                    learner.learn(fold, b"".join(waiting[fold]), steps)
                    waiting[fold] = []
            for fold, rest in enumerate(waiting):
                if rest:
                    learner.learn(fold, b"".join(rest), steps)
    return learner.network()


def _frequent(
    blocks: TextBlocks, models: Sequence[CompiledModel], recipe: NetworkRecipe, report: Report
) -> tuple[Checks, list[int]]:
    """The checks of the tables of words and of pairs, and the number of pieces of each fold."""
    words, pairs, n_pieces = Counted(), Counted(), [0] * len(models)
    for done, (index, piece) in enumerate(blocks.shuffled(0)):
        fold = index % len(models)
        n_pieces[fold] += 1
        read = vectors_of(models[fold], piece, 1)
        words.add(read.word)
        pairs.add(read.pair)
        report("finding frequent words", (done + 1) / blocks.n_pieces)
    checks = {
        "words": words.checks(recipe.n_words, _LEAST_OFTEN["words"]),
        "pairs": pairs.checks(recipe.n_pairs, _LEAST_OFTEN["pairs"]),
    }
    return checks, n_pieces


class _Learner:
    """The weights, and how they move."""

    def __init__(
        self, models: Sequence[CompiledModel], recipe: NetworkRecipe, checks: Checks
    ) -> None:
        self._models = models
        self._recipe = recipe
        self._checks = checks
        n_rows = {name: len(checks) + 1 for name, checks in self._checks.items()}
        n_rows |= dict.fromkeys(("suffixes", "prefixes"), recipe.n_affixes)
        self._weights = first_weights(recipe.n_units, n_rows)
        whole = {name: one for name, one in self._weights.items() if name not in TABLES}
        self._adam = Adam(whole, ())
        self._squares = {name: np.zeros_like(self._weights[name]) for name in TABLES}
        self._draw = np.random.default_rng(2)

    def learn(self, fold: int, text: bytes, steps: Steps) -> None:
        """Learn from whole lines of a fold."""
        recipe, model = self._recipe, self._models[fold]
        how = recipe.drop_punctuation, recipe.spoil_case, int(self._draw.integers(1 << 62))
        read = vectors_of(model, text, recipe.n_affixes, *how)
        at = order_sentences(read.length)
        rows = self._rows(read, at)
        vectors = self._vectors(read, at, rows)
        asked = np.flatnonzero(read.is_open[at.place])
        scores, forward = case_scores(self._weights, at, vectors, asked)
        added = np.zeros((len(read.gold), N_CASES), np.float32)
        added[at.place[asked]] = scores
        of_text = posteriors_of(model, text, added, *how)
        of_scores = of_text[at.place[asked]]
        gold = read.gold[at.place[asked]].astype(np.intp)
        known = np.flatnonzero(gold >= 0)
        right = of_scores[known, gold[known]]
        loss = -float(np.log(np.maximum(right, 1e-30)).sum(dtype=np.float64))
        of_scores[known, gold[known]] -= 1
        of_scores[gold < 0] = 0
        if len(known):
            of_scores /= np.float32(len(known))
            gradients, of_vectors = gradients_of(self._weights, at, forward, of_scores)
            self._adam.step(gradients, steps.rate, 1)
            self._move_rows(rows, of_vectors, recipe.row_rate * steps.rate / recipe.rate)
        steps.add(loss, len(known))

    def _rows(self, read: Vectors, at: Sentences) -> dict[str, npt.NDArray[np.int32]]:
        """The row of each word in each table, some of them hidden."""
        rows = {"suffixes": read.suffix[at.place], "prefixes": read.prefix[at.place]}
        for name, keys in (("words", read.word), ("pairs", read.pair)):
            checks = self._checks[name]
            found = pair_rows(keys[at.place], checks)
            found[self._draw.random(len(found), np.float32) < self._recipe.hide_rows] = len(checks)
            rows[name] = found
        return rows

    def _vectors(
        self, read: Vectors, at: Sentences, rows: dict[str, npt.NDArray[np.int32]]
    ) -> Floats:
        vectors = np.zeros((len(at.place) + 1, N_VECTOR), np.float32)
        for name in TABLES:
            vectors[:-1, COLUMNS[name]] = self._weights[name][rows[name]]
        vectors[:-1, COLUMNS["facts"]] = (read.facts[at.place].astype(np.float32) - 128) / 32
        return vectors

    def _move_rows(
        self, rows: dict[str, npt.NDArray[np.int32]], of_vectors: Floats, rate: float
    ) -> None:
        for name in TABLES:
            moved = sum_rows(rows[name], of_vectors[:-1, COLUMNS[name]])
            n = len(self._weights[name]) - (name in self._checks)
            # Words and pairs without a row keep zeros.
            last = int(np.searchsorted(moved.number, n))
            kept = Rows(moved.number[:last], moved.gradient[:last])
            step_rows(self._weights[name], self._squares[name], kept, rate)

    def network(self) -> Network:
        """The weights as a component of a model."""
        return network_of(self._weights, self._checks, self._recipe)


def network_of(weights: Weights, checks: Checks, recipe: NetworkRecipe) -> Network:
    """Pack weights for a model; `checks` are those of words and of pairs."""
    arrays = packed(weights, TABLES)
    for name, of_rows in checks.items():
        arrays[name] = with_checks(of_rows, arrays[name])
    settings = {
        "n_units": recipe.n_units,
        "n_affixes": recipe.n_affixes,
        **{f"n_{name}": len(of_rows) for name, of_rows in checks.items()},
        "lm_weight": recipe.lm_weight,
    }
    return Network(arrays, settings)


def empty_network(recipe: NetworkRecipe) -> Network:
    """A network that has learned nothing: it scores all cases alike."""
    none = {name: np.zeros(0, np.uint16) for name in ("words", "pairs")}
    n_rows = {"words": 1, "pairs": 1, "suffixes": recipe.n_affixes, "prefixes": recipe.n_affixes}
    weights = first_weights(recipe.n_units, n_rows)
    weights["out"][:] = 0
    return network_of(weights, none, recipe)
