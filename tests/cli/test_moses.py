"""``python -m truecase.integrations.moses``: options of Moses' scripts, as pipelines give them."""

import subprocess
import sys

import pytest

from truecase.integrations.moses import Detruecase, Truecase, main, train
from truecase.rules.moses import MosesModel

TEXT = b"The cat saw Anna .\nThen the cat saw anna and Anna .\n"


@pytest.fixture
def files(tmp_path):
    (tmp_path / "corpus").write_bytes(TEXT)
    return tmp_path


@pytest.mark.parametrize("dash", ["-", "--"])
def test_a_pipeline(files, dash, capsysbinary, monkeypatch):
    model, corpus = str(files / "model"), str(files / "corpus")
    assert main(["train", f"{dash}model", model, f"{dash}corpus", corpus]) == 0
    assert list(MosesModel.read(model)) == list(train([TEXT]))
    for flags, asr in (([], False), (["-a"], True), ([f"{dash}asr"], True)):
        out = _run(["truecase", f"{dash}model", model, *flags], b"THE CAT Zorb\n")
        assert out == Truecase(train([TEXT]), asr)(b"THE CAT Zorb\n")
    assert _run(["detruecase", f"{dash}in", corpus], b"") == Detruecase()(TEXT)


def test_first_token(files):
    arguments = ["--model", str(files / "model"), "--corpus", str(files / "corpus")]
    assert main(["train", *arguments, "--possiblyUseFirstToken"]) == 0
    assert list(MosesModel.read(files / "model")) == list(train([TEXT], True))


def test_headlines(files):
    (files / "source.sgm").write_text("<hl>\n<seg id=1>x</seg>\n</hl>\n<seg id=2>y</seg>\n")
    out = _run(["detruecase", "--headline", str(files / "source.sgm")], b"a b of c\na b\n")
    assert out == b"A B of C\nA b\n"


def test_unbuffered_lines_come_at_once(files):
    main(["train", "--model", str(files / "model"), "--corpus", str(files / "corpus")])
    command = [
        sys.executable,
        "-m",
        "truecase.integrations.moses",
        "truecase",
        "--model",
        str(files / "model"),
    ]
    with subprocess.Popen([*command, "-b"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        for line in (b"THE CAT\n", b"The Cat\n"):
            child.stdin.write(line)
            child.stdin.flush()
            assert child.stdout.readline() == b"the cat\n" if line.isupper() else b"the cat\n"
        child.stdin.close()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["truecase", "--model", "{0}/corpus"], "corpus: not a model of Moses' truecaser"),
        (["truecase", "--model", "{0}/none"], "none: No such file"),
        (["train", "--model", "{0}/m", "--corpus", "{0}/none"], "none: No such file"),
        (
            ["train", "--model", "{0}/m", "--corpus", "{0}/empty"],
            "empty: there is no word to count",
        ),
        (["train", "--model", "{0}/corpus", "--corpus", "{0}/corpus"], "is also read"),
        (["detruecase", "--headline", "{0}/corpus"], "corpus: no line begins with <seg"),
    ],
)
def test_mistakes_are_one_sentence(files, arguments, message, capsys):
    (files / "empty").write_bytes(b"\n")
    assert main([*(argument.format(files) for argument in arguments)]) == 1
    err = capsys.readouterr().err
    assert message in err and err.count("\n") == 1
    assert not (files / "m").exists()
    assert (files / "corpus").read_bytes() == TEXT


@pytest.mark.parametrize("arguments", [[], ["truecase"], ["train", "--model", "m"], ["apply"]])
def test_what_is_missing(arguments, capsys):
    with pytest.raises(SystemExit, match="2"):
        main_exit(arguments)
    assert "see python -m truecase.integrations.moses" in capsys.readouterr().err


def main_exit(arguments):
    raise SystemExit(main(arguments))


def _run(arguments, stdin):
    done = subprocess.run(
        [sys.executable, "-m", "truecase.integrations.moses", *arguments],
        input=stdin,
        capture_output=True,
        check=True,
    )
    return done.stdout
