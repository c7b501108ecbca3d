"""`truecase file` as a command."""

import bz2
import gzip
import os

import pytest
from docx_files import docx, members_of, paragraph, run

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
        done = truecase("file", "-m", model, *more, text=PO)
        assert done.returncode == 0
        assert done.stdout == CASED
        assert done.stderr.decode() == (
            "truecase: standard input: PO: 2 segments, 1 changed; 5 words, 2 changed\n"
        )


def test_an_output_named_as_another_format(truecase, model, tmp_path):
    given = tmp_path / "a.po"
    given.write_bytes(PO)
    done = truecase("file", "-m", model, given, "-o", tmp_path / "b.srt")
    assert done.returncode == 2
    assert done.stderr.endswith(b"b.srt: named as srt, but the file stays PO\n")
    assert not (tmp_path / "b.srt").exists()
    for name in ("b.po", "b.txt.gz", "b"):
        assert truecase("file", "-m", model, given, "-o", tmp_path / name).returncode == 0
    (tmp_path / "a.txt").write_bytes(b"an egg\n")
    done = truecase("file", "--format", "text", tmp_path / "a.txt", "-o", tmp_path / "b.srt")
    assert done.stderr.endswith(b"b.srt: named as srt, but the file stays plain text\n")
    changes = truecase("file", "-m", model, given, "--dry-run", "-o", tmp_path / "b.srt")
    assert changes.returncode == 0


def test_one_language_is_known(truecase, model):
    header = b'msgid ""\nmsgstr "Language: en\\n"\n\n'
    done = truecase("file", "-m", model, text=header + PO)
    assert b"PO, to en: 2 segments" in done.stderr


def test_files(truecase, model, tmp_path):
    source, target = tmp_path / "in.po", tmp_path / "out.po"
    source.write_bytes(bz2.compress(PO))
    done = truecase("file", "-m", model, source, "-o", target, "--quiet")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert target.read_bytes() == CASED
    target.write_bytes(PO)
    assert truecase("file", "-m", model, "-i", target, "-o", target).returncode == 0
    assert target.read_bytes() == CASED


def test_what_is_left_alone(truecase, model):
    done = truecase("file", "-m", model, text=XLIFF)
    assert done.stdout == XLIFF.replace(b"IPHONE", b"iPhone").replace(b"anna", b"Anna", 1)
    assert done.stderr.decode() == (
        "truecase: standard input: XLIFF 1.2, fr to en: 1 segment, 1 changed; 3 words, 2 changed; "
        "left alone: 1 final, 1 locked\n"
    )
    done = truecase("file", "-m", model, "--include-final", "-q", text=XLIFF)
    assert done.stdout == XLIFF.replace(b"IPHONE", b"iPhone").replace(b"anna", b"Anna", 2)
    done = truecase("file", "-m", model, "--include-final", "--include-locked", text=XLIFF)
    assert done.stdout == XLIFF.replace(b"IPHONE", b"iPhone").replace(b"anna", b"Anna")


def test_dry_run(truecase, model, tmp_path):
    done = truecase("file", "-m", model, "--dry-run", text=XLIFF)
    assert done.stdout == b"line\tbefore\tafter\n2\tanna & IPHONE\tAnna & iPhone\n"
    assert b"1 segment, 1 changed" in done.stderr
    source = tmp_path / "in.po"
    source.write_bytes(PO)
    truecase("file", "-m", model, "--dry-run", source, "-o", tmp_path / "table")
    assert (tmp_path / "table").read_bytes().count(b"\n") == 2
    assert source.read_bytes() == PO


def test_languages(truecase, model):
    done = truecase("file", "-m", model, text=TMX)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.decode() == (
        "truecase: standard input: has segments in fr, en, de: give the target language\n"
    )
    done = truecase("file", "-m", model, "--target-language", "de", text=TMX)
    assert done.stdout == TMX.replace(b'"de"><seg>a', b'"de"><seg>A')
    done = truecase("file", "-m", model, "--source-language", "pt", text=TMX)
    assert done.returncode == 1


