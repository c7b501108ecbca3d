"""Models trained from the harbour stories, once for all tests."""

from pathlib import Path

import pytest

from truecase.training.options import TrainingOptions
from truecase.training.train import train_arrays
from truecase.truecaser import Truecaser

HARBOUR = (Path(__file__).parent.parent / "data" / "harbour.txt").read_bytes()


def train(text=HARBOUR, **options):
    options = {"min_count": 1, **options}
    return Truecaser(*train_arrays([text], TrainingOptions(**options)))


@pytest.fixture(scope="session")
def harbour():
    return train()


@pytest.fixture(scope="session")
def train_model():
    return train
