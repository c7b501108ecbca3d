"""Ω against enumeration of every path and plain left-to-right search; the paper's example."""

import math
from fractions import Fraction

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from reference.backoff import BackoffModel
from reference.portage import CountedText, best_paths, left_to_right
from small_ngrams import compile_model, random_model
from truecase_testing import VARIANTS, omega_path

#: Agbago, Kuhn & Foster (2005), 3.5.
EXAMPLE = (
    "Akakpo is the son of Agbago . So his name is said and written as Akakpo Agbago in Canada "
    "but Akakpo AGBAGO in Togo . Akakpo AGBAGO is unique in Togo . Akakpo is a last name for "
    "many . Agbago is a good guy . Agbago is smart . Agbago is kind ."
)


def flatten(values, dtype):
    return np.array([value for part in values for value in part], dtype)


def chosen(model, n_words, candidates, node_score, known, **options):
    form, unigram, backoff, scorer = compile_model(model, n_words)
    flat = flatten(candidates, np.int64)
    first = np.cumsum([0] + [len(options) for options in candidates]).astype(np.int32)
    return tuple(
        omega_path(
            scorer, first, form[flat], unigram[flat], backoff[flat],
            flatten(node_score, np.float32), np.array(known, np.uint8), int(form[1]),
            float(backoff[1]), **options,
        )
    )  # fmt: skip


def some_lattice(data, order, n_words):
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    model = random_model(rng, order, n_words, data.draw(st.sampled_from([0.05, 0.3, 1.0])))
    length = data.draw(st.integers(0, 7))
    candidates = [
        list(rng.choice(np.arange(3, n_words), size=rng.choice([1, 1, 2, 2]), replace=False))
        for _ in range(length)
    ] + [[2]]
    node_score = [[-float(rng.exponential()) for _ in options] for options in candidates]
    known = [bool(rng.random() < 0.8) for _ in candidates]
    return model, candidates, node_score, known


@pytest.mark.parametrize("order", [1, 2, 3, 4])
@pytest.mark.parametrize("variant", VARIANTS)
@examples(25)
@given(data=st.data())
def test_viterbi_finds_the_best_of_all_paths(order, variant, data):
    n_words = {1: 9, 2: 9, 3: 8, 4: 6}[order]
    model, candidates, node_score, known = some_lattice(data, order, n_words)
    options = {"variant": variant, "joint": data.draw(st.booleans())}
    share = data.draw(st.sampled_from([0.3, 0.9]))
    alpha = data.draw(st.sampled_from([0.4, 1.0, 1.7]))
    path = chosen(
        model, n_words, candidates, node_score, known, lm_share=share, alpha=alpha, **options
    )
    assert path in best_paths(
        model, 1, candidates, node_score, known, share=share, alpha=alpha, **options
    )


@pytest.mark.parametrize("order", [1, 2, 3, 4])
@pytest.mark.parametrize("variant", VARIANTS)
@examples(25)
@given(data=st.data())
def test_left_to_right_takes_the_best_form_after_those_chosen(order, variant, data):
    n_words = {1: 9, 2: 9, 3: 8, 4: 6}[order]
    model, candidates, node_score, known = some_lattice(data, order, n_words)
    path = chosen(
        model, n_words, candidates, node_score, known, variant=variant, left_to_right=True,
        lm_share=0.6, alpha=0.5,
    )  # fmt: skip
    allowed = left_to_right(
        model, 1, candidates, node_score, known, variant=variant, joint=False, share=0.6,
        alpha=0.5, path=path,
    )  # fmt: skip
    assert all(choice in best for choice, best in zip(path, allowed, strict=True))


@examples(50)
@given(data=st.data())
def test_from_left_to_right_the_probability_of_the_word_plays_no_part(data):
    model, candidates, node_score, known = some_lattice(data, 3, 8)
    for variant in VARIANTS:
        paths = {
            chosen(
                model, 8, candidates, node_score, known, variant=variant, joint=joint,
                left_to_right=True,
            )
            for joint in (False, True)
        }  # fmt: skip
        assert len(paths) == 1


