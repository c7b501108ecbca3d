"""``truecase align`` as users type it."""

import sys

import pytest

from truecase.alignment import word_aligner
from truecase.alignment.lines import Phrases
from truecase.cli import main


@pytest.fixture
def aligned(monkeypatch):
    """The library stands still: word i with word i; returns the options that were asked for."""
    asked = []

    def align(blocks, options, report):
        lines = []
        for block in blocks:
            report("aligning")
            for source, target in zip(
                block.source.splitlines(), block.target.splitlines(), strict=True
            ):
                n = len(source.split())
                lines.append([[i] if i < n else [] for i in range(len(target.split()))])
        asked.append(options)
        return Phrases.from_lines(lines)

    monkeypatch.setattr(word_aligner, "align_bitext", align)
    monkeypatch.setattr(word_aligner, "import_library", lambda names: asked.append(names))
    return asked


@pytest.fixture
def texts(tmp_path):
    source, target = tmp_path / "a.fr", tmp_path / "a.en"
    source.write_bytes(b"la maison\n\nla porte\n")
    target.write_bytes(b"the house\n\nthe door there\n")
    return str(source), str(target)


def test_to_a_file(aligned, texts, tmp_path):
    out = tmp_path / "a.align"
    arguments = ["align", *texts, "-o", str(out), "--source-language", "fr", "--seed", "7"]
    assert main(arguments) == 0
    assert out.read_bytes() == b"0-0 1-1\n\n0-0 1-1\n"
    names, options = aligned
    assert names == ("sil-thot",)
    assert (options.source_language, options.target_language) == ("fr", "")
    assert (options.segmentation, options.seed) == ("raw", 7)


def test_to_standard_output(aligned, texts, capfdbinary):
    assert main(["align", *texts, "--segmentation", "space"]) == 0
    assert capfdbinary.readouterr().out == b"0-0 1-1\n\n0-0 1-1\n"
    assert aligned[0] == ("eflomal", "sil-thot")
    assert aligned[1].segmentation == "space"


def test_other_number_of_lines(aligned, texts, tmp_path, capfd):
    (tmp_path / "a.fr").write_bytes(b"la maison\n")
    out = tmp_path / "a.align"
    assert main(["align", *texts, "-o", str(out)]) == 1
    error = capfd.readouterr().err
    assert "a.fr: ends after line 1, but" in error and error.count("\n") == 1
    assert not out.exists()


def test_missing_file_and_folder(aligned, texts, tmp_path, capfd):
    assert main(["align", "nowhere.fr", texts[1]]) == 1
    assert "nowhere.fr: No such file" in capfd.readouterr().err
    assert main(["align", *texts, "-o", str(tmp_path / "no" / "out")]) == 1
    assert "there is no folder" in capfd.readouterr().err


def test_without_the_library(texts, tmp_path, monkeypatch, capfd):
    for module in ("eflomal", "thot.alignment"):
        monkeypatch.setitem(sys.modules, module, None)
    assert main(["align", *texts, "-o", str(tmp_path / "out")]) == 1
    assert "pip install eflomal" in capfd.readouterr().err
    assert not (tmp_path / "out").exists()
