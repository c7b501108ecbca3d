"""The arrays that hold alignments: what they accept, and the forms they are made from."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from truecase.alignment.lines import Phrases

LINE = st.one_of(st.integers(0, 4), st.lists(st.lists(st.integers(0, 9), max_size=4), max_size=5))
LINES = st.lists(LINE, max_size=6)


def cleaned(lines):
    return [
        line if isinstance(line, int) else [sorted(set(word)) for word in line] for line in lines
    ]


@given(LINES)
def test_from_lines_and_back(lines):
    phrases = Phrases.from_lines(lines)
    assert phrases.to_lines() == cleaned(lines)
    assert phrases.n_lines == len(lines)
    assert phrases.n_words == sum(x if isinstance(x, int) else len(x) for x in lines)
    assert phrases.n_links == sum(
        0 if isinstance(x, int) else len(w)
        for x in cleaned(lines)
        for w in ([] if isinstance(x, int) else x)
    )


@given(LINES, st.data())
def test_parts_and_whole(lines, data):
    phrases = Phrases.from_lines(lines)
    cut = data.draw(st.integers(0, len(lines)))
    parts = [phrases.select(0, cut), phrases.select(cut, len(lines))]
    assert parts[0].to_lines() + parts[1].to_lines() == cleaned(lines)
    assert Phrases.concatenate(parts).to_lines() == cleaned(lines)


def test_nothing():
    for phrases in (Phrases.from_lines([]), Phrases.unknown([]), Phrases.concatenate([])):
        assert (phrases.n_lines, phrases.n_words, phrases.n_links) == (0, 0, 0)
        assert phrases.to_lines() == []


def test_unknown():
    assert Phrases.unknown([2, 0, 1]).to_lines() == [2, 0, 1]


def arrays(**changed):
    """Two lines of two words and one, three links; some arrays replaced."""
    good = {
        "line_offsets": [0, 2, 3],
        "offsets": [0, 2, 2, 3],
        "source_words": [0, 4, 1],
        "unaligned": [0, 0],
    }
    return Phrases(**{name: np.array(value) for name, value in {**good, **changed}.items()})


def test_arrays_that_fit():
    assert arrays().to_lines() == [[[0, 4], []], [[1]]]
    assert arrays().source_words.dtype == np.int32


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"line_offsets": [0, 3]}, "line_offsets needs one entry more"),
        ({"line_offsets": [0, 2, 4]}, "line_offsets must lead from 0 to 3"),
        ({"line_offsets": [1, 2, 3]}, "line_offsets must lead from 0"),
        ({"line_offsets": [0, 9, 3]}, "line_offsets must not fall"),
        ({"offsets": [0, 2, 2, 9]}, "offsets must lead from 0 to 3"),
        ({"offsets": [0, 3, 2, 3]}, "offsets must not fall"),
        ({"offsets": []}, "must lead from 0"),
        ({"source_words": [0, -4, 1]}, "negative"),
        ({"source_words": [4, 0, 1]}, "do not rise"),
        ({"source_words": [4, 4, 1]}, "do not rise"),
        ({"source_words": [[0, 4, 1]]}, "source_words has 2 dimensions"),
        ({"unaligned": [0, 1]}, "has links"),
    ],
)
def test_arrays_that_do_not_fit(changed, message):
    with pytest.raises(ValueError, match=message):
        arrays(**changed)


def test_check():
    phrases = arrays()
    phrases.check(np.array([2, 1], np.int32), np.array([5, 2], np.int32))
    with pytest.raises(ValueError, match="3 target lines"):
        phrases.check(np.array([2, 1, 0], np.int32), np.array([5, 2], np.int32))
    with pytest.raises(ValueError, match="line 2: phrases of 1 words, but the target line has 2"):
        phrases.check(np.array([2, 2], np.int32), np.array([5, 2], np.int32))
    with pytest.raises(ValueError, match="1 source lines"):
        phrases.check(np.array([2, 1], np.int32), np.array([5], np.int32))
    with pytest.raises(ValueError, match=r"line 1: source word 4 .* has 4 words"):
        phrases.check(np.array([2, 1], np.int32), np.array([4, 2], np.int32))
    with pytest.raises(ValueError, match=r"line 2: source word 1 .* has 1 words"):
        phrases.check(np.array([2, 1], np.int32), np.array([5, 1], np.int32))
