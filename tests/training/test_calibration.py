"""Learning a calibration: what it is right about, its figures, and text that it cannot use."""

import random

import numpy as np
import pytest
from calibrations import random_calibration
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from reference.calibration import reliability
from small_model import training_text

from truecase import TrainingError, Truecaser
from truecase.cli import main
from truecase.errors import WrongTypeError
from truecase.evaluation._posteriors import judged_words
from truecase.evaluation.calibration import JudgedWords, calibration_error
from truecase.kernels._components import ONE, SEVERAL
from truecase.training.adapt import interpolate_lm
from truecase.training.calibration import MOST_WORDS, Weights, calibrate, fit
from truecase.training.calibration import calibrated as calibrated_words

# Half of the names in lower case: the model, which has never seen them so, is too sure.
LIKE = training_text(400, seed=6)


def unlike(seed):
    draw = random.Random(seed)
    words = (
        word.lower() if draw.random() < 0.5 else word
        for line in training_text(500, seed=seed).splitlines()
        for word in [*line.split(), "\n"]
    )
    return " ".join(words).replace(" \n ", "\n").replace(" \n", "\n")


@pytest.fixture(scope="module")
def texts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("texts")
    paths = [folder / f"{name}.txt" for name in ("like", "unlike", "other")]
    for path, text in zip(paths, (LIKE, unlike(3), unlike(4)), strict=True):
        path.write_text(text)
    return paths


@pytest.fixture(scope="module")
def model(neural_model_file):
    return Truecaser.load(neural_model_file)


def error_on(model, text):
    """The error among all words with case, as `Truecaser.posteriors` has them."""
    judged = [
        (word.posterior, word.text == text[word.start : word.end])
        for line in model.posteriors(text.lower())
        for word in line
        if word.tag != "AN"
    ]
    return reliability(judged)[1]


def test_a_model_is_right_as_often_as_it_says(model, texts):
    made = calibrate(model.model, texts[1:2])
    sure = Truecaser(made.model)
    (figures,) = made.texts
    assert figures.error_before > 0.1 > figures.error_after
    assert figures.error_after <= figures.error_left_out < 0.5 * figures.error_before
    assert figures.after == pytest.approx(figures.accuracy, abs=0.02) != figures.before
    text = texts[1].read_text()
    assert error_on(model, text) == pytest.approx(figures.error_before, abs=1e-3)
    assert error_on(sure, text) == pytest.approx(figures.error_after, abs=1e-3)
    # Of the same kind, but text that nothing was learned from.
    assert error_on(sure, texts[2].read_text()) < 0.5 * error_on(model, texts[2].read_text())
    assert sure(text.lower()) == model(text.lower())
    notes = made.model.notes["calibrated"]
    assert notes["words"] == figures.words and notes["texts"] == 1
    assert notes["error_left_out"] == pytest.approx(figures.error_left_out, abs=1e-5)


def test_figures_are_those_of_text_left_out(model, texts):
    made = calibrate(model.model, texts)
    without_first = Truecaser(calibrate(model.model, texts[1:]).model)
    expected = error_on(without_first, texts[0].read_text())
    assert made.texts[0].error_left_out == pytest.approx(expected, abs=1e-3)


def test_every_text_counts_the_same(model, texts, monkeypatch):
    """A text several times as long, of the same words, counts no more."""
    from truecase.training import calibration as module

    monkeypatch.setattr(module, "_ROUNDS", 0)

    def errors(first):
        return [one.error_after for one in calibrate(model.model, [first, texts[1]]).texts]

    assert errors([texts[0]] * 5) == pytest.approx(errors(texts[0]), abs=0.01)
    # Where they are one text, it does.
    joined = calibrate(model.model, [[*[texts[0]] * 5, texts[1]]]).model
    error = error_on(Truecaser(joined), texts[1].read_text())
    assert error > errors(texts[0])[1] + 0.03


def test_the_worse_a_text_comes_out_the_more_it_weighs(model, texts, monkeypatch):
    """Two texts of one kind do not leave the only one of another to it."""
    from truecase.training import calibration as module

    def worst():
        return max(one.error_after for one in calibrate(model.model, texts).texts)

    evened = worst()
    monkeypatch.setattr(module, "_ROUNDS", 0)
    assert evened < 0.95 * worst()


