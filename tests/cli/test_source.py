"""`apply`, `evaluate` and `train` with a source: files, errors, streams."""

import gzip
import json
import subprocess
import sys

import pytest
from commands import run
from small_bitext import bitext, pharaoh
from small_model import training_text

LINES = bitext(600, seed=5)
TEST = bitext(60, seed=6)

TARGET = b"click ok to save\nso the qxv is here\n"
SOURCE = b"CLIQUEZ SUR OK POUR ENREGISTRER\nalors le QxV est ici\n"
LINKS = b"0-0 2-1 3-2 4-3\n0-0 1-1 2-2 3-3 4-4\n"


@pytest.fixture
def files(tmp_path):
    """Paths of a source, a target, and their alignment."""
    paths = []
    for name, data in (("s.fr", SOURCE), ("t.en", TARGET), ("a.align", LINKS)):
        (tmp_path / name).write_bytes(data)
        paths.append(tmp_path / name)
    return paths


@pytest.fixture(scope="module")
def bitext_files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bitext")
    for name, lines in (("train", LINES), ("test", TEST)):
        (folder / f"{name}.en").write_bytes(lines.target)
        (folder / f"{name}.fr").write_bytes(lines.source)
        (folder / f"{name}.align").write_bytes(pharaoh(lines))
    return folder


