"""Recurrent units and rows in whole numbers, as truecase/kernels/_recurrent.pxd has them."""

import math

ONE = 4096
GROUP = 16
HASH_LENGTH, MULTIPLIER, MASK = 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93, 2**64 - 1


def short(value):
    """Within the bounds of 16 bits."""
    return max(-32768, min(32767, value))


def wrapped(value):
    """What 32 bits keep of a sum."""
    return (value + 2**31) % 2**32 - 2**31


def whole_sums(biases):
    """Biases as sums of products."""
    values = [max(-64.0, min(64.0, float(bias))) * 4194304 for bias in biases]
    return [math.floor(abs(v) + 0.5) * (1 if v >= 0 else -1) for v in values]


def bounded(weight):
    return max(-8.0, min(8.0, float(weight)))


def rounded(value):
    return math.floor(abs(value) + 0.5) * (1 if value >= 0 else -1)


def fit_together(numbers):
    """Whether the products of two columns and of those four columns on fit in 16 bits together."""
    for first in range(0, len(numbers), 8):
        for half in (first, first + 2):
            four = numbers[half : half + 2] + numbers[half + 4 : half + 6]
            if max(sum(w for w in four if w > 0), -sum(w for w in four if w < 0)) > 128:
                return False
    return True


def byte_rows(weights, value_bits):
    """Rows of a matrix as bytes of at most 63, and by how many bits their sums are shifted."""
    rows = []
    for row in weights:
        most = max(abs(bounded(weight)) for weight in row)
        bits = 22 - value_bits
        while rounded(most * 2**bits) > 63:
            bits -= 1
        numbers = [rounded(bounded(weight) * 2**bits) for weight in row]
        while not fit_together(numbers):
            bits -= 1
            numbers = [rounded(bounded(weight) * 2**bits) for weight in row]
        rows.append((numbers, 22 - value_bits - bits))
    return rows


def products(rows, values):
    return [sum(a * b for a, b in zip(row, values, strict=True)) << shift for row, shift in rows]


def rows_of(array, n_columns, value_bits, first=0, n=None):
    """Some columns of a matrix as bytes."""
    whole = array.reshape(-1, n_columns).tolist()
    return byte_rows([row[first : first + (n or n_columns)] for row in whole], value_bits)


def state_bytes(state):
    """What the products read of a state."""
    return [min(127, (value + 16) >> 5) for value in state]


def shifted(sums):
    """Values of z, r and c of each group."""
    return [short(wrapped(total) >> (10 if k % 48 >= 32 else 12)) for k, total in enumerate(sums)]


def group_states(of_state, of_words, more):
    """What the products read of the states behind each word.

    `of_words` and `more` have the two sums of each word, shifted, that are added.
    """
    n_units = len(of_state) // 3
    state, found = [0] * n_units, []
    for one, other in zip(of_words, more, strict=True):
        sums = [short(a + b) for a, b in zip(one, other, strict=True)]
        before = state_bytes(state)
        for first in range(0, n_units, GROUP):
            rows = of_state[3 * first : 3 * first + 48]
            from_state = shifted(products(rows, before[first : first + GROUP]))
            for k in range(GROUP):
                z, r = (
                    max(0, min(ONE, short(sums[3 * first + j] + from_state[j]) + ONE // 2))
                    for j in (k, GROUP + k)
                )
                c = sums[3 * first + 32 + k] + (r * from_state[32 + k] >> 12)
                c = max(-ONE, min(ONE, c))
                state[first + k] += (z * (c - state[first + k])) >> 12
        found.append(state_bytes(state))
    return found


def scramble(x):
    """The hash of a number: its finaliser alone."""
    x ^= x >> 32
    x = x * MULTIPLIER & MASK
    x ^= x >> 32
    x = x * MULTIPLIER & MASK
    return x ^ (x >> 32)


def pair_key(before, key):
    return scramble(before * HASH_LENGTH & MASK ^ key)


def frequent_row(table, size, key):
    """The numbers of a word or pair, zeros if it is not among the four of its bucket."""
    n_rows = len(table) // (size + 2)
    if n_rows:
        first = ((key >> 32) * (n_rows // 4) >> 32) * 4
        for at in range(first * (size + 2), (first + 4) * (size + 2), size + 2):
            if table[at] + 256 * table[at + 1] == (key & 0xFFFF or 1):
                return [value - 128 for value in table[at + 2 : at + 2 + size]]
    return [0] * size
