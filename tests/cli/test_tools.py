"""`evaluate`, `normalize`, `capitalize`, `info` as commands."""

import gzip
import json
from pathlib import Path

from truecase.model import embedded as package_data

TEXT = b"The harbour of Anna\nAnna has the iPhone\n"


def test_evaluate_a_model(truecase, model, tmp_path):
    reference = tmp_path / "test.txt.gz"
    reference.write_bytes(gzip.compress(TEXT))
    done = truecase("evaluate", "-m", model, "--json", reference)
    assert done.stderr == b""
    figures = json.loads(done.stdout)
    assert figures["n_words"] == 8
    assert figures["n_correct"] == 7
    assert figures["sentence_accuracy"] == 0.5
    assert figures["out_of_vocabulary"] == 2 / 8
    table = truecase("evaluate", "-m", model, reference, "-j", 3).stdout
    assert b"87.50" in table
    assert b"frequent errors" in table


def test_evaluate_standard_input(truecase, model):
    done = truecase("evaluate", "-m", model, "-", text=TEXT)
    assert b"87.50" in done.stdout


def test_evaluate_another_system(truecase, tmp_path):
    reference, hypothesis = tmp_path / "ref", tmp_path / "hyp"
    reference.write_bytes(TEXT)
    hypothesis.write_bytes(TEXT.replace(b"Anna", b"anna"))
    done = truecase("evaluate", "--hypothesis", hypothesis, reference, "--json")
    assert json.loads(done.stdout)["n_correct"] == 6
    hypothesis.write_bytes(TEXT + b"more\n")
    done = truecase("evaluate", "--hypothesis", hypothesis, reference)
    assert done.returncode == 1
    assert done.stderr.decode() == (
        f"truecase: {hypothesis}: line 3: the reference has ended, the output goes on\n"
    )
    reference.write_bytes(b"Anna\n")
    done = truecase("evaluate", "--hypothesis", "-", reference, text=b"in Paris\n")
    assert done.stderr == (
        b"truecase: standard input: line 1: 1 word in the reference, 2 in the output\n"
    )


def test_evaluate_input_of_its_own(truecase, model, tmp_path):
    reference, source = tmp_path / "ref", tmp_path / "in"
    reference.write_bytes(TEXT)
    source.write_bytes(TEXT.upper())
    done = truecase("evaluate", "-m", model, "--input", source, reference, "--json")
    assert json.loads(done.stdout)["n_correct"] == 7


def test_normalize(truecase, tmp_path):
    corpus = tmp_path / "corpus.txt"
    corpus.write_bytes(b"The keeper saw the lamp.\nAnna saw the keeper. Keeper!\n")
    done = truecase("text", "normalize", "--train", corpus, "-i", corpus)
    assert done.stdout == b"the keeper saw the lamp.\nAnna saw the keeper. keeper!\n"
    assert done.stderr == b""


def test_normalize_with_a_saved_model(truecase, tmp_path):
    corpus, counts = tmp_path / "corpus.txt", tmp_path / "counts.en"
    corpus.write_bytes(b"x saw the lamp .\n")
    done = truecase("text", "normalize", "--train", corpus, "--save-model", counts, "--model-only")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert counts.read_bytes() == b"saw (1/1)\nthe (1/1)\nlamp (1/1)\n"
    done = truecase("text", "normalize", "-m", counts, "-j", 2, text=b"The Lamp\r\nLamp")
    assert done.stdout == b"the Lamp\r\nlamp"


def test_normalize_without_counts(truecase, tmp_path):
    text = tmp_path / "text"
    text.write_bytes(b"\n")
    done = truecase(
        "text", "normalize", "--train", text, "--save-model", tmp_path / "m", "--model-only"
    )
    assert done.returncode == 1 and not (tmp_path / "m").exists()
    assert b"text: there is no word to count" in done.stderr
    embedded = Path(package_data.__file__).parents[1] / "data" / "en.truecase"
    for model in (text, embedded, "en"):
        done = truecase("text", "normalize", "-m", model)
        assert (done.returncode, done.stdout) == (1, b"")
        assert b": not a model of Moses' truecaser; `truecase text normalize --train" in done.stderr


def test_normalize_with_what_is_no_model(truecase, tmp_path):
    path = tmp_path / "x.txt"
    path.write_bytes(b"the (1/1)\nsome text\n")
    done = truecase("text", "normalize", "-m", path)
    assert done.returncode == 1
    assert done.stderr.startswith(f"truecase: {path}: line 2: text: expected a count".encode())


def test_capitalize(truecase):
    done = truecase("text", "capitalize", text=b'one. two by mr. brown. "three\r\n')
    assert done.stdout == b'One. Two by mr. brown. "Three\r\n'
    done = truecase("text", "capitalize", "--language", "tr", text=b"istanbul\n")
    assert done.stdout.decode() == "İstanbul\n"


def test_info(truecase, model):
    text = truecase("info", model).stdout.decode()
    assert "Moses truecase model" in text
    assert json.loads(truecase("info", "--json", model).stdout)["words"] == 4
