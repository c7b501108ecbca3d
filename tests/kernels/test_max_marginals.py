"""Max-marginals and their best path against enumeration of every path, for all orders."""

import itertools

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from reference.backoff import path_score
from small_ngrams import close, compile_model, random_model
from truecase_testing import max_marginals_of, viterbi_path


def by_enumeration(score, candidates):
    """Of each word, the best score of all paths through each of its candidates."""
    best = [[-np.inf] * len(options) for options in candidates]
    for path in itertools.product(*(range(len(options)) for options in candidates)):
        value = score(path)
        for scores, chosen in zip(best, path, strict=True):
            scores[chosen] = max(scores[chosen], value)
    return best


@pytest.mark.parametrize("order", [2, 3, 4, 5])
@examples(30)
@given(data=st.data())
def test_they_are_the_scores_of_the_best_paths_through_each_candidate(order, data):
    n_words = {2: 12, 3: 9, 4: 6, 5: 5}[order]
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    model = random_model(rng, order, n_words, data.draw(st.sampled_from([0.0, 0.3, 1.0])))
    closed = data.draw(st.booleans())
    if closed:
        model = close(model)
    form, unigram, backoff, scorer = compile_model(model, n_words, closed)
    candidates = [
        list(rng.choice(np.arange(3, n_words), size=rng.choice([1, 1, 2, 2, 2]), replace=False))
        for _ in range(data.draw(st.integers(0, 7)))
    ] + [[2]]
    node_score = [[float(rng.normal()) for _ in options] for options in candidates]
    weight, scale = data.draw(st.sampled_from([(1.0, 1.0), (0.3, 1.0), (0.5, 0.9)]))
    state = [[int(s) for s in rng.integers(0, 4, len(options))] for options in candidates]
    transition = rng.normal(size=(8, 8)).astype(np.float32)
    flat = np.array([word for options in candidates for word in options])
    first = np.cumsum([0] + [len(options) for options in candidates]).astype(np.int32)
    found, path = max_marginals_of(
        scorer, first, form[flat], unigram[flat], backoff[flat],
        np.array([s for scores in node_score for s in scores], np.float32),
        int(form[1]), float(backoff[1]), weight,
        np.array([s for states in state for s in states], np.uint8), transition, scale,
    )  # fmt: skip

    def score(path):
        states = [5, *(word[c] for word, c in zip(state, path, strict=True))]
        moves = sum(float(transition[a, b]) for a, b in itertools.pairwise(states))
        nodes = sum(word[c] for word, c in zip(node_score, path, strict=True))
        edges = path_score(model, 1, candidates, node_score, path, weight) - nodes
        return scale * (edges + moves) + nodes

    expected = by_enumeration(score, candidates)
    for word, scores in enumerate(expected):
        values = found[first[word] : first[word + 1]]
        leads = np.array(scores) - max(scores)
        np.testing.assert_allclose(values - values.max(), leads, atol=2e-3)
    best = max(map(score, itertools.product(*(range(len(options)) for options in candidates))))
    assert score(path.tolist()) == pytest.approx(best, abs=2e-3)


def test_a_long_sentence_keeps_its_precision():
    rng = np.random.default_rng(1)
    model = random_model(rng, 3, 9, 0.3)
    form, unigram, backoff, scorer = compile_model(model, 9)
    words = rng.integers(3, 9, 20_000)
    flat = np.concatenate([words, [2]])
    first = np.concatenate([np.arange(0, 20_001, 2), [20_001]]).astype(np.int32)
    arguments = (
        scorer, first, form[flat], unigram[flat], backoff[flat],
        rng.normal(size=20_001).astype(np.float32), int(form[1]), float(backoff[1]),
    )  # fmt: skip
    path = viterbi_path(*arguments)
    found, from_marginals = max_marginals_of(*arguments)
    assert np.array_equal(from_marginals, path)
    # The best path is the best one through each of its own candidates.
    on_path = found[first[:-1] + path]
    np.testing.assert_allclose(on_path, on_path.max(), atol=1e-6)
    assert found.max() == on_path.max()
