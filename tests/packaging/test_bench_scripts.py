"""Scripts of bench/: what they measure is what they say, options matter, errors are a sentence."""

import json
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[2]
BENCH = CHECKOUT / "bench"

pytestmark = pytest.mark.skipif(not BENCH.exists(), reason="the tests are not in a checkout")


@pytest.fixture
def run(tmp_path):
    """A function: what a script prints, run where its files are."""

    def of(name, *arguments, code=0):
        done = subprocess.run(
            [sys.executable, str(BENCH / f"{name}.py"), *map(str, arguments)],
            capture_output=True,
            text=True,
            check=False,
            encoding="utf-8",
            cwd=tmp_path,
        )
        assert done.returncode == code, done.stderr
        return done.stderr if code else done.stdout

    return of


def written(path, line, n_times=30):
    path.write_text(f"{line}\n" * n_times, encoding="utf-8")
    return path


@pytest.mark.parametrize(("script", "figure"), [("choices", "80.00"), ("portage", "20.00")])
def test_the_case_of_the_test_text_is_no_help(run, tmp_path, script, figure):
    train = written(tmp_path / "train.txt", "A tram saw Anna .\nThe tram saw Anna .")
    text = written(tmp_path / "text.txt", "The tram saw qWeRt .")
    told = run(
        f"experiments/{script}", "--train", train, "--text", f"a={text}", "--rows", "^unigram"
    )
    (row,) = (line for line in told.splitlines() if line.startswith("unigram"))
    # A word of five is wrong: what it should be is to be had from its own case alone.
    assert figure in row.split()


def test_the_rule_of_words_of_speech_can_be_switched_off(run, tmp_path):
    text = written(tmp_path / "calls.txt", "Um I dont think theyll come", 2)
    wrong = [
        int(run("experiments/speech", text, *options).splitlines()[-1].split("|")[3])
        for options in ((), ("--sure", -100, "--likely", -100))
    ]
    assert wrong[0] < wrong[1]


def test_weights_of_forms_made_of_parts_are_learned(run, tmp_path):
    pytest.importorskip("scipy")
    text = written(tmp_path / "text.txt", "Two zorgd-Anna and the QQPs came\nIt is late", 10)
    run("experiments/composed_forms", "learn", text, "-o", "weights.json")
    ours = json.loads((CHECKOUT / "truecase/data/composed.json").read_text("utf-8"))
    assert json.loads((tmp_path / "weights.json").read_text("utf-8")).keys() == ours.keys()


def test_an_aligner_that_there_is_not_is_refused(run, tmp_path):
    text = written(tmp_path / "text.txt", "a b")
    told = run("experiments/word_aligners", text, text, "--aligners", "hmn", code=2)
    assert "invalid choice: 'hmn'" in told


@pytest.mark.parametrize(
    ("script", "arguments", "code", "message"),
    [
        ("experiments/agreed_names", ["no.txt"], 1, "agreed_names.py: no.txt: No such file"),
        ("memory", ["--corpus", "no.txt"], 1, "memory.py: no.txt: No such file"),
        ("memory", ["--corpus", "empty.txt"], 1, "memory.py: empty.txt: there is no word in it"),
        ("memory", ["--corpus", "."], 1, "memory.py: empty.txt: there is no word in it"),
        ("kept", ["no.json", "out.json"], 1, "kept.py: no.json: No such file"),
        ("mapped", ["no.truecase"], 1, "mapped.py: no.truecase: No such file"),
        ("catalogues", ["a.txt", "empty.txt"], 1, "expected as many lines in both"),
        ("experiments/bilingual", ["show", "--json", "no.json"], 2, "nothing of `table` is in it"),
        ("experiments/hidden_ngram", ["decode", "x", "--tune"], 2, "--words is missing"),
    ],
)
def test_what_is_missing_is_said_in_a_sentence(run, tmp_path, script, arguments, code, message):
    (tmp_path / "empty.txt").touch()
    if "." not in arguments:
        written(tmp_path / "a.txt", "a b")
    told = run(script, *arguments, code=code)
    assert message in told and "Traceback" not in told


def test_a_text_that_is_not_cut_keeps_its_last_line(tmp_path):
    text = tmp_path / "a.txt"
    text.write_bytes(b"One line .\nAnother one")
    read = runpy.run_path(str(BENCH / "corpora.py"))["read"]
    assert [one.text for one in read([text], 1)] == [text.read_bytes()]
    assert [one.text for one in read([text], 12e-6)] == [b"One line .\n"]
