"""Learning weights: the optimum, its prior, honest text, and the model that comes out."""

import sys

import numpy as np
import pytest
from parts import arrays_of, compiled, metadata_of, of_arrays
from small_model import training_text

import truecase
from truecase.errors import LearningWarning, ModelError, TrainingError
from truecase.kernels import schema as features
from truecase.training import dense
from truecase.training.dense import (
    SIGMAS,
    Development,
    ablate_features,
    current_weights,
    fit_weights,
    learn_dense,
    search_sigma,
    with_weights,
)
from truecase.training.material import Holdout
from truecase.training.recipe import PRESETS, DenseRecipe
from truecase.truecaser import Truecaser

OTHER = training_text(300, seed=77).encode()


@pytest.fixture(scope="module")
def development(untrained):
    return Development(compiled(untrained()), OTHER)


def learn_weights(model, text, **arguments):
    component, fit = learn_dense(model.model, text, DenseRecipe(), **arguments)
    learned = model.model.replace(dense=component)
    return Truecaser(learned.with_notes(crf=fit.to_dict())), fit


@pytest.fixture(scope="module")
def learned(untrained):
    return learn_weights(untrained(), OTHER)


def test_the_optimum_is_one(development):
    start = features.default_weights()
    fit = fit_weights(development, start, sigma=0.5)
    assert fit.gradient_norm < 0.5
    best = fit.objective
    rng = np.random.default_rng(1)
    for _ in range(20):
        weights = fit.weights + rng.normal(scale=0.05, size=len(start))
        value = development.evaluate(weights)[0] - weights @ weights / (2 * 0.25)
        assert value <= best + 1e-3


def test_the_search_goes_on_until_it_has_converged(development, monkeypatch):
    start = features.default_weights()
    whole = fit_weights(development, start, sigma=5.0)
    monkeypatch.setattr(dense, "_ITERATIONS", 10)
    in_rounds = fit_weights(development, start, sigma=5.0)
    assert in_rounds.objective == pytest.approx(whole.objective, abs=1e-2)
    monkeypatch.setattr(dense, "_MAX_ROUNDS", 1)
    with pytest.warns(LearningWarning, match="had not converged after [0-9]+ evaluations"):
        assert fit_weights(development, start, sigma=5.0).objective < whole.objective


def test_the_prior_pulls_weights_to_its_mean(development):
    mean = features.default_weights()
    far = fit_weights(development, mean, sigma=5.0, mean=mean).weights
    near = fit_weights(development, mean, sigma=0.01, mean=mean).weights
    assert np.abs(near - mean).max() < 0.1 < np.abs(far - mean).max()


def test_columns_that_are_not_active_stay(development):
    start = features.default_weights()
    active = [name == "lm" for name in features.columns()]
    fit = fit_weights(development, start, active=active)
    assert fit.weights[0] != start[0]
    assert (fit.weights[1:] == start[1:].astype(np.float32)).all()


def test_learned_weights_case_better(untrained, learned):
    trained, fit = learned
    lines = training_text(300, seed=78).splitlines()
    assert trained.evaluate(lines).accuracy >= untrained().evaluate(lines).accuracy
    assert 0 <= fit.n_wrong <= fit.n_ambiguous <= fit.n_tokens
    assert fit.log_likelihood < 0
    assert fit.bytes_per_token < 500
    judged = {feature.name: feature for feature in fit.features}
    assert set(judged) == set(features.named_weights(fit.weights))
    assert judged["lm"].decisions > 0
    assert metadata_of(trained)["notes"]["crf"]["tokens"] == fit.n_tokens


def test_weights_do_not_depend_on_threads(untrained, learned):
    again, _ = learn_weights(untrained(), OTHER, threads=3, judge=False)
    assert (arrays_of(again)["dense/weights"] == arrays_of(learned[0])["dense/weights"]).all()


def test_judging_leaves_one_out(development):
    weights = np.zeros(len(features.columns()))
    weights[0] = 1.0
    assert [feature.name for feature in ablate_features(development, weights)] == ["lm"]


def test_sigma_is_searched(development):
    start = features.default_weights()
    learning, judging = development.halves()

    def likelihood(sigma):
        return judging.evaluate(fit_weights(learning, start, sigma=sigma).weights)[0]

    assert search_sigma(development, start) == max(SIGMAS, key=likelihood)


def test_saved_and_loaded(learned, tmp_path):
    trained, _ = learned
    trained.save(tmp_path / "m.truecase")
    loaded = truecase.Truecaser.load(tmp_path / "m.truecase", verify=True)
    block = OTHER.lower()
    assert loaded.case_block(block) == trained.case_block(block)
    assert (current_weights(loaded.model) == current_weights(trained.model)).all()


SHIFT, SUFFIXES = "dense/neighbour_log_odds", "dense/suffixes"


