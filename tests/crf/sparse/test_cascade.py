"""Words that an estimate settles: what that may change, and what it must not."""

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from small_model import training_text
from truecase_testing import count_settled, look_at_sparse, sentences
from whole_posteriors import words_cased_otherwise

from truecase import TruecaseError, Truecaser, name_list
from truecase._core import CompiledModel
from truecase.kernels._components import SparseFeatures
from truecase.training._sparse_learner import word_evidence
from truecase.training.cascade import Estimate, learn_cascade, with_estimate

N_SHORT = 16
ALL = Estimate(tuple(range(N_SHORT)), (1.0,) * N_SHORT, 1.0, 0.0, 1.0, 0.0)
TEXT = training_text(300, seed=8)


@pytest.fixture(scope="module")
def short(learned):
    """The learned model, cut to so many templates as an estimate may have."""
    sparse = learned.model.sparse.without_cascade()
    arrays = {**sparse.arrays, "templates": sparse.arrays["templates"][: 5 * N_SHORT]}
    settings = {**sparse.settings, "n_templates": N_SHORT, "n_templates_with_rare": N_SHORT}
    return learned.model.replace(sparse=SparseFeatures(arrays, settings))


@pytest.mark.parametrize("margin", [0.5, 3.0, 1e5])
def test_an_estimate_that_is_the_whole_model_changes_nothing(short, margin):
    whole = Truecaser(short).case_block(TEXT.encode())
    settled = Truecaser(with_estimate(short, ALL, margin))
    assert settled.model.sparse.has_cascade
    assert settled.case_block(TEXT.encode()) == whole


@pytest.mark.parametrize("input_case", ["ignore", "keep", "auto"])
@pytest.mark.parametrize("sentence_start", ["always", "learned"])
def test_nor_whatever_the_input_means(short, input_case, sentence_start):
    text = TEXT + TEXT.upper() + TEXT.lower()
    options = {"input_case": input_case, "sentence_start": sentence_start}
    settled = Truecaser(with_estimate(short, ALL, 0.5)).case_block(text.encode(), **options)
    assert settled == Truecaser(short).case_block(text.encode(), **options)


def test_nor_beside_a_list_of_names(short):
    names = name_list(["Oslo HARBOUR", "dr. Ivanov"])
    settled = Truecaser(with_estimate(short, ALL, 0.5)).with_names(names)
    assert settled.case_block(TEXT.encode()) == Truecaser(short).with_names(names).case_block(
        TEXT.encode()
    )


@examples(40)
@given(line=st.text(max_size=60))
def test_nor_on_any_line(short, line):
    line = line.replace("\n", " ").encode("utf-8", "replace")
    settled = Truecaser(with_estimate(short, ALL, 0.5))
    assert settled.case_block(line) == Truecaser(short).case_block(line)


def test_nothing_is_settled_by_a_margin_that_none_reaches(learned):
    whole = learned.model.only("whole")
    poor = Estimate((3,), (2.0,), -1.0, 5.0, 0.1, 4.0)
    settled = Truecaser(with_estimate(whole, poor, 1e6))
    assert settled.case_block(TEXT.encode()) == Truecaser(whole).case_block(TEXT.encode())


@pytest.fixture(scope="module")
def hasty(learned):
    """A model whose estimate is poor, and takes it for sure at once."""
    poor = Estimate((3,), (2.0,), 0.0, 3.0, 0.1, 4.0)
    return Truecaser(with_estimate(learned.model.only("whole"), poor, 0.0))


def test_a_poor_estimate_settles_other_words(learned, hasty):
    assert hasty.case_block(TEXT.encode()) != learned.case_block(TEXT.encode())


def test_its_words_are_those_of_the_whole_model_where_that_is_asked_for(learned, hasty):
    whole = Truecaser(hasty.model.only("whole"))
    assert whole.case_block(TEXT.encode()) == Truecaser(learned.model.only("whole")).case_block(
        TEXT.encode()
    )
    assert whole.model.only("whole") is whole.model


def test_threads_cuts_and_neighbours_change_nothing(hasty):
    lines = TEXT.splitlines()
    cased = hasty.case_block(TEXT.encode()).decode().splitlines()
    assert hasty.batch(lines, threads=3) == cased
    assert [hasty(line) for line in lines[:50]] == cased[:50]


