"""Makes the harnesses of fuzz/ importable for the tests here, and nowhere else."""

import importlib
import sys
from pathlib import Path

import pytest

FUZZ = Path(__file__).parents[2] / "fuzz"


@pytest.fixture(scope="module")
def fuzz(tmp_path_factory):
    """Imports modules of fuzz/; the small models are made once for all tests."""
    if not FUZZ.is_dir():
        pytest.skip("the tests are not in a checkout")
    before = set(sys.modules)
    sys.path.insert(0, str(FUZZ))
    base = tmp_path_factory.getbasetemp()
    models = importlib.import_module("models")
    # Workers of pytest-xdist have folders of their own in that of the run.
    models.FOLDER = (base.parent if base.name.startswith("popen-") else base) / "fuzz-models"
    yield importlib.import_module
    sys.path.remove(str(FUZZ))
    for name in set(sys.modules) - before:
        if str(FUZZ) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]
