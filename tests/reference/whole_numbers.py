"""Whole numbers of recurrent units, as truecase/kernels/_recurrent.pxd has them."""

import math

ONE = 4096


def short(value):
    """Within the bounds of 16 bits."""
    return max(-32768, min(32767, value))


def wrapped(value):
    """What 32 bits keep of a sum."""
    return (value + 2**31) % 2**32 - 2**31


def gate(total):
    """A gate of a sum of products."""
    return max(0, min(ONE, short(total >> 12) + ONE // 2))


def whole_sums(biases):
    """Biases as sums of products."""
    values = [max(-64.0, min(64.0, float(bias))) * 4194304 for bias in biases]
    return [math.floor(abs(v) + 0.5) * (1 if v >= 0 else -1) for v in values]
