"""Small bilingual models, trained once on the text of small_bitext.py."""

import warnings

import pytest
from bilingual_options import DENSE, NEURAL
from made_once import made_once
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
def dense(learn, tmp_path_factory):
    path = made_once(
        tmp_path_factory, "bitext-dense.truecase", lambda path: learn(DENSE).save(path)
    )
    return Truecaser.load(path)


@pytest.fixture(scope="session")
def neural(learn, tmp_path_factory):
    path = made_once(
        tmp_path_factory, "bitext-neural.truecase", lambda path: learn(NEURAL).save(path)
    )
    return Truecaser.load(path)


@pytest.fixture(scope="session", params=["dense", "neural"])
def learned(request):
    """Each of them."""
    return request.getfixturevalue(request.param)
