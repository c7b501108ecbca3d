"""What commands tell on standard error: nothing with --quiet, and no colour."""

import logging
import os
import re
import subprocess
import sys
import warnings

import pytest
from learning_curves import run
from small_model import training_text

from truecase import Truecaser
from truecase.cli import main

COLOUR = re.compile(rb"\x1b\[[0-9;]*m")


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "corpus.txt"
    path.write_text(training_text(600, seed=21))
    return str(path)


def test_training_has_notes_and_keeps_them_back(corpus, tmp_path, capsys):
    arguments = ["train", corpus, "--dev", corpus, "--preset", "unigram"]
    arguments += ["-o", str(tmp_path / "model.truecase")]
    assert main(arguments) == 0
    assert "token accuracy" in capsys.readouterr().err
    assert main([*arguments, "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")


def test_a_warning_that_is_to_be_an_error(corpus, tmp_path, capsys):
    """As with ``python -W error``: one line, and no model."""
    out = tmp_path / "model.truecase"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert main(["train", corpus, "-q", "-o", str(out)]) == 1
    said = capsys.readouterr().err
    assert said.startswith("truecase: Kneser-Ney discounts of order") and said.count("\n") == 1
    assert not out.exists()


def test_the_learning_curve_too(corpus, capsys):
    arguments = ["learning-curve", corpus, "--test", corpus, "--preset", "unigram", "-o", "-"]
    assert run(arguments) == 0
    told = capsys.readouterr()
    assert "token accuracy" in told.err
    assert run([*arguments, "-q"]) == 0
    assert capsys.readouterr() == (told.out, "")


def test_errors_stay(capsys):
    assert main(["-i", "none.txt", "--quiet"]) == 1
    assert capsys.readouterr().err == "truecase: none.txt: No such file or directory\n"


@pytest.mark.parametrize("quiet", [False, True])
def test_progress_on_a_terminal(corpus, tmp_path, quiet):
    pty = pytest.importorskip("pty")
    command = ["text", "capitalize", "-i", corpus, "-o", str(tmp_path / "out"), *["-q"] * quiet]
    shown = on_terminal(pty, command, {})
    assert bool(shown) is not quiet


@pytest.mark.parametrize("command", [["--help"], ["explain", "born in new york"], ["info"]])
def test_no_colour_where_none_is_wanted(command):
    pty = pytest.importorskip("pty")
    shown = on_terminal(pty, command, {"NO_COLOR": "1"})
    assert len(shown) > 100
    assert not COLOUR.search(shown)


def on_terminal(pty, arguments, environment):
    """What the command writes to a terminal."""
    mine, its = pty.openpty()
    command = [sys.executable, "-m", "truecase", *arguments]
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=its, stderr=its, env={**os.environ, **environment}
    ) as child:
        os.close(its)
        shown = b""
        while True:
            try:
                piece = os.read(mine, 1 << 16)
            except OSError:
                break
            if not piece:
                break
            shown += piece
    os.close(mine)
    assert child.returncode == 0
    return shown


def test_the_log_is_silent_until_it_is_asked_for(corpus):
    code = (
        "import logging, sys, truecase\n"
        "if len(sys.argv) > 2: logging.basicConfig(level=logging.DEBUG)\n"
        "from truecase.training.train import train\n"
        "train([sys.argv[1]], 'ngram')\n"
        "truecase.Truecaser.load()"
    )
    silent, asked = (
        subprocess.run(
            [sys.executable, "-W", "ignore", "-c", code, corpus, *more],
            capture_output=True,
            check=True,
        )
        for more in ([], ["log"])
    )
    assert silent.stderr == b""
    assert b"INFO:truecase.base.progress:estimating n-grams\n" in asked.stderr
    assert b"DEBUG:truecase.model.model:mapping " in asked.stderr


def test_the_package_has_a_logger_without_output():
    Truecaser.load()
    handlers = logging.getLogger("truecase").handlers
    assert [type(handler) for handler in handlers] == [logging.NullHandler]
