"""Marks between words in plain Python: words of a text, and what the units say of each gap."""

import math

from reference.whole_numbers import ONE, gate, short, whole_sums, wrapped

SIZES = (24, 8, 8)  # of a word, its ending, and the pair that ends with it
N_BYTES = sum(SIZES)
N_INPUTS = N_BYTES + 8
HASH_LENGTH, MULTIPLIER, MASK = 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93, 2**64 - 1


def bounded(weight):
    return max(-8.0, min(8.0, float(weight)))


def rounded(value):
    return math.floor(abs(value) + 0.5) * (1 if value >= 0 else -1)


def byte_rows(weights, value_bits):
    """Rows of a matrix as bytes of at most 63, and by how many bits their sums are shifted."""
    rows = []
    for row in weights:
        most = max(abs(bounded(weight)) for weight in row)
        bits = 22 - value_bits
        while rounded(most * 2**bits) > 63:
            bits -= 1
        numbers = [rounded(bounded(weight) * 2**bits) for weight in row]
        rows.append((numbers, 22 - value_bits - bits))
    return rows


def products(rows, values):
    return [sum(a * b for a, b in zip(row, values, strict=True)) << shift for row, shift in rows]


def given_sums(weights, label):
    """What a mark that is given adds, by rows of the weights of all marks."""
    return [rounded(bounded(row[label]) * 2**22) if label else 0 for row in weights]


def state_bytes(state):
    """What the products read of a state."""
    return [min(127, (value + 16) >> 5) for value in state]


def next_state(unit, inputs, label, state):
    """The state behind a word; `unit` has rows of inputs and of states, of marks, and the bias."""
    of_inputs, of_given, of_state, bias = unit
    n = len(state)
    of_word = [
        sum(parts)
        for parts in zip(
            bias, products(of_inputs, inputs), given_sums(of_given, label), strict=True
        )
    ]
    of_before = products(of_state, state_bytes(state))
    out = []
    for k in range(n):
        z, r = (gate(wrapped(of_word[j] + of_before[j])) for j in (k, n + k))
        j = 2 * n + k
        before = short(wrapped(of_before[j]) >> 10)
        c = max(-ONE, min(ONE, short(short(wrapped(of_word[j]) >> 10) + short((r * before) >> 12))))
        out.append(state[k] + ((z * (c - state[k])) >> 12))
    return out


def scramble(x):
    """The hash of a number: its finaliser alone."""
    x ^= x >> 32
    x = x * MULTIPLIER & MASK
    x ^= x >> 32
    x = x * MULTIPLIER & MASK
    return x ^ (x >> 32)


def pair_key(before, key):
    return scramble(before * HASH_LENGTH & MASK ^ key)


def pair_row(table, key):
    """The numbers of a pair, zeros if it is not among the four of its bucket."""
    rows = [table[at : at + 10] for at in range(0, len(table), 10)]
    if rows:
        first = ((key >> 32) * (len(rows) // 4) >> 32) * 4
        for row in rows[first : first + 4]:
            if row[0] + 256 * row[1] == (key & 0xFFFF or 1):
                return [value - 128 for value in row[2:]]
    return [0] * 8


def inputs_of(arrays, words):
    """What the units read of the words of a text."""
    tables = {name: arrays[name].tolist() for name in ("words", "endings", "pairs")}
    before = 0
    rows = []
    for key, word, ending, _ in words:
        row = tables["words"][24 * word : 24 * word + 24]
        row += tables["endings"][8 * ending : 8 * ending + 8]
        pair = pair_row(tables["pairs"], pair_key(before, key))
        rows.append([value - 128 for value in row] + pair)
        before = key
    return rows


def probabilities(marks, words):
    """Of each label behind each word.

    `words`: (key of the word, its row, row of its ending, mark that is given or 0) of one text.
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
    inputs = inputs_of(arrays, words)
    given = [label for *_, label in words]
    states = {}
    for name in ("forward", "backward"):
        of_inputs = arrays[f"{name}.inputs"].reshape(-1, N_INPUTS).tolist()
        unit = (
            byte_rows([row[:N_BYTES] for row in of_inputs], 5),
            [row[N_BYTES:] for row in of_inputs],
            byte_rows(arrays[f"{name}.state"].reshape(-1, n).tolist(), 7),
            whole_sums(arrays[f"{name}.bias"]),
        )
        state, states[name] = [0] * n, []
        order = range(len(words)) if name == "forward" else range(len(words) - 1, -1, -1)
        for i in order:
            state = next_state(unit, inputs[i], given[i], state)
            states[name].append(state)
    states["backward"].reverse()
    joined = arrays["joined"].reshape(-1, 2 * n + 2 * N_INPUTS).tolist()
    at = (0, n, 2 * n, 2 * n + N_INPUTS)
    parts = [
        byte_rows([row[start : start + size] for row in joined], bits)
        for start, size, bits in zip(at, (n, n, N_BYTES, N_BYTES), (7, 7, 5, 5), strict=True)
    ]
    of_given = [[row[start + N_BYTES : start + N_INPUTS] for row in joined] for start in at[2:]]
    bias = whole_sums(arrays["joined.bias"])
    out = arrays["out"].reshape(len(marks.pairs), -1).tolist()
    ends = [marks.marks.index(mark) + 1 for mark in marks.settings["ends"]]
    nothing = [0] * max(n, N_BYTES)
    found = []
    for i in range(-1, len(words)):
        is_first, is_last = i < 0, i + 1 == len(words)
        read = (
            nothing[:n] if is_first else state_bytes(states["forward"][i]),
            nothing[:n] if is_last else state_bytes(states["backward"][i + 1]),
            nothing[:N_BYTES] if is_first else inputs[i],
            nothing[:N_BYTES] if is_last else inputs[i + 1],
        )
        labels = (min(ends, default=0) if is_first else given[i], 0 if is_last else given[i + 1])
        sums = [bias, *map(products, parts, read), *map(given_sums, of_given, labels)]
        units = [max(wrapped(sum(row)), 0) / 2**22 for row in zip(*sums, strict=True)]
        found.append(
            [
                start + sum(w * u for w, u in zip(row, units, strict=True))
                for start, row in zip(arrays["out.bias"].tolist(), out, strict=True)
            ]
        )
    return found
