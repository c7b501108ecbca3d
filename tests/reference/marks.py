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
    n_labels = 1 + len(marks.marks)
    out = arrays["out"].reshape(n_labels, -1).tolist()
    found = []
    for i in range(len(words)):
        is_last = i + 1 == len(words)
        gap = (
            states["forward"][i]
            + ([0] * n if is_last else states["backward"][i + 1])
            + inputs[i]
            + ([0] * 40 if is_last else inputs[i + 1])
        )
        units = join(gap, joined, 2 * n + 80, bias)
        scores = [
            start + sum(w * u for w, u in zip(row, units, strict=True))
            for start, row in zip(arrays["out.bias"].tolist(), out, strict=True)
        ]
        best = max(scores)
        shares = [math.exp(score - best) for score in scores]
        found.append([share / sum(shares) for share in shares])
    return found
