"""Small bilingual models, trained once on the text of small_bitext.py."""

import warnings

import pytest
from bilingual_options import COARSE, FINE
from small_bitext import bitext

from truecase.training.train import train
from truecase.truecaser import Truecaser


@pytest.fixture(scope="session")
def learn():
    """A function that trains on aligned lines and gives the model."""

    def run(recipe, lines=None, development=None, **arguments):
        if development is not None:
            arguments["development"] = lambda: [development]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # so small a text has no discounts of its own
            return Truecaser(train(lambda: [lines or bitext()], recipe, **arguments).model)

    return run


@pytest.fixture(scope="session")
def coarse(learn):
    return learn(COARSE)


@pytest.fixture(scope="session")
def fine(learn):
    return learn(FINE)


@pytest.fixture(scope="session", params=["bilingual", "bilingual-sparse"])
def learned(request):
    """Each of the two."""
    return request.getfixturevalue("coarse" if request.param == "bilingual" else "fine")
