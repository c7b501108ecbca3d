"""`count`, `merge` and `train --counts` as commands: what the functions write, byte for byte."""

import contextlib
import os
import signal
import subprocess
import sys

import pytest
from small_model import training_text

from truecase import count_text, merge_counts
from truecase.cli import main
from truecase.training.recipe import PRESETS, TextRecipe
from truecase.training.train import train

FULL = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")

pytestmark = pytest.mark.filterwarnings("ignore:Kneser-Ney")


@pytest.fixture
def parts(tmp_path):
    """Two parts of a text."""
    paths = [tmp_path / "a.txt", tmp_path / "b.txt"]
    for seed, path in enumerate(paths, 1):
        path.write_text(training_text(200, seed=seed), encoding="utf-8")
    return paths


def ok(done):
    assert done.returncode == 0, done.stderr.decode()
    return done.stderr.decode()


def test_the_commands_do_what_the_functions_do(parts, truecase, tmp_path):
    made, way = tmp_path / "commands", tmp_path / "functions"
    made.mkdir()
    way.mkdir()
    for part in parts:
        told = ok(
            truecase("train", "count", part, "--language", "en", "-o", made / f"{part.stem}.words")
        )
        assert " words of 200 lines" in told
        count_text(part, way / f"{part.stem}.words", language="en")
    words = [f"{part.stem}.words" for part in parts]
    ok(truecase("train", "merge", *(made / name for name in words), "-o", made / "all.words"))
    merge_counts([way / name for name in words], way / "all.words")
    for part in parts:
        out = made / f"{part.stem}.counts"
        told = ok(
            truecase("train", "count", part, "--words", made / "all.words", "--order", 2, "-o", out)
        )
        assert " 2-grams of 200 lines" in told
        count_text(part, way / out.name, words=way / "all.words", order=2)
    counts = [f"{part.stem}.counts" for part in parts]
    told = ok(
        truecase("train", "merge", *(made / name for name in counts), "-o", made / "all.counts")
    )
    assert " 2-grams of 400 lines" in told
    merge_counts([way / name for name in counts], way / "all.counts")
    for path in way.iterdir():
        assert (made / path.name).read_bytes() == path.read_bytes()
    model = tmp_path / "model.truecase"
    options = ["--order", 2, "--min-count", 1]
    ok(truecase("train", "--counts", made / "all.counts", *options, "-o", model))
    recipe = PRESETS["ngram"].with_options({"lm.order": 2, "lexicon.min_count": 1})
    train(recipe=recipe, counts=way / "all.counts").model.save(way / "model")
    assert model.read_bytes() == (way / "model").read_bytes()
    told = truecase("info", made / "all.counts").stdout.decode()
    assert "n-grams" in told and "400" in told


def test_standard_input_and_compressed_text(parts, truecase, tmp_path):
    import gzip

    text = b"".join(part.read_bytes() for part in parts)
    (tmp_path / "text.gz").write_bytes(gzip.compress(text))
    ok(truecase("train", "count", *parts, "-o", tmp_path / "1"))
    ok(truecase("train", "count", "-", "-o", tmp_path / "2", text=text))
    ok(truecase("train", "count", tmp_path / "text.gz", "-o", tmp_path / "3", "-q"))
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()
    assert (tmp_path / "1").read_bytes() == (tmp_path / "3").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["train", "count", "{a}"], "required: -o"),
        (["train", "count", "{a}", "-o", "{a}"], "a.txt: is also read"),
        (["train", "count", "{a}", "-o", "x.gz"], "not compressed"),
        (["train", "count", "{a}", "-o", "-"], "not to standard output"),
        pytest.param(
            ["train", "count", "{a}", "-o", "/dev/full"], "/dev/full: No space left", marks=FULL
        ),
        (["train", "{a}", "-o", "-"], "not to standard output"),
        (["train", "count", "{a}", "-o", "x", "--order", "2"], "--order: words have none"),
        (
            ["train", "count", "{a}", "-o", "x", "--words", "{w}", "--clean"],
            "--clean: the words in",
        ),
        (["train", "count", "{a}", "-o", "x", "--memory", "5"], "memory 5: at least"),
        (["train", "count", "none.txt", "-o", "x"], "none.txt"),
        (["train", "count", "{a}", "-o", "x", "--words", "{a}"], "no file of counts"),
        (["train", "count", "{a}", "-o", "x", "--words", "none"], "none"),
        (["train", "merge", "{a}", "-o", "x"], "no file of counts"),
        (["train", "merge", "{w}", "{w}", "-o", "x"], "given more than once"),
        (["train", "merge", "{w}", "-o", "{w}"], "is also read"),
        (["train", "merge", "{w}", "{c}", "-o", "x"], "counts of n-grams"),
        (["train", "-o", "x"], "neither a CORPUS to train on nor --counts"),
        (["train", "--counts", "{c}", "{a}", "-o", "x"], "needs only the counts"),
        (["train", "--counts", "{c}", "--clean", "-o", "x"], "--clean: the counts say"),
        (["train", "--counts", "{c}", "--order", "4", "-o", "x"], "count with --order 4"),
        (["train", "--counts", "{c}", "--preset", "crf", "-o", "x"], "looks at the neighbours"),
        (["train", "--counts", "{c}", "--titles", "drop", "-o", "x"], "a detector learns"),
        (["train", "--counts", "{w}", "-o", "x"], "counts of words alone"),
        (["train", "--counts", "{c}", "--preset", "crf-neural", "-o", "x"], "learns its weights"),
        (["train", "--counts", "{c}", "-o", "{c}"], "is also read"),
    ],
)
def test_wrong_arguments(arguments, message, parts, capsys, monkeypatch, tmp_path):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    words, counts = tmp_path / "w", tmp_path / "c"
    count_text(parts[0], words)
    count_text(parts[0], counts, words=words)
    given = {"a": parts[0], "w": words, "c": counts}
    with contextlib.suppress(SystemExit):
        assert main([argument.format(**given) for argument in arguments]) in (1, 2)
    told = capsys.readouterr().err
    assert message in told and told.count("\n") == 1
    assert not (tmp_path / "here" / "x").exists()


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_interrupted(tmp_path):
    def listen():
        # A shell that runs the tests in the background has told its children to ignore Ctrl-C.
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    process = subprocess.Popen(
        [sys.executable, "-m", "truecase", "train", "count", "-", "-o", str(tmp_path / "x")],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=listen,
    )
    # More than a pipe holds: when all is written, the command is reading.
    process.stdin.write(b"the end\n" * 1_000_000)
    process.stdin.flush()
    # A signal right before the system call that waits for input is noticed with the next one.
    while process.poll() is None:
        process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(5)
    assert process.returncode == 130 and b"Traceback" not in process.stderr.read()
    assert not list(tmp_path.iterdir())


def test_text_recipe_is_that_of_the_counts():
    """A segmentation that counts and recipes know is the same in both."""
    from truecase.training.count_text import HowToCount

    assert TextRecipe().segmentation == HowToCount().segmentation