def test_threads_and_blocks_do_not_matter(model, texts):
    one = calibrate(model.model, texts)
    two = calibrate(model.model, texts, threads=2)
    assert one.texts == two.texts
    lines = [path.read_bytes().splitlines(keepends=True) for path in texts]
    blocks = calibrate(model.model, [lambda of=of: of for of in lines])
    for name, array in one.model.calibration.arrays.items():
        np.testing.assert_array_equal(array, two.model.calibration.arrays[name])
        assert array == pytest.approx(blocks.model.calibration.arrays[name], rel=1e-3, abs=1e-3)


def test_command_and_python_give_the_same_bytes(model, texts, tmp_path, capsys):
    base, made, own = (tmp_path / f"{name}.truecase" for name in ("base", "made", "own"))
    model.save(base)
    assert main(["train", "calibrate", str(base), *map(str, texts), "-o", str(made)]) == 0
    told = capsys.readouterr().err
    Truecaser.load(base).calibrate(texts).save(own)
    assert made.read_bytes() == own.read_bytes()
    figures = calibrate(model.model, texts).texts
    for path, one in zip(texts, figures, strict=True):
        row = next(line for line in told.splitlines() if line.startswith(str(path)))
        assert row.split()[1:] == [
            f"{one.words:,}",
            *(
                f"{100 * share:.2f}"
                for share in (one.accuracy, one.before, one.error_before, one.after,
                              one.error_after, one.error_left_out)
            ),
        ]  # fmt: skip
    # A calibrated model is calibrated anew, not a second time on top.
    Truecaser.load(own).calibrate(texts).save(made)
    assert made.read_bytes() == own.read_bytes()
    assert main(["train", "calibrate", "-q", str(base), str(texts[0]), "-o", str(made)]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["TEXT", "TEXT", "-o", "OUT"], "a text is given twice"),
        (["TEXT", "-o", "TEXT"], "is also read: give the output another name"),
        (["SHORT", "-o", "OUT"], "has 2 words with case, too few to calibrate by: at least 1,000"),
        (["MISSING", "-o", "OUT"], "No such file"),
    ],
)
def test_what_the_command_refuses(model, texts, tmp_path, capsys, arguments, message):
    names = {"TEXT": texts[0], "OUT": tmp_path / "out", "MISSING": tmp_path / "missing"}
    names["SHORT"] = tmp_path / "short.txt"
    names["SHORT"].write_text("One line 2\n")
    model.save(tmp_path / "base")
    arguments = [str(names.get(argument, argument)) for argument in arguments]
    assert main(["train", "calibrate", str(tmp_path / "base"), *arguments]) in (1, 2)
    told = capsys.readouterr().err
    assert message in told and told.count("\n") == 1
    assert not names["OUT"].exists()


def test_what_python_refuses(model, texts):
    with pytest.raises(TrainingError, match="a calibration needs text"):
        model.calibrate([])
    with pytest.raises(TrainingError, match="text 1: has 0 words"):
        model.calibrate([list])
    for texts_given in ("text.txt", texts[0]):
        with pytest.raises(WrongTypeError, match="texts: expected a list"):
            model.calibrate(texts_given)
    with pytest.raises(WrongTypeError, match="model: expected Model"):
        calibrate(model, texts)


def test_adaptation_leaves_the_calibration_out(crf_model_file, texts, tmp_path, capsys):
    base = Truecaser.load(crf_model_file).model.replace(domain=None)
    base = base.replace(calibration=random_calibration(1))
    other = training_text(200, seed=31).encode()
    mixed, _ = interpolate_lm(base, [other], other)
    assert mixed.calibration is None
    base.save(tmp_path / "base")
    command = [
        "train",
        "adapt",
        str(tmp_path / "base"),
        "--dev",
        str(texts[0]),
        "-o",
        str(tmp_path / "out"),
    ]
    assert main(command) == 0
    assert "has no calibration" in capsys.readouterr().err
    assert Truecaser.load(tmp_path / "out").model.calibration is None


def test_judged_words_are_what_posteriors_tell(model):
    text = unlike(8) + "İzmir is at http://Foo.Bar/ in 2009\n"
    bare, right = text.lower().replace("i̇", "x").encode(), text.replace("İ", "X").encode()
    from parts import compiled

    judged = judged_words(compiled(model), bare, right)
    words = [w for line in model.posteriors(bare.decode()) for w in line if w.tag != "AN"]
    assert judged.probability.tolist() == [word.posterior for word in words]
    assert judged.is_one.tolist() == [len(word.candidates) == 1 for word in words]
    given_case = right.decode()
    assert judged.is_right.tolist() == [
        word.text == given_case[word.start : word.end] for word in words
    ]
    assert [w.text for w, d in zip(words, judged.is_decided, strict=True) if not d] == [
        "http://foo.bar/"
    ]
    with pytest.raises(ValueError, match="differ in length"):
        judged_words(compiled(model), b"a", b"")
    assert len(judged_words(compiled(model), b"", b"").probability) == 0


