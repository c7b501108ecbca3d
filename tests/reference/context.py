"""Plain twin of truecase/kernels/_context.pxd: recurrent units of whole numbers, their scores."""

import math

ONE = 4096
SIZES = (16, 8, 4, 4)


def short(value):
    """Within the bounds of 16 bits."""
    return max(-32768, min(32767, value))


def wrapped(value):
    """What 32 bits keep of a sum."""
    return (value + 2**31) % 2**32 - 2**31


def gate(total):
    """A gate of a sum of products."""
    return max(0, min(ONE, short(total >> 12) + ONE // 2))


def whole(weights, n_columns):
    """Weights as whole numbers, row by row."""
    numbers = [max(-8.0, min(8.0, float(weight))) * 1024 for weight in weights]
    numbers = [min(32767, math.floor(abs(n) + 0.5) * (1 if n >= 0 else -1)) for n in numbers]
    return [numbers[at : at + n_columns] for at in range(0, len(numbers), n_columns)]


def whole_sums(biases):
    """Biases as sums of products."""
    values = [max(-64.0, min(64.0, float(bias))) * 4194304 for bias in biases]
    return [math.floor(abs(v) + 0.5) * (1 if v >= 0 else -1) for v in values]


def product(row, values):
    return sum(a * b for a, b in zip(row, values, strict=True))


def next_state(of_inputs, of_state, bias, inputs, state):
    """The state behind a word; weights and biases as `whole` and `whole_sums` have them."""
    n = len(state)
    out = []
    for k in range(n):
        z, r = (
            gate(wrapped(bias[j] + product(of_inputs[j], inputs) + product(of_state[j], state)))
            for j in (k, n + k)
        )
        j = 2 * n + k
        of_word = short(wrapped(bias[j] + product(of_inputs[j], inputs)) >> 10)
        of_before = short(wrapped(product(of_state[j], state)) >> 10)
        c = max(-ONE, min(ONE, short(of_word + short((r * of_before) >> 12))))
        out.append(state[k] + ((z * (c - state[k])) >> 12))
    return out


def inputs_of(arrays, row, prior, lead):
    """What the units read of a word."""
    numbers = [(int(v) - 128) * 128 for v in arrays["words"][16 * row : 16 * row + 16]]
    numbers += [(int(v) - 128) * 128 for v in arrays["priors"][8 * prior : 8 * prior + 8]]
    numbers += [int(max(-6.0, float(behind)) * 1024) for behind in lead]
    return numbers + [ONE if behind > -math.inf else 0 for behind in lead]


def second(lead):
    """How far the second case is behind the best."""
    return sorted(lead)[-2]


def added(arrays, n_units, doubt, words):
    """What is added to the cases of each word of a sentence; None: the word is not in doubt.

    `words` are (row, prior, leads, whether a cascade left it open).
    """
    states = {}
    inputs = [inputs_of(arrays, row, prior, lead) for row, prior, lead, _ in words]
    for name in ("forward", "backward"):
        of_inputs = whole(arrays[f"{name}.inputs"], sum(SIZES))
        of_state = whole(arrays[f"{name}.state"], n_units)
        bias = whole_sums(arrays[f"{name}.bias"])
        state, found = [0] * n_units, []
        for one in inputs if name == "forward" else inputs[::-1]:
            state = next_state(of_inputs, of_state, bias, one, state)
            found.append(state)
        states[name] = found if name == "forward" else found[::-1]
    joined = whole(arrays["joined"], 2 * n_units + sum(SIZES))
    joined_bias = whole_sums(arrays["joined.bias"])
    out = []
    for i, (_, _, lead, is_open) in enumerate(words):
        if not is_open or second(lead) < -doubt:
            out.append(None)
            continue
        values = states["forward"][i] + states["backward"][i] + inputs[i]
        units = [
            max(0, wrapped(bias + product(row, values))) / 4194304
            for row, bias in zip(joined, joined_bias, strict=True)
        ]
        out.append(
            [
                float(arrays["out.bias"][t])
                + sum(float(arrays["out"][32 * t + k]) * units[k] for k in range(32))
                for t in range(4)
            ]
        )
    return out
