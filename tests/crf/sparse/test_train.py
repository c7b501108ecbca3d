"""Learning: gradients by finite differences, the rule of FTRL, whole models."""

import numpy as np
import pytest
from parts import arrays_of, compiled, metadata_of
from recipes import estimated, recipe, sparse_trainer
from small_model import random_block, training_text
from truecase_testing import look_at_sparse

import truecase
from truecase.kernels.templates import HIDDEN, field_number
from truecase.training.material import TextBlocks
from truecase.training.sparse import moments_to_average
from truecase.training.train import train
from truecase.truecaser import Truecaser

OPTIONS = {"min_share": 0.0, "folds": 2, "sparse_size": 60_000}
ALPHA, BETA, RATE = 0.1, 1.0, 0.05
FIELDS = np.array([field_number(name) for name in HIDDEN], np.uint8)


def trainer(**changed):
    return sparse_trainer(**{"alpha": ALPHA, "beta": BETA, **changed})


def hidden(seed=1, n_rows=50, n_units=6):
    rng = np.random.default_rng(seed)
    rows = rng.normal(scale=0.3, size=(n_rows, n_units)).astype(np.float32)
    return rows, rng.normal(size=(3, n_units)).astype(np.float32)


def loss(model, line, rows, out):
    judge = trainer()
    judge.add_hidden(FIELDS, rows, out, RATE)
    judge.learn([(compiled(model), line, None, None)])
    return judge.progress()["loss"]


LINES = ("In Oslo , the us bill costs 3.50 euros .", "the BBC of Lyon", "Washington : US bridge")


@pytest.mark.parametrize("line", LINES)
def test_sparse_weights_after_one_step(unlearned, line):
    """With all weights at 0 the step is FTRL's for p(tag) - [gold tag], from the posteriors."""
    learner = trainer()
    learner.learn([(compiled(unlearned), line.encode(), None, None)])
    weights = []
    for number in range(3):
        hashes, values, _ = learner.weights(number)
        weights.append(dict(zip(hashes.tolist(), values.tolist(), strict=True)))
    (posteriors,) = unlearned.posteriors(line, input_case="ignore")
    n_checked = 0
    for word, judged, gold in zip(
        look_at_sparse(compiled(unlearned), line.encode()), posteriors, line.split(), strict=True
    ):
        if "hashes" not in word or gold not in [c.text for c in judged.candidates]:
            continue
        for number, tag in enumerate(("IU", "AU", "MX")):
            gradient = sum(c.posterior for c in judged.candidates if c.tag == tag)
            is_candidate = number + 1 in word["tags"]
            gold_tag = next(c.tag for c in judged.candidates if c.text == gold)
            gradient -= gold_tag == tag
            if not is_candidate or abs(gradient) < 1e-3:
                continue
            expected = -gradient * ALPHA / (BETA + abs(gradient))
            own = [h for h in word["hashes"] if sum(h in w for w in weights)]
            assert own
            # Features that other words of the line share have been moved by both.
            found = [weights[number].get(h, 0.0) for h in word["hashes"]]
            assert np.median(found) == pytest.approx(expected, rel=1e-3)
            n_checked += 1
    assert n_checked


def test_layer_steps_against_the_gradient(unlearned):
    """The step of each row has the direction of the loss's finite differences."""
    line = LINES[0].encode()
    rows, out = hidden()
    learner = trainer()
    learner.add_hidden(FIELDS, rows, out, RATE)
    word = b"Lyon bill"
    learner.learn([(compiled(unlearned), word, None, None)])
    after, after_out, _ = learner.hidden()
    moved = np.flatnonzero((after != rows).any(axis=1))
    assert len(moved)
    numeric = np.zeros_like(rows)
    for row in moved:
        for unit in range(rows.shape[1]):
            above, below = rows.copy(), rows.copy()
            above[row, unit] += 2e-3
            below[row, unit] -= 2e-3
            numeric[row, unit] = (
                loss(unlearned, word, above, out) - loss(unlearned, word, below, out)
            ) / 4e-3
    for row in moved:
        # AdaGrad has one rate for a row: each has its own length of step.
        step = rows[row] - after[row]
        sizes = np.linalg.norm(step) * np.linalg.norm(numeric[row])
        assert step @ numeric[row] > 0.98 * sizes > 0
    assert loss(unlearned, line, after, after_out) != loss(unlearned, line, rows, out)


