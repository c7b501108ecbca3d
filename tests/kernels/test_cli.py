"""The command as users run it: training options, styles, mapping files."""

import json

import commands
import pytest
from portage_files import ARPA, MAP
from truecaser_text import HARBOUR_LINES

from truecase.truecaser import Truecaser

TITLES = ["Guide to the Northern Harbours", "Report of the Committee on Railways"] * 20
TEXT = "\n".join([*HARBOUR_LINES, *TITLES, "ALL ABOUT THE SHOUTING"]) + "\n"


@pytest.fixture
def truecase(tmp_path):
    def run(*arguments, text=""):
        return commands.run(*arguments, text=text.encode(), cwd=tmp_path)

    return run


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "corpus.txt"
    path.write_text(TEXT)
    return path


def test_train_tune_and_apply(truecase, corpus, tmp_path):
    dev = tmp_path / "dev.txt"
    dev.write_text("\n".join(HARBOUR_LINES))
    done = truecase(
        "train", corpus, "-o", "m", "--preset", "portage", "--variant", "powers", "--search",
        "left-to-right", "--dev", dev, "--min-count", 1,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, b""), done.stderr
    about = json.loads(truecase("info", "--json", "m").stdout)
    assert about["preset"] == "portage"
    assert about["components"]["portage"]["variant"] == "powers"
    assert about["components"]["portage"]["search"] == "left-to-right"
    done = truecase("-m", "m", text="anna berg of port ellis\n")
    assert done.stdout == b"Anna Berg of Port Ellis\n"


def test_options_of_portage_are_for_portage(truecase, corpus):
    done = truecase("train", corpus, "-o", "m", "--variant", "powers")
    assert done.returncode == 2
    assert done.stderr == b"truecase: --variant: only these presets have it: portage\n"


def test_clean_and_drop_titles(truecase, corpus):
    done = truecase(
        "train", corpus, "-o", "m", "--clean", "--titles", "drop", "--title-pattern", "^xx",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    counts = json.loads(truecase("info", "--json", "m").stdout)["corpus"]
    assert counts["junk_lines"] == 1
    assert counts["title_lines"] >= 40
    done = truecase("train", corpus, "-o", "m", "--titles", "drop", "--title-pattern", "(")
    assert done.returncode == 2
    assert done.stderr.startswith(b"truecase: title pattern '(': ")
    assert done.stderr.count(b"\n") == 1


def test_styles(truecase, corpus):
    done = truecase("train", corpus, "-o", "m", "--title-detector", "--min-count", 1)
    assert done.returncode == 0, done.stderr
    text = "report of the small harbour\nhe had never been to port ellis .\n"
    expected = {
        "sentence": "Report of the small harbour\nHe had never been to Port Ellis .\n",
        "title": "Report of the Small Harbour\nHe Had Never Been to Port Ellis .\n",
        "upper": text.upper(),
        "auto": "Report of the Small Harbour\nHe had never been to Port Ellis .\n",
        "title-long-words": "Report of the Small Harbour\nHe had Never been to Port Ellis .\n",
        "auto-long-words": "Report of the Small Harbour\nHe had never been to Port Ellis .\n",
    }
    for style, cased in expected.items():
        done = truecase("-m", "m", "--style", style, "-j", 2, text=text)
        assert (done.stdout.decode(), done.stderr) == (cased, b"")
        of_python = Truecaser.load(corpus.parent / "m", style=style)
        assert of_python.case_block(text.encode()) == done.stdout


def test_style_auto_needs_something_to_go_by(truecase, corpus):
    truecase("train", corpus, "-o", "m")
    done = truecase("-m", "m", "--style", "auto", text="x\n")
    assert done.returncode == 2
    assert b"no title detector: train it with --title-detector" in done.stderr
    done = truecase(
        "-m", "m", "--style", "auto", "--title-pattern", "^re", text="report on it\nof it\n"
    )
    assert done.stdout == b"Report on It\nOf it\n"
    done = truecase(
        "-m", "m", "--style", "auto-long-words", "--title-pattern", "^re", text="report on it\n"
    )
    assert done.stdout == b"Report on it\n"
    done = truecase("-m", "m", "--title-pattern", "x", text="x\n")
    assert done.returncode == 2
    assert b"only --style auto looks for titles" in done.stderr


def test_styles_with_a_moses_model(truecase, tmp_path):
    (tmp_path / "moses").write_text("anna (1/7) Anna (6)\nof (2/2)\n")
    done = truecase("-m", "moses", "--style", "title", text="dog of anna\n")
    assert done.stdout == b"Dog of Anna\n"
    done = truecase("-m", "moses", "--style", "upper", text="dog of anna")
    assert done.stdout == b"DOG OF ANNA"


def test_import_and_export_of_mappings(truecase, tmp_path):
    (tmp_path / "theta.arpa").write_text(ARPA)
    (tmp_path / "phi.map").write_text(MAP)
    done = truecase("arpa", "import", "theta.arpa", "--map", "phi.map", "--keep-ngrams", "-o", "m")
    assert (done.returncode, done.stderr) == (0, b"")
    assert truecase("-m", "m", text="akakpo agbago\n").stdout == b"Akakpo Agbago\n"
    done = truecase("arpa", "export", "m", "-o", "out.arpa", "--map", "out.map")
    assert (done.returncode, done.stderr) == (0, b"")
    lines = (tmp_path / "out.map").read_text().splitlines()
    assert "agbago Agbago 0.714 AGBAGO 0.286" in lines
    assert "akakpo Akakpo 1" in lines


def test_a_broken_mapping_is_one_sentence(truecase, tmp_path):
    (tmp_path / "theta.arpa").write_text(ARPA)
    (tmp_path / "phi.map").write_text(MAP + "togo Agbago 1\n")
    done = truecase("arpa", "import", "theta.arpa", "--map", "phi.map", "-o", "m")
    assert done.returncode == 1
    assert done.stderr.decode() == ("truecase: phi.map:4: 'Agbago' is not 'togo' in another case\n")
    assert not (tmp_path / "m").exists()
    done = truecase("arpa", "import", "theta.arpa", "--variant", "powers", "-o", "m")
    assert done.returncode == 2
