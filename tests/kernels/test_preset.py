"""Models of preset portage: trained, tuned, stored, damaged."""

import copy
from typing import get_args

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from parts import arrays_of, compiled, metadata_of, of_arrays
from recipes import estimated
from reference.casing import fold as fold_character
from small_model import training_text
from truecaser_text import HARBOUR_LINES

from truecase.errors import ModelError, TrainingError
from truecase.training._portage import observe
from truecase.training.portage import (
    DEFAULT_POWERS,
    N_BANDS,
    Observations,
    fill_class_backoffs,
    fit_powers,
    fit_share,
    learn_portage,
)
from truecase.training.recipe import PortageRecipe, Search, Variant
from truecase.truecaser import Truecaser

SEARCHES, VARIANTS = get_args(Search), get_args(Variant)
HARBOUR = "\n".join(HARBOUR_LINES)


def train(text=HARBOUR, **options):
    return estimated(text.encode(), **{"min_count": 1, "preset": "portage", **options})


def tune(model, lines):
    variant = metadata_of(model)["sections"]["portage"]["variant"]
    component = learn_portage(model.model, "\n".join(lines).encode(), PortageRecipe(variant))
    return Truecaser(model.model.replace(portage=component))


@pytest.fixture(scope="module")
def model():
    return train()


def fold(text):
    return "".join(map(fold_character, text))


def changed(model, arrays=None, **settings):
    metadata = copy.deepcopy(metadata_of(model))
    metadata["sections"]["portage"].update(settings)
    return of_arrays({**arrays_of(model), **(arrays or {})}, metadata)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("search", SEARCHES)
def test_every_variant_learns_its_training_text(variant, search):
    evaluation = train(variant=variant, search=search).evaluate(HARBOUR_LINES)
    assert evaluation.accuracy > 0.97
    assert evaluation.f1 > 0.94


@pytest.mark.parametrize("order", [1, 2, 4])
def test_every_order_decodes(order):
    cased = train(order=order)("anna berg wrote to mr. holm of port ellis .")
    assert cased == "Anna Berg wrote to Mr. Holm of Port Ellis ."


def test_the_model_file_keeps_everything(model, tmp_path):
    lines = [line.lower() for line in HARBOUR_LINES]
    tuned = tune(train(variant="powers"), HARBOUR_LINES)
    for name, original in (("product", model), ("powers", tuned)):
        original.save(tmp_path / name)
        loaded = Truecaser.load(tmp_path / name, verify=True)
        assert metadata_of(loaded)["sections"]["portage"]["variant"] == name
        assert loaded.batch(lines) == original.batch(lines)


