"""Forward-backward against enumeration of every path, for all orders, with and without masks."""

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from reference.backoff import best_paths
from reference.forward_backward import sums
from small_ngrams import close, compile_model, random_model
from truecase_testing import posteriors, viterbi_path


def random_lattice(rng, n_words, length):
    candidates = [
        list(rng.choice(np.arange(3, n_words), size=rng.choice([1, 1, 1, 2, 2]), replace=False))
        for _ in range(length)
    ] + [[2]]
    return candidates


def flat_lattice(candidates, form, unigram, backoff, node_score, state=None):
    flat = np.array([word for options in candidates for word in options])
    first = np.cumsum([0] + [len(options) for options in candidates]).astype(np.int32)
    arguments = {
        "first_node": first,
        "form": form[flat],
        "lm": unigram[flat],
        "backoff": backoff[flat],
        "score": np.array([s for scores in node_score for s in scores], np.float32),
        "start_form": int(form[1]),
        "start_backoff": float(backoff[1]),
    }
    if state is not None:
        arguments["state"] = np.array([s for states in state for s in states], np.uint8)
    return arguments


@pytest.mark.parametrize("order", [1, 2, 3, 4, 5])
@examples(40)
@given(data=st.data())
def test_sums_over_all_paths(order, data):
    n_words = {1: 12, 2: 12, 3: 9, 4: 6, 5: 5}[order]
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    model = random_model(rng, order, n_words, data.draw(st.sampled_from([0.0, 0.05, 0.3, 1.0])))
    closed = data.draw(st.booleans())
    if closed:
        model = close(model)
    form, unigram, backoff, scorer = compile_model(model, n_words, closed)
    candidates = random_lattice(rng, n_words, data.draw(st.integers(0, 7)))
    node_score = [[float(np.float32(rng.normal())) for _ in c] for c in candidates]
    state = [list(map(int, rng.integers(0, 8, len(c)))) for c in candidates]
    weight = data.draw(st.sampled_from([1.0, 0.25]))
    transition = allowed = None
    if data.draw(st.booleans()):
        transition = rng.normal(size=(8, 8)).astype(np.float32)
    if data.draw(st.booleans()):
        allowed = rng.integers(0, 4, len(candidates)).astype(np.uint64)
        # A mask without any of the word's candidates allows all of them.
        allowed[[len(c) == 1 for c in candidates]] = 0
    arguments = flat_lattice(candidates, form, unigram, backoff, node_score, state)
    log_z, posterior, lm, expected = posteriors(
        scorer, **arguments, lm_weight=weight, transition=transition, allowed=allowed
    )
    masks = None if allowed is None else [int(mask) for mask in allowed]
    true_z, true_posterior, true_lm, true_expected = sums(
        model, 1, candidates, node_score, weight, state,
        None if order == 1 else transition, masks,
    )  # fmt: skip
    assert log_z == pytest.approx(true_z, abs=2e-3)
    assert posterior == pytest.approx([p for ps in true_posterior for p in ps], abs=2e-3)
    assert lm == pytest.approx(true_lm, abs=4e-3)
    assert expected == pytest.approx(np.array(true_expected), abs=4e-3)


@pytest.mark.parametrize("order", [2, 3, 4])
@examples(30)
@given(data=st.data())
def test_viterbi_with_transitions(order, data):
    n_words = {2: 12, 3: 9, 4: 6}[order]
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    model = random_model(rng, order, n_words, 0.3)
    form, unigram, backoff, scorer = compile_model(model, n_words)
    candidates = random_lattice(rng, n_words, data.draw(st.integers(0, 7)))
    node_score = [[float(rng.normal()) for _ in options] for options in candidates]
    # One state per word id: the transition is a part of a bigram's score.
    state = [[word % 8 for word in options] for options in candidates]
    transition = rng.normal(size=(8, 8)).astype(np.float32)
    arguments = flat_lattice(candidates, form, unigram, backoff, node_score, state)
    path = viterbi_path(scorer, **arguments, transition=transition)

    class WithTransitions:
        def score(self, history, word):
            before = 5 if len(history) == 1 else history[-1] % 8
            return model.score(history, word) + transition[before][word % 8]

    _, best = best_paths(WithTransitions(), 1, candidates, node_score)
    assert tuple(path) in best


@pytest.mark.parametrize("size", [1.0, 1e3, 1e6])
@pytest.mark.parametrize("order", [2, 3])
def test_a_sentence_of_ten_thousand_words_with_large_features(order, size):
    rng = np.random.default_rng(1)
    model = random_model(rng, order, 9, 0.3)
    form, unigram, backoff, scorer = compile_model(model, 9)
    candidates = [list(rng.choice(np.arange(3, 9), 2, replace=False)) for _ in range(10_000)]
    candidates.append([2])
    node_score = [[float(s) for s in rng.uniform(-size, size, len(c))] for c in candidates]
    transition = rng.uniform(-size, size, (8, 8)).astype(np.float32)
    arguments = flat_lattice(candidates, form, unigram, backoff, node_score)
    for mask in (None, np.full(10_001, 1, np.uint64), np.full(10_001, 2, np.uint64)):
        log_z, posterior, lm, expected = posteriors(
            scorer, **arguments, transition=transition, allowed=mask
        )
        by_word = np.add.reduceat(posterior, arguments["first_node"][:-1])
        assert np.isfinite([log_z, lm]).all()
        assert by_word == pytest.approx(np.ones(10_001), abs=1e-9)
        assert expected.sum() == pytest.approx(10_001, rel=1e-9)
        if mask is not None:
            chosen = posterior.reshape(-1)[:20_000].reshape(-1, 2)[:, int(mask[0]) - 1]
            assert chosen == pytest.approx(np.ones(10_000), abs=1e-9)


def test_one_word_without_choice():
    rng = np.random.default_rng(1)
    form, unigram, backoff, scorer = compile_model(random_model(rng, 3, 5, 0.3), 5)
    arguments = flat_lattice([[2]], form, unigram, backoff, [[7.0]])
    log_z, posterior, lm, expected = posteriors(scorer, **arguments)
    assert (log_z, list(posterior), lm, expected.sum()) == (0.0, [1.0], 0.0, 0.0)


def test_masks_of_another_sentence_are_refused():
    rng = np.random.default_rng(1)
    form, unigram, backoff, scorer = compile_model(random_model(rng, 3, 5, 0.3), 5)
    arguments = flat_lattice([[3, 4], [2]], form, unigram, backoff, [[0.0, 0.0], [0.0]])
    with pytest.raises(ValueError, match="masks"):
        posteriors(scorer, **arguments, allowed=np.zeros(3, np.uint64))
    with pytest.raises(ValueError, match="transition"):
        posteriors(scorer, **arguments, transition=np.zeros((7, 8), np.float32))
