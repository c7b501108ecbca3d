"""grow-diag-final-and: what it must keep and may add, against its plain twin."""

from hypothesis import given
from hypothesis import strategies as st
from reference import symmetrise as reference

from truecase.alignment.lines import Phrases
from truecase.alignment.word_aligner import grow_diag_final_and

N = 6
LINKS = st.sets(st.tuples(st.integers(0, N - 1), st.integers(0, N - 1)), max_size=12)


def phrases(lines, n_target=N):
    words = [[[] for _ in range(n_target)] for _ in lines]
    for line, links in zip(words, lines, strict=True):
        for s, t in links:
            line[t].append(s)
    return Phrases.from_lines(words)


def run(forward, reverse, n_target=N):
    result = grow_diag_final_and(phrases(forward, n_target), phrases(reverse, n_target))
    return [{(s, t) for t, word in enumerate(line) for s in word} for line in result.to_lines()]


@given(st.lists(st.tuples(LINKS, LINKS), max_size=4))
def test_same_as_the_plain_twin(lines):
    forward, reverse = [line[0] for line in lines], [line[1] for line in lines]
    expected = [reference.grow_diag_final_and(f, r) for f, r in lines]
    assert run(forward, reverse) == expected
    for links, (f, r) in zip(expected, lines, strict=True):
        assert f & r <= links <= f | r


def test_each_step():
    # both directions; a neighbour; one diagonally; final, of which both words are free
    forward, reverse = {(0, 0), (1, 0), (4, 4)}, {(0, 0), (1, 1), (5, 4)}
    assert run([forward], [reverse]) == [{(0, 0), (1, 0), (1, 1), (4, 4)}]
    # not a neighbour whose words both have links
    assert run([{(0, 0), (1, 1), (0, 1)}], [{(0, 0), (1, 1)}]) == [{(0, 0), (1, 1)}]


def test_nothing():
    assert run([], []) == []
    assert run([set()], [set()], n_target=0) == [set()]


def test_a_long_way_to_grow():
    n = 20_000
    forward = {(i, i) for i in range(n)}
    reverse = {(0, 0)} | {(i, i + 1) for i in range(n - 1)}
    (links,) = run([forward], [reverse], n)
    assert (n - 1, n - 1) in links
