"""Viterbi against enumeration of every path, for all orders, on random models and lattices."""

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from reference.backoff import best_paths
from small_ngrams import close, compile_model, random_model
from truecase_testing import viterbi_path


@pytest.mark.parametrize("order", [1, 2, 3, 4, 5])
@examples(30)
@given(data=st.data())
def test_best_path_is_the_best_of_all_paths(order, data):
    n_words = {1: 12, 2: 12, 3: 9, 4: 6, 5: 5}[order]
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    density = data.draw(st.sampled_from([0.0, 0.05, 0.3, 1.0]))
    model = random_model(rng, order, n_words, density)
    closed = data.draw(st.booleans())
    if closed:
        model = close(model)
    form, unigram, backoff, scorer = compile_model(model, n_words, closed)
    length = data.draw(st.integers(0, 7))
    candidates = [
        list(rng.choice(np.arange(3, n_words), size=rng.choice([1, 1, 1, 2, 2]), replace=False))
        for _ in range(length)
    ] + [[2]]
    node_score = [[float(rng.normal()) for _ in options] for options in candidates]
    weight = data.draw(st.sampled_from([1.0, 0.3]))
    flat = np.array([word for options in candidates for word in options])
    first = np.cumsum([0] + [len(options) for options in candidates]).astype(np.int32)
    path = viterbi_path(
        scorer, first, form[flat], unigram[flat], backoff[flat],
        np.array([s for scores in node_score for s in scores], np.float32),
        int(form[1]), float(backoff[1]), weight,
    )  # fmt: skip
    _, best = best_paths(model, 1, candidates, node_score, weight)
    assert tuple(path) in best


def test_a_sentence_of_ten_thousand_words_has_a_path():
    rng = np.random.default_rng(1)
    model = random_model(rng, 3, 9, 0.3)
    form, unigram, backoff, scorer = compile_model(model, 9)
    words = rng.integers(3, 9, 20_000)
    flat = np.concatenate([words, [2]])
    first = np.concatenate([np.arange(0, 20_001, 2), [20_001]]).astype(np.int32)
    path = viterbi_path(
        scorer, first, form[flat], unigram[flat], backoff[flat], np.zeros(20_001, np.float32),
        int(form[1]), float(backoff[1]),
    )  # fmt: skip
    assert len(path) == 10_001 and set(path) == {0, 1}


@pytest.mark.parametrize("first", [[0], [0, 2], [1, 3], [0, 0, 3], [0, 3, 2, 3]])
def test_a_broken_lattice_is_refused(first):
    rng = np.random.default_rng(1)
    form, unigram, backoff, scorer = compile_model(random_model(rng, 2, 5, 0.3), 5)
    with pytest.raises(ValueError):
        viterbi_path(
            scorer, np.array(first, np.int32), form[:3], unigram[:3], backoff[:3],
            np.zeros(3, np.float32), int(form[1]), 0.0,
        )  # fmt: skip
