"""Viterbi against enumeration of every path, for all orders, on random models and lattices."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.backoff import BackoffModel, best_paths

from truecase.decode._viterbi import best_path
from truecase.ngram._score import NgramScorer
from truecase.ngram.table import LN10, pack_order


def random_model(rng, order, n_words, density):
    """A model whose n-grams are a random part of all; ids 1 and 2 are <s> and </s>."""
    probability, backoff = {}, {}
    for word in range(n_words):
        probability[(word,)] = -rng.uniform(0.5, 6.0)
        backoff[(word,)] = -rng.uniform(0.0, 2.0)
    for k in range(2, order + 1):
        for gram in np.ndindex(*(n_words,) * k):
            if rng.random() < density:
                probability[gram] = -rng.uniform(0.2, 5.0)
                if k < order:
                    backoff[gram] = -rng.uniform(0.0, 2.0)
    return BackoffModel(order, probability, backoff)


def close(model):
    """Add the shorter n-grams that the longer ones contain, and make backoffs say what goes on."""
    rng = np.random.default_rng(9)
    for k in range(model.order, 1, -1):
        for gram in [gram for gram in model.probability if len(gram) == k]:
            for shorter in (gram[:-1], gram[1:]):
                model.probability.setdefault(shorter, -rng.uniform(0.2, 5.0))
    contexts = {gram[:-1] for gram in model.probability}
    for gram in model.probability:
        if len(gram) < model.order:
            backoff = model.backoff.get(gram, 0.0)
            model.backoff[gram] = min(backoff, -0.01) if gram in contexts else 0.0
    return model


def compile_model(model, n_words, closed=False):
    """The same model in packed tables, wide enough to be exact to about 1e-4."""
    form = np.random.default_rng(5).integers(1, 2**63, n_words).astype(np.uint64)
    tables = []
    for k in range(2, model.order + 1):
        grams = sorted(gram for gram in model.probability if len(gram) == k)
        words = np.array(grams, np.uint32).reshape(len(grams), k)
        prob = np.array([model.probability[g] for g in grams], np.float64) / LN10
        back = np.array([model.backoff.get(g, 0.0) for g in grams], np.float64) / LN10
        tables.append(
            pack_order(words, prob, back if k < model.order else None, form, 16, 16, 24, 0.7)
        )
    unigram = np.array([model.probability[(w,)] for w in range(n_words)], np.float32)
    backoff = np.array([model.backoff[(w,)] for w in range(n_words)], np.float32)
    return form, unigram, backoff, NgramScorer(form, unigram, backoff, tables, closed)


@pytest.mark.parametrize("order", [1, 2, 3, 4, 5])
@settings(max_examples=30, deadline=None)
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
    path = best_path(
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
    path = best_path(
        scorer, first, form[flat], unigram[flat], backoff[flat], np.zeros(20_001, np.float32),
        int(form[1]), float(backoff[1]),
    )  # fmt: skip
    assert len(path) == 10_001 and set(path) == {0, 1}


@pytest.mark.parametrize("first", [[0], [0, 2], [1, 3], [0, 0, 3], [0, 3, 2, 3]])
def test_a_broken_lattice_is_refused(first):
    rng = np.random.default_rng(1)
    form, unigram, backoff, scorer = compile_model(random_model(rng, 2, 5, 0.3), 5)
    with pytest.raises(ValueError):
        best_path(
            scorer, np.array(first, np.int32), form[:3], unigram[:3], backoff[:3],
            np.zeros(3, np.float32), int(form[1]), 0.0,
        )  # fmt: skip