def test_the_same_text_gives_the_same_bytes(model, tmp_path):
    model.save(tmp_path / "a")
    train().save(tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_unknown_words_follow_their_class():
    names = ["Ardvark", "Belcombe", "Crumhorn", "Dunnock", "Eelgrass", "Alpha-Tango", "Echo-Lima"]
    things = ["soap", "rope", "glue", "10kg", "11kg", "x.y.", "salt"]
    text = "\n".join(
        f"We told Mr. {name} to buy some {thing}."
        for name, thing in zip(names, things, strict=True)
    )
    model = train(text, min_count=2)
    assert model("we told bravo-charlie to buy some 12kg.") == (
        "We told Bravo-Charlie to buy some 12kg."
    )
    # Five names against four things: Π says upper, whatever stands before the word.
    walking = changed(model, search="left-to-right")
    assert walking("we told mr. tar to buy quillfeather.") == (
        "We told Mr. Tar to buy Quillfeather."
    )
    # What stands behind it still tells it from names.
    assert model("we told mr. tar to buy quillfeather.") == "We told Mr. Tar to buy quillfeather."
    assert model("we told foo@bar.org") == "We told foo@bar.org"


def test_parts_of_hyphenated_words_speak_where_the_model_lets_them():
    text = "x saw some-thing , new-born and old-style x in Alpha-Bravo x\n" + (
        "x went from Lima to Oslo x\n" * 3
    )
    model = train(text, min_count=2)
    assert model("x went from lima-oslo to oslo x").split()[3] == "lima-oslo"
    metadata = copy.deepcopy(metadata_of(model))
    metadata["sections"]["lexicon"]["parts_bonus_ln"] = 8.0
    other = of_arrays(arrays_of(model), metadata)
    assert other("x went from lima-oslo to oslo x").split()[3] == "Lima-Oslo"


def test_context_and_word_decide_together(model):
    assert model("the ambassador of the us waited for us") == (
        "The ambassador of the US waited for us"
    )


def test_cases_that_never_occur_are_not_preferred_for_the_words_after_them():
    model = train("the man saw a dog in the park\n" * 5, min_count=2)
    assert model("the man saw xyz in the park") == "The man saw xyz in the park"
    backoffs = np.array([-1.0, 0, 0, -2, *[0] * 16], np.float32)
    in_model = np.array([True, False, False, True, *[False] * 16])
    filled = fill_class_backoffs(backoffs, in_model)
    assert list(filled) == [-1, -2, -2, -2, *[0] * 16]


def test_without_smartcase_there_is_no_rule_about_first_words():
    # No sentence of the training text begins with this word.
    model = train("The dog saw a cat .\n" * 5, smartcase=False)
    assert model("the dog saw a cat .") == "The dog saw a cat ."
    assert model("cat saw a dog .", sentence_start="learned") == "cat saw a dog ."
    assert model("cat saw a dog .") == "Cat saw a dog ."
    assert train("The dog saw a cat .\n" * 5)("cat saw a dog .") == "Cat saw a dog ."


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("variant", VARIANTS)
def test_posteriors_go_with_what_is_chosen(model, variant, search):
    other = changed(model, search=search, variant=variant)
    text = "the ambassador of the us waited for us in port ellis ."
    (words,) = other.posteriors(text)
    assert " ".join(word.text for word in words) == other(text)
    for word in words:
        assert sum(c.posterior for c in word.candidates) == pytest.approx(1, abs=1e-4)


def test_options_are_checked():
    for options in ({"variant": "sum"}, {"search": "beam"}):
        with pytest.raises(TrainingError):
            PortageRecipe(**options)


@examples(80)
@given(text=st.one_of(st.text(max_size=60), st.sampled_from(HARBOUR_LINES)))
def test_only_case_changes(model, text):
    assert fold(model(text)) == fold(text)
    for search in SEARCHES:
        other = changed(model, search=search, variant="interpolated")
        assert fold(other(text)) == fold(text)


class TestDamage:
    @pytest.mark.parametrize(
        "name", ["portage/case_code", "portage/case_ln", "portage/unknown_ln", "portage/powers"]
    )
    def test_an_array_that_is_missing_short_or_infinite_is_refused(self, model, name):
        array = arrays_of(model)[name]
        damaged = [array[:-1], array.astype(np.uint32)]
        if array.dtype == np.float32:
            damaged.append(np.full_like(array, np.inf))
        for value in damaged:
            with pytest.raises(ModelError, match=name.partition("/")[2] + "|describe"):
                of_arrays({**arrays_of(model), name: value}, metadata_of(model))
        rest = {key: value for key, value in arrays_of(model).items() if key != name}
        with pytest.raises(ModelError, match="missing"):
            of_arrays(rest, metadata_of(model))

    @pytest.mark.parametrize(
        "settings",
        [
            {"variant": "sum"}, {"variant": 1}, {"search": None}, {"theta": "none"},
            {"lm_share": -0.1}, {"lm_share": "x"}, {"lm_share": float("nan")},
        ],
    )  # fmt: skip
    def test_a_bad_setting_is_refused(self, model, settings):
        with pytest.raises(ModelError):
            changed(model, **settings)

    def test_missing_settings_are_refused(self, model):
        metadata = copy.deepcopy(metadata_of(model))
        metadata["sections"]["portage"] = {}
        with pytest.raises(ModelError, match="portage"):
            of_arrays(arrays_of(model), metadata)

    def test_any_codes_are_harmless(self, model):
        rng = np.random.default_rng(3)
        codes = rng.integers(0, 256, len(arrays_of(model)["portage/case_code"])).astype(np.uint8)
        other = changed(model, {"portage/case_code": codes})
        assert [fold(x) for x in other.batch(HARBOUR_LINES)] == [fold(x) for x in HARBOUR_LINES]


class TestTuning:
    def observations(self, model, lines=HARBOUR_LINES):
        return Observations(*observe(compiled(model), "\n".join(lines).encode()))

    def test_what_is_observed_are_probabilities(self):
        seen = self.observations(
            train(training_text(), min_share=0.0), training_text(50, seed=3).split("\n")
        )
        assert len(seen.gold) > 20
        sizes = np.diff(seen.start)
        assert (seen.gold < sizes).all() and (sizes > 1).all() and (seen.band < N_BANDS).all()
        for column in (seen.theta_ln, seen.case_ln):
            sums = np.add.reduceat(np.exp(column), seen.start[:-1])
            assert sums == pytest.approx(np.ones(len(sums)), abs=0.02)
        # The right form mostly has the better half.
        assert np.exp(seen.theta_ln[seen.chosen]).mean() > 0.7

    def test_first_words_are_no_evidence(self, model):
        first = {line.split()[0] for line in HARBOUR_LINES if line}
        assert len(self.observations(model, sorted(first)).gold) == 0

    def test_other_presets_are_refused(self):
        with pytest.raises(ValueError, match="preset portage"):
            observe(compiled(train(preset="ngram")), b"x")

    @staticmethod
    def made_up(rng, n, truth):
        """Observations whose words choose by θ^α Φ^β."""
        theta = np.log(rng.dirichlet([0.7, 0.7], n))
        case = np.log(rng.dirichlet([0.7, 0.7], n))
        score = truth[0] * theta + truth[1] * case
        p = 1 / (1 + np.exp(score[:, 1] - score[:, 0]))
        gold = (rng.random(n) > p).astype(np.int64)
        start = np.arange(0, 2 * n + 1, 2)
        return Observations(
            start, gold, np.full(n, 5, np.uint8), theta.ravel().astype(np.float32),
            case.ravel().astype(np.float32),
        )  # fmt: skip

    def test_powers_are_found_again(self):
        seen = self.made_up(np.random.default_rng(1), 20_000, (0.8, 0.3))
        powers = fit_powers(seen)
        assert powers[[5, N_BANDS + 5]] == pytest.approx([0.8, 0.3], abs=0.05)
        untouched = np.ones(2 * N_BANDS, bool)
        untouched[[5, N_BANDS + 5]] = False
        assert (powers[untouched] == DEFAULT_POWERS[untouched]).all()

    def test_the_share_is_that_of_highest_likelihood(self):
        rng = np.random.default_rng(2)
        theta, case = rng.dirichlet([0.5, 0.5], 4000), rng.dirichlet([0.5, 0.5], 4000)
        p = 0.7 * theta + 0.3 * case
        gold = (rng.random(4000) > p[:, 0]).astype(np.int64)
        seen = Observations(
            np.arange(0, 8001, 2), gold, np.zeros(4000, np.uint8),
            np.log(theta).ravel().astype(np.float32), np.log(case).ravel().astype(np.float32),
        )  # fmt: skip
        share = fit_share(seen)
        t, c = np.exp(seen.theta_ln[seen.chosen]), np.exp(seen.case_ln[seen.chosen])
        grid = np.linspace(0.01, 0.99, 99)
        best = grid[np.argmax([np.log(s * t + (1 - s) * c).sum() for s in grid])]
        assert share == pytest.approx(best, abs=0.02)

    def test_nothing_to_learn_from_leaves_the_defaults(self, model):
        for variant in ("interpolated", "powers"):
            plain = changed(model, variant=variant)
            tuned = tune(plain, ["", "x y z"])
            assert metadata_of(tuned)["sections"] == metadata_of(plain)["sections"]
            assert (arrays_of(tuned)["portage/powers"] == arrays_of(plain)["portage/powers"]).all()
