"""Learning of marks: gradients, labels of a text, what is learned, the command and its twin."""

import dataclasses
import re
from collections import Counter

import numpy as np
import pytest

from truecase import Truecaser
from truecase.cli import main
from truecase.cli.train import marks_recipe
from truecase.errors import TrainingError
from truecase.training.punctuation import (
    ARCHITECTURE,
    Pieces,
    label_scores,
    label_words,
    learn_marks,
    marks_of,
    train_marks,
)
from truecase.training.recipe import MarksRecipe

SMALL = MarksRecipe(
    n_units=16, n_words=512, n_endings=64, passes=6, length=24, batch=4, rate=0.02, hide_words=0.0
)


def spoken(n, seed=0):
    """Text whose marks follow from its words."""
    draw = np.random.default_rng(seed)
    names = ["Anna", "Ben", "Chen", "Dora"]
    verbs = ["sees", "likes", "knows", "hears"]
    lines = []
    for _ in range(n):
        line = []
        for _ in range(int(draw.integers(1, 4))):
            one, other = draw.choice(names, 2)
            verb = str(draw.choice(verbs))
            kind = int(draw.integers(3))
            if kind == 0:
                line.append(f"Well, {one} {verb} {other}.")
            elif kind == 1:
                line.append(f"Does {one} know {other}?")
            else:
                line.append(f"{one} {verb} Mr. {other}, you see.")
        lines.append(" ".join(line))
    return "\n".join(lines) + "\n"


def test_matrices_are_multiplied_in_one_thread_while_marks_are_learned():
    threads = pytest.importorskip("threadpoolctl")
    words = label_words([spoken(40).encode()], SMALL)
    found = set()

    def look(share):
        found.update(one["num_threads"] for one in threads.threadpool_info())

    with threads.threadpool_limits(2, user_api="blas"):
        before = [one["num_threads"] for one in threads.threadpool_info()]
        learn_marks(words, SMALL, report=look)
        after = [one["num_threads"] for one in threads.threadpool_info()]
    assert found == {1}
    assert after == before


@pytest.fixture(scope="module")
def base(model_file):
    return Truecaser.load(model_file)


N_ROWS = {"words": 20, "endings": 5, "pairs": 9}


def pieces(draw):
    length = np.array([7, 0, 1, 12], np.int32)
    n_words = int(length.sum())
    is_next_known = draw.random(n_words) < 0.7
    is_next_known[np.cumsum(length)[length > 0] - 1] = False
    return Pieces(
        rows={name: draw.integers(0, n, n_words) for name, n in N_ROWS.items()},
        given=draw.integers(0, 4, n_words) * (draw.random(n_words) < 0.3),
        is_next_known=is_next_known,
        length=length,
    )


def test_gradients_are_finite_differences():
    draw = np.random.default_rng(5)
    weights = {
        name: (array + 0.05 * draw.standard_normal(array.shape)).astype(np.float64)
        for name, array in ARCHITECTURE.first_weights(16, N_ROWS, 4).items()
    }
    at = pieces(draw)
    functional = draw.standard_normal((len(at.given), 4))
    _, forward = label_scores(weights, at)
    gradients, of_inputs = ARCHITECTURE.gradients(weights, forward, functional)
    for name, columns in ARCHITECTURE.columns.items():
        gradients[name] = np.zeros_like(weights[name])
        np.add.at(gradients[name], at.rows[name], of_inputs[:, columns])
    assert set(gradients) == set(weights)
    for name, array in weights.items():
        direction = draw.standard_normal(array.shape)
        wanted = float((gradients[name] * direction).sum())
        step = 1e-6
        ahead, behind = (
            float((label_scores({**weights, name: moved}, at)[0] * functional).sum())
            for moved in (array + step * direction, array - step * direction)
        )
        assert (ahead - behind) / (2 * step) == pytest.approx(wanted, rel=1e-4, abs=1e-4), name


def labels(text, **options):
    found = label_words([text.encode()], MarksRecipe(**options))
    return found.label.tolist()


def test_what_counts_as_a_mark():
    text = "Well, no! Is it so? I see: fine; ok - really, a (big) “dog.” End"
    signs = {",": 1, ".": 2, "?": 3}
    wanted = ", . _ _ ? _ , . , , _ _ . ."
    # Well no Is it so I see fine ok really a big dog End
    assert labels(text) == [signs.get(sign, 0) for sign in wanted.split()]


def test_full_stops_of_abbreviations_are_none():
    line = "Ask Mr. Smith of the U.S. Army and J. Doe, the rest vs. the rest. Is it? Yes.\n"
    found = label_words([(line * 5).encode()], MarksRecipe())
    words = line.split()
    stops = [word for word, label in zip(words, found.label.tolist(), strict=False) if label == 2]
    assert stops == ["rest.", "Yes."]
    assert len(found.abbreviations) == 4  # mr, u.s, j and vs


