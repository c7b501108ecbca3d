"""The naive phrase aligner: what WKM 5 promises, on random alignments and on awkward ones."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from reference import naive_aligner as reference

from truecase.alignment.lines import Phrases
from truecase.alignment.naive_aligner import (
    DEFAULT_LENGTHS,
    MAX_PHRASE_WORDS,
    draw_pairs,
    naive_phrases,
    phrase_words,
)

MAX_LENGTH = 64


@st.composite
def alignments(draw, max_words=9):
    """A line: source words of each target word, and the number of source words.

    Mostly near the diagonal, as otherwise hardly anything but the whole line is consistent.
    """
    n_source = draw(st.integers(0, max_words))
    n_target = draw(st.integers(0, max_words))
    words = [set() for _ in range(n_target)]
    if n_source and n_target:
        for _ in range(draw(st.integers(0, n_target + 2))):
            target = draw(st.integers(0, n_target - 1))
            if draw(st.integers(0, 4)):
                near = target * n_source // n_target + draw(st.integers(-1, 1))
                words[target].add(min(max(near, 0), n_source - 1))
            else:
                words[target].add(draw(st.integers(0, n_source - 1)))
    return [sorted(word) for word in words], n_source


WEIGHTS = st.one_of(
    st.just([0.5**n for n in range(1, 8)]),
    st.lists(st.sampled_from([0.0, 0.5, 1.0, 3.0]), min_size=1, max_size=5).filter(any),
)


def run(lines, weights=DEFAULT_LENGTHS, seed=1):
    """The pairs of each line."""
    links = Phrases.from_lines([words for words, _ in lines])
    return list(draw_pairs(links, np.array([n for _, n in lines], np.int32), weights, seed))


def phrases(lines):
    links = Phrases.from_lines([words for words, _ in lines])
    return naive_phrases(links, np.array([n for _, n in lines], np.int32)).to_lines()


def spread(pairs):
    """The source words of each target word, if the pairs are short."""
    return [list(range(a, b)) for a, b, begin, end in pairs for _ in range(begin, end)]


@given(st.lists(alignments(), max_size=4), WEIGHTS, st.integers(0, 2**64 - 1))
# Nothing but the whole line is consistent, found out only at its last word.
@example([([[0, 3], [1], [2], [0, 3]], 4)], [1.0], 0)
# An earlier pair lies within the target span of what cannot be done without it.
@example([([[1], [0], [1]], 2)], [1.0], 0)
@example([([[2], [0], [3], [1]], 4)], [1.0, 1.0], 3)
# Source words without links first, in the middle and last.
@example([([[2], [], [4]], 7)], [1.0], 0)
def test_same_as_the_plain_twin(lines, weights, seed):
    total = math.fsum(weights)
    shares = [weight / total for weight in weights]
    expected = [
        reference.pairs(words, n_source, shares, seed, i)
        for i, (words, n_source) in enumerate(lines, 1)
    ]
    assert run(lines, weights, seed) == expected


@given(alignments(14), WEIGHTS, st.integers(0, 99))
def test_what_is_promised(line, weights, seed):
    words, n_source = line
    (pairs,) = run([line], weights, seed)
    if not words or not n_source:
        assert pairs == []
        return
    # every target word is in exactly one phrase, and so is every source word
    assert [t for _, _, begin, end in pairs for t in range(begin, end)] == list(range(len(words)))
    assert sorted(s for begin, end, _, _ in pairs for s in range(begin, end)) == [*range(n_source)]
    assert all(begin < end for pair in pairs for begin, end in (pair[:2], pair[2:]))
    # every pair is consistent with the links, and has one if the line has any
    links = [(s, t) for t, sources in enumerate(words) for s in sources]
    for begin, end, target_begin, target_end in pairs:
        source, target = range(begin, end), range(target_begin, target_end)
        assert reference.is_consistent(links, source, target)
        assert not links or any(s in source for s, _ in links)
    # words without links belong to the phrase on their left
    for t, sources in enumerate(words):
        if not sources and t > 0 and links:
            assert not any(t == begin for _, _, begin, _ in pairs)


@given(alignments())
def test_phrases_have_all_words_of_their_source_phrase(line):
    words, _ = line
    (found,), (pairs,) = phrases([line]), run([line])
    if not pairs:
        assert found == (len(words) or [])
        return
    assert found == spread(pairs)
    assert all(set(links) <= set(phrase) for links, phrase in zip(words, found, strict=True))


def test_lines_of_which_nothing_is_known():
    links = Phrases.from_lines([[[0]], 2, [[], []], 0])
    found = naive_phrases(links, np.array([1, 3, 3, 1], np.int32))
    assert found.to_lines() == [[[0]], 2, [[0, 1, 2]] * 2, []]


def diagonal(n):
    return [[i] for i in range(n)], n


@pytest.mark.parametrize("weights", [DEFAULT_LENGTHS, (1, 0, 2, 0, 5), (0, 1), (1,) * MAX_LENGTH])
def test_lengths_follow_the_distribution_where_the_alignment_lets_them(weights):
    n_lines, n_words = 12, 900
    lengths = Counter()
    for pairs in run([diagonal(n_words)] * n_lines, weights):
        # The last words of a line have no room for every length.
        lengths.update(b - a for a, b, _, _ in pairs if a < n_words - 2 * MAX_LENGTH)
    n = sum(lengths.values())
    chi_square = 0.0
    for length, weight in enumerate(weights, 1):
        expected = n * weight / sum(weights)
        if weight == 0:
            assert lengths[length] == 0
        else:
            chi_square += (lengths[length] - expected) ** 2 / expected
    freedom = sum(weight > 0 for weight in weights) - 1
    # far out in the tail: a fixed seed, so that this passes always or never
    assert chi_square <= freedom + 4 * math.sqrt(2 * max(freedom, 1)) + 4


def test_lengths_follow_the_distribution_between_obstacles():
    # Of every four words, two are linked with both: no phrase may begin or end between them.
    n = 2400
    words = [[i, i + 1] if i % 4 == 0 else [i - 1, i] if i % 4 == 1 else [i] for i in range(n)]
    (line,) = run([(words, n)], (1, 2, 1))
    at_crossing = Counter(b - a for a, b, _, _ in line if a % 4 == 0)
    assert set(at_crossing) == {2, 3}
    assert at_crossing[2] / sum(at_crossing.values()) == pytest.approx(2 / 3, abs=0.1)


def test_repeatable_by_seed():
    lines = [diagonal(20)] * 50
    whole = run(lines, seed=7)
    assert run(lines, seed=7) == whole
    assert run(lines[:13], seed=7) == whole[:13]
    assert run(lines, seed=8) != whole
    assert len({str(line) for line in whole}) > 40
    assert run(lines, seed=-1)


def test_weights_count_relative_to_each_other():
    lines = [diagonal(50)] * 5
    assert run(lines, (2, 4)) == run(lines, (1, 2))


LONG = 60_000


@pytest.mark.parametrize(
    "words",
    [
        [[i] for i in range(LONG)],
        [[LONG - 1 - i] for i in range(LONG)],
        # each closed pair takes all before it in
        [[i, i + 1] if i + 1 < LONG else [i] for i in range(LONG)],
        [[i, LONG - 1] for i in range(LONG - 1)] + [[LONG - 1]],
        [[(i * 7919) % LONG] for i in range(LONG)],
        [[i // 2] if i % 2 else [] for i in range(LONG)],
        [[0]] + [[] for _ in range(LONG - 2)] + [[LONG - 1]],
        [[i] if i % 3 else [LONG - 1 - i] for i in range(LONG)],
        # target words that go back to the beginning, one at a time
        [[0] if i % 2 else [i] for i in range(LONG)],
    ],
    ids=range(9),
)
def test_long_lines_end(words):
    (line,) = run([(words, LONG)])
    assert line[0][2] == 0 and line[-1][3] == LONG
    assert sum(b - a for a, b, _, _ in line) == LONG


@pytest.mark.parametrize(("size", "n_words"), [(256, 3), (257, 2), (1000, 700), (5000, 4999)])
def test_long_phrases_take_bounded_memory(size, n_words):
    found = [phrase_words(3, 3 + size, word, n_words) for word in range(n_words)]
    assert all(len(words) == MAX_PHRASE_WORDS for words in found)
    middles = [(2 * word + 1) * size // (2 * n_words) + 3 for word in range(n_words)]
    assert all(middle in words for middle, words in zip(middles, found, strict=True))
    assert min(map(min, found)) == 3 and max(map(max, found)) == 2 + size


def test_links_of_other_lines():
    links = Phrases.from_lines([[[0]], [[0], [4]]])
    with pytest.raises(ValueError, match=r"line 2: source word 4 .* has 4 words"):
        naive_phrases(links, np.array([1, 4], np.int32))
    with pytest.raises(ValueError, match="2 lines, but 1 source lines"):
        naive_phrases(links, np.array([1], np.int32))
    with pytest.raises(ValueError):
        naive_phrases(links, np.array([1, -1], np.int32))
