"""Models trained from the harbour stories, once for all tests."""

from pathlib import Path

import pytest
from recipes import estimated

HARBOUR = (Path(__file__).parent.parent / "data" / "harbour.txt").read_bytes()


def train(text=HARBOUR, **options):
    return estimated(text, **{"min_count": 1, **options})


@pytest.fixture(scope="session")
def harbour():
    return train()


@pytest.fixture(scope="session")
def train_model():
    return train
