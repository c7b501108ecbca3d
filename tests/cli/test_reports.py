"""`evaluate --html`, the learning curve and `explain` as commands."""

import json
import os
import sys

import pytest
from small_model import training_text

TEXT = "The harbour of Anna\nAnna has the iPhone\n"


def test_evaluate_writes_a_page(truecase, model, tmp_path):
    reference, page = tmp_path / "test.txt", tmp_path / "report.html"
    reference.write_text(TEXT + "<script>alert(1)</script>\n")
    done = truecase("evaluate", "-m", model, "--html", page, reference)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"token accuracy" in done.stdout
    text = page.read_text(encoding="utf-8")
    assert "Truecasing of test.txt" in text and "model.en" in text
    assert "<script>alert" not in text
    done = truecase("evaluate", "-m", model, "--html", "-", reference)
    assert done.stdout.decode("utf-8") == text


def test_evaluate_several_models(truecase, model, model_file, tmp_path):
    reference, page = tmp_path / "test.txt", tmp_path / "report.html"
    reference.write_text(TEXT)
    done = truecase("evaluate", "-m", model, "-m", model_file, "--html", page, reference)
    assert done.returncode == 0
    assert b"model.en  ngram.truecase" in done.stdout
    assert "2 models side by side" in page.read_text(encoding="utf-8")
    done = truecase("evaluate", "-m", model, "-m", model_file, "--json", reference)
    figures = json.loads(done.stdout)["models"]
    assert [one["model"] for one in figures] == ["model.en", "ngram.truecase"]
    assert figures[0]["n_words"] == 8


def test_evaluate_what_does_not_go_together(truecase, model, tmp_path):
    reference = tmp_path / "test.txt"
    reference.write_text(TEXT)
    for arguments, message in (
        (["-m", model, "-m", model, "-"], "standard input can be read only once"),
        (["-m", model, "-m", model, "--hypothesis", reference, reference], "one model at most"),
    ):
        done = truecase("evaluate", *arguments, text=b"x\n")
        assert done.returncode == 2
        assert message in done.stderr.decode() and done.stderr.count(b"\n") == 1
    done = truecase("evaluate", "--html", tmp_path / "no" / "x.html", reference)
    assert (done.returncode, done.stderr.count(b"\n")) == (1, 1)


def test_learning_curve(truecase, tmp_path):
    corpus, test = tmp_path / "corpus.txt", tmp_path / "test.txt"
    corpus.write_text(training_text(500), encoding="utf-8")
    test.write_text(training_text(40, seed=12), encoding="utf-8")
    curve, page = tmp_path / "curve.json", tmp_path / "curve.html"
    done = truecase(
        *("learning-curve", corpus, "--test", test, "--sizes", "200", "1K", "--html", page),
        *("--preset", "unigram", "ngram", "-o", curve),
    )
    assert done.returncode == 0, done.stderr
    points = json.loads(curve.read_text())["curves"]
    assert list(points) == ["unigram", "ngram"]
    assert [200 <= p["n_words"] < 230 for p in points["ngram"]] == [True, False]
    assert points["ngram"][0]["accuracy"] < points["ngram"][1]["accuracy"]
    assert "Learning curve" in page.read_text(encoding="utf-8")


def test_learning_curve_of_a_small_corpus(truecase, tmp_path):
    corpus = tmp_path / "corpus.txt"
    corpus.write_text(training_text(100), encoding="utf-8")
    done = truecase("learning-curve", corpus, "--test", corpus, "--sizes", "300", "5M", "-o", "-")
    assert b"larger sizes are left out" in done.stderr
    points = json.loads(done.stdout)["curves"]["ngram"]
    assert len(points) == 2
    assert points[1]["n_words"] == len(corpus.read_text(encoding="utf-8").split())
    assert points[1]["n_lines"] == 100


def test_learning_curve_errors(truecase, tmp_path):
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("\n")
    for arguments, code, message in (
        ([], 2, "expected -o FILE"),
        (["-o", "-", "--preset", "best"], 2, "unknown preset 'best'"),
        (["-o", "-", "--sizes", "many"], 2, "expected a number of words such as 100K"),
        (["-o", "-"], 1, "there is no word in it"),
        (["-o", tmp_path / "no" / "curve.json"], 1, "there is no folder"),
    ):
        done = truecase("learning-curve", corpus, "--test", corpus, *arguments)
        assert done.returncode == code, done.stderr
        assert message in done.stderr.decode() and done.stderr.count(b"\n") == 1
    corpus.write_text("The harbour.\n" * 9)
    small = ("--sizes", "2", "--preset", "crf")
    done = truecase("learning-curve", corpus, "--test", corpus, "-o", "-", *small)
    assert done.returncode == 1 and b"truecase: crf, 2 words: the text has" in done.stderr
    done = truecase("learning-curve", corpus, "--test", tmp_path / "none", "-o", "-")
    assert (done.returncode, done.stderr.count(b"\n")) == (1, 1)


def test_explain(truecase, model_file, tmp_path):
    done = truecase("explain", "-m", model_file, "us", "bill <b>")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode().splitlines()[0].lower() == "us bill <b>"
    plain = json.loads(truecase("explain", "-m", model_file, "--json", "us bill").stdout)
    assert plain["sentences"][0]["words"][1]["text"] == "bill"
    page = tmp_path / "why.html"
    done = truecase("explain", "-m", model_file, "--html", page, "-", text=b"us bill <i>\r\n")
    assert (done.returncode, done.stdout) == (0, b"")
    assert "<i>" not in page.read_text(encoding="utf-8")


@pytest.mark.skipif(sys.platform != "linux", reason="arguments and names are bytes")
def test_texts_and_names_that_the_locale_cannot_read(truecase, model_file, tmp_path):
    """Arguments are bytes, and their text is UTF-8, whatever the locale."""
    ascii_only = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = truecase("explain", "-m", model_file, "zürich", env=ascii_only)
    assert (done.returncode, done.stdout.decode().split()[0].lower()) == (0, "zürich")
    name = os.fsdecode(bytes(tmp_path) + b"/b\xff.txt")
    with open(name, "w", encoding="utf-8") as file:
        file.write("us bill\n")
    done = truecase("review", "-m", model_file, name, "-o", tmp_path / "page.html", env=os.environ)
    assert done.returncode == 0 and b"2 words on the page" in done.stderr
    assert b"b\xff.txt" in (tmp_path / "page.html").read_bytes()
    # A blank is no step of a command.
    assert truecase("explain", "-m", model_file, " ").returncode == 0


def test_explain_errors(truecase, model, model_file):
    done = truecase("explain", "-m", model, "x")
    assert done.returncode == 1
    assert done.stderr.decode() == (
        f"truecase: {model}: models of Moses' truecaser have no candidates to explain\n"
    )
    done = truecase("explain", "-m", model_file, "-", text=b"two\nlines\n")
    assert (done.returncode, done.stderr.count(b"\n")) == (1, 1)
    done = truecase("explain", "-m", model_file, "--json", "--html", "x.html", "x")
    assert done.returncode == 2