def test_input_case(truecase, model):
    done = truecase("file", "-m", model, "--input-case", "keep", text=XLIFF)
    assert b"IPHONE" in done.stdout


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "line 1: neither the name nor the content shows the format"),
        (TMX[:100], "line 2: broken XML: unclosed token"),
        (PO + b'msgstr "x\n', "line 6: a string in quotation marks is not closed, or something"),
        (b'<!DOCTYPE tmx [<!ENTITY a "&b;">]><tmx/>', "line 1: declares the entity 'a', which is"),
    ],
)
def test_trouble_leaves_no_output(truecase, model, tmp_path, data, message):
    source, target = tmp_path / "in", tmp_path / "out"
    source.write_bytes(data)
    done = truecase("file", "-m", model, source, "-o", target)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.decode().startswith(f"truecase: {source}: {message}")
    assert done.stderr.count(b"\n") == 1
    assert sorted(os.listdir(tmp_path)) == ["here", "in", "model.en"]


def test_wrong_usage(truecase):
    done = truecase("file", "a.po", "-i", "b.po")
    assert done.returncode == 2
    assert truecase("file", "missing.po").returncode == 1


class German:
    def __init__(self):
        self.sources = []

    def about(self):
        return {"language": "de"}

    def case_block(self, block, threads=1, input_case="ignore", source=b""):
        self.sources += source.split(b"\n")
        return block.title()


def test_model_of_another_language_and_the_source(monkeypatch, tmp_path, capfdbinary):
    model = German()
    monkeypatch.setattr("truecase.cli.model.load_model", lambda *_, **__: model)
    source = tmp_path / "in.xlf"
    source.write_bytes(XLIFF)
    assert main(["file", str(source), "--quiet"]) == 1
    out, err = capfdbinary.readouterr()
    assert out == XLIFF
    assert b"in.xlf: the model was trained for de, the targets are in en; give another" in err
    assert main(["file", str(source), "--quiet", "--target-language", "en"]) == 0
    out, err = capfdbinary.readouterr()
    assert err == b"truecase: warning: the model was trained for de, the targets are in en\n"
    assert b"Anna &amp; <g" in out
    assert model.sources == [b"A"]


def test_the_source_language_of_a_memory_is_the_models(tmp_path, capsys):
    """The embedded English model does not case the French side unasked."""
    source, target = tmp_path / "c.tmx", tmp_path / "out.tmx"
    source.write_bytes(
        b'<tmx version="1.4"><header srclang="en"/><body>\n<tu>'
        b'<tuv xml:lang="en"><seg>the nasa labs in paris.</seg></tuv>'
        b'<tuv xml:lang="fr"><seg>Les labos de la NASA sont ici.</seg></tuv></tu>\n</body></tmx>\n'
    )
    assert main(["file", str(source), "-o", str(target)]) == 1
    message = capsys.readouterr().err
    assert "c.tmx: the model was trained for en, the targets are in fr" in message
    assert "--target-language en for the other side" in message
    assert target.read_bytes() == source.read_bytes()
    options = ["-o", str(target), "-q", "--target-language"]
    assert main(["file", str(source), *options, "en"]) == 0
    assert capsys.readouterr().err == ""
    cased = source.read_bytes().replace(b"the nasa labs in paris", b"The NASA labs in Paris")
    assert target.read_bytes() == cased
    source.write_bytes(cased.lower())
    assert main(["file", str(source), *options, "fr"]) == 0
    assert "warning: the model was trained for en" in capsys.readouterr().err