@pytest.mark.parametrize(
    "change, message",
    [
        (lambda a, d: d.update(features=["lm", "lm"]), "twice"),
        (lambda a, d: d.update(features=["lm", "shoe_size"]), "shoe_size"),
        (lambda a, d: d.update(features="lm"), "list of names"),
        (lambda a, d: d.pop("features"), "dense.features"),
        (lambda a, d: a.update({"dense/weights": np.ones(99, np.float32)}), "dense/weights"),
        (lambda a, d: a["dense/weights"].fill(np.nan), "is no number"),
        (lambda a, d: a["dense/weights"].fill(1e7), "beyond"),
        (lambda a, d: a.pop("dense/unknown_tag_ln"), "dense/unknown_tag_ln"),
        (lambda a, d: a.update({SHIFT: a[SHIFT][:-1]}), "dense/neighbour_log_odds"),
        (lambda a, d: a.update({SUFFIXES: a[SUFFIXES][:-1]}), "dense/suffixes"),
    ],
)
def test_a_broken_model_is_refused(untrained, change, message):
    model = untrained()
    arrays = dict(arrays_of(model))
    arrays["dense/weights"] = np.array(arrays["dense/weights"])
    metadata = metadata_of(model)
    metadata["sections"]["dense"] = {"features": ["lm", "initial"]}
    arrays["dense/weights"] = np.ones(2, np.float32)
    change(arrays, metadata["sections"]["dense"])
    with pytest.raises(ModelError, match=message):
        of_arrays(arrays, metadata)


def test_a_model_without_evidence_decodes(untrained):
    model = untrained()
    arrays = {k: v for k, v in arrays_of(model).items() if k not in (SHIFT, SUFFIXES)}
    plain = of_arrays(arrays, metadata_of(model))
    assert plain("the bridge of london").lower() == "the bridge of london"


def test_nothing_to_learn_from(untrained, model_file):
    with pytest.raises(TrainingError, match="nothing to learn"):
        learn_weights(untrained(), b"12 . 7\n")
    with pytest.raises(ModelError, match="ngram has no dense features"):
        learn_weights(truecase.Truecaser.load(model_file), OTHER)


def test_without_scipy_the_error_says_what_to_install(untrained, monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    with pytest.raises(TrainingError, match=r"pip install scipy"):
        learn_weights(untrained(), OTHER)


def test_order_one_has_no_edges():
    with pytest.raises(TrainingError, match="order 1"):
        PRESETS["crf"].with_options({"lm.order": 1})


@pytest.mark.parametrize("sigma", [0, -1.0, "find", 1e9])
def test_sigma_is_checked(sigma):
    with pytest.raises(TrainingError, match="sigma"):
        DenseRecipe(sigma)


@pytest.mark.filterwarnings("ignore:Kneser-Ney")
def test_training_with_and_without_development_text(text_file, tmp_path):
    development = tmp_path / "dev.txt"
    development.write_bytes(OTHER)
    made = [
        truecase.Truecaser.train(text_file, "crf", development=development),
        truecase.Truecaser.train([text_file], "crf"),
        truecase.Truecaser.train([text_file], "crf"),
    ]
    for number, model in enumerate(made):
        model.save(tmp_path / str(number))
        assert metadata_of(model)["notes"]["crf"]["wrong"] >= 0
        # The language model has seen all of the text in either case.
        assert metadata_of(model)["notes"]["corpus"]["lines"] == 800
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()


@pytest.mark.filterwarnings("ignore:Kneser-Ney")
def test_a_text_is_read_once(text_file):
    reads = []

    def read():
        reads.append(1)
        return [text_file.read_bytes()]

    model = truecase.Truecaser.train(read, "crf")
    assert len(reads) == 1
    assert metadata_of(model)["notes"]["corpus"]["lines"] == 800


def cut(text, n):
    lines = text.splitlines(keepends=True)
    return [b"".join(lines[i : i + n]) for i in range(0, len(lines), n)]


@pytest.mark.parametrize("words", [100, 3000, 10**6])
def test_holding_out_does_not_depend_on_blocks(words):
    text = b"".join(b"w%d a b c d\n" % i for i in range(20_011)) + b"end"
    results = set()
    for n in (1, 7, 64, 100, 20_012):
        holdout = Holdout(cut(text, n), words)
        rest = b"".join(holdout.training())
        assert sorted((rest + holdout.text()).split(b"\n")) == sorted((text + b"\n").split(b"\n"))
        assert len(holdout.text().split()) <= max(words, 64 * 5 + 1)
        results.add((rest, holdout.text()))
    assert len(results) == 1


def test_a_text_of_a_few_lines_is_too_short():
    holdout = Holdout([b"a b\n", b"c\n"])
    assert b"".join(holdout.training()) == b"a b\nc\n"
    with pytest.raises(TrainingError, match="too few"):
        holdout.text()


def test_weights_by_name():
    names = features.columns()
    assert len(set(names)) == len(names)
    assert names[0] == "lm" and "after_punctuation::" in names
    vector = features.weight_vector({"lm": 2.0, "transition:AL>IU": -1.0})
    assert features.named_weights(vector) == {"lm": 2.0, "transition:AL>IU": -1.0}
    with pytest.raises(ValueError, match="shoe_size"):
        features.weight_vector({"shoe_size": 1.0})


def test_a_weight_changes_what_it_names(untrained):
    model = untrained()
    weights = features.weight_vector({"lm": 1.0, "initial": 50.0})
    assert Truecaser(with_weights(model.model, weights))("the bridge").startswith("The ")
    weights = features.weight_vector({"lm": 1.0, "initial": -50.0})
    lowered = Truecaser(with_weights(model.model, weights))
    assert lowered("the bridge", sentence_start="learned").startswith("the ")
    for up, down, cased in ((",", "(", ", Bridge ( bridge"), ("(", ",", ", bridge ( Bridge")):
        weights = features.weight_vector(
            {"lm": 1.0, f"after_punctuation:{up}": 50.0, f"after_punctuation:{down}": -50.0}
        )
        assert Truecaser(with_weights(model.model, weights))("in , bridge ( bridge").endswith(cased)