def test_frequent_pairs_have_rows():
    draw = np.random.default_rng(4)
    words = ["".join(draw.choice(list("abcdef"), 3)) for _ in range(60)]
    text = [words[int(60 * draw.random() ** 2)] for _ in range(4000)]
    count = Counter(zip(["", *text], text, strict=False))
    found = label_words([(", ".join(text) + ". Is it?\n").encode()], MarksRecipe(n_pairs=1 << 10))
    rows = found.rows["pairs"][: len(text)].tolist()
    row_of = dict(zip(zip(["", *text], text, strict=False), rows, strict=True))
    frequent = {pair for pair, n in count.items() if n >= 8}
    with_row = {pair for pair, row in row_of.items() if row < len(found.checks["pairs"])}
    assert with_row <= frequent
    assert len(with_row) > 0.85 * len(frequent) > 20
    # Each has one of its own.
    assert len({row_of[pair] for pair in with_row}) == len(with_row)


def test_text_without_a_mark_is_refused():
    with pytest.raises(TrainingError, match="has no ','"):
        label_words([b"How are you? Fine.\n"], MarksRecipe())
    with pytest.raises(TrainingError, match="no words"):
        label_words([b"\n"], MarksRecipe())
    text = label_words([b"Well, how are you? Fine.\n"], SMALL)
    with pytest.raises(TrainingError, match="from 120 words or more"):
        learn_marks(text, SMALL)


def test_the_model_computes_what_training_did(base):
    text = label_words([spoken(40).encode()], SMALL)
    draw = np.random.default_rng(2)
    n_rows = {name: len(checks) + 1 for name, checks in text.checks.items()}
    assert min(n_rows.values()) > 8
    weights = ARCHITECTURE.first_weights(16, {**n_rows, "endings": 64}, 4)
    weights["pairs"][:-1] = 0.3 * draw.standard_normal((n_rows["pairs"] - 1, 12))
    for name in ARCHITECTURE.columns:
        weights[name] = np.rint(weights[name] * 32) / np.float32(32)
    weights["out"] = draw.standard_normal(weights["out"].shape).astype(np.float32)
    n = 60
    at = Pieces(
        {name: rows[:n] for name, rows in text.rows.items()},
        np.zeros(n, int),
        np.arange(n) < n - 1,
        np.array([n], np.int32),
    )
    scores = label_scores(weights, at)[0]
    wanted = np.exp(scores - scores.max(-1, keepdims=True))
    wanted /= wanted.sum(-1, keepdims=True)
    truecaser = Truecaser(base.model.replace(marks=marks_of(weights, SMALL, text)))
    words = [word.strip(",.?").lower() for word in spoken(40).split()][:n]
    told = truecaser.mark_probabilities(" ".join(words))
    found = np.array([list(of_marks.values()) for _, of_marks in told])
    assert np.abs(found - wanted).max() < 0.02
    assert np.abs(wanted - 0.25).max() > 0.2


def test_what_is_learned(base):
    truecaser = base.train_marks(lambda: [spoken(600).encode()], SMALL)
    text = spoken(50, seed=1)
    bare = text.replace(",", "").replace("?", "").replace(".", "").lower()
    came = truecaser.punctuate(bare.replace("\n", " "))
    wanted = text.lower().replace("mr.", "mr").split()
    same = sum(a.lower() == b for a, b in zip(came.split(), wanted, strict=True))
    assert same > 0.95 * len(wanted)


def questioning(n, seed=0):
    """Text whose questions begin with a mark, some within a sentence."""
    draw = np.random.default_rng(seed)
    names = ["Ana", "Ben", "Eva", "Luis"]
    lines = []
    for _ in range(n):
        one, other = draw.choice(names, 2)
        kind = int(draw.integers(3))
        line = f"{one} ve a {other}."
        if kind == 0:
            line = f"¿Conoce {one} a {other}?"
        elif kind == 1:
            line = f"{one} dice, ¿qué ve {other}?"
        lines.append(line)
    return "\n".join(lines) + "\n"


def test_marks_in_front_of_words_are_learned(base):
    recipe = dataclasses.replace(SMALL, openings=("¿",))
    truecaser = base.train_marks(lambda: [questioning(1000).encode()], recipe)
    text = questioning(60, seed=1)
    bare = re.sub("[¿,.?]", "", text).lower().replace("\n", " ")
    wanted = text.lower().split()
    came = truecaser.punctuate(bare).lower().split()
    assert sum(a == b for a, b in zip(came, wanted, strict=True)) > 0.95 * len(wanted)
    first = truecaser.punctuate("conoce ana a ben")
    assert first.lower() == "¿conoce ana a ben?"
    assert truecaser.punctuate("conoce ana a ben?").lower() == "¿conoce ana a ben?"
    assert truecaser.missing_marks(["conoce ana a ben"])[0] == [
        ("¿", ""), ("", ""), ("", ""), ("", "?")
    ]  # fmt: skip