def test_python_and_the_command_agree_on_other_languages(tmp_path, capsys):
    from truecase import case_file

    source, out, other = tmp_path / "c.po", tmp_path / "out", tmp_path / "other"
    source.write_bytes(b'msgid ""\nmsgstr "Language: fr\\n"\n\n' + PO)
    assert main(["file", str(source), "-o", str(out)]) == 1
    what = "the model was trained for en, the targets are in fr"
    assert what in capsys.readouterr().err
    with pytest.raises(ValueError, match=rf"c\.po: {what}.*; give .* target_language='fr'"):
        case_file(source, other)
    assert out.read_bytes() == source.read_bytes() and not other.exists()
    assert main(["file", str(source), "-o", str(out), "--target-language", "fr"]) == 0
    assert what in capsys.readouterr().err
    with pytest.warns(UserWarning, match=what):
        case_file(source, other, target_language="fr")
    assert out.read_bytes() == other.read_bytes() != source.read_bytes()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_file_in_another_language_is_written_as_it_is(encoding, tmp_path, capfdbinary):
    path, other = tmp_path / "page.html", tmp_path / "out.html.gz"
    page = '<html lang="pt"><p>o gato dorme em ÉVORA</p>\r\n</html>'.encode(encoding)
    path.write_bytes(page)
    for arguments in ([], ["-o", str(path)], ["-o", str(other)]):
        assert main(["file", str(path), "--encoding", encoding, *arguments]) == 1
        out, err = capfdbinary.readouterr()
        assert out == (b"" if arguments else page) and path.read_bytes() == page
        assert b"page.html: the model was trained for en, the targets are in pt" in err
        assert err.count(b"\n") == 1
    assert gzip.decompress(other.read_bytes()) == page
    assert main(["file", str(path), "--encoding", encoding, "--dry-run"]) == 1
    assert capfdbinary.readouterr().out == b"line\tbefore\tafter\n"


@pytest.mark.parametrize(
    ("options", "arguments", "message"),
    [
        ({"source_language": "fr"}, ["--source-language", "fr"], "has no sources"),
        ({"style": "source"}, ["--style", "source"], "has no sources"),
        ({"leave": ["locked"]}, ["--include-final"], "only XLIFF has these"),
        ({"leave": "final"}, None, "leave has 'a', expected 'final' and 'locked' at most"),
    ],
)
def test_python_and_the_command_refuse_what_has_no_effect(tmp_path, options, arguments, message):
    from truecase import case_file

    source = tmp_path / "c.srt"
    source.write_bytes(SRT)
    with pytest.raises(ValueError, match=message):
        case_file(source, tmp_path / "out", **options)
    assert arguments is None or main(["file", str(source), *arguments]) == 2
    assert not (tmp_path / "out").exists()


def test_a_model_without_styles(tmp_path, model, capsys):
    from truecase import case_file

    source = tmp_path / "in.po"
    source.write_bytes(PO)
    assert main(["file", "-m", model, str(source), "--style", "title"]) == 2
    message = "--style title: Moses' truecaser writes nothing but sentences"
    assert message in capsys.readouterr().err
    with pytest.raises(ValueError, match="style 'title': this model writes nothing but sent"):
        case_file(source, tmp_path / "out", German(), style="title")


@pytest.mark.parametrize("preset", ["unigram", "portage"])
def test_models_that_do_not_look_at_the_source(tmp_path, model_file, preset):
    source, target = tmp_path / "in.po", tmp_path / "out.po"
    source.write_bytes(PO.replace(b"of anna", b"of mary"))
    options = ["--decode-with", "unigram", "-m", str(model_file)]
    if preset == "portage":
        text = tmp_path / "text.txt"
        text.write_bytes(b"the harbour of Mary .\n" * 20)
        made = str(tmp_path / "portage.truecase")
        assert main(["train", str(text), "--preset", "portage", "-o", made]) == 0
        options = ["-m", made]
    assert main(["file", str(source), "-o", str(target), *options]) == 0
    assert b"of Mary" in target.read_bytes()


def test_options_that_a_format_has_no_use_for(tmp_path, capsys, model):
    source = tmp_path / "in.po"
    source.write_bytes(PO)
    for option in ("--include-final", "--include-locked"):
        assert main(["file", "-m", model, str(source), option]) == 2
        assert f"{option}: only XLIFF has these, the file is PO" in capsys.readouterr().err


def test_a_real_model(truecase, model_file, tmp_path):
    data = XLIFF.replace(b"anna", b"mary took the ebay bridge to london").replace(
        b"IPHONE", b"nasa"
    )
    done = truecase("file", "-m", model_file, "-j", 2, "-q", text=data)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.lower() == data.lower()
    assert b"Mary took the eBay bridge to London &amp; <g" in done.stdout