def test_lines_whose_length_changes_are_passed_over(model, texts):
    text = texts[1].read_bytes()
    strange = "ȺȺȺ THE BRIDGE\n".encode() * 50
    one, two = (calibrate(model.model, [lambda of=of: [of]]) for of in (text, strange + text))
    assert one.texts == two.texts


def test_of_a_long_text_its_beginning(model, monkeypatch):
    from truecase.training import calibration as module

    monkeypatch.setattr(module, "MOST_WORDS", 1500)
    assert MOST_WORDS == 100_000
    made = calibrate(model.model, [lambda: [LIKE.encode()] * 50])
    assert made.texts[0].words == 1500


def drawn(several, one, n, seed=0):
    """Words whose forms are right as often as weights say."""
    draw = np.random.default_rng(seed)
    seen = draw.uniform(0, 1, n)
    odds = draw.uniform(-3, 12, n)
    is_one = draw.uniform(size=n) < 0.5
    sentence = [draw.uniform(0, 1, n), draw.uniform(0, 1, n), draw.uniform(-6, 0, n)]
    of_word = [seen, seen**2, draw.uniform(size=n) < 0.3]
    of_several = [np.ones(n), (1 - seen) * odds, seen * odds, *of_word, *sentence]
    of_several.append(np.clip(odds, -4, 4))
    of_one = [np.ones(n), *of_word, *sentence, *[np.zeros(n)] * 3]
    values = np.where(is_one, np.array(of_one), np.array(of_several)).T.copy()
    weights = Weights(np.array(several, float), np.array(one, float))
    words = JudgedWords(
        np.where(is_one, 1.0, 1 / (1 + np.exp(-odds))), values, is_one, np.ones(n, bool), is_one
    )
    is_right = draw.uniform(size=n) < calibrated_words(words, weights)
    return words._replace(is_right=is_right)


def test_weights_are_found_again():
    several, one = [-1, 0.4, 1.2, 0.5, -1, -0.5, 1, 0.5, 0.3, 0.4], [-1, 3, 1, -1, 2, 1, 0.5]
    found = fit([drawn(several, one, 400_000)])
    assert found.several == pytest.approx(several, abs=0.4)
    assert found.several[:3] == pytest.approx(several[:3], abs=0.1)
    assert found.one == pytest.approx(one, abs=0.3)
    assert len(found.several) == len(SEVERAL) and len(found.one) == len(ONE)


def test_what_is_surer_never_counts_as_less_probable():
    """Where being sure speaks against it, its weights are 0, and the others fit all the same."""
    found = fit([drawn([1, -1, -0.5, 0.5, *[0] * 6], [1, *[0] * 6], 50_000)])
    assert found.several[1] == found.several[2] == 0.0
    mixed = fit([drawn([0, -1, 1.5, *[0] * 7], [1, *[0] * 6], 50_000)])
    assert mixed.several[1] == 0.0 < mixed.several[2]


def test_where_a_text_says_nothing_probabilities_stay():
    words = drawn([0, 1, 1, *[0] * 7], [1, *[0] * 6], 2000)
    none = JudgedWords(*(array[:0] for array in words))
    found = fit([none._replace(probability=np.ones(1))])
    assert found.several.tolist() == [0, 1, 1, *[0] * 7]
    before = words.probability
    after = calibrated_words(words._replace(is_one=np.zeros(2000, bool)), found)
    several = ~words.is_one
    assert after[several] == pytest.approx(before[several], abs=1e-6)


@examples(50)
@given(
    st.lists(st.tuples(st.one_of(st.floats(0, 1), st.sampled_from([0.0, 0.3, 0.999, 1.0])),
                       st.booleans()), max_size=40)
)  # fmt: skip
def test_error_of_arrays(judged):
    probabilities = np.array([p for p, _ in judged], float)
    is_right = np.array([right for _, right in judged], bool)
    assert calibration_error(probabilities, is_right) == pytest.approx(reliability(judged)[1])
