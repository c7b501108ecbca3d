"""The context layer: its plain twin, whole numbers, and what it must not change."""

import math
import pickle

import numpy as np
import pytest
from contexts import random_layer, refined
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from reference import context as plain
from small_model import training_text
from truecase_testing import context_step

from truecase import Truecaser
from truecase._core import CompiledModel
from truecase.errors import ModelError
from truecase.evaluation._posteriors import word_posteriors
from truecase.kernels._components import INPUTS, ContextLayer
from truecase.model.model import Model
from truecase.options import Casing
from truecase.training._context_decisions import first_decisions

TEXT = training_text(60, seed=5)
VALUES = st.integers(-32768, 32767)
N_INPUTS = sum(INPUTS)


@pytest.fixture(scope="module")
def sparse(sparse_model_file):
    return Truecaser.load(sparse_model_file)


@examples(60)
@given(
    seed=st.integers(0, 50),
    n_units=st.sampled_from([8, 16, 24, 64]),
    scale=st.sampled_from([0.1, 1.0, 20.0]),
    backward=st.booleans(),
    data=st.data(),
)
def test_a_step_is_the_twins_whatever_the_numbers(seed, n_units, scale, backward, data):
    layer = random_layer(seed, n_units=n_units, scale=scale)
    inputs = data.draw(st.lists(VALUES, min_size=N_INPUTS, max_size=N_INPUTS))
    # A state is never beyond 1: it starts there, and is drawn towards what is not.
    state = data.draw(st.lists(st.integers(-4096, 4096), min_size=n_units, max_size=n_units))
    name = "backward" if backward else "forward"
    wanted = plain.next_state(
        plain.whole(layer.arrays[f"{name}.inputs"], N_INPUTS),
        plain.whole(layer.arrays[f"{name}.state"], n_units),
        plain.whole_sums(layer.arrays[f"{name}.bias"]),
        inputs,
        state,
    )
    found = context_step(layer, backward, np.array(inputs, np.int16), np.array(state, np.int16))
    assert found == wanted
    assert all(-4096 <= value <= 4096 for value in found)


@examples(40)
@given(
    line=st.sampled_from([line for line in TEXT.splitlines() if not line.isupper()]),
    seed=st.integers(0, 100),
    doubt=st.sampled_from([0.0, 1.0, 8.0, 1000.0]),
)
def test_what_is_added_is_the_twins(sparse, line, seed, doubt):
    truecaser = refined(sparse, seed, doubt=doubt, scale=0.3)
    layer = truecaser.model.context
    found = first_decisions(CompiledModel(sparse.model), line.encode() + b"\n", 50)
    words, at = [], 0
    for n in found.length.tolist():
        sentence = [
            (int(found.row[i]), int(found.prior[i]), found.lead[i].tolist(), bool(found.is_open[i]))
            for i in range(at, at + n)
        ]
        words += plain.added(layer.arrays, 8, doubt, sentence)
        at += n
    explained = [
        word
        for sentence in truecaser.explain(line, sentence_start="learned").sentences
        for word in sentence.words
        if not word.is_end and any(len(w.candidates) > 1 for w in sentence.words)
    ]
    assert len(explained) == len(words)
    for word, scores in zip(explained, words, strict=True):
        for candidate in word.candidates:
            case = {"AL": 0, "IU": 1, "AU": 2, "MX": 3}.get(candidate.tag, 0)
            told = {one.feature: one.product for one in candidate.contributions}.get(
                "whole_sentence", 0.0
            )
            wanted = 0.0 if scores is None else scores[case]
            assert math.isclose(told, wanted, rel_tol=1e-4, abs_tol=1e-4)


def test_it_decides(sparse):
    lower = TEXT.lower().encode()
    plainly = sparse.case_block(lower)
    assert any(
        refined(sparse, seed, doubt=1000.0).case_block(lower) != plainly for seed in range(5)
    )


def test_a_layer_that_adds_nothing_changes_nothing(sparse):
    layer = random_layer(1, doubt=1000.0)
    arrays = {**layer.arrays, "out": layer.arrays["out"] * 0, "out.bias": np.zeros(4, np.float32)}
    silent = sparse.model.replace(context=ContextLayer(arrays, layer.settings))
    lower = TEXT.lower().encode()
    assert Truecaser(silent).case_block(lower) == sparse.case_block(lower)


@pytest.mark.parametrize("input_case", ["ignore", "keep", "auto"])
def test_only_case_changes_and_threads_do_not_count(sparse, input_case):
    text = (TEXT + TEXT.upper() + "\0 \xff\n" + TEXT.lower()) * 3
    block = text.encode("latin-1", "replace")
    truecaser = refined(sparse, 3, doubt=1000.0)
    once = truecaser.case_block(block, input_case=input_case)
    assert once.lower() == block.lower()
    lines = block.split(b"\n")
    apart = [truecaser.case_block(line, input_case=input_case) for line in lines]
    assert b"\n".join(apart) == once
    decoded = [line.decode("latin-1") for line in lines]
    assert truecaser.batch(decoded, threads=3) == truecaser.batch(decoded, threads=1)


