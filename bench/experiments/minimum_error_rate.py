"""Weights of a log-linear model by BLEU on lists of translations (Och 2003), one at a time."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

MAX_ORDER = 4
# Correct and possible n-grams of each order, words of the output, words of the reference.
N_STATISTICS = 2 * MAX_ORDER + 2

GRID = 21
RESTARTS = 8

Floats = NDArray[np.float64]


def statistics(output: Sequence[str], reference: Sequence[str]) -> list[int]:
    """What BLEU sums over sentences."""
    found = []
    for order in range(1, MAX_ORDER + 1):
        ours, theirs = (
            Counter(zip(*(words[i:] for i in range(order)), strict=False))
            for words in (output, reference)
        )
        found += [(ours & theirs).total(), ours.total()]
    return [*found, len(output), len(reference)]


def bleu(sums: Floats) -> float:
    """BLEU from 0 to 100."""
    correct, possible = sums[0 : 2 * MAX_ORDER : 2], sums[1 : 2 * MAX_ORDER : 2]
    if correct.min() <= 0:
        return 0.0
    brevity = min(0.0, 1 - sums[-1] / sums[-2])
    return float(100 * np.exp(np.log(correct / possible).mean() + brevity))


@dataclass
class Pool:
    """All translations of each sentence that any decoding has shown.

    Parameters
    ----------
    references : sequence of list of str
        One for each sentence.
    """

    references: Sequence[Sequence[str]]
    seen: list[dict[tuple[float, ...], list[int]]] = field(init=False)

    def __post_init__(self) -> None:
        self.seen = [{} for _ in self.references]

    def add(self, sentence: int, output: Sequence[str], components: Sequence[float]) -> None:
        """Add one, with the components of its score before they are weighted."""
        key = tuple(round(component, 6) for component in components)
        if key not in self.seen[sentence]:
            self.seen[sentence][key] = statistics(output, self.references[sentence])

    def arrays(self) -> tuple[Floats, Floats]:
        """Components and statistics, (sentences, outputs, ...); short lists repeat an output."""
        longest = max(len(outputs) for outputs in self.seen)
        components, counts = [], []
        for outputs in self.seen:
            keys = list(outputs)
            keys += keys[:1] * (longest - len(keys))
            components.append(keys)
            counts.append([outputs[key] for key in keys])
        return np.array(components), np.array(counts, np.float64)


def best_weights(
    pool: Pool, start: Sequence[float], free: Sequence[int], seed: int = 0
) -> tuple[list[float], float]:
    """Weights with the highest BLEU that the pool allows, and that BLEU.

    Coordinate ascent on a grid around each weight, which becomes finer; from `start` and from
    random points near it.

    Parameters
    ----------
    pool : Pool
        With at least one output for each sentence.
    start : sequence of float
        Weights.
    free : sequence of int
        Which of them may change.
    seed : int
        Of the random starting points.
    """
    components, counts = pool.arrays()
    sentences = np.arange(len(components))

    def judge(scores: Floats) -> float:
        return bleu(counts[sentences, scores.argmax(axis=1)].sum(axis=0))

    draw = np.random.default_rng(seed)
    best, best_bleu = np.array(start, np.float64), -1.0
    for restart in range(RESTARTS):
        weights = np.array(start, np.float64)
        if restart:
            weights[list(free)] += draw.normal(0, 0.5, len(free))
        current = judge(components @ weights)
        width = 1.5
        while width > 0.04:
            before = current
            for i in free:
                others = components @ weights - components[..., i] * weights[i]
                for value in weights[i] + np.linspace(-width, width, GRID):
                    tried = judge(others + components[..., i] * value)
                    if tried > current + 1e-9:
                        current, weights[i] = tried, value
            if current < before + 0.02:
                width /= 3
        if current > best_bleu:
            best, best_bleu = weights, current
    return best.tolist(), best_bleu
