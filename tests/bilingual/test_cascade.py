"""Words that an estimate settles beside a source: what that may change, and what it must not."""

import pytest
from small_bitext import bitext
from small_model import training_text
from truecase_testing import count_settled
from whole_posteriors import words_cased_otherwise

from truecase import Truecaser
from truecase._core import CompiledModel
from truecase.kernels._components import SparseFeatures
from truecase.training._sparse_learner import word_evidence
from truecase.training.cascade import Estimate, learn_cascade, with_estimate
from truecase.training.material import sides

N_SHORT = 16
ALL = Estimate(tuple(range(N_SHORT)), (1.0,) * N_SHORT, 1.0, 0.0, 1.0, 0.0)
LINES = bitext(n_lines=120, seed=31)
LOWER = LINES.target.lower()
SIGHTS = ["aligned", "source", "nothing"]


def seen(sight):
    """What `case_block` is given of the source."""
    if sight == "nothing":
        return {}
    return {"source": LINES.source, "phrases": LINES.phrases if sight == "aligned" else None}


@pytest.fixture(scope="module")
def short(sparse):
    """The model, cut to so many templates as an estimate may have."""
    component = sparse.model.sparse.without_cascade()
    arrays = {**component.arrays, "templates": component.arrays["templates"][-5 * N_SHORT :]}
    settings = {**component.settings, "n_templates": N_SHORT, "n_templates_with_rare": N_SHORT}
    return sparse.model.replace(sparse=SparseFeatures(arrays, settings))


@pytest.fixture(scope="module")
def hasty(sparse):
    """A model whose estimate is poor, and takes it for sure at once."""
    poor = Estimate((3,), (2.0,), 0.0, 3.0, 0.1, 4.0)
    return Truecaser(with_estimate(sparse.model.only("whole"), poor, 0.0))


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("margin", [0.0, 0.5, 3.0])
def test_an_estimate_that_is_the_whole_model_changes_nothing(short, sight, margin):
    settled = Truecaser(with_estimate(short, ALL, margin))
    wanted = Truecaser(short).case_block(LOWER, **seen(sight))
    assert settled.case_block(LOWER, **seen(sight)) == wanted


@pytest.fixture(scope="module")
def taught(sparse):
    """The model with a cascade that was learned from more text."""
    return Truecaser(learn_cascade(sparse.model, [bitext(n_lines=2500, seed=77)]))


def test_it_is_learned_for_all_that_may_be_seen(taught, tmp_path):
    assert taught.model.sparse.has_cascade
    taught.save(tmp_path / "fast.truecase")
    compiled = CompiledModel(Truecaser.load(tmp_path / "fast.truecase").model)
    for lines in (LINES, LINES.without_alignment(), LINES.target):
        words, with_choice, settled = count_settled(compiled, *sides(lines))
        assert 0 < settled <= with_choice < words


@pytest.mark.parametrize("sight", SIGHTS)
def test_what_it_decides_is_what_the_whole_model_decides(taught, sight):
    whole = Truecaser(taught.model.only("whole"))
    found = taught.case_block(LOWER, **seen(sight)).split()
    wanted = whole.case_block(LOWER, **seen(sight)).split()
    assert sum(a != b for a, b in zip(found, wanted, strict=True)) <= 0.002 * len(wanted)


@pytest.mark.parametrize("sight", SIGHTS)
def test_a_poor_estimate_settles_other_words(sparse, hasty, sight):
    assert hasty.case_block(LOWER, **seen(sight)) != sparse.case_block(LOWER, **seen(sight))


def test_threads_and_cuts_change_nothing(hasty):
    options = seen("source")
    cased = hasty.case_block(LOWER, **options)
    assert hasty.case_block(LOWER, threads=3, **options) == cased
    lines, sources = LOWER.decode().splitlines(), LINES.source.decode().splitlines()
    assert [
        hasty(line, source=source) for line, source in zip(lines, sources, strict=True)
    ] == cased.decode().splitlines()


def test_what_is_chosen_is_what_is_cased_and_scores_are_those_of_all_features(sparse, hasty):
    whole = Truecaser(sparse.model.only("whole"))
    lines = list(zip(LOWER.decode().splitlines(), LINES.source.decode().splitlines(), strict=True))
    n_others = 0
    for line, source in lines[:40]:
        cased = hasty(line, source=source)
        explained = hasty.explain(line, source=source)
        assert explained.output == cased
        (words,) = hasty.posteriors(line, source=source)
        (others,) = whole.posteriors(line, source=source)
        n_others += words_cased_otherwise(words, others, cased)
    assert n_others > 0


def test_one_that_was_learned_without_a_source_is_not_asked_beside_one(sparse):
    whole = sparse.model.only("whole")
    component = with_estimate(whole, Estimate((3,), (2.0,), 0.0, 3.0, 0.1, 4.0), 0.0).sparse
    cascade = dict(component.settings["cascade"])
    del cascade["beside_source"]
    old = SparseFeatures(component.arrays, {**component.settings, "cascade": cascade})
    truecaser = Truecaser(whole.replace(sparse=old))
    for sight in ("aligned", "source"):
        wanted = Truecaser(whole).case_block(LOWER, **seen(sight))
        assert truecaser.case_block(LOWER, **seen(sight)) == wanted
    assert truecaser.case_block(LOWER) != Truecaser(whole).case_block(LOWER)


def test_evidence_is_gathered_beside_the_source(sparse):
    compiled = CompiledModel(sparse.model.only("whole"))
    beside = word_evidence(compiled, 200, LINES.target, LINES.source, LINES.phrases)
    alone = word_evidence(compiled, 200, LINES.target)
    assert len(beside.whole) == 200
    assert (beside.weights != alone.weights).any()


def test_lines_whose_source_is_missing_teach_what_lines_alone_can(sparse):
    text = training_text(300, seed=4).encode()
    assert not learn_cascade(sparse.model, [text[:100]]).sparse.has_cascade
