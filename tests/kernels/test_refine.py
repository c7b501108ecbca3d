"""Learning of a context layer: gradients, what is learned, the command and its Python twin."""

import numpy as np
import pytest
from calibrations import calibrated
from contexts import random_layer, refined
from small_model import training_text

from truecase import Truecaser
from truecase._core import CompiledModel
from truecase.cli import main
from truecase.errors import ModelError, TrainingError, WrongTypeError
from truecase.training._context_decisions import first_decisions, posteriors_beside
from truecase.training.context import (
    Part,
    added_scores,
    first_weights,
    gradients_of,
    layer_of,
    learn_layer,
    refine,
    sentences_of,
)
from truecase.training.material import TextBlocks
from truecase.training.recipe import ContextRecipe

TEXT = training_text(1500, seed=21)
SMALL = ContextRecipe(n_units=8, n_rows=64, passes=1)


@pytest.fixture(scope="module")
def sparse(sparse_model_file):
    return Truecaser.load(sparse_model_file)


@pytest.fixture(scope="module")
def compiled(sparse):
    return CompiledModel(sparse.model)


def some_weights(n_rows=64, seed=3):
    """Weights whose gates are between open and shut, where gradients are."""
    draw = np.random.default_rng(seed)
    return {
        name: (array + 0.05 * draw.standard_normal(array.shape)).astype(np.float64)
        for name, array in first_weights(8, n_rows).items()
    }


def loss_of(weights, found, compiled, text):
    added = np.zeros((len(found.row), 4), np.float32)
    for at in sentences_of(found):
        added[at.place[at.asked]] = added_scores(weights, at)[0]
    posterior = posteriors_beside(compiled, text, added)
    asked = np.flatnonzero(found.is_open & (found.gold >= 0))
    return -np.log(posterior[asked, found.gold[asked]]).sum(dtype=np.float64)


def test_gradients_are_finite_differences(compiled):
    text = "\n".join(TEXT.splitlines()[:40]).encode() + b"\n"
    found = first_decisions(compiled, text, 64)
    draw = np.random.default_rng(7)
    weights = some_weights()
    direction = {}
    total = {}
    wanted = 0.0
    # What is linear in the scores: a random functional of them has exact gradients.
    functional = draw.standard_normal((len(found.row), 4))
    for at in sentences_of(found):
        _, forward = added_scores(weights, at)
        for name, array in gradients_of(
            weights, at, forward, functional[at.place[at.asked]]
        ).items():
            total[name] = total.get(name, 0) + array

    def value(moved):
        return sum(
            float((functional[at.place[at.asked]] * added_scores(moved, at)[0]).sum())
            for at in sentences_of(found)
        )

    for name, array in weights.items():
        direction[name] = draw.standard_normal(array.shape)
        wanted = float((total[name] * direction[name]).sum())
        step = 1e-6
        ahead = value({**weights, name: array + step * direction[name]})
        behind = value({**weights, name: array - step * direction[name]})
        assert (ahead - behind) / (2 * step) == pytest.approx(wanted, rel=1e-3, abs=1e-3), name


def test_posteriors_less_gold_are_the_gradient_of_the_likelihood(compiled):
    text = b"The post of London was never seen by Dr. Mary again\nOslo : Mary and Chen\n"
    found = first_decisions(compiled, text, 64)
    asked = np.flatnonzero(found.is_open & (found.gold >= 0))
    assert len(asked)
    added = np.zeros((len(found.row), 4), np.float32)
    word = asked[0]

    def joint(scores):
        # Only one word is asked for, so that the loss is of it alone.
        return float(np.log(posteriors_beside(compiled, text, scores)[word, found.gold[word]]))

    posterior = posteriors_beside(compiled, text, added)[word]
    for case in np.flatnonzero(np.isfinite(found.lead[word])):
        ahead, behind = added.copy(), added.copy()
        ahead[word, case] += 0.01
        behind[word, case] -= 0.01
        numeric = (joint(ahead) - joint(behind)) / 0.02
        assert numeric == pytest.approx((case == found.gold[word]) - posterior[case], abs=2e-3)


def test_the_layer_of_a_model_computes_what_training_did(sparse, compiled):
    text = "\n".join(TEXT.splitlines()[:60]).encode() + b"\n"
    found = first_decisions(compiled, text, 64)
    weights = {name: array.astype(np.float32) for name, array in some_weights().items()}
    # As the model has them: in steps of 1/32.
    for name in ("words", "priors"):
        weights[name] = np.rint(weights[name] * 32) / np.float32(32)
    weights["out"] *= 30
    layer = layer_of(weights, ContextRecipe(n_units=8, n_rows=64, doubt=1000.0))
    added = np.zeros((len(found.row), 4), np.float32)
    for at in sentences_of(found):
        added[at.place[at.asked]] = added_scores(weights, at)[0]
    beside = posteriors_beside(compiled, text, added)
    within = first_decisions(CompiledModel(sparse.model.replace(context=layer)), text, 64)
    by_layer = posteriors_beside(
        CompiledModel(sparse.model.replace(context=layer)), text, np.zeros_like(added)
    )
    assert np.array_equal(within.row, found.row)
    assert np.abs(by_layer - beside).max() < 0.02
    assert np.abs(added).max() > 0.5