@pytest.fixture(scope="module")
def bilingual_model(bitext_files):
    path = bitext_files / "model.truecase"
    done = run(
        "train", "--preset", "bilingual", "--segmentation", "space",
        "--source", bitext_files / "train.fr", "--target", bitext_files / "train.en",
        "--alignment", bitext_files / "train.align", "-o", path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert b"same_form" in done.stderr or b"aligned" in done.stderr
    return path


def message(done):
    """The one sentence of a refusal, without any output."""
    assert done.returncode != 0 and done.stdout == b""
    text = done.stderr.decode()
    assert text.startswith("truecase") and text.count("\n") == 1, text
    return text


@pytest.mark.parametrize("threads", [1, 3])
def test_source_with_and_without_alignment(model_file, files, threads):
    source, target, align = files
    for more in ((), ("--alignment", align)):
        done = run(
            "apply", "-m", model_file, "--source", source, "-j", threads, *more, "-i", target
        )
        assert (done.stderr, done.returncode) == (b"", 0)
        assert done.stdout.split(b"\n")[0] == b"CLICK OK TO SAVE"
        assert b"QxV" in done.stdout.split(b"\n")[1].split()
        again = run("apply", "-m", model_file, "--source", source, *more, text=TARGET)
        assert again.stdout == done.stdout


def test_compressed_files_and_an_output_file(model_file, files, tmp_path):
    _, target, align = files
    packed = tmp_path / "s.fr.gz"
    packed.write_bytes(gzip.compress(SOURCE))
    out = tmp_path / "out.txt"
    done = run("apply", "-m", model_file, "--source", packed, "--alignment", align, "-i", target,
               "-o", out)  # fmt: skip
    assert (done.stdout, done.stderr, done.returncode) == (b"", b"", 0)
    assert out.read_bytes().lower() == TARGET


def test_moses_trace(model_file, files):
    source, _, align = files
    trace = b"click |0-0| ok |2-2| to save |3-4|\nso the qxv |0-2| is here |3-4|\n"
    done = run("apply", "-m", model_file, "--source", source, "--moses-trace", text=trace)
    assert (done.stderr, done.returncode) == (b"", 0)
    assert done.stdout.lower() == TARGET
    assert done.stdout.startswith(b"CLICK OK TO SAVE\n")
    done = run("apply", "-m", model_file, "--source", source, "--moses-trace", "--alignment", align,
               text=trace)  # fmt: skip
    assert "--moses-trace has the alignment in the text" in message(done)
    broken = trace.replace(b"|3-4|\n", b"|3-9|\n", 1)
    done = run("apply", "-m", model_file, "--source", source, "--moses-trace", text=broken)
    assert "line 1" in message(done)


def test_threshold(model_file, files):
    source, target, align = files
    align.write_bytes(b"0-0:0.1 2-1:0.9 3-2:0.9 4-3:0.9\n2-2:0.2\n")
    low, high = (
        run("apply", "-m", model_file, "--source", source, "--alignment", align, "-i", target,
            "--threshold", p).stdout
        for p in ("0", "0.5")
    )  # fmt: skip
    assert low.lower() == high.lower() == TARGET
    align.write_bytes(b"2-1 3-2 4-3\n\n")
    done = run("apply", "-m", model_file, "--source", source, "--alignment", align, "-i", target)
    assert done.stdout == high


@pytest.mark.parametrize(
    ("links", "words"),
    [
        (b"0-0\n0-9\n", ("line 2", "9")),
        (b"0-0\n9-0\n", ("line 2", "9")),
        (b"0-0\n-1-0\n", ("line 2",)),
        (b"0-0\nx\n", ("line 2", "x")),
        (b"0-0\n99999999999999999999-0\n", ("line 2",)),
        (b"0-0\n", ("ends after line 1", "t.en")),
        (b"0-0\n\n\n", ("ends after line 2", "t.en")),
    ],
)
def test_broken_alignments_name_file_and_line_and_leave_no_output(
    model_file, files, tmp_path, links, words
):
    source, target, align = files
    align.write_bytes(links)
    out = tmp_path / "out.txt"
    for threads in (1, 2):
        done = run("apply", "-m", model_file, "--source", source, "--alignment", align,
                   "-i", target, "-o", out, "-j", threads)  # fmt: skip
        text = message(done)
        assert "a.align" in text
        for word in words:
            assert word in text
        assert done.returncode == 1
        assert not out.exists()


def test_bad_lines_can_be_skipped(model_file, files):
    source, target, align = files
    align.write_bytes(b"0-0 77-0\n0-0\n")
    done = run("apply", "-m", model_file, "--source", source, "--alignment", align, "-i", target,
               "--skip-bad-alignments")  # fmt: skip
    assert done.returncode == 0
    assert done.stdout.startswith(b"CLICK OK TO SAVE\n")
    assert b"1 line" in done.stderr and b"a.align" in done.stderr


@pytest.mark.parametrize("source", [b"A\n", b"A\nB\nC\n", b""])
def test_different_numbers_of_lines(model_file, files, tmp_path, source):
    files[0].write_bytes(source)
    out = tmp_path / "out.txt"
    done = run("apply", "-m", model_file, "--source", files[0], "-i", files[1], "-o", out)
    text = message(done)
    assert "s.fr" in text and "t.en" in text and "same number" in text
    assert not out.exists()


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--alignment", "x"], "--alignment needs --source"),
        (["--moses-trace"], "--moses-trace needs --source"),
        (["--skip-bad-alignments"], "--skip-bad-alignments needs --source"),
        (["--threshold", "0"], "--threshold needs --source"),
        (["--source", "s.fr", "--threshold", "0.5"], "only an --alignment has probabilities"),
        (["--source", "s.fr", "--moses-trace", "--threshold", "0.5"], "only an --alignment has"),
        (
            ["--source", "s.fr", "--skip-bad-alignments"],
            "--skip-bad-alignments: there is no --alignment",
        ),
        (
            ["--source", "s.fr", "--style", "upper"],
            "--source: has no effect, because --style upper",
        ),
        (["--source", "nowhere.fr"], "nowhere.fr"),
        (["--source", "s.fr", "--alignment", "nowhere.align"], "nowhere.align"),
        (["--source", "s.fr", "--threshold", "much"], "much"),
    ],
)
def test_wrong_usage(model_file, files, monkeypatch, arguments, text):
    monkeypatch.chdir(files[0].parent)
    assert text in message(run("apply", "-m", model_file, "-i", "t.en", *arguments))


def test_models_that_do_not_look_at_a_source(model, model_file, files):
    done = run("apply", "-m", model, "--source", files[0], "-i", files[1])
    assert done.returncode == 2
    assert "--source: this model does not use a source" in message(done)
    done = run("apply", "-m", model_file, "--decode-with", "unigram", "--source", files[0],
               "-i", files[1])  # fmt: skip
    assert done.returncode == 2
    assert "--source: this model does not use a source" in message(done)
    done = run("evaluate", "-m", model, "--source", files[0], files[1])
    assert done.returncode == 2
    assert "--source: this model does not use a source" in message(done)


