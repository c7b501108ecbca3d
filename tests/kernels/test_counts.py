"""Φ and Π from a text, against counting by hand."""

import collections

import numpy as np
import pytest
from reference.casing import tag
from reference.segment import word_class
from truecase_testing import segment

from truecase.ngram.lexicon import smartcased_counts
from truecase.training.estimate import count
from truecase.training.portage import PRIOR, case_given_class, case_given_word
from truecase.training.recipe import TextRecipe

CLASSES = ("quantity", "acronym", "hyphenated", "alphabetic", "other")
TAGS = ("AL", "IU", "AU", "MX")


def counted(text):
    counts = count([text.encode()], TextRecipe(segmentation="space"))
    return [surface.decode() for surface in counts.vocabulary], counts.forms


@pytest.mark.parametrize(
    "word, expected",
    [
        ("us$0.19", "quantity"), ("10kv", "quantity"), ("rmb0.308", "quantity"),
        ("675km", "quantity"), ("u.s.", "acronym"), ("u.s.-south", "acronym"),
        ("belarus-russian", "hyphenated"), ("jong-il", "hyphenated"),
        ("abesie", "alphabetic"), ("badeshire", "alphabetic"), ("cafâ`â!", "other"),
    ],
)  # fmt: skip
def test_classes_are_tried_in_the_order_of_the_paper(word, expected):
    assert segment(word.encode(), "space")[0].word_class == expected
    assert word_class(word) == expected


def test_case_given_word_is_a_form_s_share():
    text = "x Akakpo Agbago\nx Agbago AGBAGO\nx Akakpo\nx AGBAGO x\n" + "x Agbago\n" * 3
    surfaces, forms = counted(text)
    kept = np.ones(len(surfaces), bool)
    kept[:3] = False
    case = case_given_word(forms, kept, forms.count)
    share = dict(zip(surfaces, np.exp(case), strict=True))
    assert share["Agbago"] == pytest.approx(5 / 7)
    assert share["AGBAGO"] == pytest.approx(2 / 7)
    assert share["Akakpo"] == 1
    kept[surfaces.index("AGBAGO")] = False
    case = case_given_word(forms, kept, forms.count)
    assert dict(zip(surfaces, np.exp(case), strict=True))["Agbago"] == 1


def test_first_words_count_as_what_smartcase_makes_of_them():
    surfaces, forms = counted("The dog saw the cat .\nThe cat saw The Hague .\n the end\n")
    index = {surface: i for i, surface in enumerate(surfaces)}
    plain = forms.count
    assert (plain[index["The"]], plain[index["the"]]) == (3, 2)
    smart = smartcased_counts(forms)
    # Away from sentence starts it is lowercase once, and once The Hague: a tie stays as it is.
    assert smart[index["The"]] + smart[index["the"]] == 5


def test_case_given_class_counts_words_seen_exactly_once():
    words = (
        "Alpha-Tango beta-gamma Zulu yankee XRAY u.s. U.K. 3DTV 10kV foo/bar twice Twice".split()
    )
    lines = [f"x {word} x" for word in words] + ["Omega x"] * 1 + ["x seen x", "x seen x"]
    _, forms = counted("\n".join(lines))
    expected = collections.Counter()
    for word in words:
        if word.lower() != "twice":
            expected[word_class(word.lower()), tag(word)] += 1
    table = np.exp(case_given_class(forms)).reshape(5, 4)
    assert table.sum(axis=1) == pytest.approx(np.ones(5))
    for c, name in enumerate(CLASSES[:4]):
        counts = np.array([expected[name, case] for case in TAGS]) + np.array(PRIOR)
        assert table[c] == pytest.approx(counts / counts.sum(), rel=1e-5)
    # What is of none of the four classes is left in lowercase.
    assert table[4, 0] > 0.999


def test_no_case_is_impossible_and_all_are_finite():
    _, forms = counted("x\n")
    assert np.isfinite(case_given_class(forms)).all()
