"""A backoff n-gram model in dictionaries, and the best path by trying every path."""

import itertools
from collections.abc import Sequence


class BackoffModel:
    """log p(w | h) as ARPA defines it, natural log.

    `probability` and `backoff` map tuples of word ids to logarithms.
    """

    def __init__(self, order, probability, backoff):
        self.order = order
        self.probability = probability
        self.backoff = backoff

    def score(self, history: Sequence[int], word: int) -> float:
        history = tuple(history[max(0, len(history) - self.order + 1) :])
        total = 0.0
        while True:
            if (*history, word) in self.probability:
                return total + self.probability[(*history, word)]
            total += self.backoff.get(history, 0.0)
            history = history[1:]


def path_score(model, start, candidates, node_score, path, weight=1.0):
    """Score of one path; `candidates` are lists of word ids, the last one that of ``</s>``."""
    words = [start]
    total = 0.0
    for options, scores, choice in zip(candidates, node_score, path, strict=True):
        total += weight * model.score(words, options[choice]) + scores[choice]
        words.append(options[choice])
    return total


def best_paths(model, start, candidates, node_score, weight=1.0):
    """The best score, and every path that reaches it (to rounding), by enumeration."""
    scored = [
        (path_score(model, start, candidates, node_score, path, weight), path)
        for path in itertools.product(*(range(len(options)) for options in candidates))
    ]
    best = max(score for score, _ in scored)
    return best, [path for score, path in scored if score > best - 1e-3]
