"""Products of bytes: every way of this machine gives the sums that whole numbers give."""

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from truecase_testing import byte_products


@pytest.mark.parametrize("way", [0, 1, 2, 3])
@examples(60)
@given(
    n_rows=st.sampled_from([16, 32, 48, 64, 80, 128, 208, 384]),
    n_columns=st.sampled_from([4, 8, 40, 64, 128]),
    n=st.integers(1, 9),
    seed=st.integers(0, 1000),
    extreme=st.booleans(),
)
def test_every_way_is_the_same(way, n_rows, n_columns, n, seed, extreme):
    draw = np.random.default_rng(seed)
    weights = draw.integers(-63, 64, (n_rows, n_columns), dtype=np.int8)
    vectors = draw.integers(0, 256, (n, n_columns), dtype=np.uint8)
    if extreme:
        weights = np.where(weights < 0, -63, 63).astype(np.int8)
        vectors[:] = np.where(draw.random(n_columns) < 0.9, 255, 0)
    shifts = draw.integers(0, 16, n_rows, dtype=np.int32)
    sums = draw.integers(-(2**31), 2**31, (n, n_rows), dtype=np.int32)
    products = vectors.astype(np.int64) @ weights.T.astype(np.int64)
    wanted = (sums + (products << shifts) + 2**31) % 2**32 - 2**31
    if byte_products(weights, shifts, vectors, sums, way):
        assert (sums == wanted).all()
