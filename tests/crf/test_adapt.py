"""Adaptation: weights near the base's, and a domain's words mixed in."""

import random

import numpy as np
import pytest
from parts import arrays_of, metadata_of, of_arrays
from small_model import training_text

import truecase
from truecase.errors import ModelError
from truecase.training.adapt import adapt_weights, interpolate_lm
from truecase.training.dense import current_weights, learn_dense
from truecase.training.recipe import DenseRecipe
from truecase.truecaser import Truecaser

pytestmark = pytest.mark.filterwarnings("ignore:Kneser-Ney")

# A domain with words of its own and others cased in its own way.
DOMAIN = "open the Bridge tool of FooBar and run quxctl on Bridge in Zork .\n"


def domain_text(n, seed):
    draw = random.Random(seed)
    words = ["FooBar", "quxctl", "Zork", "Bridge", "tool", "run", "open", "of", "the", "and"]
    return "".join(
        DOMAIN if draw.random() < 0.5 else " ".join(draw.choices(words, k=6)) + " .\n"
        for _ in range(n)
    ).encode()


@pytest.fixture(scope="module")
def base(untrained):
    text = training_text(300, seed=9).encode()
    component, _ = learn_dense(untrained().model, text, DenseRecipe(), judge=False)
    return Truecaser(untrained().model.replace(dense=component))


def test_weights_stay_where_the_text_says_nothing(base):
    adapted, fit = adapt_weights(base.model, b"the bridge of London\n", sigma=0.1)
    assert np.abs(current_weights(adapted) - current_weights(base.model)).max() < 0.3
    assert adapted.notes["adapted"]["tokens"] == fit.n_tokens == 4


@pytest.fixture(scope="module")
def mixed(base):
    model, tried = interpolate_lm(base.model, [domain_text(200, 1)], domain_text(60, 2))
    return Truecaser(model), tried


def test_the_domains_words_are_mixed_in(base, mixed):
    model, tried = mixed
    lines = domain_text(100, 3).decode().splitlines()
    assert model.evaluate(lines).accuracy > base.evaluate(lines).accuracy + 0.1
    assert model("run quxctl of foobar in zork .") == "Run quxctl of FooBar in Zork ."
    # What the base knows and the domain does not is as it was.
    assert model("the post of kyiv") == base("the post of kyiv")
    weight = metadata_of(model)["notes"]["adapted"]["mixture_weight"]
    assert dict(tried)[weight] == max(value for _, value in tried)


def test_a_mixture_is_saved_and_loaded(mixed, tmp_path):
    model, _ = mixed
    model.save(tmp_path / "m.truecase")
    loaded = truecase.Truecaser.load(tmp_path / "m.truecase", verify=True)
    block = domain_text(50, 4).lower() + training_text(50, 5).lower().encode()
    assert loaded.case_block(block) == model.case_block(block)
    assert loaded.posteriors("foobar")[0][0].posterior <= 1


def test_a_small_share_leaves_the_base_as_it_is(base, mixed):
    model, _ = mixed
    metadata = metadata_of(model)
    metadata["sections"]["domain"] = {**metadata["sections"]["domain"], "share": 1e-6}
    faint = of_arrays(arrays_of(model), metadata)
    lines = training_text(100, seed=30).splitlines()
    same = [a == b for a, b in zip(faint.batch(lines), base.batch(lines), strict=True)]
    assert sum(same) >= 95


def test_weights_and_mixture_together(mixed):
    model = Truecaser(adapt_weights(mixed[0].model, domain_text(60, 2))[0])
    assert set(metadata_of(model)["notes"]["adapted"]) == {
        "mixture_weight",
        "corpus",
        "tokens",
        "sigma",
    }
    assert model("open foobar").endswith(" FooBar")


def test_a_second_mixture_is_refused(mixed):
    with pytest.raises(ModelError, match="adapted already"):
        interpolate_lm(mixed[0].model, [domain_text(20, 1)], domain_text(20, 2))


def test_a_model_without_weights_is_refused(model_file):
    plain = truecase.Truecaser.load(model_file)
    with pytest.raises(ModelError, match="preset crf"):
        interpolate_lm(plain.model, [domain_text(20, 1)], domain_text(20, 2))
    with pytest.raises(ModelError, match="preset crf"):
        adapt_weights(plain.model, domain_text(20, 1))


@pytest.mark.parametrize(
    "change, message",
    [
        ({"share": 0.0}, "domain.share"),
        ({"share": 1.0}, "domain.share"),
        ({"lexicon": {}}, "lexicon"),
        ({"lm": None}, "lm"),
    ],
)
def test_a_broken_mixture_is_refused(mixed, change, message):
    model, _ = mixed
    metadata = metadata_of(model)
    metadata["sections"]["domain"] = {**metadata["sections"]["domain"], **change}
    with pytest.raises(ModelError, match=message):
        of_arrays(arrays_of(model), metadata)


def test_missing_arrays_of_the_domain_are_named(mixed):
    model, _ = mixed
    arrays = {k: v for k, v in arrays_of(model).items() if k != "domain/lexicon/slots"}
    with pytest.raises(ModelError, match=r"domain: .*array lexicon/slots is missing"):
        of_arrays(arrays, metadata_of(model))
