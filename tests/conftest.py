"""Makes the plain Python twins importable as ``reference``, and trains the small model once."""

import os
import sys
import warnings
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).parent))
# Where an in-place build puts the kernels that only tests call; beside an installed package stand
# those that were built with it.
sys.path.append(str(Path(__file__).parent / "kernels"))

# The same examples each time, so that a test fails because of a change and not by chance; `make
# fuzz` looks for new ones.
# No test asserts a time: on an emulated processor examples are drawn slowly.
_UNHURRIED = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("fixed", derandomize=True, **_UNHURRIED)
settings.register_profile("random", **_UNHURRIED)
settings.load_profile(os.environ.get("TRUECASE_EXAMPLES", "fixed"))


@pytest.fixture(scope="session", autouse=True)
def away_from_the_checkout(tmp_path_factory):
    """Run in an empty folder: ``python -c`` and ``-m`` would import the uncompiled one here."""
    before = Path.cwd()
    os.chdir(tmp_path_factory.mktemp("cwd"))
    yield
    os.chdir(before)


@pytest.fixture(scope="session", autouse=True)
def without_a_gil_to_the_end():
    """A library that switches the GIL on would have all tests after it pass for nothing."""
    if getattr(sys, "_is_gil_enabled", lambda: True)():
        yield
        return
    yield
    assert not sys._is_gil_enabled()


@pytest.fixture(scope="module")
def switching_often():
    """Let threads take turns as often as they can."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(interval)


@pytest.fixture(scope="session")
def crf_model_file(tmp_path_factory):
    """Path of a small crf model with learned weights and a domain mixed in."""
    from made_once import made_once
    from recipes import trained
    from small_model import training_text

    from truecase.training.adapt import adapt_weights, interpolate_lm

    def make(path):
        base = trained(training_text().encode(), "crf")
        other = training_text(200, seed=31).replace("bridge", "Bridge").encode()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            mixed, _ = interpolate_lm(base.model, [other], other)
        adapted, _ = adapt_weights(mixed, other)
        adapted.save(path)

    return made_once(tmp_path_factory, "crf.truecase", make)


@pytest.fixture(scope="session")
def model_file(tmp_path_factory):
    """Path of a small n-gram model, trained on the text of small_model.py."""
    from made_once import made_once
    from recipes import trained
    from small_model import training_text

    return made_once(
        tmp_path_factory,
        "ngram.truecase",
        lambda path: trained(training_text().encode()).save(path),
    )


@pytest.fixture(scope="session")
def neural_model_file(tmp_path_factory):
    """Path of a small model of the preset crf-neural."""
    from made_once import made_once
    from recipes import SMALL_NETWORK, trained
    from small_model import training_text

    def make(path):
        text = training_text(300).encode()
        trained(text, "crf-neural", min_share=0.02, **SMALL_NETWORK).save(path)

    return made_once(tmp_path_factory, "crf-neural.truecase", make)


@pytest.fixture(scope="session")
def bilingual_model_file(tmp_path_factory):
    """Path of a small model of the preset bilingual."""
    from made_once import made_once
    from recipes import trained
    from small_bitext import bitext

    return made_once(
        tmp_path_factory,
        "bilingual.truecase",
        lambda path: trained(bitext(600), "bilingual").save(path),
    )


@pytest.fixture(scope="session")
def portage_model_file(tmp_path_factory):
    """Path of a small model of the preset portage that keeps its n-grams with their words."""
    from made_once import made_once
    from recipes import trained
    from small_model import training_text

    def make(path):
        trained(training_text(300).encode(), "portage", keep_ngrams=True).save(path)

    return made_once(tmp_path_factory, "portage.truecase", make)


# A module has its own, so that what its tests change is not seen by others.


@pytest.fixture(scope="module")
def model(model_file):
    """The small n-gram model, loaded."""
    from truecase import Truecaser

    return Truecaser.load(model_file)


@pytest.fixture(scope="module")
def english():
    """The embedded English model."""
    from truecase import Truecaser

    return Truecaser.load()


@pytest.fixture(scope="module")
def bilingual(bilingual_model_file):
    """The small model of the preset bilingual, loaded."""
    from truecase import Truecaser

    return Truecaser.load(bilingual_model_file)
