"""Each preset, trained from Python, by the command line and from a pipe: the same bytes."""

import io
import json
import subprocess
import sys
import types

import learning_curves
import pytest
from parts import metadata_of
from recipes import recipe
from small_bitext import bitext, pharaoh
from small_model import training_text

from truecase.cli import main
from truecase.errors import ModelError, TrainingError
from truecase.evaluation.metrics import evaluate_blocks
from truecase.training.adapt import adapt
from truecase.training.material import Bitext
from truecase.training.recipe import PRESETS, Adaptation
from truecase.truecaser import Truecaser

pytestmark = pytest.mark.filterwarnings("ignore:Kneser-Ney")

NEURAL = {"folds": 2, "epochs": 1}

# What presets are trained with, beside their own defaults.
OPTIONS = {
    "unigram": {"min_count": 1},
    "ngram": {"order": 2, "max_size": 20_000},
    "portage": {"variant": "powers"},
    "crf": {"sigma": 1.0},
    "crf-neural": NEURAL,
    "bilingual": {"table_size": 50_000},
    "bilingual-neural": NEURAL,
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Texts with their sources and alignments."""
    path = tmp_path_factory.mktemp("texts")
    (path / "text.txt").write_text(training_text(800, seed=3), encoding="utf-8")
    for name, n_lines, seed in (("bitext", 500, 5), ("dev", 100, 6)):
        lines = bitext(n_lines, seed=seed)
        (path / f"{name}.en").write_bytes(lines.target)
        (path / f"{name}.fr").write_bytes(lines.source)
        (path / f"{name}.align").write_bytes(pharaoh(lines))
    return path


def flags(options):
    parts = []
    for name, value in options.items():
        flag = name.replace("_", "-")
        parts += [f"--{flag}"] if value is True else [f"--{flag}", str(value)]
    return parts


class Way:
    """Arguments of both ways for one preset."""

    def __init__(self, preset, folder, has_development=False, **options):
        self.recipe = recipe(preset, **options)
        self.command = ["train", "--preset", preset, *flags(options)]
        self.text = folder / "text.txt"
        self.arguments = {}
        development = folder / "dev.en"
        if PRESETS[preset].source is not None:
            self.text = folder / "bitext.en"
            self.arguments.update(
                source=folder / "bitext.fr",
                alignment=folder / "bitext.align",
                more=folder / "text.txt",
            )
            self.command += ["--source", str(folder / "bitext.fr"), "--alignment"]
            self.command += [str(folder / "bitext.align"), "--target"]
            development = Bitext(development, folder / "dev.fr", folder / "dev.align")
        self.command += [str(self.text)]
        if "more" in self.arguments:
            self.command += [str(self.arguments["more"])]
        if has_development:
            self.arguments["development"] = development
            self.command += ["--dev", str(folder / "dev.en")]
            if isinstance(development, Bitext):
                self.command += ["--dev-source", str(development.source)]
                self.command += ["--dev-alignment", str(development.alignment)]

    def by_command(self, path):
        assert main([*self.command, "-o", str(path)]) == 0
        return path.read_bytes()

    def from_python(self, path):
        model = Truecaser.train(self.text, self.recipe, **self.arguments)
        model.save(path)
        return path.read_bytes()


@pytest.mark.parametrize("has_development", [False, True])
@pytest.mark.parametrize("preset", PRESETS)
def test_python_and_the_command_line_train_the_same_model(
    preset, has_development, folder, tmp_path
):
    way = Way(preset, folder, has_development, **OPTIONS[preset])
    assert way.from_python(tmp_path / "a") == way.by_command(tmp_path / "b")


def test_a_process_of_its_own_trains_the_same_model(folder, tmp_path):
    way = Way("crf-neural", folder, **NEURAL)
    done = subprocess.run(
        [sys.executable, "-m", "truecase", *way.command, "-o", "command"],
        cwd=tmp_path, capture_output=True, timeout=300, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, b""), done.stderr
    assert (tmp_path / "command").read_bytes() == way.from_python(tmp_path / "python")


@pytest.mark.parametrize("preset", [name for name, one in PRESETS.items() if one.source is None])
def test_a_pipe_and_a_file_give_the_same_model(preset, folder, tmp_path, monkeypatch):
    way = Way(preset, folder, **OPTIONS[preset])
    stdin = types.SimpleNamespace(buffer=io.BytesIO(way.text.read_bytes()), isatty=lambda: False)
    monkeypatch.setattr(sys, "stdin", stdin)
    command = [*way.command[:-1], "-", "-o", str(tmp_path / "piped")]
    assert main(command) == 0
    assert (tmp_path / "piped").read_bytes() == way.from_python(tmp_path / "file")


@pytest.mark.parametrize("preset", PRESETS)
def test_threads_and_memory_change_nothing(preset, folder, tmp_path):
    way = Way(preset, folder, **OPTIONS[preset])
    expected = way.from_python(tmp_path / "a")
    way.arguments.update(threads=2, memory=1 << 20)
    assert way.from_python(tmp_path / "b") == expected


def test_weights_are_learned_from_python(folder):
    text = folder / "text.txt"
    portage = recipe("portage", variant="interpolated")
    shares = set()
    for development in (None, folder / "dev.en"):
        model = Truecaser.train(text, portage, development=development)
        shares.add(metadata_of(model)["sections"]["portage"]["lm_share"])
    assert len(shares) == 2


def test_one_path_is_one_file(folder, monkeypatch):
    monkeypatch.chdir(folder)
    one = Truecaser.train("text.txt", "unigram")
    assert metadata_of(one)["notes"]["corpus"]["lines"] == 800
    with pytest.raises(FileNotFoundError, match=r"c2\.txt"):
        Truecaser.train("c2.txt")


@pytest.mark.parametrize(
    ("options", "is_learned_on"),
    [
        (["--preset", "unigram"], False),
        (["--preset", "portage"], False),
        (["--preset", "portage", "--variant", "powers"], True),
        (["--preset", "crf"], True),
    ],
)
def test_a_score_on_the_text_learned_on_says_so(options, is_learned_on, folder, tmp_path, capsys):
    model, development = tmp_path / "m", str(folder / "dev.en")
    command = ["train", str(folder / "text.txt"), "-o", str(model), "--dev", development]
    assert main([*command, *options]) == 0
    (score,) = [line for line in capsys.readouterr().err.splitlines() if "F1" in line]
    assert score.startswith(f"{development}: token accuracy ")
    assert ("the weights were learned on this text" in score) == is_learned_on
    assert Truecaser.load(model).model.notes["dev"].get("learned_on", False) == is_learned_on


def test_adaptation_both_ways(folder, tmp_path):
    text, development = folder / "dev.en", folder / "bitext.en"
    model = Truecaser.train(folder / "text.txt", "crf")
    model.save(tmp_path / "base")
    command = ["train", "adapt", str(tmp_path / "base"), "-o", str(tmp_path / "command")]
    for given, arguments, how in (
        ({"development": development}, ["--dev", str(development)], Adaptation()),
        (
            {"text": text, "development": development},
            ["--corpus", str(text), "--dev", str(development), "--sigma", "0.2"],
            Adaptation(sigma=0.2),
        ),
        (
            {"text": [development, text]},
            ["--corpus", str(development), str(text), "--min-count", "2"],
            Adaptation(min_count=2),
        ),
    ):
        assert main([*command, *arguments]) == 0
        adapt(model.model, recipe=how, **given).model.save(tmp_path / "python")
        assert (tmp_path / "python").read_bytes() == (tmp_path / "command").read_bytes()


def test_adaptation_gets_what_it_needs_and_no_more(folder, capsys):
    model = Truecaser.train(folder / "text.txt", "crf")
    with pytest.raises(TrainingError, match="text of the domain is needed"):
        adapt(model.model)
    with pytest.raises(TrainingError, match="min_count: applies to `text`"):
        adapt(model.model, recipe=Adaptation(min_count=3), development=folder / "dev.en")
    command = ["train", "adapt", "missing", "-o", "x", "--dev", "missing"]
    assert main([*command, "--max-size", "1M"]) == 2
    assert "--max-size: applies to --corpus" in capsys.readouterr().err
    assert main([*command, "--sigma", "0"]) == 2
    plain = Truecaser.train(folder / "text.txt")
    with pytest.raises(ModelError, match="ngram has no weights"):
        adapt(plain.model, development=lambda: iter(()).throw(AssertionError("read")))


def test_a_learning_curve_is_of_models_as_train_makes_them(folder, tmp_path):
    text, test = str(folder / "text.txt"), str(folder / "dev.en")
    curve, model = tmp_path / "curve.json", tmp_path / "model"
    presets = ["unigram", "crf-neural", "crf"]
    command = ["learning-curve", text, "--test", test, "--sizes", "9M", "-o", str(curve)]
    assert learning_curves.run([*command, "--order", "2", "--preset", *presets]) == 0
    points = json.loads(curve.read_text(encoding="utf-8"))["curves"]
    for preset in presets:
        order = [] if preset == "unigram" else ["--order", "2"]
        assert main(["train", text, "--preset", preset, *order, "-o", str(model)]) == 0
        block = (folder / "dev.en").read_bytes()
        figures = evaluate_blocks(Truecaser.load(model), [block], input_case="ignore")
        assert points[preset][0]["f1"] == figures.f1
    assert learning_curves.run([*command, "--order", "2", "--preset", "unigram"]) == 2
    assert learning_curves.run([*command, "--preset", "bilingual"]) == 2