def test_what_is_chosen_is_what_is_cased_and_posteriors_are_those_of_all_features(learned, hasty):
    whole = Truecaser(learned.model.only("whole"))
    text = "\n".join(TEXT.splitlines()[:60])
    cased = hasty.case_block(text.encode()).decode()
    n_others = 0
    for words, others in zip(hasty.posteriors(text), whole.posteriors(text), strict=True):
        n_others += words_cased_otherwise(words, others, cased)
    assert n_others > 0
    for line, wanted in zip(text.splitlines(), cased.splitlines(), strict=True):
        assert hasty.explain(line).output == wanted


def test_a_cascade_is_learned_saved_and_loaded(learned, tmp_path):
    text = training_text(2500, seed=11).lower().encode()
    model = learn_cascade(learned.model, [text])
    assert model.sparse.has_cascade
    truecaser, whole = Truecaser(model), Truecaser(learned.model.only("whole"))
    wanted = whole.case_block(text).split()
    n_changed = sum(a != b for a, b in zip(truecaser.case_block(text).split(), wanted, strict=True))
    assert n_changed <= 2e-4 * len(wanted)
    truecaser.save(tmp_path / "fast.truecase")
    again = Truecaser.load(tmp_path / "fast.truecase")
    assert again.case_block(text) == truecaser.case_block(text)
    assert again.model.sparse.info()["cascade"] == "10 features"
    as_it_was = Truecaser.load(tmp_path / "fast.truecase", decode_with="whole")
    assert as_it_was.case_block(text) == whole.case_block(text)


def test_few_words_teach_none(learned):
    assert not learn_cascade(learned.model, [b"the cat sat ."]).sparse.has_cascade
    assert not learn_cascade(learned.model, []).sparse.has_cascade


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("n_early", 17, "cascade.n_early is 17"),
        ("n_early", 3, "has 16 entries, expected 3"),
        ("margin", -1.0, "cascade.margin is -1"),
        ("margin", "2", "cascade.margin is not a number"),
        ("edges", 1e9, "cascade.edges is"),
        ("bias", None, "cascade.bias is not a number"),
    ],
)
def test_broken_settings_are_refused_by_name(short, name, value, message):
    sparse = with_estimate(short, ALL, 2.0).sparse
    cascade = {**sparse.settings["cascade"], name: value}
    with pytest.raises(TruecaseError, match=message):
        SparseFeatures(sparse.arrays, {**sparse.settings, "cascade": cascade})


def test_a_template_that_is_none_is_refused(short):
    sparse = with_estimate(short, ALL, 2.0).sparse
    early = np.array([*range(15), N_SHORT], np.uint8)
    with pytest.raises(TruecaseError, match=r"cascade\.early names an unknown template"):
        SparseFeatures({**sparse.arrays, "cascade.early": early}, sparse.settings)


def test_evidence_is_what_the_kernels_add(learned):
    whole = learned.model.only("whole")
    compiled = CompiledModel(whole)
    n_found = 0
    for line in TEXT.splitlines()[:80]:
        # One sentence is one to both.
        if len(sentences(compiled, line.encode())) != 1:
            continue
        found = word_evidence(compiled, 100, line.encode())
        words = [
            word
            for word in look_at_sparse(compiled, line.encode())
            if "tags" in word and not is_rare(word["prior"])
        ]
        assert len(found.whole) == len(words)
        for row, word in enumerate(words):
            added = [0.0, *(found.hidden[row] + found.weights[row].sum(0))]
            for tag, score in zip(word["tags"], word["scores"], strict=True):
                assert added[tag] == pytest.approx(score, abs=1e-4)
                assert found.whole[row, tag] > -1e29
            n_found += 1
    assert n_found > 100


def is_rare(prior):
    """As `truecase/kernels/_fields.pxd` has it."""
    return prior < 264 if prior >= 256 else prior % 6 < 2


@examples(25)
@given(text=st.text(max_size=80))
def test_evidence_of_any_text(learned, text):
    compiled = CompiledModel(learned.model.only("whole"))
    found = word_evidence(compiled, 5, text.encode("utf-8", "replace"))
    assert len(found.whole) <= 5
    assert np.isfinite(found.weights).all()


def test_settled_words_are_counted(learned, hasty):
    text = TEXT.encode()
    words, with_choice, settled = count_settled(CompiledModel(hasty.model), text)
    assert words > with_choice > settled > 0
    assert count_settled(CompiledModel(learned.model.only("whole")), text) == (
        words,
        with_choice,
        0,
    )
    assert count_settled(CompiledModel(hasty.model), b"") == (0, 0, 0)


def test_evidence_needs_sparse_features_and_n_grams(learned):
    for model in (learned.model.only("ngram"), learned.model.only("unigram")):
        with pytest.raises(ValueError, match="no sparse features"):
            word_evidence(CompiledModel(model), 5, b"a b c")
