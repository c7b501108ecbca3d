"""Files of names: plain lists, TBX, tables; what is wrong with one, by file and line."""

import gzip
import io
import sys

import pytest

from truecase import Truecaser, name_list, read_names
from truecase.cli import main
from truecase.errors import ReadError, WrongTypeError

TBX2 = """<?xml version="1.0"?>
<!DOCTYPE martif SYSTEM "TBXcoreStructV02.dtd">
<martif type="TBX" xml:lang="en"><text><body>
<termEntry id="a"><langSet xml:lang="en-US"><tig><term>BioNTech &amp; Co</term></tig></langSet>
<langSet xml:lang="de"><tig><term>Biotechnik</term></tig></langSet></termEntry>
</body></text></martif>
"""
TBX3 = """<?xml version="1.0"?>
<tbx xmlns="urn:iso:std:iso:30042:ed-2" xml:lang="en"><text><body>
<conceptEntry id="a"><langSec xml:lang="en"><termSec><term>Open
AI</term></termSec></langSec></conceptEntry></body></text></tbx>
"""


def names_of(path, **options):
    names = read_names(path, **options)
    return [names[place] for place in range(len(names))]


def test_a_plain_list(tmp_path):
    path = tmp_path / "names.txt"
    path.write_text("\ufeff# people\n\n  van der Berg \r\n! npm\n#MeToo\n")
    assert names_of(path) == ["van der Berg", "!npm", "#MeToo"]


def test_compressed_and_several(tmp_path):
    one, two = tmp_path / "one.gz", tmp_path / "two.txt"
    one.write_bytes(gzip.compress(b"OpenAI\n"))
    two.write_text("BioNTech\n!npm\n")
    assert names_of([one, two]) == ["OpenAI", "BioNTech", "!npm"]


@pytest.mark.parametrize("encoding", ["utf-16", "latin-1", "utf-8-sig"])
def test_encodings(tmp_path, encoding):
    path = tmp_path / "names.txt"
    path.write_bytes("Montréal\n".encode(encoding))
    wanted = "latin-1" if encoding == "latin-1" else None
    assert names_of(path, encoding=wanted) == ["Montréal"]


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [(TBX2, "en", ["BioNTech & Co"]), (TBX2, "de-AT", ["Biotechnik"]), (TBX3, "", ["Open AI"])],
)
def test_tbx(tmp_path, text, language, expected):
    path = tmp_path / "terms.tbx"
    path.write_text(text)
    assert names_of(path, language=language) == expected