def test_the_command_gives_the_same_bytes(base, model_file, tmp_path, capsys):
    (tmp_path / "spoken.txt").write_text(spoken(1200), encoding="utf-8")
    recipe = MarksRecipe(
        marks=(".", "?"),
        ends=(".", "?"),
        offsets={"": -0.5, "?": 1.0},
        n_units=16,
        n_pairs=40,
        passes=1,
    )
    base.train_marks(str(tmp_path / "spoken.txt"), recipe).save(tmp_path / "a.truecase")
    options = [
        "--marks",
        ".?",
        "--offset=-0.5",
        "--offset",
        "?=1",
        "--units",
        "16",
        "--passes",
        "1",
    ]
    options += ["--pairs", "40", "--threads", "2"]
    arguments = ["train", "marks", str(model_file), str(tmp_path / "spoken.txt"), *options]
    assert main([*arguments, "-o", str(tmp_path / "b.truecase")]) == 0
    assert (tmp_path / "a.truecase").read_bytes() == (tmp_path / "b.truecase").read_bytes()
    assert "learned marks from" in capsys.readouterr().err


@pytest.mark.parametrize("options", [[], ["--passes", "0"]])
def test_the_command_has_the_defaults_of_the_recipe(options, model_file, tmp_path, monkeypatch):
    class Learned(Exception):
        """Ends the command with its recipe."""

    def learn(model, text, recipe, **others):
        raise Learned(recipe)

    text, output = tmp_path / "t.txt", tmp_path / "o.truecase"
    text.write_text("A b.\n")
    monkeypatch.setattr("truecase.training.punctuation.train_marks", learn)
    with pytest.raises(Learned) as ended:
        main(["train", "marks", str(model_file), str(text), "-o", str(output), *options])
    assert ended.value.args == (MarksRecipe(),)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--marks", "ab"], "'a' is no mark"),
        (["--marks", ".."], "each once"),
        (["--offset", "x"], "expected a number"),
        (["--offset", ";=1"], "';' is not one of the marks"),
        (["--units", "8"], "n_units 8: expected 16 to 128"),
        (["--units", "24"], "n_units 24: expected a multiple of 16"),
        (["--pairs", "6"], "n_pairs 6: expected a multiple of 4"),
    ],
)
def test_wrong_options(options, message, model_file, tmp_path, capsys):
    (tmp_path / "t.txt").write_text("A b.\n")
    arguments = ["train", "marks", str(model_file), str(tmp_path / "t.txt"), *options]
    assert main([*arguments, "-o", str(tmp_path / "o.truecase")]) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "o.truecase").exists()


def test_recipes_are_checked():
    for wrong in (
        {"marks": ()}, {"marks": ("a",)}, {"ends": (";",)}, {"ends": ("",)},
        {"offsets": {"x": 1.0}},
        {"n_units": 4}, {"n_units": 24}, {"n_pairs": -4}, {"n_words": 6},
        {"passes": -1}, {"rate": 0.0}, {"cut": 2.0}, {"length": 3},
    ):  # fmt: skip
        with pytest.raises(TrainingError):
            MarksRecipe(**wrong)


def test_training_needs_a_model():
    with pytest.raises(TypeError, match="expected Model"):
        train_marks("en", ())


def test_training_needs_a_recipe_of_marks(base):
    with pytest.raises(TypeError, match="expected MarksRecipe, found dict"):
        train_marks(base.model, (), {})


def test_marks_are_learned_in_the_same_run(tmp_path):
    text, both, alone = (
        tmp_path / name for name in ("spoken.txt", "both.truecase", "one.truecase")
    )
    text.write_text(spoken(300), encoding="utf-8")
    assert main(["train", str(text), "--marks", ",.?", "-o", str(both)]) == 0
    twin = Truecaser.train(str(text), marks=MarksRecipe())
    twin.save(alone)
    assert both.read_bytes() == alone.read_bytes()
    assert twin.punctuate("does anna know ben").endswith((".", "?"))


def test_lines_of_any_kind_teach_marks(tmp_path):
    blocks, recipe = [spoken(200).encode()], dataclasses.replace(SMALL, passes=1)
    twin = Truecaser.train(lambda: blocks, marks=recipe)
    after = Truecaser.train(lambda: blocks).train_marks(lambda: blocks, recipe)
    assert twin.mark_probabilities("anna sees ben") == after.mark_probabilities("anna sees ben")


def test_marks_need_text_that_can_be_read_twice(tmp_path, capsys):
    with pytest.raises(TrainingError, match="text is read twice"):
        Truecaser.train("-", marks=MarksRecipe())
    out = str(tmp_path / "o.truecase")
    (tmp_path / "t.txt").write_text("A b.\n" * 100)
    assert main(["train", str(tmp_path / "t.txt"), "--marks", "a", "-o", out]) == 2
    assert "'a' is no mark" in capsys.readouterr().err


def test_a_semicolon_ends_sentences_of_greek():
    assert marks_recipe(",.;", "el").ends == (".", ";")
    assert marks_recipe(",;.?", "en").ends == (".", "?")
