"""Sums over every path of a lattice, by trying every path."""

import itertools
import math

from reference.backoff import path_score

START = 5


def has_choice(order, candidates, word):
    """Whether a word's window of `order` words has more than one path."""
    window = candidates[max(0, word - order + 1) : word + 1]
    return any(len(options) > 1 for options in window)


def sums(
    model, start, candidates, node_score, weight=1.0, state=None, transition=None, allowed=None
):
    """log Z, node posteriors by word, expected lm sum and expected transition counts.

    As `truecase_testing.posteriors`: words without a choice contribute
    nothing, and models of order 1 have no transitions.
    """
    state = state or [[0] * len(options) for options in candidates]
    counted = [has_choice(model.order, candidates, i) for i in range(len(candidates))]
    choices = [
        [c for c in range(len(options)) if not allowed or not allowed[i] or allowed[i] >> c & 1]
        for i, options in enumerate(candidates)
    ]
    scored = []
    for path in itertools.product(*choices):
        words = [start] + [options[c] for options, c in zip(candidates, path, strict=True)]
        states = [START] + [tags[c] for tags, c in zip(state, path, strict=True)]
        total = path_score(model, start, candidates, node_score, path, weight)
        lm = 0.0
        pairs = []
        for i, is_counted in enumerate(counted):
            edge = model.score(words[: i + 1], words[i + 1])
            if is_counted:
                lm += edge
            else:
                total -= weight * edge + node_score[i][path[i]]
            if is_counted and model.order > 1:
                pairs.append((states[i], states[i + 1]))
        if transition is not None:
            total += sum(transition[before][now] for before, now in pairs)
        scored.append((total, path, lm, pairs))
    best = max(total for total, *_ in scored)
    log_z = best + math.log(sum(math.exp(total - best) for total, *_ in scored))
    posterior = [[0.0] * len(options) for options in candidates]
    expected_lm = 0.0
    expected = [[0.0] * 8 for _ in range(8)]
    for total, path, lm, pairs in scored:
        p = math.exp(total - log_z)
        expected_lm += p * lm
        for i, c in enumerate(path):
            posterior[i][c] += p
        for before, now in pairs:
            expected[before][now] += p
    return log_z, posterior, expected_lm, expected
