"""Options of casing: checked once, and the same whichever way they are given."""

import copy
import pickle
from math import inf, nan
from typing import get_args

import pytest

import truecase
from truecase import options
from truecase.errors import CasingError, ModelError
from truecase.options import CASING_OPTIONS, DEFAULT_CASING, Casing
from truecase.truecaser import Truecaser

TEXT = "he had ONE wish: to go.\nthe president spoke.\n"
OTHERS = [
    ("input_case", "keep"),
    ("style", "title"),
    ("sentence_start", "learned"),
    ("after_colon", "capital"),
    ("offices", "capital"),
    ("min_odds", 1e9),
]


def test_each_option_has_its_choices_and_its_help():
    assert tuple(CASING_OPTIONS) == Casing._fields
    for option, default in zip(CASING_OPTIONS.values(), DEFAULT_CASING, strict=True):
        assert "(default)" in option.help
        if option.choices:
            assert option.choices[0] == default
            assert f"{default.replace('-', ' ')[:2]}" in option.help
    assert "min_odds : float" in Casing.__doc__
    assert CASING_OPTIONS["style"].choices == get_args(options.Style)


@pytest.mark.parametrize("name", Casing._fields[:-1])
@pytest.mark.parametrize("value", ["none", "", None, 1, ["always"]])
def test_an_unknown_value_is_refused(name, value):
    with pytest.raises(CasingError, match=f"{name} .*: expected one of "):
        Casing(**{name: value})


@pytest.mark.parametrize("value", [0, 0.99, -2, nan, inf, "5", "", None, True, [5], 10**400])
def test_odds_are_a_number_from_one(english, value):
    with pytest.raises(CasingError, match=r"min_odds .*: expected a number from 1"):
        Casing(min_odds=value)
    if value is not None:
        with pytest.raises(CasingError):
            english.with_casing(min_odds=value)


def test_a_casing_is_a_value():
    casing = Casing("keep", style="title")
    assert casing == Casing(style="title", input_case="keep") != DEFAULT_CASING
    assert pickle.loads(pickle.dumps(casing)) == copy.deepcopy(casing) == casing
    with pytest.raises(AttributeError):
        casing.style = "upper"
    assert casing.but(style=None, context="document") == Casing("keep", "title", context="document")
    with pytest.raises(TypeError):
        casing.but(case="upper")


@pytest.mark.parametrize(("name", "value"), OTHERS)
def test_a_truecaser_with_another_casing_shares_the_model(english, name, value):
    other = english.with_casing(**{name: value})
    assert other._compiled is english._compiled
    assert other.casing == Casing(**{name: value})
    assert other(TEXT) == Truecaser(english.model, casing=other.casing)(TEXT)
    assert english.casing == DEFAULT_CASING
    if name in ("input_case", "style"):
        assert other(TEXT) == english(TEXT, **{name: value}) != english(TEXT)
    elif name == "sentence_start":
        assert other(TEXT) == english(TEXT, sentence_start=value)
    elif name == "min_odds":
        assert other(TEXT) == "He had ONE wish: to go.\nThe president spoke.\n" != english(TEXT)
    else:
        assert other(TEXT) == Truecaser(english.model, **{name: value})(TEXT) != english(TEXT)
    assert other.batch([TEXT]) == [other(TEXT)]
    assert other.case_block(TEXT.encode()).decode() == other(TEXT)
    for same in (copy.copy(other), pickle.loads(pickle.dumps(other))):
        assert same.casing == other.casing


def test_what_a_model_cannot_do_is_refused_at_once(english):
    german = Truecaser(english.model.replace(text=english.model.text.replace(language="de")))
    with pytest.raises(ModelError, match="the words of offices are English"):
        german.with_casing(offices="lower")
    with pytest.raises(CasingError, match="style 'loud'"):
        english.with_casing(style="loud")
    with pytest.raises(ModelError, match="min_odds: a model without n-grams"):
        Truecaser(english.model.only("unigram")).with_casing(min_odds=2)
    assert truecase.Casing is Casing