@pytest.mark.parametrize("threads", [1, 4])
def test_lines_come_as_they_are_read(model_file, files, threads):
    source, _, align = files
    arguments = ["apply", "-m", model_file, "--source", source, "--alignment", align]
    with subprocess.Popen(
        [sys.executable, "-m", "truecase", *map(str, arguments), "--line-buffered", "-j",
         str(threads)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        for line in TARGET.splitlines(keepends=True):
            process.stdin.write(line)
            process.stdin.flush()
            assert process.stdout.readline().lower() == line
        process.stdin.close()
        assert process.stdout.read() == b""
        assert process.wait(60) == 0


def test_lines_are_the_same_in_any_number_of_threads(model_file, tmp_path):
    target = training_text(12_000, seed=9).lower().encode()
    (tmp_path / "t").write_bytes(target)
    (tmp_path / "s").write_bytes(training_text(12_000, seed=9).encode())
    outputs = [
        run("apply", "-m", model_file, "--source", tmp_path / "s", "-i", tmp_path / "t", "-j", n)
        for n in (1, 3)
    ]
    assert outputs[0].returncode == outputs[1].returncode == 0
    assert outputs[0].stdout == outputs[1].stdout
    assert outputs[0].stdout.decode().lower() == target.decode()


def test_evaluate_with_the_source(bilingual_model, bitext_files):
    figures = []
    for more in ([], ["--source", "test.fr"], ["--source", "test.fr", "--alignment", "test.align"]):
        done = run("evaluate", "-m", bilingual_model, "--json", bitext_files / "test.en",
                   *(bitext_files / m if m.startswith("test") else m for m in more))  # fmt: skip
        assert done.returncode == 0, done.stderr
        figures.append(json.loads(done.stdout)["accuracy"])
    assert figures[0] < figures[1] < figures[2]
    assert figures[2] > 0.99


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--alignment", "a.align", "t.en"], "--alignment needs --source"),
        (["--source", "s.fr", "t.en", "t.en"], "goes with one REFERENCE"),
        (["--source", "s.fr", "--input", "t.en", "t.en"], "goes with one REFERENCE"),
        (["--source", "nowhere.fr", "t.en"], "nowhere.fr"),
    ],
)
def test_wrong_usage_of_evaluate(model_file, files, monkeypatch, arguments, text):
    monkeypatch.chdir(files[0].parent)
    assert text in message(run("evaluate", "-m", model_file, *arguments))


def test_train_bilingual_neural_from_the_command_line(bitext_files, tmp_path):
    path = tmp_path / "neural.truecase"
    done = run(
        "train", "--preset", "bilingual-neural", "--folds", "2", "--epochs", "4",
        "--segmentation", "space", "--source", bitext_files / "train.fr",
        "--target", bitext_files / "train.en", "--alignment", bitext_files / "train.align",
        "--dev", bitext_files / "test.en", "--dev-source", bitext_files / "test.fr",
        "--dev-alignment", bitext_files / "test.align", "-o", path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    done = run("apply", "-m", path, "--source", bitext_files / "test.fr",
               "--alignment", bitext_files / "test.align", text=TEST.target.lower())  # fmt: skip
    wrong = [a for a, b in zip(done.stdout.split(), TEST.target.split(), strict=True) if a != b]
    assert len(wrong) < 0.03 * len(TEST.target.split())


ALL = ["--source", "train.fr", "--target", "train.en", "--alignment", "train.align"]


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--preset", "bilingual"], "--preset bilingual needs --source, --target, --alignment"),
        (["--preset", "bilingual-neural", *ALL[:4]], "needs --source, --target, --alignment"),
        (["--preset", "bilingual", *ALL, "--dev", "test.en"], "--dev and --dev-source"),
        (["--preset", "bilingual", *ALL, "--dev-source", "test.fr"], "--dev and --dev-source"),
        (["--preset", "bilingual", *ALL, "--dev-alignment", "test.align"], "needs --dev"),
        (["train.en", "--source", "train.fr"], "--source: only the bilingual presets use it"),
        (["--preset", "bilingual", *ALL[:-1], "nowhere.align"], "nowhere.align"),
        (["--preset", "bilingual", *ALL[:-1], "test.align"], "test.align: ends after line 60"),
        (["--preset", "bilingual", *ALL[:-1], "train.fr"], "train.fr"),
    ],
)
def test_wrong_usage_of_train(bitext_files, monkeypatch, arguments, text):
    monkeypatch.chdir(bitext_files)
    done = run("train", "-o", "none.truecase", *arguments)
    assert done.returncode != 0
    assert text in done.stderr.decode().splitlines()[-1]
    assert not (bitext_files / "none.truecase").exists()
