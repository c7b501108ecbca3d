"""Kneser-Ney probabilities of pairs, against the plain twin."""

import warnings

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from reference.translation import KneserNeyPairs
from small_tables import MENU, pair_counts, smooth_quietly, word_counts

from truecase.training.translation_tables import (
    DiscountWarning,
    count_translations,
    smooth,
    smooth_pairs,
    smooth_tags,
)

COUNTS = st.dictionaries(
    st.tuples(st.integers(0, 8), st.integers(100, 112)), st.integers(1, 9), max_size=40
)
# Counts of counts that give discounts, one of them 0.
REGULAR = {
    (s, 100 + t): n
    for (s, t), n in zip(
        [(s, t) for s in range(6) for t in range(6)],
        [1] * 12 + [2] * 8 + [3] * 6 + [4] * 3 + [7] * 7,
        strict=True,
    )
}


@given(COUNTS)
@example({})
@example(REGULAR)
@example({(1, 100): 5})
def test_probabilities_are_those_of_the_twin(counts):
    pairs = pair_counts(counts)
    smoothed = smooth_pairs(pairs)
    twin = KneserNeyPairs(counts, len(pairs.target) + 1)
    for i, source in enumerate(pairs.source.tolist()):
        assert smoothed.backoff[i] == pytest.approx(twin.backoff(source))
    for i, target in enumerate(pairs.target.tolist()):
        assert smoothed.continuation[i] == pytest.approx(twin.continuation(target))
    assert smoothed.unknown == pytest.approx(twin.continuation(-1))
    for source, target, p in zip(
        pairs.source[pairs.pair_source].tolist(),
        pairs.target[pairs.pair_target].tolist(),
        smoothed.probability,
        strict=True,
    ):
        assert p == pytest.approx(twin(source, target))


@given(COUNTS)
@example(REGULAR)
def test_every_source_gives_a_distribution(counts):
    """Over targets and one unknown, positive everywhere."""
    pairs = pair_counts(counts)
    smoothed = smooth_pairs(pairs)
    shares = np.append(smoothed.continuation, smoothed.unknown)
    assert shares.sum() == pytest.approx(1.0)
    table = np.outer(smoothed.backoff, shares)
    table[pairs.pair_source, pairs.pair_target] = smoothed.probability
    assert (table > 0).all() and (table <= 1).all()
    np.testing.assert_allclose(table.sum(axis=1), 1.0)


@given(st.lists(st.integers(0, 50), min_size=25, max_size=25))
@example([0] * 25)
@example([10**9] + [0] * 24)
def test_tags_give_distributions(counts):
    table = smooth_tags(np.array(counts, np.int64).reshape(5, 5))
    assert (table > 0).all()
    np.testing.assert_allclose(table.sum(axis=1), 1.0)


def test_more_frequent_is_likelier():
    tables = smooth_quietly(word_counts(MENU))
    table = tables.tag
    assert table[1, 1] > table[1, 0] > table[1, 2]
    assert table[2, 2] > table[2, 0]


def test_discounts_that_had_to_be_fixed_are_named():
    with pytest.warns(DiscountWarning) as warned:
        smooth(word_counts(MENU))
    for warning, name in zip(warned, ("surface", "lowercase"), strict=True):
        assert f"{name} forms" in str(warning.message) and "0.5 1 1.5" in str(warning.message)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert smooth_pairs(pair_counts(REGULAR)).discounts != (0.5, 1.0, 1.5)


def test_nothing_was_linked():
    tables = smooth_quietly(count_translations([]))
    assert tables.cased.unknown == tables.lower.unknown == 1.0
    np.testing.assert_allclose(tables.tag, 0.2)
