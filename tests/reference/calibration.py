"""Plain twins of truecase/kernels/_calibration.pxd (Platt scaling by counts) and of its errors."""

import math
from typing import NamedTuple

from truecase.evaluation.calibration import LIMITS


def traits(counts, probabilities):
    """Familiarity, length and doubt of a sentence, of its words with case."""
    n = len(counts)
    doubt = sum(1 - min(1.0, probability) for probability in probabilities) / n
    return [
        sum(min(1.0, math.log2(1 + count) / 12) for count in counts) / n,
        math.log2(1 + n) / 8,
        math.log(0.002 + doubt),
    ]


def calibrated(several, one, n_forms, probability, count, sentence):
    """How often a form is right; `several` and `one` are weights, `sentence` has its traits."""
    seen = min(1.0, math.log2(1 + count) / 32)
    unseen = 1.0 if count == 0 else 0.0
    if n_forms == 1:
        values, weights = [1.0, seen, seen**2, unseen, *sentence], one
    else:
        p = min(max(probability, 1e-6), 1 - 1e-6)
        odds = math.log(p / (1 - p))
        values = [1.0, (1 - seen) * odds, seen * odds, seen, seen**2, unseen, *sentence]
        values.append(min(max(odds, -4), 4))
        weights = several
    z = sum(weight * value for weight, value in zip(weights, values, strict=True))
    return 1 / (1 + math.exp(-z))


class Bin(NamedTuple):
    """The words whose posterior lies in an interval: their mean posterior and accuracy."""

    low: float
    high: float
    n_words: int
    confidence: float
    accuracy: float


def reliability(judged):
    """Bins that have words, and the expected calibration error, of (posterior, whether right)."""
    n = [0] * (len(LIMITS) - 1)
    confidence = [0.0] * len(n)
    right = [0] * len(n)
    for probability, is_right in judged:
        place = 0
        while place < len(n) - 1 and probability >= LIMITS[place + 1]:
            place += 1
        n[place] += 1
        confidence[place] += probability
        right[place] += is_right
    bins = [
        Bin(LIMITS[i], LIMITS[i + 1], n[i], confidence[i] / n[i], right[i] / n[i])
        for i in range(len(n))
        if n[i]
    ]
    total = max(1, sum(n))
    error = sum(b.n_words * abs(b.confidence - b.accuracy) for b in bins) / total
    return bins, error
