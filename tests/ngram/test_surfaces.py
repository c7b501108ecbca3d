"""Words in an order of their own, against Python's."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from truecase.ngram.vocabulary import SPECIAL_SURFACES, IdStream, Vocabulary, canonical_order

# Of few bytes, so that many begin alike; 0 and 255 are where signs would matter.
WORDS = st.lists(
    st.lists(st.sampled_from([0, 1, 97, 98, 255]), min_size=1, max_size=20).map(bytes),
    unique=True,
    max_size=30,
)


def vocabulary(words):
    return Vocabulary.from_surfaces([*SPECIAL_SURFACES, *words])


@given(WORDS)
def test_words_by_their_bytes(words):
    given = vocabulary(words)
    assert [given.surface(i) for i in given.byte_order()] == sorted(words)


@given(WORDS, st.data())
def test_frequent_words_come_first(words, data):
    counts = data.draw(st.lists(st.integers(0, 3), min_size=len(words), max_size=len(words)))
    given = vocabulary(words)
    taken = given.take(canonical_order(given, np.array([0, 0, 0, *counts])))
    wanted = sorted(words, key=lambda word: (-counts[words.index(word)], word))
    assert list(taken) == [*SPECIAL_SURFACES, *wanted]


def test_ids_beyond_the_vocabulary_are_refused():
    with pytest.raises(IndexError):
        vocabulary([b"a"]).take(np.array([4], np.uint32))


@pytest.mark.parametrize("on_disk", [False, True])
def test_a_stream_under_other_ids(on_disk):
    stream = IdStream(on_disk)
    stream.append(np.array([3, 4, 2], np.uint32), 1)
    stream.append(np.array([4, 2], np.uint32), 1)
    other = stream.renumbered(np.array([0, 1, 2, 7, 5], np.uint32))
    assert [list(map(int, chunk)) for chunk in other.line_chunks()] in (
        [[7, 5, 2], [5, 2]],
        [[7, 5, 2, 5, 2]],
    )
    assert other.n_lines == 2 and other.n_words == 3
    assert len(stream) == 0
