"""The benchmark of accuracy in bench/accuracy, on small texts of its own sets' forms."""

import importlib
import json
import lzma
import re
import subprocess
import sys
from pathlib import Path

import pytest

from truecase import Truecaser
from truecase.model.embedded import installed_models

CHECKOUT = Path(__file__).parents[2]
BENCH = CHECKOUT / "bench"
RUN = BENCH / "accuracy" / "run.py"

pytestmark = pytest.mark.skipif(not RUN.exists(), reason="the tests are not in a checkout")

LINES = [
    "Anna moved from New York to the Netherlands in May .",
    "The man at NASA never saw Mary O'Brien again .",
    "Nobody knew why the harbour was closed on Monday .",
]


@pytest.fixture
def bench(monkeypatch):
    """Imports modules of the benchmark as running it would."""
    before = set(sys.modules)
    monkeypatch.syspath_prepend(str(BENCH))
    monkeypatch.syspath_prepend(str(BENCH / "accuracy"))
    yield importlib.import_module
    for name in set(sys.modules) - before:
        del sys.modules[name]


@pytest.fixture
def folder(tmp_path):
    """Sets under their names: one as it is published but short, one compressed, one of speech."""
    files = {
        "wikipedia/test.txt": "\n".join(LINES) + "\n\n",
        "librispeech-pc/test-clean.json": "".join(
            json.dumps({"duration": 1.5, "text": f"“{line}”"}) + "\n" for line in LINES
        ),
    }
    for name, text in files.items():
        path = tmp_path / "sets" / name
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="utf-8")
    news = tmp_path / "sets" / "newstest" / "newstest2018.de.xz"
    news.parent.mkdir()
    news.write_bytes(lzma.compress("\n".join(["Wir sehen uns im Mai ."] * 2998).encode()))
    return tmp_path / "sets"


