"""Learning of a network: gradients, the order of words, what is learned, the command."""

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from networks import neural, random_network
from recipes import recipe, trained
from small_model import training_text

from truecase import Truecaser
from truecase._core import CompiledModel
from truecase.cli import main
from truecase.errors import LearningWarning, ModelError, TrainingError
from truecase.training._network_text import posteriors_of, run_units, run_units_back, vectors_of
from truecase.training.adapt import Comparison, adapt, compare
from truecase.training.network import (
    ARCHITECTURE,
    N_CASES,
    empty_network,
    network_of,
    weights_of,
    words_after,
)
from truecase.training.recipe import Adaptation, DenseRecipe, NetworkRecipe, Recipe
from truecase.training.recurrent import Counted, Optimiser, Part, Places

TEXT = training_text(1500, seed=21)
SMALL = NetworkRecipe(n_units=16, n_words=64, n_pairs=64, n_affixes=32, folds=2)
OPTIONS = {
    name: getattr(SMALL, name) for name in ("n_units", "n_words", "n_pairs", "n_affixes", "folds")
}


@given(st.lists(st.integers(0, 9), max_size=12))
def test_words_after_are_of_the_sentence(lengths):
    n = sum(lengths)
    wanted, at = [], 0
    for length in lengths:
        words = range(at, at + length)
        wanted += [i + 1 if i + 1 in words else n for i in words]
        at += length
    assert words_after(np.array(lengths, np.int32)).tolist() == wanted


@examples(30)
@given(
    lengths=st.lists(st.integers(0, 6), max_size=5),
    n_groups=st.integers(1, 3),
    backward=st.booleans(),
    seed=st.integers(0, 99),
)
def test_units_are_the_twins(lengths, n_groups, backward, seed):
    draw = np.random.default_rng(seed)
    length, n = np.array(lengths, np.int32), sum(lengths)
    sums = draw.standard_normal((n, 48 * n_groups))
    of_state = draw.standard_normal((n_groups, 48, 16))
    states, gates, products, proposed = run_units(sums, of_state, length, backward)
    assert not states[-1].any()
    ends = np.cumsum(lengths).tolist()
    for length_of_one, end in zip(lengths, ends, strict=True):
        words = range(end - length_of_one, end)
        now = np.zeros((n_groups, 16))
        for i in reversed(words) if backward else words:
            z, r, c = np.split(sums[i].reshape(n_groups, 48), 3, axis=1)
            of_z, of_r, of_c = np.split(np.einsum("gjk,gk->gj", of_state, now), 3, axis=1)
            z, r = (np.clip(0.5 + 0.25 * (a + b), 0, 1) for a, b in ((z, of_z), (r, of_r)))
            c = np.clip(c + r * of_c, -1, 1)
            now = now + z * (c - now)
            assert states[i] == pytest.approx(now.ravel())
            assert gates[i] == pytest.approx(np.hstack([z, r]).ravel())
            assert products[i] == pytest.approx(of_c.ravel())
            assert proposed[i] == pytest.approx(c.ravel())
    single = run_units(*(one.astype(np.float32) for one in (sums, of_state)), length, backward)
    assert single[0].dtype == np.float32
    assert single[0] == pytest.approx(states, abs=1e-4)


def test_shapes_that_do_not_fit_are_refused():
    of_state = np.zeros((1, 48, 16))
    with pytest.raises(ValueError, match="other shapes"):
        run_units(np.zeros((2, 96)), of_state, np.array([2], np.int32), False)
    with pytest.raises(ValueError, match="sentences have 3 words, and there are 2"):
        run_units(np.zeros((2, 48)), of_state, np.array([3], np.int32), False)
    with pytest.raises(ValueError, match="fewer than 0"):
        run_units(np.zeros((2, 48)), of_state, np.array([3, -1], np.int32), False)
    seen = run_units(np.zeros((2, 48)), of_state, np.array([2], np.int32), False)
    with pytest.raises(ValueError, match="other shapes"):
        run_units_back(np.zeros((3, 16)), of_state, np.array([3], np.int32), False, seen)


