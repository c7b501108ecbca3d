"""Plain twin of truecase/kernels/_calibration.pxd: Platt scaling by training counts."""

import math


def familiar(counts):
    """How familiar a sentence is, of the training counts of its words with case."""
    return sum(min(1.0, math.log2(1 + count) / 12) for count in counts) / len(counts)


def calibrated(several, one, n_forms, probability, count, sentence):
    """How often a form is right; `several` and `one` are weights, `sentence` how familiar it is."""
    seen = min(1.0, math.log2(1 + count) / 32)
    unseen = 1.0 if count == 0 else 0.0
    if n_forms == 1:
        values, weights = [1.0, seen, seen**2, unseen, sentence], one
    else:
        p = min(max(probability, 1e-6), 1 - 1e-6)
        odds = math.log(p / (1 - p))
        values = [1.0, (1 - seen) * odds, seen * odds, seen, seen**2, unseen, sentence]
        weights = several
    z = sum(weight * value for weight, value in zip(weights, values, strict=True))
    return 1 / (1 + math.exp(-z))