def test_learning_lowers_the_loss(unlearned):
    text = training_text(300, seed=21).encode()
    learner = trainer(l1=0.1)
    rows, out = hidden()
    learner.add_hidden(FIELDS, rows, out, RATE)
    seen = []
    for _ in range(3):
        learner.learn([(compiled(unlearned), text, None, None)])
        seen.append(learner.progress())
    assert seen[2]["loss"] < 0.8 * seen[0]["loss"]
    assert seen[2]["errors"] <= seen[0]["errors"]
    learner.learn([(compiled(unlearned), text, None, None)])
    assert learner.progress()["choices"] >= seen[0]["choices"]
    lm_weight, transitions = learner.edge_weights()
    assert lm_weight == 1.0
    assert not transitions.any()


def test_edges_learn_as_well(unlearned):
    learner = trainer(edge_rate=0.1)
    learner.learn([(compiled(unlearned), training_text(300, seed=22).encode(), None, None)])
    lm_weight, transitions = learner.edge_weights()
    assert lm_weight != 1.0
    assert transitions.any()
    assert np.isfinite(transitions).all()


@pytest.mark.parametrize("with_layer", [False, True])
def test_averages_of_weights(unlearned, with_layer):
    one_line, averaged = trainer(edge_rate=0.1), trainer(edge_rate=0.1)
    if with_layer:
        for each in (one_line, averaged):
            each.add_hidden(FIELDS, *hidden(), RATE)
    sums, layers, edges = [{}, {}, {}], [], []
    for number in range(9):
        for each in (one_line, averaged):
            each.learn([(compiled(unlearned), training_text(30, seed=number).encode(), None, None)])
        if number < 4:
            continue
        averaged.add_to_average()
        for tag, total in enumerate(sums):
            for feature, weight, _ in zip(*one_line.weights(tag), strict=True):
                total[int(feature)] = total.get(int(feature), 0.0) + float(weight)
        layers.append(one_line.hidden())
        edges.append(np.append(*one_line.edge_weights()[::-1]))
    for tag, total in enumerate(sums):
        features, weights, _ = averaged.weights(tag)
        found = dict(zip(features.tolist(), weights.tolist(), strict=True))
        assert found.keys() == total.keys()
        for feature, weight in total.items():
            assert found[feature] == pytest.approx(weight / 5, rel=1e-5, abs=1e-7)
    assert any(sums)
    for part, found in enumerate(averaged.hidden()):
        np.testing.assert_allclose(found, np.mean([layer[part] for layer in layers], 0), atol=1e-6)
    np.testing.assert_allclose(
        np.append(*averaged.edge_weights()[::-1]), np.mean(edges, 0), rtol=1e-6, atol=1e-9
    )


def test_weights_are_averaged_at_the_end():
    assert sorted(moments_to_average(100, 10)) == list(range(91, 101))
    assert (
        len(moments_to_average(10_000, 2_500)) == 25
        and max(moments_to_average(10_000, 2_500)) == 10_000
    )
    assert min(moments_to_average(10_000, 2_500)) > 7_500
    assert moments_to_average(3, 0) == {3}


def test_features_seen_too_rarely_have_no_weights(unlearned):
    learner = trainer(min_count=3)
    for count in range(1, 4):
        learner.learn([(compiled(unlearned), b"bill", None, None)])
        assert bool(learner.progress()["features"]) == (count == 3)


def test_lines_in_all_caps_teach_nothing(unlearned):
    learner = trainer()
    learner.learn([(compiled(unlearned), b"BREAKING NEWS FROM OSLO\n", None, None)])
    assert learner.progress()["features"] == 0


@pytest.mark.parametrize(
    ("line", "sentences"),
    [
        ("In Oslo it rains . He left .", ["In Oslo it rains", "He left"]),
        ('Is it Oslo ? " ( The bridge ) "', ["Is it Oslo", "The bridge"]),
        ("He left ! . . . Oslo , Lyon !", ["He left", "Oslo Lyon"]),
        ("In Oslo , it rains", ["In Oslo it rains"]),
        ("... !", []),
    ],
)
def test_without_punctuation_sentences_stay_apart(unlearned, line, sentences):
    """Or a capital in the middle of a line would teach that any word may have one."""

    def learned(lines, share):
        learner = trainer(drop_punctuation=share)
        learner.learn([(compiled(unlearned), "\n".join(lines).encode(), None, None)])
        return [np.sort(learner.weights(number)[0]).tolist() for number in range(3)]

    assert learned([line], 1.0) == learned(sentences, 0.0)


def test_any_bytes_can_be_learned_from(unlearned):
    learner = trainer(drop_punctuation=0.5, n_slots=64)
    rows, out = hidden()
    learner.add_hidden(FIELDS, rows, out, RATE)
    learner.learn([(compiled(unlearned), random_block(20_000, 5), None, None)])
    learner.learn([(compiled(unlearned), b"", None, None)])
    learner.learn([(compiled(unlearned), b"Oslo", None, None)])
    assert learner.progress()["features"] <= 64
    assert all(np.isfinite(part).all() for part in learner.hidden())


