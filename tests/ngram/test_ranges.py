"""N-grams counted by ranges of first words, beside a dictionary."""

from collections import Counter

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from truecase.ngram._kneser_ney import count_words
from truecase.ngram.counting import counted_by_range


def packed(ngrams, bits):
    order = len(ngrams[0])
    width = 1 if order * bits <= 64 else 2
    keys = []
    for ngram in ngrams:
        key = 0
        for word in ngram:
            key = key << bits | word
        keys += [key >> 64, key & (1 << 64) - 1][2 - width :]
    return np.array(keys, np.uint64)


@pytest.mark.parametrize("threads", [1, 2])
# Both fit one word; only the suffixes do; neither does.
@pytest.mark.parametrize(("order", "bits"), [(3, 4), (3, 30), (4, 22), (5, 24)])
@examples(15)
@given(data=st.data())
def test_suffixes_are_counted_as_by_a_dictionary(threads, order, bits, data):
    ngram = st.tuples(*[st.integers(1, 12)] * order)
    ngrams = sorted(data.draw(st.lists(ngram, min_size=1, max_size=60, unique=True)))
    keys = packed(ngrams, bits)
    most = np.zeros(13, np.int64)
    count_words(keys, order, bits, order - 2, most)
    assert most.tolist() == [sum(ngram[1] == word for ngram in ngrams) for word in range(13)]

    def add(block, first, last):
        start = 0
        while start < len(ngrams):
            start = block.add_suffixes(start, keys, first, last)

    at_once = data.draw(st.integers(1, 80))
    pieces = list(counted_by_range(order - 1, bits, most, add, threads, at_once))
    expected = Counter(ngram[1:] for ngram in ngrams)
    assert np.array_equal(
        np.concatenate([keys for keys, _ in pieces]), packed(sorted(expected), bits)
    )
    counts = np.concatenate([counts for _, counts in pieces])
    assert counts.tolist() == [expected[ngram] for ngram in sorted(expected)]


def test_second_words_beyond_the_vocabulary_are_refused():
    with pytest.raises(ValueError, match="word id 3 in an n-gram: expected 2 … 2"):
        count_words(packed([(1, 3, 1)], 4), 3, 4, 1, np.zeros(3, np.int64))
