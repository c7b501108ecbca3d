"""`truecase review` as a command."""

import json
import os
import subprocess
import sys

import pytest
from review_pages import corrections_of, data_of, place_of

import truecase as package
from truecase.cli import main

TEXT = "the post of london\nmary took the bill to oslo\n"


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "in.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path


def made(truecase, text, model_file, *more):
    done = truecase("review", "-m", model_file, text, *more)
    assert done.returncode == 0, done.stderr
    return done, data_of(done.stdout.decode())


def with_corrections(tmp_path, data):
    """A file of corrections, and what the text is then."""
    file = tmp_path / "c.json"
    chosen = {}
    for i in range(len(data["start"])):
        form = place_of(data, i)[3]
        if form.lower() == "oslo":
            chosen[i] = "OSLO"
    assert chosen
    file.write_text(json.dumps(corrections_of(data, chosen, ["OSLO"])), encoding="utf-8")
    return file


def test_page_and_corrections(truecase, text, neural_model_file, tmp_path):
    done, data = made(truecase, text, neural_model_file)
    assert done.stderr.decode() == (
        f"truecase: {text}: plain text: 10 words on the page; open it in a browser, and put the "
        "corrections that it saves into the text with truecase review --apply\n"
    )
    assert data["settings"] == {"model": str(neural_model_file)}
    file = with_corrections(tmp_path, data)
    expected = package.Truecaser.load(neural_model_file)(TEXT)
    expected = expected.replace("Oslo", "OSLO").encode()
    # the corrections name the model
    for more in ((), ("-j", 2), ("-m", neural_model_file)):
        applied = truecase("review", "--apply", file, text, *more)
        assert (applied.returncode, applied.stdout) == (0, expected)
        assert b": plain text: 1 correction; 10 words, " in applied.stderr
    applied = truecase("review", "-q", "--apply", file, text, "-o", text)
    assert (applied.stdout, applied.stderr) == (b"", b"")
    assert text.read_bytes() == expected


def test_no_page_for_a_terminal(text, model_file):
    pty = pytest.importorskip("pty", exc_type=ImportError)
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "truecase", "review", "-m", model_file, text]
    done = subprocess.run(command, stdout=theirs, stderr=subprocess.PIPE, timeout=60, check=False)
    os.close(theirs)
    os.close(ours)
    assert (done.returncode, done.stderr) == (
        2,
        b"truecase: the page is HTML, not for a terminal: name its file, as in -o page.html\n",
    )


def test_the_same_bytes_from_python(truecase, text, neural_model_file, tmp_path):
    done, data = made(truecase, text, neural_model_file, "--context", "document")
    page, output = tmp_path / "page.html", tmp_path / "out.txt"
    settings = package.ReviewSettings(model=str(neural_model_file), context="document")
    assert package.review_file(text, page, settings=settings) == 10
    assert page.read_bytes() == done.stdout
    file = with_corrections(tmp_path, data)
    applied = truecase("review", "--apply", file, text)
    summary = package.apply_corrections(text, file, output)
    assert output.read_bytes() == applied.stdout
    assert summary.n_words == 10


def test_standard_input(truecase, neural_model_file):
    done = truecase("review", "-m", neural_model_file, text=TEXT.encode())
    assert data_of(done.stdout.decode())["of"] == "standard input"


def test_names_and_words(truecase, text, neural_model_file, tmp_path):
    names = tmp_path / "names.txt"
    names.write_text("!OsLo\n", encoding="utf-8")
    _, data = made(truecase, text, neural_model_file, "--names", names, "--words", 3)
    assert len(data["start"]) == 3
    _, data = made(truecase, text, neural_model_file, "--names", names)
    forms = [place_of(data, i)[3] for i in range(len(data["start"]))]
    assert "OsLo" in forms


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["-j", "2"], 2, "--threads: only --apply works with several"),
        (["--keep-case", "--input-case", "auto"], 2, "--input-case and --keep-case"),
        (["--field", "x"], 1, "only manifests in JSON lines have a named field"),
        (["--format", "srt", "--context", "document"], 1, "only of plain text can lines be"),
        (["--words", "0"], 2, "expected a whole number, 1 or more"),
        (["-o", "no/folder/page.html"], 1, "no/folder"),
        (["-o", "TEXT"], 1, "is also read: give the output another name"),
        (["--apply", "missing.json"], 1, "missing.json: No such file"),
    ],
)
def test_wrong_arguments(arguments, code, message, text, model_file, capsys):
    before = text.read_bytes()
    arguments = [str(text) if each == "TEXT" else each for each in arguments]
    assert main(["review", "-m", str(model_file), str(text), *arguments]) == code
    assert text.read_bytes() == before
    out, error = capsys.readouterr()
    assert message in error
    assert (out, error.count("\n")) == ("", 1)


@pytest.mark.parametrize(
    "option", [["--words", "3"], ["--keep-case"], ["--context", "line"], ["--decode-with", "ngram"]]
)
def test_options_that_corrections_have(option, text, capsys):
    assert main(["review", "--apply", "c.json", str(text), *option]) == 2
    assert f"{option[0]}: leave it out: --apply" in capsys.readouterr().err


def test_models_that_are_never_uncertain(model, text, capsys):
    assert main(["review", "-m", model, str(text)]) == 2
    assert "has no probabilities; use one of truecase" in capsys.readouterr().err


def test_wrong_bytes_and_empty_texts(truecase, tmp_path, model_file):
    path = tmp_path / "in.txt"
    page = tmp_path / "page.html"
    for content, message in (
        (b"a\n\xff\n", b"line 2: byte 2 is not UTF-8"),
        (b"", b"no word in it"),
        (b"3.50\n", b"no word in it"),
    ):
        path.write_bytes(content)
        done = truecase("review", "-m", model_file, path, "-o", page)
        assert done.returncode == 1
        assert message in done.stderr
        assert not page.exists()