def test_a_closed_trainer_gives_weights_to_no_more_features(unlearned):
    learner = trainer(min_count=1)
    learner.learn([(compiled(unlearned), training_text(30, seed=21).encode(), None, None)])
    before = learner.progress()["features"]
    learner.close()
    learner.learn([(compiled(unlearned), training_text(300, seed=22).encode(), None, None)])
    assert learner.progress()["features"] == before > 0


def test_trainers_refuse_nonsense(unlearned):
    for changed in (
        {"n_slots": 0}, {"min_count": 0}, {"counter_bits": 0}, {"alpha": 0.0},
        {"drop_punctuation": 2.0},
    ):  # fmt: skip
        with pytest.raises(ValueError):
            trainer(**changed)
    rows, out = hidden()
    for arguments in (
        (FIELDS[:0], rows, out), (FIELDS, rows[:0], out), (FIELDS, rows, out[:, :3].copy()),
        (np.array([200], np.uint8), rows, out),
    ):  # fmt: skip
        with pytest.raises(ValueError):
            trainer().add_hidden(*arguments, RATE)
    plain = estimated(training_text(100, seed=1).encode())
    with pytest.raises(ValueError, match="no templates"):
        trainer().learn([(compiled(plain), b"Oslo", None, None)])


def test_whole_model(learned, tmp_path):
    text = training_text(200, seed=77).splitlines()
    assert learned.evaluate(text).accuracy > 0.9
    assert metadata_of(learned)["training"]["sparse"]["folds"] == 2
    assert metadata_of(learned)["fine"]["words"] > 1000
    path = tmp_path / "m.truecase"
    learned.save(path)
    loaded = truecase.Truecaser.load(path, verify=True)
    lower = [line.lower() for line in text]
    assert loaded.batch(lower) == learned.batch(lower)
    assert loaded.batch([line.upper() for line in text]) == loaded.batch(lower)


def in_batches(model, threads):
    """What is learned from five batches of seven pieces each."""
    learner = trainer(edge_rate=0.1, l1=0.1, min_count=2, drop_punctuation=0.3)
    learner.add_hidden(FIELDS, *hidden(), RATE)
    for number in range(5):
        pieces = [training_text(20, seed=7 * number + i).encode() for i in range(7)]
        learner.learn([(compiled(model), piece, None, None) for piece in pieces], threads)
        if number > 2:
            learner.add_to_average(threads)
    parts = [part for tag in range(3) for part in learner.weights(tag)]
    lm_weight, transitions = learner.edge_weights()
    assert len(parts[0]) > 100 and transitions.any() and lm_weight != 1.0
    return [*parts, *learner.hidden(), transitions], [lm_weight, *learner.progress().values()]


@pytest.mark.parametrize("threads", [2, 3, 8])
def test_weights_do_not_depend_on_threads(unlearned, threads):
    arrays, figures = in_batches(unlearned, 1)
    others, other_figures = in_batches(unlearned, threads)
    assert figures == other_figures
    for one, other in zip(arrays, others, strict=True):
        assert one.tobytes() == other.tobytes()


def is_plain(line):
    """Whether words are what stands between spaces, with a capital at the start and not only."""
    return line[0].isupper() and not line.isupper() and not set(line) & set("\"'!")


def summed_gradients(model, lines):
    """By tag and feature, of the sum of the lines' losses while all weights are 0."""
    sums = [{}, {}, {}]
    judged = model.posteriors("\n".join(lines), input_case="ignore")
    for line, words in zip(lines, judged, strict=True):
        seen = look_at_sparse(compiled(model), line.encode())
        for word, posteriors, gold in zip(seen, words, line.split(), strict=True):
            forms = {c.text: c.tag for c in posteriors.candidates}
            if "hashes" not in word or gold not in forms:
                continue
            for number, tag in enumerate(("IU", "AU", "MX")):
                gradient = sum(c.posterior for c in posteriors.candidates if c.tag == tag)
                gradient -= forms[gold] == tag
                if tag in forms.values() and abs(gradient) >= 1e-4:
                    for feature in word["hashes"]:
                        own = sums[number]
                        own[int(feature)] = own.get(int(feature), 0.0) + gradient
    return sums


