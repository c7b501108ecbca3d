"""A small model of the preset crf-fine, its features not yet learned, and one that has learned."""

import warnings

import pytest
from small_model import training_text

import truecase
from truecase.corpus.read import read_blocks
from truecase.crf.fine.train import train_fine
from truecase.training.options import TrainingOptions
from truecase.training.train import train_arrays

OPTIONS = TrainingOptions(preset="crf-fine", min_count=2, min_share=0.0, folds=2, fine_size=60_000)


@pytest.fixture(scope="session")
def fine_text(tmp_path_factory):
    path = tmp_path_factory.mktemp("fine") / "text.txt"
    path.write_text(training_text(800, seed=3), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def unlearned(fine_text):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return truecase.Truecaser(*train_arrays(read_blocks([str(fine_text)]), OPTIONS))


@pytest.fixture(scope="session")
def learn(fine_text):
    """A function that trains on the text."""

    def run(options=OPTIONS, **arguments):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return train_fine(lambda: read_blocks([str(fine_text)]), options, **arguments)

    return run


@pytest.fixture(scope="session")
def learned(learn):
    return learn()
