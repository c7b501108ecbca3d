"""The objective against enumeration, its gradient against finite differences."""

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from parts import compiled
from reference import objective
from small_model import training_text
from truecase_testing import flat_arrays

from truecase.errors import ModelError
from truecase.kernels import schema as features
from truecase.training._dense_objective import TrainingLattices
from truecase.training.dense import Development

N_NODE = len(features.columns()) - 3 - len(features.transition_columns())


def short_lines(seed, n):
    """Lines short enough for every path to be tried."""
    lines = training_text(400, seed).splitlines()
    rng = np.random.default_rng(seed)
    chosen = []
    for line in rng.permutation(lines)[:n]:
        words = line.split()
        start = rng.integers(0, max(1, len(words) - 5))
        chosen.append(" ".join(words[start : start + 5]))
    return "\n".join([*chosen, "Zq-Xv krzt Vlm", "us US", ""]).encode()


@pytest.mark.parametrize("order", [2, 3, 4])
@examples(10)
@given(data=st.data())
def test_log_likelihood_and_gradient_by_enumeration(untrained, order, data):
    seed = data.draw(st.integers(0, 1000))
    rng = np.random.default_rng(seed)
    lattices = TrainingLattices(compiled(untrained(order)), short_lines(seed, 8))
    weights = rng.normal(size=len(features.columns()))
    if data.draw(st.booleans()):
        weights[1 + N_NODE :] = 0.0
    found, gradient, n_ambiguous, n_wrong = lattices.evaluate(weights)
    expected, expected_gradient = objective.evaluate(
        flat_arrays(lattices), order, list(weights), N_NODE, list(features.transition_states())
    )
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-9)
    assert gradient == pytest.approx(np.array(expected_gradient), rel=1e-7, abs=1e-8)
    assert n_ambiguous >= n_wrong >= 0


@pytest.mark.parametrize("order", [2, 3, 5])
def test_gradient_by_finite_differences(untrained, order):
    development = Development(compiled(untrained(order)), training_text(60, seed=5).encode())
    rng = np.random.default_rng(order)
    weights = features.default_weights() + rng.normal(scale=0.3, size=len(features.columns()))
    _, gradient, _, _ = development.evaluate(weights)
    for place in range(len(weights)):
        step = np.zeros(len(weights))
        step[place] = 1e-4
        above, below = (development.evaluate(weights + sign * step)[0] for sign in (1, -1))
        assert (above - below) / 2e-4 == pytest.approx(gradient[place], rel=1e-4, abs=1e-4)


@pytest.mark.parametrize("size", [1e3, 1e6])
def test_large_weights_and_long_sentences_stay_finite(untrained, size):
    line = training_text(2000, seed=8).replace("\n", " ").replace(".", ",").split()[:10_000]
    lattices = TrainingLattices(compiled(untrained()), (" ".join(line) + "\n").encode())
    rng = np.random.default_rng(4)
    for _ in range(3):
        weights = rng.uniform(-size, size, len(features.columns()))
        log_likelihood, gradient, _, _ = lattices.evaluate(weights)
        assert np.isfinite(log_likelihood) and log_likelihood <= 1e-6 * size
        assert np.isfinite(gradient).all()


def test_sums_do_not_depend_on_the_number_of_threads(untrained):
    text = training_text(3000, seed=6).encode()
    weights = features.default_weights()
    results = [
        Development(compiled(untrained()), text, threads).evaluate(weights)
        for threads in (1, 2, 3, 7)
    ]
    for result in results[1:]:
        assert result[0] == results[0][0]
        assert (result[1] == results[0][1]).all()
        assert result[2:] == results[0][2:]


@pytest.mark.parametrize("text", [b"", b"\n", b"\n\n", b"12 . 7\n", b"\xff\n", b"a" * 100_000])
def test_texts_with_nothing_to_learn(untrained, text):
    lattices = TrainingLattices(compiled(untrained()), text)
    log_likelihood, gradient, _, _ = lattices.evaluate(features.default_weights())
    assert np.isfinite(log_likelihood) and np.isfinite(gradient).all()


def test_the_right_candidates_may_be_several(untrained):
    # "The" at the start of a sentence: the lowercase word raised.
    lattices = TrainingLattices(compiled(untrained()), b"The bridge\nthe bridge\n")
    weights = features.default_weights()
    arrays = flat_arrays(lattices)
    assert (arrays["gold"] != 0).all()
    chosen = np.zeros(lattices.sizes["words"], np.uint8)
    _, _, n_ambiguous, _ = lattices.evaluate(weights, chosen)
    assert n_ambiguous == (arrays["width"] > 1).sum()


def test_wrong_arguments_are_refused(untrained, model_file):
    import truecase

    with pytest.raises(ModelError, match="preset crf"):
        TrainingLattices(compiled(truecase.Truecaser.load(model_file)), b"a\n")
    lattices = TrainingLattices(compiled(untrained()), b"The bridge\n")
    with pytest.raises(ValueError, match="weights"):
        lattices.evaluate(np.zeros(3))
    weights = features.default_weights()
    weights[0] = np.nan
    with pytest.raises(ValueError, match="finite"):
        lattices.evaluate(weights)
    with pytest.raises(ValueError, match="choices"):
        lattices.evaluate(features.default_weights(), np.zeros(1000, np.uint8))