def case_scores(weights, vectors, length, asked):
    """Scores of the cases of some words, and what their gradients need."""
    places = Places(asked, asked, words_after(length)[asked])
    return ARCHITECTURE.outputs(weights, vectors, (length, length), places)


def some_weights(seed=3):
    """Weights whose gates are between open and shut, where gradients are."""
    draw = np.random.default_rng(seed)
    n_rows = {"words": 9, "pairs": 9, "suffixes": 9, "prefixes": 9}
    return {
        name: (array + 0.05 * draw.standard_normal(array.shape)).astype(np.float64)
        for name, array in ARCHITECTURE.first_weights(16, n_rows, N_CASES).items()
    }


@examples(20)
@given(lengths=st.lists(st.integers(1, 7), min_size=1, max_size=6), seed=st.integers(0, 99))
def test_gradients_are_finite_differences(lengths, seed):
    draw = np.random.default_rng(seed)
    length, n = np.array(lengths, np.int32), sum(lengths)
    vectors = np.zeros((n + 1, ARCHITECTURE.n_inputs))
    vectors[:-1] = draw.standard_normal((n, ARCHITECTURE.n_inputs))
    asked = np.flatnonzero(draw.random(n) < 0.7)
    weights = {k: w for k, w in some_weights(seed).items() if k[0] not in "wps"}
    functional = draw.standard_normal((len(asked), N_CASES))
    _, forward = case_scores(weights, vectors, length, asked)
    gradients, of_vectors = ARCHITECTURE.gradients(weights, forward, functional)

    def value(step):
        moved = {name: array + step * along[name] for name, array in weights.items()}
        scores, _ = case_scores(moved, vectors + step * of_word, length, asked)
        return float((functional * scores).sum())

    along = {name: draw.standard_normal(array.shape) for name, array in weights.items()}
    of_word = draw.standard_normal(vectors.shape)
    of_word[-1] = 0
    wanted = sum(float((gradients[name] * along[name]).sum()) for name in weights)
    wanted += float((of_vectors * of_word[:-1]).sum())
    here, step = value(0), 1e-6
    found = sorted([(value(step) - here) / step, (here - value(-step)) / step])
    # Where a gate or unit begins to move, the two sides differ.
    near = 1e-3 + 1e-3 * abs(wanted)
    assert found[0] - near <= wanted <= found[1] + near


def test_the_decoder_scores_as_training_does(model_file):
    model = Truecaser.load(model_file).model
    read = vectors_of(
        CompiledModel(model.replace(network=empty_network(SMALL))), TEXT[:3000].encode(), 32
    )
    weights = {name: array.astype(np.float32) for name, array in some_weights().items()}
    n_rows = {"words": 5, "pairs": 5, "suffixes": 32, "prefixes": 32}
    anew = ARCHITECTURE.first_weights(16, n_rows, N_CASES)
    weights |= {name: anew[name] for name in n_rows}
    checks = {name: np.zeros(4, np.uint16) for name in ("words", "pairs")}
    truecaser = Truecaser(
        model.replace(network=network_of(weights, checks, np.zeros((5, 2), np.uint8), SMALL))
    )
    vectors = np.zeros((len(read.word) + 1, ARCHITECTURE.n_inputs), np.float32)
    vectors[:-1, 48:60] = np.rint(weights["suffixes"][read.suffix] * 32) / 32
    vectors[:-1, 60:68] = np.rint(weights["prefixes"][read.prefix] * 32) / 32
    vectors[:-1, 68:100] = (read.facts.astype(np.float32) - 128) / 32
    wanted, _ = case_scores(weights, vectors, read.length, np.arange(len(read.word)))
    words = [
        word
        for line in TEXT[:3000].splitlines()[:-1]
        if not line.isupper()
        for sentence in truecaser.explain(line, sentence_start="learned").sentences
        for word in sentence.words
        if not word.is_end and any(len(w.candidates) > 1 for w in sentence.words)
    ]
    numbers = {"AL": 0, "IU": 1, "AU": 2, "MX": 3}
    n_compared = 0
    for word, scores in zip(words, wanted, strict=False):
        for one in word.candidates:
            told = {c.feature: c.product for c in one.contributions}.get("network")
            if told is not None:
                # Weights are bytes in the decoder.
                assert told == pytest.approx(scores[numbers[one.tag]], abs=0.1)
                n_compared += 1
    assert n_compared > 100


