"""Plain twin of truecase/kernels/_network.pxd: the vectors of words, states and scores."""

from reference.whole_numbers import (
    GROUP,
    frequent_row,
    group_states,
    products,
    rows_of,
    shifted,
    short,
    whole_sums,
    wrapped,
)

SIZES = {"words": 48, "pairs": 16, "suffixes": 12, "prefixes": 8}
N_FACTS = 32
N_VECTOR = sum(SIZES.values()) + N_FACTS
N_READ = sum(SIZES.values()) - SIZES["pairs"] + 28  # the last four facts are unused
N_JOINED = 64


def vector(arrays, word, pair, suffix, prefix, facts):
    """A word's vector; `word` and `pair` are keys, `suffix` and `prefix` rows."""
    numbers = frequent_row(arrays["words"].tolist(), 48, word)
    for name, row in (("suffixes", suffix), ("prefixes", prefix)):
        size = SIZES[name]
        part = arrays[name][size * row : size * (row + 1)].tolist()
        numbers += [value - 128 for value in part]
    numbers += [value - 128 for value in facts]
    return numbers + frequent_row(arrays["pairs"].tolist(), 16 + 2, pair)[:16]


def states(arrays, name, vectors):
    """What the products read of a direction's states."""
    of_pair = SIZES["pairs"]
    kept = rows_of(arrays[f"{name}.inputs"], N_VECTOR, 5, 0, N_READ)
    of_pairs = rows_of(arrays[f"{name}.inputs"], N_VECTOR, 5, N_VECTOR - of_pair, of_pair)
    of_state = rows_of(arrays[f"{name}.state"], GROUP, 7)
    bias = whole_sums(arrays[f"{name}.bias"])
    vectors = vectors if name == "forward" else vectors[::-1]
    of_words = [
        shifted(a + b for a, b in zip(bias, products(kept, one[:N_READ]), strict=True))
        for one in vectors
    ]
    more = [shifted(products(of_pairs, one[-of_pair:])) for one in vectors]
    found = group_states(of_state, of_words, more)
    return found if name == "forward" else found[::-1]


def scores(arrays, n_units, vectors):
    """Scores of the four cases of each word of a sentence."""
    forward, backward = (states(arrays, name, vectors) for name in ("forward", "backward"))
    of_pair, n_kept = SIZES["pairs"], N_VECTOR - SIZES["pairs"]
    width = 2 * n_units + N_VECTOR + of_pair
    places = (2 * n_units, N_READ, 5), (0, 2 * n_units, 7), (width - 2 * of_pair, 2 * of_pair, 5)
    kept, *parts = (rows_of(arrays["joined"], width, bits, first, n) for first, n, bits in places)
    bias = whole_sums(arrays["joined.bias"])
    found = []
    for i, one in enumerate(vectors):
        of_word = [a + b for a, b in zip(bias, products(kept, one[:N_READ]), strict=True)]
        next_pair = vectors[i + 1][n_kept:] if i + 1 < len(vectors) else [0] * of_pair
        read = [forward[i] + backward[i], one[n_kept:] + next_pair]
        sums = [[short(wrapped(total) >> 12) << 12 for total in of_word]]
        sums += [products(rows, values) for rows, values in zip(parts, read, strict=True)]
        units = [max(0, wrapped(sum(column))) / 4194304 for column in zip(*sums, strict=True)]
        found.append(
            [
                float(arrays["out.bias"][t])
                + sum(float(arrays["out"][N_JOINED * t + k]) * units[k] for k in range(N_JOINED))
                for t in range(4)
            ]
        )
    return found


def settled_case(left, right):
    """The number of the case that the pairs on both sides of a word settle, or None."""
    sides = [divmod(side - 1, 4) for side in (left, right) if side]
    odds, cases = [one for one, _ in sides], {case for _, case in sides}
    is_settled = len(cases) == 1 and (sum(odds) >= 32 or max(odds) >= 24)
    return cases.pop() if is_settled else None
