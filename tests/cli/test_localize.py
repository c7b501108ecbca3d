"""`truecase localize` as a command."""

import bz2
import os

import pytest

from truecase.cli import main

PO = b'msgid "Le port"\nmsgstr "the HARBOUR of anna"\n\nmsgid "x"\nmsgstr "foo"\n'
CASED = b'msgid "Le port"\nmsgstr "the harbour of Anna"\n\nmsgid "x"\nmsgstr "foo"\n'
XLIFF = b"""\
<xliff version="1.2"><file source-language="fr" target-language="en"><body>
<trans-unit id="1"><source>A</source><target>anna &amp; <g id="1">IPHONE</g></target></trans-unit>
<trans-unit id="2" approved="yes"><source>A</source><target>anna</target></trans-unit>
<trans-unit id="3" locked="yes"><source>A</source><target>anna</target></trans-unit>
</body></file></xliff>
"""
TMX = b"""\
<tmx version="1.4"><header srclang="fr"/><body>
<tu><tuv xml:lang="fr"><seg>a</seg></tuv><tuv xml:lang="en"><seg>anna</seg></tuv>
<tuv xml:lang="de"><seg>anna</seg></tuv></tu>
</body></tmx>
"""


def test_streams(truecase, model):
    for more in ((), ("-j", 3), ("--format", "po"), ("-",), ("-i", "-", "-o", "-")):
        done = truecase("localize", "-m", model, *more, text=PO)
        assert done.returncode == 0
        assert done.stdout == CASED
        assert done.stderr.decode() == (
            "truecase: standard input: PO: 2 segments, 1 changed; 5 words, 2 changed\n"
        )


def test_files(truecase, model, tmp_path):
    source, target = tmp_path / "in.po", tmp_path / "out.po"
    source.write_bytes(bz2.compress(PO))
    done = truecase("localize", "-m", model, source, "-o", target, "--quiet")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert target.read_bytes() == CASED
    target.write_bytes(PO)
    assert truecase("localize", "-m", model, "-i", target, "-o", target).returncode == 0
    assert target.read_bytes() == CASED


def test_what_is_left_alone(truecase, model):
    done = truecase("localize", "-m", model, text=XLIFF)
    assert done.stdout == XLIFF.replace(b"IPHONE", b"iPhone").replace(b"anna", b"Anna", 1)
    assert done.stderr.decode() == (
        "truecase: standard input: XLIFF 1.2, fr to en: 1 segment, 1 changed; 3 words, 2 changed; "
        "left alone: 1 final, 1 locked\n"
    )
    done = truecase("localize", "-m", model, "--include-final", "-q", text=XLIFF)
    assert done.stdout == XLIFF.replace(b"IPHONE", b"iPhone").replace(b"anna", b"Anna", 2)
    done = truecase("localize", "-m", model, "--include-final", "--include-locked", text=XLIFF)
    assert done.stdout == XLIFF.replace(b"IPHONE", b"iPhone").replace(b"anna", b"Anna")


def test_dry_run(truecase, model, tmp_path):
    done = truecase("localize", "-m", model, "--dry-run", text=XLIFF)
    assert done.stdout == b"line\tbefore\tafter\n2\tanna & IPHONE\tAnna & iPhone\n"
    assert b"1 segment, 1 changed" in done.stderr
    source = tmp_path / "in.po"
    source.write_bytes(PO)
    truecase("localize", "-m", model, "--dry-run", source, "-o", tmp_path / "table")
    assert (tmp_path / "table").read_bytes().count(b"\n") == 2
    assert source.read_bytes() == PO


def test_languages(truecase, model):
    done = truecase("localize", "-m", model, text=TMX)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.decode() == (
        "truecase: standard input: has segments in fr, en, de: which of them is the target "
        "language?\n"
    )
    done = truecase("localize", "-m", model, "--target-language", "de", text=TMX)
    assert done.stdout == TMX.replace(b'"de"><seg>a', b'"de"><seg>A')
    done = truecase("localize", "-m", model, "--source-language", "pt", text=TMX)
    assert done.returncode == 1


def test_input_case(truecase, model):
    done = truecase("localize", "-m", model, "--input-case", "keep", text=XLIFF)
    assert b"IPHONE" in done.stdout


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "line 1: expected TMX, XLIFF or gettext PO, this is something else"),
        (TMX[:100], "line 2: broken XML: unclosed token"),
        (PO + b'msgstr "x\n', "line 6: a string in quotation marks is not closed, or something"),
        (b'<!DOCTYPE tmx [<!ENTITY a "b">]><tmx/>', "line 1: declares the entity 'a', which is"),
    ],
)
def test_trouble_leaves_no_output(truecase, model, tmp_path, data, message):
    source, target = tmp_path / "in", tmp_path / "out"
    source.write_bytes(data)
    done = truecase("localize", "-m", model, source, "-o", target)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.decode().startswith(f"truecase: {source}: {message}")
    assert done.stderr.count(b"\n") == 1
    assert sorted(os.listdir(tmp_path)) == ["here", "in", "model.en"]


def test_wrong_usage(truecase):
    done = truecase("localize", "a.po", "-i", "b.po")
    assert done.returncode == 2
    assert truecase("localize", "missing.po").returncode == 1


class German:
    def __init__(self):
        self.metadata = {"training": {"language": "de"}}
        self.sources = []

    def case_block(self, block, threads=1, input_case="ignore", source=b""):
        self.sources += source.split(b"\n")
        return block.title()


def test_model_of_another_language_and_the_source(monkeypatch, tmp_path, capfdbinary):
    model = German()
    monkeypatch.setattr("truecase.cli.model.load_model", lambda path, preset: model)
    source = tmp_path / "in.xlf"
    source.write_bytes(XLIFF)
    assert main(["localize", str(source), "--quiet"]) == 0
    out, err = capfdbinary.readouterr()
    assert err == b"truecase: warning: the model was trained for de, the targets are in en\n"
    assert b"Anna &amp; <g" in out
    assert model.sources == [b"A"]


def test_a_real_model(truecase, model_file, tmp_path):
    data = XLIFF.replace(b"anna", b"mary took the ebay bridge to london").replace(
        b"IPHONE", b"nasa"
    )
    done = truecase("localize", "-m", model_file, "-j", 2, "-q", text=data)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.lower() == data.lower()
    assert b"Mary took the eBay bridge to London &amp; <g" in done.stdout
