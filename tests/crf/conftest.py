"""A small model of the preset crf, its weights not yet learned, for each order."""

import pytest
from parts import arrays_of, metadata_of, of_arrays
from recipes import estimated
from small_model import training_text


@pytest.fixture(scope="session")
def text_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("crf") / "text.txt"
    path.write_text(training_text(800, seed=3), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def untrained(text_file):
    """A function: order to model."""
    made = {}

    def make(order=3):
        if order not in made:
            text = text_file.read_bytes()
            made[order] = estimated(text, "crf", order=order, min_share=0.0)
        return of_arrays(arrays_of(made[order]), metadata_of(made[order]))

    return make