def test_probabilities_are_those_of_the_scores_that_decide(sparse):
    truecaser = refined(sparse, 2, doubt=1000.0, scale=0.3)
    compiled = CompiledModel(truecaser.model)
    for line in TEXT.lower().splitlines()[:30]:
        (words,) = word_posteriors(compiled, line.encode(), Casing(sentence_start="learned"))
        told = [
            word
            for sentence in truecaser.explain(line, sentence_start="learned").sentences
            for word in sentence.words
            if not word.is_end
        ]
        for (_, _, candidates), word in zip(words, told, strict=True):
            # A first word may be written alike by two of them.
            of_form = sum(c.posterior for c in word.candidates if c.text == candidates[0][0])
            assert math.isclose(candidates[0][2], of_form, abs_tol=1e-6)


def test_beside_a_source_it_reads_what_that_has_told(sparse):
    truecaser = refined(sparse, 4, doubt=1000.0, scale=0.3)
    line = "the bridge of oslo was seen in may"

    def added(source):
        told = truecaser.explain(line, source=source)
        assert told.output == truecaser(line, source=source)
        return [
            one.product
            for sentence in told.sentences
            for word in sentence.words
            for candidate in word.candidates
            for one in candidate.contributions
            if one.feature == "whole_sentence"
        ]

    beside = added("Le pont d' OSLO fut vu en mai")
    assert beside and beside != added(None)


def test_it_travels(sparse, tmp_path):
    truecaser = refined(sparse, 5)
    truecaser.save(tmp_path / "with.truecase")
    again = Truecaser.load(tmp_path / "with.truecase")
    lower = TEXT.lower().encode()
    assert again.model.context.info()["units"] == 8
    assert again.case_block(lower) == truecaser.case_block(lower)
    assert pickle.loads(pickle.dumps(truecaser)).case_block(lower) == again.case_block(lower)


def test_other_scores_drop_it(sparse):
    model = refined(sparse).model
    assert model.replace(names=None).context is model.context
    assert model.replace(sparse=model.sparse.without_cascade()).context is None
    assert model.only("whole").context is model.context
    assert model.only("ngram").context is None


@pytest.mark.parametrize(
    ("name", "change", "says"),
    [
        ("words", lambda a: a[:-1], "words has 799 entries, expected 800"),
        ("priors", lambda a: a.astype(np.float32), "priors is not a vector of uint8"),
        ("forward.state", lambda a: a[:-1], "forward.state has 191 entries"),
        ("out", lambda a: a * np.nan, "out has an entry that is no number"),
        ("joined.bias", lambda a: a + 1e7, "joined.bias has an entry .* beyond"),
    ],
)
def test_broken_arrays_are_refused(name, change, says):
    layer = random_layer(1)
    with pytest.raises(ModelError, match=says):
        ContextLayer({**layer.arrays, name: change(layer.arrays[name])}, layer.settings)


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("n_units", 12, "expected a multiple of 8"),
        ("n_units", 136, "outside 8"),
        ("n_rows", 0, "outside 1"),
        ("doubt", -1, "outside 0"),
        ("doubt", "much", "not a number"),
    ],
)
def test_settings_out_of_range_are_refused(name, value, says):
    layer = random_layer(1)
    with pytest.raises(ModelError, match=says):
        ContextLayer(layer.arrays, {**layer.settings, name: value})


def test_huge_weights_are_bounded():
    layer = random_layer(1, scale=1e5)
    state = context_step(layer, False, np.full(N_INPUTS, 32767, np.int16), np.zeros(8, np.int16))
    assert all(-4096 <= value <= 4096 for value in state)


def test_a_layer_without_sparse_features_is_refused(model_file):
    model = Model.load(model_file)
    with pytest.raises(ModelError, match="a context layer stands beside sparse features"):
        model.replace(context=random_layer(1))


def test_decoding_with_words_leaves_the_layer_out(sparse, tmp_path):
    path = tmp_path / "refined.truecase"
    both = refined(sparse, 3, doubt=1000.0, scale=1.0)
    both.save(path)
    lines = TEXT.lower().splitlines()
    assert both.batch(lines) != sparse.batch(lines)
    words = Truecaser.load(path, decode_with="words")
    assert words.batch(lines) == sparse.batch(lines)
    assert words.model.context is None and both.model.only("words").calibration is None
    assert sparse.model.only("words") is sparse.model
