"""Products of bytes: every way of this machine gives what whole numbers give."""

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from reference.whole_numbers import fit_together, group_states
from truecase_testing import byte_products, has_byte_way, rounded_byte_products, states_of_groups

pytestmark = pytest.mark.parametrize("way", [way for way in range(4) if has_byte_way(way)])


def drawn(seed, n_rows, n_columns, n, extreme):
    """A matrix, its shifts, and vectors; with `extreme`, as large as they can be."""
    draw = np.random.default_rng(seed)
    weights = draw.integers(-63, 64, (n_rows, n_columns), dtype=np.int8)
    vectors = draw.integers(0, 256, (n, n_columns), dtype=np.uint8)
    if extreme:
        four = draw.permutation([63, 63, 2, 0] if draw.random() < 0.5 else [32, 32, 32, 32])
        eight = np.concatenate([four[[0, 1, 0, 1]], four[[2, 3, 2, 3]]]).astype(np.int8)
        weights = np.where(weights < 0, -1, 1).astype(np.int8) * np.resize(eight, n_columns)
        vectors[:] = np.where(draw.random(n_columns) < 0.9, 255, 0)
    for row in weights:
        if not fit_together(row.tolist()):
            row[:] = np.clip(row, -32, 32)
    return weights, draw.integers(0, 16, n_rows, dtype=np.int32), vectors


def wrapped(sums, weights, shifts, vectors):
    """What 32 bits keep of sums to which products are added."""
    products = vectors.astype(np.int64) @ weights.T.astype(np.int64)
    return (sums + (products << shifts) + 2**31) % 2**32 - 2**31


@examples(60)
@given(
    n_rows=st.sampled_from([16, 32, 48, 64, 80, 128, 208, 384]),
    n_columns=st.sampled_from([4, 8, 40, 64, 128]),
    n=st.integers(1, 9),
    seed=st.integers(0, 1000),
    extreme=st.booleans(),
)
def test_sums(way, n_rows, n_columns, n, seed, extreme):
    weights, shifts, vectors = drawn(seed, n_rows, n_columns, n, extreme)
    draw = np.random.default_rng(seed)
    sums = draw.integers(-(2**31), 2**31, (n, n_rows), dtype=np.int32)
    wanted = wrapped(sums, weights, shifts, vectors)
    byte_products(way, weights, shifts, vectors, sums)
    assert (sums == wanted).all()


@examples(60)
@given(
    n_rows=st.sampled_from([16, 48, 64, 96, 144, 192, 384]),
    n_columns=st.sampled_from([4, 16, 100]),
    n=st.integers(1, 9),
    third=st.sampled_from([10, 12]),
    seed=st.integers(0, 1000),
    extreme=st.booleans(),
)
def test_rounded_sums(way, n_rows, n_columns, n, third, seed, extreme):
    weights, shifts, vectors = drawn(seed, n_rows, n_columns, n, extreme)
    bias = np.random.default_rng(seed).integers(-(2**31), 2**31, n_rows, dtype=np.int32)
    sums = wrapped(bias, weights, shifts, vectors)
    by = np.where(np.arange(n_rows) // 16 % 3 == 2, third, 12)
    found = rounded_byte_products(way, weights, shifts, vectors, bias, third)
    assert (found == np.clip(sums >> by, -32768, 32767)).all()


@examples(60)
@given(
    n_groups=st.integers(1, 8),
    n_words=st.integers(1, 5),
    most=st.sampled_from([100, 4096, 32767]),
    seed=st.integers(0, 1000),
    extreme=st.booleans(),
)
def test_states(way, n_groups, n_words, most, seed, extreme):
    n_rows = 48 * n_groups
    weights, shifts, _ = drawn(seed, n_rows, 16, 1, extreme)
    zeros = -(weights.astype(np.int32).sum(1) << shifts) * 128
    draw = np.random.default_rng(seed)
    of_words, more = draw.integers(-most - 1, most + 1, (2, n_words, n_rows), dtype=np.int16)
    found = states_of_groups(way, weights, shifts, zeros.astype(np.int32), of_words, more)
    rows = [(row, int(shift)) for row, shift in zip(weights.tolist(), shifts, strict=True)]
    wanted = group_states(rows, of_words.tolist(), more.tolist())
    assert (found.astype(int) - 128 == wanted).all()