def test_posteriors_are_those_of_the_whole_lattice(model_file):
    model = Truecaser.load(model_file).model.replace(network=empty_network(SMALL))
    compiled = CompiledModel(model)
    text = TEXT[:2000].encode()
    read = vectors_of(compiled, text, 32)
    added = np.random.default_rng(1).standard_normal((len(read.gold), N_CASES)).astype(np.float32)
    found = posteriors_of(compiled, text, added)
    is_cased = read.facts[:, 10] > 128
    assert found[is_cased].sum(1) == pytest.approx(1, abs=1e-4)
    # Much is added to one case: it is sure.
    added[:, 0] += 1000
    has_lower = read.facts[:, 4] > 128
    assert posteriors_of(compiled, text, added)[has_lower, 0] == pytest.approx(1, abs=1e-4)
    with pytest.raises(ValueError, match="the text has others"):
        posteriors_of(compiled, text, added[:-1])
    with pytest.raises(ValueError, match="3 columns"):
        posteriors_of(compiled, text, np.ascontiguousarray(added[:, :3]))


@examples(20)
@given(n=st.integers(1, 30), cut=st.integers(0, 30), seed=st.integers(0, 99))
def test_a_step_of_two_parts_is_that_of_the_whole(n, cut, seed):
    draw = np.random.default_rng(seed)
    columns = {"words": slice(0, 3), "suffixes": slice(3, 5)}

    def moved(*ends):
        draw = np.random.default_rng(seed)
        shapes = {"words": (6, 3), "suffixes": (4, 2), "out": (2, 7)}
        weights = {name: draw.standard_normal(shape) for name, shape in shapes.items()}
        parts, first = [], 0
        for end in ends:
            at = slice(first, end)
            rows = {"words": words[at], "suffixes": suffixes[at]}
            of_out = {"out": of_words[at].sum(0).reshape(2, 7)}
            parts.append(Part(of_out, inputs[at], rows, int(judged[at].sum())))
            first = end
        optimiser = Optimiser(weights, columns, ["words"], 0.1, 0.2, threads=len(ends))
        optimiser.step(parts, 0.05)
        return weights

    words, suffixes = draw.integers(0, 6, n), draw.integers(0, 4, n)
    of_words, inputs = draw.standard_normal((n, 14)), draw.standard_normal((n, 5))
    judged = draw.random(n) < 0.7
    whole, halves, still = moved(n), moved(min(cut, n), n), moved()
    for name in whole:
        assert np.allclose(whole[name], halves[name], rtol=1e-4, atol=1e-6)
    assert np.array_equal(whole["out"], still["out"]) == (not judged.any())


def test_frequent_keys_are_counted_in_bounded_memory(monkeypatch):
    monkeypatch.setattr("truecase.training.recurrent._COUNTED_KEYS", 100)
    monkeypatch.setattr("truecase.training.recurrent._KEPT_KEYS", 50)
    draw = np.random.default_rng(5)
    often = draw.integers(1, 1 << 63, 10).astype(np.uint64)
    counted = Counted()
    for _ in range(40):
        counted.add(np.append(often, draw.integers(1, 1 << 63, 20).astype(np.uint64)))
    checks = counted.checks(64, 30)
    placed = set(checks[checks > 0].tolist())
    # A full bucket has no room for another.
    assert placed <= {int(key & np.uint64(0xFFFF)) or 1 for key in often}
    assert len(placed) >= 7
    assert len(Counted().checks(64, 1)) == 0


