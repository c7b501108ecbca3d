"""``truecase punctuate``: the bytes of its Python twin, and what it says of wrong input."""

import io

import pytest
from mark_models import punctuating

from truecase import Truecaser
from truecase.cli import main

TEXT = "so how are you today i am fine\nthanks and you été\n\nwell, see you.\tbye\n"


@pytest.fixture(scope="module")
def marked(model_file, tmp_path_factory):
    path = tmp_path_factory.mktemp("marked") / "m.truecase"
    punctuating(Truecaser.load(model_file), 3).save(path)
    return path


@pytest.mark.parametrize("lines", ["keep", "sentences"])
@pytest.mark.parametrize("marks", [None, ".?"])
@pytest.mark.parametrize("input_case", ["ignore", "keep"])
@pytest.mark.parametrize("threads", ["1", "3"])
def test_the_same_bytes(marked, tmp_path, lines, marks, input_case, threads):
    (tmp_path / "in.txt").write_text(TEXT, encoding="utf-8")
    options = ["--lines", lines, "--input-case", input_case, "-j", threads]
    options += [] if marks is None else ["--marks", marks]
    arguments = ["punctuate", "-m", str(marked), *options, "-i", str(tmp_path / "in.txt")]
    assert main([*arguments, "-o", str(tmp_path / "out.txt")]) == 0
    wanted = Truecaser.load(marked).punctuate(TEXT, lines=lines, marks=marks, input_case=input_case)
    assert (tmp_path / "out.txt").read_text(encoding="utf-8") == wanted


@pytest.mark.parametrize("part", ["ngram", "unigram"])
def test_marks_beside_a_part_of_the_model(marked, tmp_path, part):
    (tmp_path / "in.txt").write_text(TEXT, encoding="utf-8")
    arguments = ["punctuate", "-m", str(marked), "-i", str(tmp_path / "in.txt")]
    assert main([*arguments, "--decode-with", part, "-o", str(tmp_path / "out.txt")]) == 0
    wanted = Truecaser.load(marked).punctuate(TEXT)
    assert (tmp_path / "out.txt").read_text(encoding="utf-8").lower() == wanted.lower()


def test_the_encoding_stays(marked, tmp_path):
    (tmp_path / "in.txt").write_bytes(TEXT.encode("utf-16"))
    arguments = ["punctuate", "-m", str(marked), "-i", str(tmp_path / "in.txt")]
    assert main([*arguments, "-o", str(tmp_path / "out.txt")]) == 0
    wanted = Truecaser.load(marked).punctuate(TEXT)
    assert (tmp_path / "out.txt").read_bytes().decode("utf-16") == wanted


@pytest.mark.parametrize(
    ("options", "message", "status"),
    [
        (["--marks", ""], "--marks names none", 2),
        (["--marks", ";"], "the model puts no ';'", 1),
        (["--lines", "x"], "invalid choice: 'x'", 2),
    ],
)
def test_wrong_options(marked, options, message, status, capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"a b\n")))
    try:
        came = main(["punctuate", "-m", str(marked), *options])
    except SystemExit as error:
        came = error.code
    assert came == status
    assert message in capsys.readouterr().err


def test_a_model_without_marks(model_file, capsys, tmp_path):
    (tmp_path / "in.txt").write_text("a b\n")
    assert main(["punctuate", "-m", str(model_file), "-i", str(tmp_path / "in.txt")]) == 1
    error = capsys.readouterr().err
    assert str(model_file) in error
    assert "use the embedded model `en`" in error