def test_scores_for_other_words_are_refused(compiled):
    with pytest.raises(ValueError, match="the text has others"):
        posteriors_beside(compiled, b"the post of London\n", np.zeros((1, 4), np.float32))
    with pytest.raises(ValueError, match="3 columns"):
        posteriors_beside(compiled, b"the post\n", np.zeros((2, 3), np.float32))


def test_what_a_layer_learns_makes_the_text_likelier(compiled):
    losses = []
    learn_layer(
        [Part(compiled, TextBlocks([TEXT.encode()]))],
        ContextRecipe(n_units=8, n_rows=256, passes=10, rate=0.04),
        lambda share, loss: losses.append(loss),
    )
    assert losses[-1] < 0.9 * losses[0]


def test_the_same_text_gives_the_same_layer(compiled):
    layers = [learn_layer([Part(compiled, TextBlocks([TEXT.encode()]))], SMALL) for _ in range(2)]
    for name, array in layers[0].arrays.items():
        np.testing.assert_array_equal(array, layers[1].arrays[name])


def test_the_command_and_python_make_the_same_bytes(sparse_model_file, tmp_path, capfd):
    text, out = tmp_path / "text.txt", tmp_path / "out.truecase"
    text.write_text(TEXT, encoding="utf-8")
    options = ["--units", "8", "--passes", "1"]
    assert (
        main(["train", "refine", str(sparse_model_file), str(text), "-o", str(out), *options]) == 0
    )
    said = capfd.readouterr().err
    assert "wrong words of" in said and "before" in said
    recipe = ContextRecipe(n_units=8, passes=1)
    again = Truecaser.load(sparse_model_file).refine(text, recipe)
    again.save(tmp_path / "again.truecase")
    assert (tmp_path / "again.truecase").read_bytes() == out.read_bytes()
    judged = again.model.notes["refined"]["judged"]
    assert f"{judged['words']:,} that were held out" in said
    assert "no calibration" not in said
    assert main(["info", str(out)]) == 0
    assert "a recurrent layer" in capfd.readouterr().out


def test_parts_that_other_models_have_not_seen(sparse_model_file, tmp_path, capfd):
    texts = []
    for part in range(2):
        texts.append(tmp_path / f"{part}.txt")
        texts[-1].write_text(training_text(900, seed=30 + part), encoding="utf-8")
    out, base = tmp_path / "out.truecase", str(sparse_model_file)
    unseen = [one for text in texts for one in ("--unseen", base, str(text))]
    options = ["--units", "8", "--passes", "1", "-o", str(out)]
    assert main(["train", "refine", base, *unseen, *options]) == 0
    truecaser = Truecaser.load(base)
    again = truecaser.refine(
        recipe=ContextRecipe(n_units=8, passes=1), unseen=[(truecaser, text) for text in texts]
    )
    again.save(tmp_path / "again.truecase")
    assert (tmp_path / "again.truecase").read_bytes() == out.read_bytes()
    capfd.readouterr()
    assert main(["train", "refine", base, "--unseen", base, *options]) == 2
    assert "text that this model has not seen is missing" in capfd.readouterr().err
    assert main(["train", "refine", base, *options]) == 2
    assert "text that the model was not trained on is needed" in capfd.readouterr().err
    twice = [str(texts[0]), "--unseen", base, str(texts[0])]
    assert main(["train", "refine", base, *twice, *options]) == 2
    assert "given twice" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("options", "says"),
    [(["--units", "12"], "units 12: expected 8, 16, 24"), (["--passes", "0"], "passes")],
)
def test_wrong_options_are_named(options, says, sparse_model_file, tmp_path, capfd):
    text = tmp_path / "text.txt"
    text.write_text(TEXT, encoding="utf-8")
    arguments = ["train", "refine", str(sparse_model_file), str(text), "-o", str(tmp_path / "x")]
    with pytest.raises(SystemExit) as ended:
        raise SystemExit(main([*arguments, *options]))
    assert ended.value.code == 2
    assert says in capfd.readouterr().err


def test_models_and_texts_that_will_not_do(sparse, model_file, tmp_path):
    text = tmp_path / "text.txt"
    text.write_text(TEXT, encoding="utf-8")
    with pytest.raises(ModelError, match="cannot be refined: only crf-sparse"):
        Truecaser.load(model_file).refine(text)
    with pytest.raises(WrongTypeError, match="expected a Model"):
        refine("en", text)
    short = tmp_path / "short.txt"
    short.write_text("A line.\n", encoding="utf-8")
    with pytest.raises(TrainingError, match=r"short\.txt: too short to learn from"):
        sparse.refine(short)
    with pytest.raises(FileNotFoundError):
        sparse.refine(tmp_path / "none.txt")


def test_a_layer_is_replaced_and_a_calibration_goes(sparse, tmp_path, capfd):
    text, base = tmp_path / "text.txt", tmp_path / "base.truecase"
    text.write_text(TEXT, encoding="utf-8")
    calibrated(sparse).save(base)
    options = ["--units", "8", "--passes", "1", "-o", str(tmp_path / "out.truecase")]
    assert main(["train", "refine", str(base), str(text), *options]) == 0
    assert "the refined model has no calibration" in capfd.readouterr().err
    assert Truecaser.load(tmp_path / "out.truecase").model.calibration is None
    once = sparse.refine(text, SMALL)
    again = refined(sparse, 9).refine(text, SMALL)
    assert once.model.calibration is None
    for name, array in once.model.context.arrays.items():
        np.testing.assert_array_equal(array, again.model.context.arrays[name])
    assert random_layer(1).info()["doubt"] == 4.0