def distant_text(n_lines, seed):
    """Lines whose second word has a capital if the last one is "club", far beyond n-grams.

    With "hall", it may have one or not: only the case of the input says so.
    """
    draw = np.random.default_rng(seed)
    words = [f"{a}{b}" for a in ("ba", "do", "ki", "lu") for b in ("ten", "rol", "sim")]
    lines = []
    for _ in range(n_lines):
        name, *between = (str(word) for word in draw.choice(words, 6))
        last = ("club", "road", "hall")[int(draw.integers(3))]
        name = name.title() if last == "club" or (last == "hall" and draw.random() < 0.5) else name
        lines.append(" ".join(["The", name, *between, last]) + "\n")
    return "".join(lines)


def wrong(truecaser, text, given, **how):
    cased = truecaser.case_block(given.encode(), **how).decode().split()
    return sum(a != b for a, b in zip(cased, text.split(), strict=True))


@pytest.fixture(scope="module")
def learned():
    return trained(distant_text(3000, seed=1).encode(), "crf-neural", epochs=3, **OPTIONS)


def test_it_learns_what_stands_beyond_n_grams(learned):
    lines = distant_text(450, seed=2).splitlines()
    text = "".join(f"{line}\n" for line in lines if not line.endswith("hall"))
    assert wrong(learned, text, text.lower()) <= 3
    assert wrong(Truecaser(learned.model.only("ngram")), text, text.lower()) >= 100


def test_the_case_of_the_input_is_weighed(learned):
    text = distant_text(300, seed=3)
    assert wrong(learned, text, text, input_case="ignore") >= 30
    assert wrong(learned, text, text) <= 6
    # Where a whole line has capitals, they say nothing.
    assert wrong(learned, text, text.upper()) >= 30
    sure = "The luten barol basim basim basim luten club\n"
    assert learned(sure) == sure.replace("luten", "Luten", 1)


