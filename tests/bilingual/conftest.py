"""Small bilingual models, trained once on the text of small_bitext.py."""

import warnings

import pytest
from bilingual_options import COARSE, FINE
from small_bitext import bitext

from truecase.bilingual.train import train_bilingual


@pytest.fixture(scope="session")
def learn():
    """A function that trains on aligned lines and gives the model."""

    def run(options, lines=None, development=None, **arguments):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # so small a text has no discounts of its own
            return train_bilingual([lines or bitext()], options, development, **arguments)[0]

    return run


@pytest.fixture(scope="session")
def coarse(learn):
    return learn(COARSE)


@pytest.fixture(scope="session")
def fine(learn):
    return learn(FINE)


@pytest.fixture(scope="session", params=["bilingual", "bilingual-fine"])
def learned(request):
    """Each of the two."""
    return request.getfixturevalue("coarse" if request.param == "bilingual" else "fine")
