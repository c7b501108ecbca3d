"""Sorting of n-grams that come with counts, against plain Python."""

from collections import Counter
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from truecase.ngram._count import NgramBlock
from truecase.ngram.counting import merged

BOS, EOS = 1, 2


def packed(ngrams, bits):
    """Keys of n-grams, as arrays have them."""
    order = len(ngrams[0]) if ngrams else 1
    keys = [sum(w << bits * (order - 1 - i) for i, w in enumerate(words)) for words in ngrams]
    if order * bits <= 64:
        return np.array(keys, np.uint64)
    halves = [half for key in keys for half in (key >> 64, key & (1 << 64) - 1)]
    return np.array(halves, np.uint64)


def all_of(block, add, n):
    """The sums of what a block gives, filled again and again."""
    found, start = Counter(), 0
    while start < n or len(block):
        before, start = start, add(start) if start < n else start
        assert start > before or not before < n or len(block) == block.capacity
        keys, counts = block.flush()
        width = block.width
        whole = [int(k) for k in keys]
        if width == 2:
            whole = [hi << 64 | lo for hi, lo in zip(whole[::2], whole[1::2], strict=True)]
        assert whole == sorted(set(whole))
        found.update(dict(zip(whole, map(int, counts), strict=True)))
    return found


def key_of(words, bits):
    return int(sum(w << bits * (len(words) - 1 - i) for i, w in enumerate(words)))


@st.composite
def counted(draw):
    order = draw(st.integers(1, 5))
    words = st.lists(st.integers(0, 5), min_size=order, max_size=order)
    return order, draw(st.lists(st.tuples(words, st.integers(1, 9)), max_size=30))


@given(
    counted(),
    st.lists(st.integers(0, 7), min_size=6, max_size=6),
    st.sampled_from([3, 12, 13, 25]),
    st.sampled_from([3, 12, 25]),
    st.integers(1, 7),
    st.data(),
)
def test_under_other_ids(records, new_id, bits, new_bits, capacity, data):
    order, records = records
    new_order = data.draw(st.integers(1, order))
    keys = packed([words for words, _ in records], bits)
    counts = np.array([count for _, count in records], np.uint32)
    ids = np.array(new_id, np.uint32)
    block = NgramBlock(new_order, new_bits, capacity, counted=True)
    found = all_of(
        block,
        lambda start: block.add_renumbered(start, keys, counts, order, bits, ids),
        len(records),
    )
    wanted = Counter()
    for words, count in records:
        renamed = [new_id[word] for word in words[len(words) - new_order :]]
        wanted[key_of(renamed, new_bits)] += count
    assert found == wanted


RUNS = st.lists(st.dictionaries(st.integers(0, 30), st.integers(1, 9), max_size=12), max_size=6)


@given(RUNS, st.sampled_from([1, 2]), st.integers(1, 5), st.integers(1, 40))
def test_runs_are_merged(runs, width, part, chunk_records):
    order, bits = (1, 5) if width == 1 else (4, 32)
    shift = 0 if width == 1 else 62

    def source(run):
        keys = [(key + 1) << shift for key in sorted(run)]
        counts = [run[key] for key in sorted(run)]
        parts = [
            (packed([[k >> bits * (order - 1 - i) & (1 << bits) - 1 for i in range(order)]
                     for k in keys[start : start + part]], bits),
             np.array(counts[start : start + part], np.uint32))
            for start in range(0, len(keys), part)
        ]  # fmt: skip
        return partial(next, iter(parts), (np.zeros(0, np.uint64), np.zeros(0, np.uint32)))

    plan = SimpleNamespace(chunk_records=chunk_records)
    found = list(merged([source(run) for run in runs], order, bits, plan))
    keys = [int(k) for piece, _ in found for k in piece]
    if width == 2:
        keys = [hi << 64 | lo for hi, lo in zip(keys[::2], keys[1::2], strict=True)]
    wanted = sum(map(Counter, runs), Counter())
    assert keys == [(key + 1) << shift for key in sorted(wanted)]
    assert [int(n) for _, counts in found for n in counts] == [wanted[k] for k in sorted(wanted)]
    most = max(chunk_records, len(runs))
    assert all(0 < len(counts) <= most for _, counts in found)


def test_a_count_too_large_is_an_error():
    block = NgramBlock(1, 4, 4, counted=True)
    keys, ids = np.array([3, 3], np.uint64), np.arange(8, dtype=np.uint32)
    block.add_renumbered(0, keys, np.array([1 << 31, 1 << 31], np.uint32), 1, 4, ids)
    with pytest.raises(OverflowError, match=r"2\*\*32 times"):
        block.flush()
    assert len(block) == 0


@pytest.mark.parametrize(
    ("ids", "arguments"),
    [([0, 1], (0, 1, 4)), ([0, 1, 2, 99], (0, 1, 4)), ([0] * 9, (-1, 1, 4)), ([0] * 9, (0, 1, 99))],
)
def test_words_without_a_new_id(ids, arguments):
    block = NgramBlock(1, 4, 4, counted=True)
    keys, counts = np.array([3], np.uint64), np.array([1], np.uint32)
    start, order, bits = arguments
    with pytest.raises(ValueError, match=r"negative|do not fit|not among"):
        block.add_renumbered(start, keys, counts, order, bits, np.array(ids, np.uint32))


def test_keys_and_counts_go_together():
    block = NgramBlock(1, 4, 4, counted=True)
    keys, counts = np.array([3, 4], np.uint64), np.array([1], np.uint32)
    with pytest.raises(ValueError, match="as many keys as counts"):
        block.add_renumbered(0, keys, counts, 1, 4, np.arange(9, dtype=np.uint32))
    with pytest.raises(ValueError, match="as many keys as counts"):
        block.add_counted(0, keys, counts)


def test_n_grams_with_and_without_counts_are_not_mixed():
    keys, counts, ids = np.array([3], np.uint64), np.array([1], np.uint32), np.zeros(9, np.uint32)
    for block, add in (
        (NgramBlock(1, 4, 4), lambda block: block.add_renumbered(0, keys, counts, 1, 4, ids)),
        (NgramBlock(1, 4, 4), lambda block: block.add_counted(0, keys, counts)),
        (NgramBlock(1, 4, 4, counted=True), lambda block: block.add_ids(0, ids, 9)),
        (NgramBlock(1, 4, 4, counted=True), lambda block: block.add_suffixes(0, keys)),
    ):
        with pytest.raises(ValueError, match="with counts"):
            add(block)