def test_the_command_trains_the_same_model(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text(TEXT, encoding="utf-8")
    out = tmp_path / "neural.truecase"
    flags = ["--preset", "crf-neural", "--folds", "2", "--epochs", "1", "-q"]
    assert main(["train", str(path), "-o", str(out), *flags]) == 0
    assert main(["train", str(path), "-o", str(tmp_path / "again.truecase"), *flags]) == 0
    assert out.read_bytes() == (tmp_path / "again.truecase").read_bytes()
    model = Truecaser.load(out).model
    assert model.preset == "crf-neural"
    assert model.notes["training"]["network"]["folds"] == 2
    in_python = Truecaser.train(path, recipe("crf-neural", folds=2, epochs=1))
    in_python.save(tmp_path / "python.truecase")
    assert (tmp_path / "python.truecase").read_bytes() == out.read_bytes()


def test_what_it_cannot_do_is_refused(tmp_path):
    with pytest.raises(TrainingError, match="multiple of 16"):
        NetworkRecipe(n_units=24)
    with pytest.raises(TrainingError, match="multiple of 4"):
        NetworkRecipe(n_pairs=10)
    with pytest.raises(TrainingError, match="order 1 has no edges"):
        recipe("crf-neural", order=1)
    with pytest.raises(TrainingError, match="one of them, not both"):
        Recipe(dense=DenseRecipe(), network=SMALL)


# Learning for a domain


@pytest.mark.parametrize("sizes", [{}, {"n_words": 0, "n_pairs": 0}, {"n_units": 32}])
def test_a_models_weights_come_back(sizes):
    network = random_network(3, **sizes)
    weights, checks, sides, found = weights_of(network)
    numbers = network.arrays["suffixes"].astype(int).reshape(50, -1)
    assert np.array_equal(weights["suffixes"], (numbers - 128) / 32)
    rows = network.arrays["words"].astype(int).reshape(-1, 50)
    assert np.array_equal(checks["words"], rows[:, 0] + 256 * rows[:, 1])
    assert np.array_equal(weights["words"][:-1], (rows[:, 2:] - 128) / 32)
    assert not weights["words"][-1].any()
    again = network_of(weights, checks, sides, found)
    assert again.settings == network.settings
    assert set(again.arrays) == set(network.arrays)
    for name, array in network.arrays.items():
        assert again.arrays[name].dtype == array.dtype
        assert np.array_equal(again.arrays[name], array)


@pytest.fixture(scope="module")
def texts(tmp_path_factory):
    """Files of a domain, whose manors give their second word no capital, and of general text."""
    folder = tmp_path_factory.mktemp("domain")
    for name, seed in (("domain", 5), ("general", 6)):
        lines = [line for line in distant_text(1500, seed).splitlines() if "hall" not in line]
        if name == "domain":
            lines = [line.replace("road", "manor") for line in lines]
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder / "domain", folder / "general"


def test_a_network_learns_a_domain(learned, texts):
    domain, general = texts
    adapted = adapt(learned.model, domain)
    errors = adapted.comparisons["domain"]
    assert errors.before >= 40
    assert errors.after <= errors.before / 4
    before, after = learned.model.network.arrays, adapted.model.network.arrays
    # Only rows move.
    changed = {name for name in after if not np.array_equal(after[name], before[name])}
    assert {"suffixes"} <= changed <= {"words", "pairs", "suffixes", "prefixes"}
    assert adapted.model.preset == "crf-neural"
    both = adapt(learned.model, domain, general=general)
    assert both.comparisons["domain"] == errors
    elsewhere = both.comparisons["general"]
    assert elsewhere == compare(learned.model, both.model, general.read_bytes())
    assert elsewhere.after <= elsewhere.before + 3
    # General text judges; nothing is learned from it.
    arrays = both.model.network.arrays
    assert all(np.array_equal(array, after[name]) for name, array in arrays.items())


def test_a_model_that_adapting_made_worse_is_told(learned, texts, monkeypatch):
    monkeypatch.setattr(
        "truecase.training.adapt.compare", lambda *_: Comparison(words=9, before=1, after=2)
    )
    told = "of 9 words of the domain's text, the adapted model gets 2 wrong"
    with pytest.warns(LearningWarning, match=told):
        adapt(learned.model, texts[0])


def test_the_command_adapts_the_same_model(learned, texts, tmp_path, capsys):
    domain, general = texts
    base = tmp_path / "base.truecase"
    learned.save(base)
    command = ["train", "adapt", str(base), "--corpus", str(domain), "-o", str(tmp_path / "one")]
    for how, options, arguments in (
        ({}, None, []),
        ({"general": general}, None, ["--general", str(general)]),
        (
            {"development": general},
            Adaptation(passes=1, min_count=2, max_size=20_000),
            ["--dev", str(general), "--passes", "1", "--min-count", "2", "--max-size", "20K"],
        ),
    ):
        assert main([*command, *arguments]) == 0
        told = capsys.readouterr().err
        for threads in (1, 2):
            made = Truecaser.load(base).adapt(domain, options, threads=threads, **how)
            made.save(tmp_path / "other")
            assert (tmp_path / "other").read_bytes() == (tmp_path / "one").read_bytes()
        for one in made.model.notes["adapted"]["errors"].values():
            assert f"{one['words']:,} {one['before']:8,} {one['after']:8,}" in told
    assert main(["info", str(tmp_path / "one")]) == 0
    assert "crf-neural" in capsys.readouterr().out
    with pytest.raises(ModelError, match="adapted already"):
        Truecaser.load(tmp_path / "one").adapt(domain)


def test_options_without_effect_on_a_network_are_refused(learned, texts):
    domain, _ = texts
    with pytest.raises(TrainingError, match=r"^sigma: "):
        adapt(learned.model, domain, Adaptation(sigma=0.3))
    with pytest.raises(TrainingError, match="the preset crf-neural learns from `text`"):
        adapt(learned.model, development=domain)
    with pytest.raises(ModelError, match=r"ngram has no weights .* crf-neural"):
        adapt(learned.model.only("ngram"), domain)


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("scale", [20.0, 1e5])
def test_wild_weights_do_no_harm(model_file, texts, scale):
    domain, general = texts
    wild = neural(Truecaser.load(model_file), n_words=0, scale=scale)
    for how in ({}, {"general": general}):
        adapted = Truecaser(adapt(wild.model, domain, **how).model)
        assert adapted("the bridge").lower() == "the bridge"
