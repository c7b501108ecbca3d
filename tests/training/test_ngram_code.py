"""N-grams as bytes: there and back, against plain Python, and whatever bytes come."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from truecase.training._ngram_code import decode, encode

MASK = (1 << 64) - 1


def number(value):
    """Seven bits a byte, the lowest first."""
    out = []
    while value >= 128:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def plain(records, previous=0):
    out = b""
    for key, count in records:
        out += number(key - previous) + number(count)
        previous = key
    return out


def halves(key):
    return key >> 64, key & MASK


def arrays(records, width):
    keys = [half for key, _ in records for half in halves(key)[2 - width :]]
    return np.array(keys, np.uint64), np.array([count for _, count in records], np.uint32)


@st.composite
def runs(draw):
    width = draw(st.sampled_from([1, 2]))
    # Near each other and far away, around the ends of the halves.
    near = st.integers(0, 300)
    far = st.integers(0, (1 << 64 * width) - 1)
    edge = st.sampled_from([MASK - 1, MASK, *([MASK + 1, (1 << 128) - 1] if width == 2 else [])])
    keys = sorted(draw(st.sets(near | far | edge, max_size=20)))
    previous = 0
    if keys and draw(st.booleans()):
        previous, *keys = keys
    counts = st.integers(1, (1 << 32) - 1) | st.integers(1, 200)
    return width, previous, [(key, draw(counts)) for key in keys if key]


@given(runs())
def test_there_and_back(run):
    width, previous, records = run
    keys, counts = arrays(records, width)
    coded = encode(keys, width, counts, halves(previous))
    assert coded.tobytes() == plain(records, previous)
    found = decode(coded, len(records), width, halves(previous))
    assert (found[0] == keys).all() and (found[1] == counts).all()
    assert len(found[1]) == len(counts)


@pytest.mark.parametrize("records", [[(5, 1), (5, 1)], [(5, 1), (4, 1)], [(5, 0)], [(0, 1)]])
def test_what_is_out_of_order_is_not_written(records):
    with pytest.raises(ValueError, match="not in their order"):
        encode(*(a := arrays(records, 1))[:1], 1, a[1], (0, 0))


@pytest.mark.parametrize(
    ("coded", "n", "width", "previous", "what"),
    [
        (b"", 1, 1, 0, "too few"),
        (b"\x05\x01", 2, 1, 0, "too few"),
        (b"\x05\x01", 0, 1, 0, "too many"),
        (b"\x05\x01\x01\x81", 2, 1, 0, "too early"),
        (b"\x85\x85", 1, 1, 0, "too early"),
        (b"\x00\x01", 1, 1, 7, "twice"),
        (b"\x05\x00", 1, 1, 0, "without a count"),
        (b"\x05" + number(1 << 32), 1, 1, 0, "too large"),
        (number(1 << 64) + b"\x01", 1, 1, 0, "too large"),
        (b"\x01\x01", 1, 1, MASK, "too large"),
        (b"\x01\x01", 1, 2, (1 << 128) - 1, "too large"),
        (number(1 << 128) + b"\x01", 1, 2, 0, "too large"),
        (b"\xff" * 30, 1, 2, 0, "too large"),
        (b"\x05\x01\x05\x01", 1, 1, 0, "too many"),
        (b"\x05\x01", -1, 1, 0, "too few"),
    ],
)
def test_damaged_bytes(coded, n, width, previous, what):
    with pytest.raises(ValueError, match=what):
        decode(np.frombuffer(coded, np.uint8), n, width, halves(previous))


@given(st.binary(max_size=60), st.integers(0, 40), st.sampled_from([1, 2]))
def test_whatever_bytes_come_are_refused_or_rise(coded, n, width):
    try:
        keys, counts = decode(np.frombuffer(coded, np.uint8), n, width, (0, 0))
    except ValueError:
        return
    whole = [int(k) for k in keys]
    if width == 2:
        whole = [hi << 64 | lo for hi, lo in zip(whole[::2], whole[1::2], strict=True)]
    assert whole == sorted(set(whole)) and len(whole) == n
    assert n == 0 or counts.min() > 0
