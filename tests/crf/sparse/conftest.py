"""A small model of the preset crf-sparse, before and after it has learned."""

import pytest
from recipes import estimated, trained
from small_model import training_text

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
def learned(learn):
    return learn()
