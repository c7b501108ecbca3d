"""A small model of the preset crf, its weights not yet learned, for each order."""

import warnings

import pytest
from small_model import training_text

import truecase
from truecase.training.options import TrainingOptions


@pytest.fixture(scope="session")
def text_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("crf") / "text.txt"
    path.write_text(training_text(800, seed=3), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def untrained(text_file):
    """A function: order to model."""
    from truecase.corpus.read import read_blocks
    from truecase.training.train import train_arrays

    made = {}

    def make(order=3):
        if order not in made:
            options = TrainingOptions(preset="crf", order=order, min_count=2, min_share=0.0)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                made[order] = train_arrays(read_blocks([str(text_file)]), options)
        return truecase.Truecaser(*made[order])

    return make