def test_the_worked_example_in_fractions():
    text = CountedText([EXAMPLE.split()])
    theta = {form: text.theta(form, ("Akakpo",)) for form in ("Agbago", "AGBAGO")}
    case = {form: text.case_given_word(form) for form in ("Agbago", "AGBAGO")}
    assert theta == {"Agbago": Fraction(1, 3), "AGBAGO": Fraction(2, 3)}
    assert case == {"Agbago": Fraction(5, 7), "AGBAGO": Fraction(2, 7)}
    assert theta["Agbago"] * case["Agbago"] == Fraction(5, 21)
    assert theta["AGBAGO"] * case["AGBAGO"] == Fraction(4, 21)
    assert text.case_given_word("Akakpo") == 1


@pytest.mark.parametrize("joint", [False, True])
@pytest.mark.parametrize("walk", [False, True])
def test_the_worked_example_in_the_kernel(joint, walk):
    # <unk> <s> </s> Akakpo Agbago AGBAGO; bigrams without smoothing, as far as they matter.
    probability = {(w,): -3.0 for w in range(6)}
    probability |= {(3, 4): math.log(1 / 5), (3, 5): math.log(2 / 5)}
    model = BackoffModel(2, probability, {(w,): 0.0 for w in range(6)})
    candidates = [[3], [4, 5], [2]]
    node_score = [[0.0], [math.log(5 / 7), math.log(2 / 7)], [0.0]]
    options = {"joint": joint, "left_to_right": walk}
    assert chosen(model, 6, candidates, node_score, [1, 1, 1], **options) == (0, 0, 0)
    # θ alone has it the other way, and so has Ω where Φ speaks less loudly.
    assert chosen(
        model, 6, candidates, node_score, [1, 1, 1], variant="interpolated", lm_share=1.0,
        **options,
    ) == (0, 1, 0)  # fmt: skip
    softer = [[0.0], [0.5 * s for s in node_score[1]], [0.0]]
    assert chosen(
        model, 6, candidates, softer, [1, 1, 1], variant="powers", alpha=1.0, **options
    ) == (0, 1, 0)


def test_an_unknown_word_has_the_case_of_its_class_whatever_comes_before():
    probability = {(w,): -3.0 for w in range(6)} | {(3, 5): -0.01}
    model = BackoffModel(2, probability, {(w,): 0.0 for w in range(6)})
    candidates = [[3], [4, 5], [2]]
    node_score = [[0.0], [math.log(0.6), math.log(0.4)], [0.0]]
    for variant in VARIANTS:
        path = chosen(model, 6, candidates, node_score, [1, 0, 1], variant=variant)
        assert path == (0, 0, 0)


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_the_ends_of_interpolation_are_its_parts(share):
    probability = {(w,): -3.0 for w in range(6)} | {(3, 4): -0.1, (3, 5): -4.0}
    model = BackoffModel(2, probability, {(w,): 0.0 for w in range(6)})
    node_score = [[0.0], [-4.0, -0.1], [0.0]]
    path = chosen(
        model, 6, [[3], [4, 5], [2]], node_score, [1, 1, 1], variant="interpolated",
        lm_share=share,
    )  # fmt: skip
    assert path == (0, 0 if share else 1, 0)


def test_a_sentence_of_ten_thousand_words_has_a_path():
    rng = np.random.default_rng(1)
    model = random_model(rng, 3, 9, 0.3)
    candidates = [[int(w), int(w) % 6 + 3] for w in rng.integers(3, 8, 10_000)] + [[2]]
    node_score = [[-0.1] * len(options) for options in candidates]
    for variant in VARIANTS:
        path = chosen(model, 9, candidates, node_score, [1] * 10_001, variant=variant)
        assert len(path) == 10_001