def test_tbx_in_another_encoding(tmp_path):
    path = tmp_path / "terms.tbx"
    path.write_bytes(TBX3.replace('"1.0"', '"1.0" encoding="UTF-16"').encode("utf-16"))
    assert names_of(path) == ["Open AI"]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.csv", "de;EN-us;note\nHandbuch;OpenAI;x\n", ["OpenAI"]),
        ("a.csv", 'German,English (UK)\nHandbuch,"Smith, Ltd"\n,\n', ["Smith, Ltd"]),
        ("a.csv", "id,term,source\n1,OpenAI,web\n", ["OpenAI"]),
        ("a.tsv", "Handbuch\tthe OpenAI\tcomment\n", ["the OpenAI"]),
        ("glossary.txt", "# OmegaT\nHandbuch\tthe OpenAI\n", ["the OpenAI"]),
        ("a.csv", "OpenAI\nBioNTech\n", ["OpenAI", "BioNTech"]),
    ],
)
def test_tables(tmp_path, name, text, expected):
    path = tmp_path / name
    path.write_text(text)
    assert names_of(path, language="en", knows=lambda word: word == "the") == expected


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.txt", b"Ok\na\0b\n", "line 2: it has a control character"),
        ("a.txt", b"Ok\n\nMontr\xe9al\n", "line 3: it is no UTF-8; --encoding"),
        ("a.txt", b"Ok\n!\n", "line 2: there is no name after the !"),
        ("a.txt", b"x" * 1001, "line 1: it has more than 1000 bytes"),
        ("a.txt", b"", "there is no name in it"),
        ("a.csv", b"de,fr\nHandbuch,manuel\n", "line 1: the columns are de, fr, and"),
        ("a.csv", b'term\n"a\nb\n', "line 3: unexpected end of data"),
        ("a.tbx", b"<martif><term>a</martif>", "line 1: mismatched tag"),
        ("a.tbx", TBX2.replace('"en-US"', '"fr"').encode(), "no terms in en: there are sections"),
        ("a.tbx", b'<!DOCTYPE tbx [<!ENTITY a "b">]><tbx>&a;</tbx>', "line 1: declares an entity"),
    ],
)
def test_what_is_wrong_is_told_with_file_and_line(tmp_path, name, data, message):
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(ReadError) as refused:
        read_names(path, language="en")
    assert str(refused.value).startswith(f"{path}: {message}")


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (3, "names: expected paths or a NameList, found int"),
        (["a.txt", 3], r"names\[1\]: expected a path, found int"),
    ],
)
def test_wrong_types(tmp_path, monkeypatch, names, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text("OpenAI\n")
    with pytest.raises(WrongTypeError, match=f"^{message}"):
        Truecaser.load(names=names)


def test_which_language_is_not_guessed(tmp_path):
    path = tmp_path / "terms.tbx"
    path.write_text(TBX2)
    with pytest.raises(ReadError, match="has terms in en-US, de, and the model does not say which"):
        read_names(path)


def run(monkeypatch, capsysbinary, args, text=b""):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
    status = main(args)
    return status, capsysbinary.readouterr()


def test_the_command_line_and_python_give_the_same(tmp_path, monkeypatch, capsysbinary, model_file):
    path, kept = tmp_path / "names.txt", tmp_path / "kept.truecase"
    path.write_text("OpenAI\n!npm\nthe Bridge\n")
    text = "npm of openai crossed the bridge\n"
    expected = Truecaser.load(model_file, names=path)(text).encode()
    model = ["-m", str(model_file)]
    status, got = run(monkeypatch, capsysbinary, [*model, "--names", str(path)], text.encode())
    assert (status, got.out) == (0, expected)
    status, got = run(
        monkeypatch,
        capsysbinary,
        ["train", "adapt", str(model_file), "--names", str(path), "-o", str(kept)],
    )
    assert (status, got.err) == (0, b"")
    status, got = run(monkeypatch, capsysbinary, ["-m", str(kept)], text.encode())
    assert (status, got.out) == (0, expected)
    again = tmp_path / "again.truecase"
    Truecaser.load(model_file, names=path).save(again)
    assert again.read_bytes() == kept.read_bytes()


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--names", "-"], "--names: give the name of a file"),
        (["--names", "missing.txt"], "missing.txt: No such file"),
        (
            ["--names", "{names}", "--style", "upper"],
            "--names: has no effect, because --style upper",
        ),
        (["-m", "{moses}", "--names", "{names}"], "is a model of Moses' truecaser"),
        (["train", "adapt", "en", "-o", "x.truecase"], "text of the domain is needed"),
        (
            ["train", "adapt", "en", "--names", "{names}", "--sigma", "1", "-o", "x"],
            "--sigma: applies to",
        ),
    ],
)
def test_wrong_options(tmp_path, monkeypatch, capsysbinary, args, message):
    names, moses = tmp_path / "names.txt", tmp_path / "moses"
    names.write_text("OpenAI\n")
    moses.write_text("the (5/6) The (1)\n")
    args = [arg.format(names=names, moses=moses) for arg in args]
    status, got = run(monkeypatch, capsysbinary, args, b"x\n")
    assert status in (1, 2)
    assert message.encode() in got.err


def test_names_in_python_and_in_a_file_are_the_same(tmp_path):
    path = tmp_path / "names.txt"
    path.write_text("OpenAI\n!npm\n")
    read, made = read_names(path), name_list(["OpenAI", "!npm"])
    for name, array in made.arrays.items():
        assert (read.arrays[name] == array).all()
