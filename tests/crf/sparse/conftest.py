"""A small model of the preset crf-sparse, before and after it has learned."""

import pytest
from made_once import made_once
from recipes import estimated, trained
from small_model import training_text

from truecase.truecaser import Truecaser

OPTIONS = {"min_share": 0.0, "folds": 2, "sparse_size": 60_000}


@pytest.fixture(scope="session")
def sparse_text():
    return training_text(800, seed=3).encode()


@pytest.fixture(scope="session")
def unlearned(sparse_text):
    return estimated(sparse_text, "crf-sparse", **OPTIONS)


@pytest.fixture(scope="session")
def learn(sparse_text):
    """A function that trains on the text."""

    def run(**options):
        return trained(sparse_text, "crf-sparse", **{**OPTIONS, **options})

    return run


@pytest.fixture(scope="session")
def learned(learn, tmp_path_factory):
    path = made_once(
        tmp_path_factory, "crf-sparse-learned.truecase", lambda path: learn().save(path)
    )
    return Truecaser.load(path)
