"""An aligner in a file: what one text has told, for other text."""

import json
import sys

import pytest

from truecase.alignment.lines import AlignedLines
from truecase.alignment.word_aligner import (
    AlignerOptions,
    SavedAligner,
    align_bitext,
    learn_aligner,
)
from truecase.cli import main
from truecase.errors import AlignerError, ReadError

PRIORS = "LEX\tla\tthe\t3\nFERF\tla\t1\t3\nFERR\tthe\t1\t3\nHMMF\t1\t9\nHMMR\t1\t9\n"
SAVED = SavedAligner(AlignerOptions("space", "fr"), PRIORS)

# Each line has its words in the order of the alphabet, so that no place tells which is which.
PAIRS = {"la": "the", "maison": "house", "porte": "door", "voit": "sees", "ville": "town"}


def test_what_is_saved_is_loaded(tmp_path):
    path = tmp_path / "fr.aligner"
    SAVED.save(path)
    assert SavedAligner.load(path) == SAVED
    SavedAligner(AlignerOptions(), "LEX\t\udcff\té\t1\n").save(path)
    assert SavedAligner.load(path).priors == "LEX\t\udcff\té\t1\n"


def test_other_files_are_refused(tmp_path):
    path = tmp_path / "fr.aligner"
    SAVED.save(path)
    good = path.read_bytes()
    head, _, body = good.partition(b"\n")
    for place in range(len(head) + 1, len(good)):
        path.write_bytes(good[:place])
        with pytest.raises(ReadError, match=r"fr\.aligner: is damaged"):
            SavedAligner.load(path)
    others = [b"", b"\n", b"[]\n", b"0-0 1-1\n", b"{}\n", b"\xff\n", b"[" * 100_000, head[:-1]]
    for other in [*others, head.replace(b'"fr"', b"7") + b"\n" + body]:
        path.write_bytes(other)
        with pytest.raises(ReadError, match="is no file that `truecase align --save` has written"):
            SavedAligner.load(path)
    path.write_bytes(head.replace(b'"space"', b'"none"') + b"\n" + body)
    with pytest.raises(ReadError, match="is damaged"):
        SavedAligner.load(path)
    SavedAligner(AlignerOptions(), PRIORS + "LEX\tla\n").save(path)
    with pytest.raises(ReadError, match=r"fr\.aligner: line 7: is damaged: 'LEX"):
        SavedAligner.load(path)


def bitext(n_lines):
    source, target = [], []
    words = sorted(PAIRS)
    for i in range(n_lines):
        chosen = [words[(i * step + i // 7) % len(words)] for step in (1, 2, 3)]
        chosen = list(dict.fromkeys(chosen))
        source.append(" ".join(chosen))
        target.append(" ".join(PAIRS[word] for word in reversed(chosen)))
    return [AlignedLines("\n".join(target).encode(), "\n".join(source).encode())]


def test_new_text_is_aligned_by_the_old(tmp_path):
    """One line tells nothing by itself; what an aligner knows of its words does."""
    pytest.importorskip("eflomal")
    options = AlignerOptions("space", "fr", "en")
    links, saved = learn_aligner(bitext(400), options)
    assert links.n_lines == 400
    path = tmp_path / "fr-en.aligner"
    saved.save(path)
    known = SavedAligner.load(path)
    assert known.options == options
    new = [AlignedLines(b"door house town", b"ville maison porte")]
    found = [align_bitext(new, known=known).to_lines() for _ in range(5)]
    assert found.count([[[2], [1], [0]]]) == 5


def test_the_command(tmp_path, capfd):
    pytest.importorskip("eflomal")
    (block,) = bitext(400)
    source, target, path = tmp_path / "a.fr", tmp_path / "a.en", tmp_path / "fr.aligner"
    source.write_bytes(block.source)
    target.write_bytes(block.target)
    out = tmp_path / "a.align"
    call = ["align", str(source), str(target), "--segmentation", "space", "-q"]
    assert main([*call, "-o", str(out), "--save", str(path)]) == 0
    assert out.read_bytes().count(b"\n") == 400
    source.write_bytes(b"ville maison porte\n")
    target.write_bytes(b"door house town\n")
    assert main(["align", str(source), str(target), "--with", str(path)]) == 0
    assert capfd.readouterr().out == "2-0 1-1 0-2\n"
    damaged = json.loads(path.read_bytes().partition(b"\n")[0])
    path.write_text(json.dumps(damaged) + "\n")
    assert main(["align", str(source), str(target), "--with", str(path)]) == 1
    assert "fr.aligner: is damaged" in capfd.readouterr().err


@pytest.mark.parametrize(
    "options, message",
    [
        (["--save", "x", "--seed", "3"], "--seed: needs sil-thot"),
        (["--with", "x", "--seed", "3"], "--seed: needs sil-thot"),
        (["--with", "x", "--save", "y"], "--save does not go together with --with"),
        (
            ["--with", "x", "--segmentation", "raw"],
            "--segmentation: leave it out: --with takes that of",
        ),
        (["--with", "x", "--source-language", "fr"], "--source-language: leave it out: --with"),
        (["--save", "-"], "--save: give it a file of its own"),
        (["--save", "x", "-o", "x"], "--save: give it a file of its own"),
    ],
)
def test_options_that_do_not_go_together(options, message, capfd):
    assert main(["align", "a", "b", *options]) == 2
    assert message in capfd.readouterr().err


def test_without_eflomal(monkeypatch):
    monkeypatch.setitem(sys.modules, "eflomal", None)
    for function in (learn_aligner, lambda text: align_bitext(text, known=SAVED)):
        with pytest.raises(AlignerError, match="a saved aligner needs eflomal: pip install"):
            function(bitext(3))


def test_no_words():
    pytest.importorskip("eflomal")
    with pytest.raises(AlignerError, match="no words to learn"):
        learn_aligner([AlignedLines(b"a\n\n", b"\n\n")])