def run(*arguments, python=sys.executable):
    return subprocess.run(
        [python, str(RUN), *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
    )


def cells(table, system):
    """The cells of the rows of a system."""
    rows = [re.split(r" *\| *", line.strip("| ")) for line in table.splitlines()]
    return [row[-6:] for row in rows if row[-6:][0] == system]


def test_ours_on_public_sets(folder, tmp_path):
    out = tmp_path / "out.json"
    done = run(folder, "--sets", "wikipedia", "librispeech-pc.clean", "--no-peers", "--json", out)
    assert done.returncode == 0, done.stderr
    found = json.loads(out.read_text(encoding="utf-8"))
    of = {(row["set"], row["system"]): row for row in found["rows"]}
    embedded = of["wikipedia", "truecase en"]
    model = Truecaser.load()
    words = [
        (right, word)
        for line in LINES
        for right, word in zip(line.split(), model(line.lower()).split(), strict=True)
    ]
    assert embedded["words"] == len(words) == 31
    assert embedded["accuracy"] == pytest.approx(100 * sum(a == b for a, b in words) / len(words))
    assert 0 < embedded["calibration_error"] < 50
    assert (
        embedded["words_per_s"] > 0
        and embedded["differs"] == "3 lines of the 1,373 that were published"
    )
    # Marks are no words of speech.
    assert of["librispeech-pc.clean", "truecase en"]["words"] == 28
    parts = [
        of["wikipedia", f"truecase en{part}"] for part in ("", ", its n-grams", ", its lexicon")
    ]
    assert [row["bytes"] for row in parts] == sorted((row["bytes"] for row in parts), reverse=True)
    assert parts[2]["calibration_error"] is None
    shown = cells(done.stdout, "truecase en")[0]
    assert (
        shown[1] == f"{embedded['accuracy']:.2f}" and shown[5] == f"{embedded['bytes'] / 1e6:.1f}"
    )
    assert cells(done.stdout, "truecase en, its lexicon")[0][3] == "–"
    # Published figures stand beside them, the best first.
    places = [done.stdout.index(name) for name in ("2002.00738", "pytorch-char-rnn", "D16-1225")]
    assert places == sorted(places) and found["published"][0]["f1"] == 94.02


def test_what_is_not_there_is_named(folder):
    done = run(folder, "--no-peers")
    assert done.returncode == 0, done.stderr
    missing = [line for line in done.stderr.splitlines() if line.startswith("not there: ")]
    # Of 37 sets there are three.
    assert len(missing) == 50
    assert any("flores200.it: flores200_dataset/devtest/ita_Latn.devtest" in m for m in missing)
    assert "sacrebleu -t wmt18 -l en-cs --echo ref > newstest/newstest2018.cs" in done.stderr
    if "de" not in installed_models():
        assert "left out: no model for de is installed" in done.stderr
        assert "newstest2018.de" not in done.stdout


def test_a_model_and_a_text_of_ones_own(tmp_path):
    text = tmp_path / "text.txt"
    text.write_text("Wir sahen Anna in Berlin .\nDas Haus war alt .\n" * 30, encoding="utf-8")
    Truecaser.train([text]).save(tmp_path / "de.truecase")
    done = run(
        "--text", f"own:de={text}", "-m", f"mine:de={tmp_path / 'de.truecase'}", "--no-peers"
    )
    assert done.returncode == 0, done.stderr
    assert cells(done.stdout, "mine")[0][1:3] == ["100.00", "100.00"]
    assert "truecase en" not in done.stdout


def test_sacremoses_learns_and_is_judged(folder, tmp_path):
    pytest.importorskip("sacremoses")
    train = tmp_path / "train.txt"
    train.write_text("\n".join(LINES * 5), encoding="utf-8")
    done = run(folder, "--sets", "wikipedia", "--peer-train", f"en={train}")
    assert done.returncode == 0, done.stderr
    assert "left out: truecase of the index: no interpreter of it is named" in done.stderr
    plain, first = (
        cells(done.stdout, name)[0] for name in ("sacremoses", "sacremoses, first words")
    )
    # It knows the words, but for the first, which it has not learned.
    assert plain[1] == "90.32" and first[1:4] == ["100.00", "100.00", "–"]
    assert float(plain[4].replace(",", "")) > 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "give one of them"),
        (("--text", "no.txt"), "no.txt: expected NAME=FILE or NAME:LANG=FILE"),
        (("--text", "a=no/such.txt"), "no/such.txt: no such file"),
        (("no/folder",), "no/folder: there is no such folder"),
        ((".", "--sets", "wiki"), "--sets: no set wiki; there are wikipedia, "),
        (("--text", "a=x", "--sets", "wikipedia"), "--sets: FOLDER is missing"),
        ((".", "-m", "my.truecase"), "my.truecase: expected a name, =, and a file or model"),
    ],
)
def test_errors(arguments, message):
    done = run(*arguments)
    assert done.returncode in (1, 2) and done.stdout == ""
    assert message in done.stderr and "Traceback" not in done.stderr


def test_a_manifest_that_is_none(folder):
    (folder / "librispeech-pc" / "test-clean.json").write_text('{"text": "A"}\n["B"]\n')
    done = run(folder, "--sets", "librispeech-pc.clean", "--no-peers")
    assert done.returncode == 1
    assert "test-clean.json: line 2 is no JSON object with a text" in done.stderr


def test_the_input_s_white_space_comes_back(bench):
    laid_out = bench("systems").laid_out
    assert laid_out("it's  “a dog”.", "It's “ A Dog ” .") == "It's  “A Dog”."
    assert laid_out("a b", "A b c") is None
    assert laid_out("straße", "STRASSE") is None
    # Another letter makes its word wrong, no more than that.
    assert laid_out("istanbul ve", "Istanbul  Ve") == "Istanbul Ve"


def test_words_of_speech(bench):
    without_marks = bench("sets").without_marks
    assert without_marks("“Well,” said O'Neill-Smith, “it's AT&T's 3.5%!”") == (
        "Well said O'Neill-Smith it's AT&T's 3.5"
    )
    assert without_marks("- ... !") == ""


def test_every_set_says_how_to_get_it(bench):
    sets, claims = bench("sets").public_sets(), bench("claims").CLAIMS
    readme = (BENCH / "accuracy" / "README.md").read_text(encoding="utf-8")
    assert len({one.file for one in sets.values()}) == len(sets) == 53
    for name, one in sets.items():
        assert one.get and one.name == name
        assert f"`{name.split('.')[0]}" in readme
    for claim in claims:
        assert claim.where and (claim.accuracy or claim.f1)