SRT = b"""\xef\xbb\xbf1\r
00:00:01,000 --> 00:00:02,000\r
<i>she went to new york</i>\r
with anna. \xc3\xa9 was\r
\r
2\r
00:00:02,100 --> 00:00:03,000\r
late.\r
"""
FILES = [
    ("a.srt", SRT, {}),
    ("a.json", b'{"text": "she left.", "segments": [{"text": "she left."}]}', {}),
    ("a.jsonl", b'{"b": "anna left"}\n{"b": "he did"}\n', {"field": "b"}),
    ("text", b"utt1 anna left\n", {"format": "kaldi"}),
    ("a.docx", docx(paragraph(run("the lon"), run("don bridge")), n_stored=9), {}),
    ("a.md", b"# the london bridge\n\nanna `saw` it\n", {}),
    ("a.po", PO, {}),
    ("b.po", PO, {"style": "title"}),
    ("c.po", PO.replace(b"Le port", b"Le Port"), {"style": "source"}),
    ("a.xlf", XLIFF, {"target_language": "en", "leave": ["locked"]}),
    ("latin.ass", b"[Events]\nFormat: Start, End, Text\nDialogue: 0:00:01,0:00:02,\xe9t\xe9 anna\n",
     {"encoding": "latin-1"}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "data", "options"), FILES)
def test_python_gives_the_same_bytes(tmp_path, name, data, options):
    import truecase as package

    source, out, other = tmp_path / name, tmp_path / "out", tmp_path / "other"
    source.write_bytes(data)
    summary = package.case_file(source, other, **options)
    arguments = []
    for option, value in options.items():
        arguments += (
            ["--include-final"] if option == "leave" else [f"--{option.replace('_', '-')}", value]
        )
    assert main(["file", str(source), "-o", str(out), "-q", *arguments]) == 0
    assert out.read_bytes() == other.read_bytes() != data
    codec = options.get("encoding", "utf-8")
    if name == "a.docx":
        assert b"The Lon<" in members_of(out.read_bytes())["word/document.xml"]
    else:
        assert out.read_bytes().decode(codec).lower() == data.decode(codec).lower()
    assert summary.n_changed_words > 0
    model = package.Truecaser.load()
    package.case_file(source, source, model, threads=2, **options)
    assert source.read_bytes() == out.read_bytes()


@pytest.mark.parametrize(
    ("arguments", "text", "code", "message"),
    [
        (["--format", "srt", "--field", "a"], SRT, 1, "is SubRip: only manifests in JSON lines"),
        (["--source-language", "fr"], SRT, 2, "a file in SubRip has no sources"),
        (["--include-locked"], SRT, 2, "only XLIFF has these, the file is SubRip"),
        (["--format", "vtt"], SRT, 1, "line 1: expected WEBVTT"),
        (["--format", "mp3"], SRT, 2, "invalid choice: 'mp3'"),
        ([], SRT.replace(b"02,000", b"x"), 1, "line 2: expected times such as"),
        ([], b"hello\n", 1, "give --format"),
        (["--style", "source"], SRT, 2, "--style source: a file in SubRip has no sources"),
        (["--style", "auto"], SRT, 2, "invalid choice: 'auto'"),
        (["--encoding", "utf-16"], SRT, 1, "line 1: not in utf-16: it begins as one in utf-8"),
    ],
)
def test_options_without_effect_and_other_trouble(truecase, model, arguments, text, code, message):
    done = truecase("file", "-m", model, *arguments, text=text)
    assert (done.returncode, done.stdout) == (code, b"")
    assert message in done.stderr.decode()
    assert done.stderr.count(b"\n") == 1


def test_dry_run_of_subtitles(truecase, tmp_path):
    path = tmp_path / "a.srt"
    path.write_bytes(SRT)
    done = truecase("file", "--dry-run", "-q", path)
    assert done.stdout.decode() == (
        "line\tbefore\tafter\n"
        "3\tshe went to new york with anna. \u00e9 was late."
        "\tShe went to New York with Anna. \u00c9 was late.\n"
    )