def test_a_batch_is_one_step_of_the_rule(unlearned):
    """Of all its words' gradients together, whatever pieces it is cut into."""
    text = training_text(60, seed=4).replace("Dr. ", "")
    lines = [line for line in text.splitlines() if is_plain(line)]
    learner = trainer(l1=0.2)
    pieces = ["\n".join(lines[start : start + 7]).encode() for start in range(0, len(lines), 7)]
    learner.learn([(compiled(unlearned), piece, None, None) for piece in pieces])
    for number, gradients in enumerate(summed_gradients(unlearned, lines)):
        features, weights, squares = learner.weights(number)
        expected = {
            feature: -np.sign(g) * (abs(g) - 0.2) * ALPHA / (BETA + abs(g))
            for feature, g in gradients.items()
            if abs(g) > 0.2
        }
        found = dict(zip(features.tolist(), weights.tolist(), strict=True))
        assert len(found) > 20 or number > 0
        assert found.keys() == expected.keys()
        for feature, square in zip(features.tolist(), squares.tolist(), strict=True):
            assert found[feature] == pytest.approx(expected[feature], rel=1e-4, abs=1e-6)
            assert square == pytest.approx(gradients[feature] ** 2, rel=1e-4)


@pytest.mark.filterwarnings("ignore:Kneser-Ney")
def test_models_do_not_depend_on_threads(sparse_text, tmp_path):
    development = training_text(50, seed=5).encode()
    written = []
    for threads in (1, 2, 3):
        done = train(
            lambda: [sparse_text],
            recipe("crf-sparse", **OPTIONS),
            development=lambda: [development],
            threads=threads,
        )
        path = tmp_path / str(threads)
        Truecaser(done.model).save(path)
        written.append(path.read_bytes())
    assert written[0] == written[1] == written[2]


def test_an_error_in_a_thread_is_told(unlearned):
    plain = compiled(estimated(training_text(100, seed=1).encode()))
    good = (compiled(unlearned), b"Oslo\n" * 50, None, None)
    learner = trainer()
    with pytest.raises(ValueError, match="no templates"):
        learner.learn([good, (plain, b"Oslo", None, None), good], 2)
    learner.learn([good], 2)
    learner.learn([], 2)


def test_same_text_same_bytes(learn, learned, tmp_path):
    again = learn()
    for truecaser, name in ((learned, "a"), (again, "b")):
        truecaser.save(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_options_of_training(learn, sparse_text):
    for changed in ({"folds": 1}, {"epochs": 2, "drop_punctuation": 0.5}, {"order": 1}):
        truecaser = learn(sparse_size=20_000, **changed)
        assert truecaser("mary is in oslo").startswith("Mary")


@pytest.mark.filterwarnings("ignore:Kneser-Ney")
def test_the_last_passes_go_over_the_development_text(learned, sparse_text):
    development = training_text(50, seed=5).encode()
    done = train(
        lambda: [sparse_text], recipe("crf-sparse", **OPTIONS), development=lambda: [development]
    )
    trained = Truecaser(done.model)
    assert trained("mary is in oslo").startswith("Mary")
    assert done.figures["sparse"].words > 1000
    assert done.learned_on_development and done.evaluation is None
    rows = [arrays_of(model)["fine.hidden.rows"] for model in (learned, trained)]
    assert (rows[0] != rows[1]).any()


def test_blocks_of_text():
    text = training_text(500, seed=8).encode()
    blocks = TextBlocks([text[:1000], text[1000:]])
    assert b"".join(blocks.text()) == text
    assert len(blocks) > 10
    assert all(block.endswith(b"\n") for block in blocks.text())
    pieces = list(blocks.shuffled(3))
    assert len(pieces) == blocks.n_pieces > len(blocks)
    lines = [line for _, piece in pieces for line in piece.splitlines(True)]
    assert sorted(lines) == sorted(text.splitlines(True))
    assert all(piece in blocks[index] for index, piece in pieces)
    assert list(blocks.shuffled(3)) == list(blocks.shuffled(3)) != list(blocks.shuffled(4))
    rest = [b"".join(blocks.without_fold(fold, 3)) for fold in range(3)]
    assert sum(map(len, rest)) == 2 * len(text)
    blocks.close()
    assert len(TextBlocks([])) == 0


def test_pieces_of_large_blocks():
    """Weights see text of one kind in small pieces, not 250 KB at a time."""
    lines = [b"%d\n" % number for number in range(400_000)]
    text = b"".join(lines)
    blocks = TextBlocks([text])
    pieces = list(blocks.shuffled(1))
    assert b"".join(blocks.text()) == text
    assert sorted(line for _, piece in pieces for line in piece.splitlines(True)) == sorted(lines)
    assert max(len(piece) for _, piece in pieces) < 9000
    assert min(map(len, blocks.text())) > 9000
    assert all(piece in blocks[index] for index, piece in pieces[:50])
    blocks.close()
