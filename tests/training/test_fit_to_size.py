"""Models have all n-grams that can decide something, or those that matter most and fit."""

import dataclasses
import re

import pytest

from truecase.errors import TrainingError
from truecase.training.recipe import PRESETS
from truecase.training.train import train

TEXT = b"".join(
    b"%s saw the %s of %s in %s.\nThe %s saw %s.\n" % (name, thing, place, thing, thing, name)
    for name in (b"Mark", b"Rose", b"mark", b"Bill")
    for thing in (b"rose", b"bill", b"Bill", b"mark", b"house")
    for place in (b"Reading", b"reading", b"Bath", b"bath")
)


def model(decision_loss, max_size=None):
    recipe = PRESETS["ngram"]
    assert recipe.lm is not None
    lm = dataclasses.replace(recipe.lm, decision_loss=decision_loss)
    recipe = dataclasses.replace(recipe, lm=lm, max_size=max_size)
    return train(lambda: [TEXT], recipe).model


def tables(model):
    return {name: array.tobytes() for name, array in model.lm.arrays.items()}


@pytest.mark.parametrize("max_size", [None, 1_000_000])
def test_losses_that_decide_nothing_need_not_be_measured(max_size):
    # Every n-gram that can decide something has a loss of more than that, however little.
    assert tables(model(0.0, max_size)) == tables(model(1e-35))


def test_what_does_not_fit_is_left_out():
    with pytest.raises(TrainingError) as caught:
        model(0.0, 2_000)
    (lexicon,) = re.findall(r"alone takes ([\d,]+)", str(caught.value))
    whole, smaller = model(0.0), model(0.0, int(lexicon.replace(",", "")) + 300)
    n_bytes = [sum(map(len, tables(made).values())) for made in (whole, smaller)]
    assert n_bytes[1] < n_bytes[0]


def test_a_size_that_leaves_no_room_for_the_words_is_refused():
    with pytest.raises(TrainingError, match="its lexicon alone takes"):
        model(0.0, 2_000)
