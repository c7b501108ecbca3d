"""Marks between words in plain Python: words of a text, and what the units say of each gap."""

import math

from reference.context import next_state, whole, whole_sums

ONE = 4096


def join(row, weights, n_columns, bias):
    """The layer that joins both directions, in whole numbers, then as floats."""
    n = len(row)
    assert n == n_columns
    units = []
    for k, start in enumerate(bias):
        total = start + sum(weights[k][c] * row[c] for c in range(n))
        total = (total + 2**31) % 2**32 - 2**31
        units.append(max(total, 0) / (ONE << 10))
    return units


def probabilities(marks, words):
    """Of each label behind each word.

    `words`: (row of the word, row of its ending, mark that is given or 0) of one text.
    """
    return [softmax(scores) for scores in gap_scores(marks, words)[1:]]


def first_opening(marks, words):
    """Number of the mark in front of the first word: the best behind the end of a sentence."""
    n = 1 + len(marks.marks)
    end = min(marks.marks.index(mark) for mark in marks.settings["ends"]) + 1
    scores = gap_scores(marks, words)[0][end::n]
    return scores.index(max(scores))


def softmax(scores):
    best = max(scores)
    shares = [math.exp(score - best) for score in scores]
    return [share / sum(shares) for share in shares]


def gap_scores(marks, words):
    """Of each label, in front of the first word and behind each.

    Before a text, nothing is known but that a sentence has ended.
    """
    arrays, n = marks.arrays, marks.settings["n_units"]
    tables = {
        name: arrays[name].reshape(-1, size).tolist()
        for name, size in (("words", 24), ("endings", 8))
    }
    inputs = [
        [(value - 128) * 128 for value in tables["words"][word] + tables["endings"][ending]]
        + [ONE if label and k == label else 0 for k in range(8)]
        for word, ending, label in words
    ]
    states = {}
    for name in ("forward", "backward"):
        unit = (
            whole(arrays[f"{name}.inputs"], 40),
            whole(arrays[f"{name}.state"], n),
            whole_sums(arrays[f"{name}.bias"]),
        )
        state, states[name] = [0] * n, []
        for row in inputs if name == "forward" else inputs[::-1]:
            state = next_state(*unit, row, state)
            states[name].append(state)
    states["backward"].reverse()
    joined = whole(arrays["joined"], 2 * n + 80)
    bias = whole_sums(arrays["joined.bias"])
    out = arrays["out"].reshape(len(marks.pairs), -1).tolist()
    ends = [marks.marks.index(mark) + 1 for mark in marks.settings["ends"]]
    before = [0] * 40
    if ends:
        before[32 + min(ends)] = ONE
    found = []
    for i in range(-1, len(words)):
        is_last = i + 1 == len(words)
        gap = (
            (states["forward"][i] if i >= 0 else [0] * n)
            + ([0] * n if is_last else states["backward"][i + 1])
            + (inputs[i] if i >= 0 else before)
            + ([0] * 40 if is_last else inputs[i + 1])
        )
        units = join(gap, joined, 2 * n + 80, bias)
        scores = [
            start + sum(w * u for w, u in zip(row, units, strict=True))
            for start, row in zip(arrays["out.bias"].tolist(), out, strict=True)
        ]
        found.append(scores)
    return found
