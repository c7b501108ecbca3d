"""`--encoding` and byte order marks in every command that reads text."""

import bz2
import codecs
import gzip
import json

import learning_curves
import pytest
from small_bitext import bitext
from small_model import training_text

import truecase as package

TEXT = "anna était à la fenêtre\r\nl'école du nord\n"
ENCODINGS = ["latin-1", "cp1252", "utf-16-le", "utf-16-be", "utf-32-le", "mac_roman", "cp850"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A corpus with letters beyond ASCII in three encodings, and what it makes of it."""
    folder = tmp_path_factory.mktemp("corpus")
    text = training_text().replace("a ", "à ").replace("e ", "é ")
    text = text.encode("latin-1", "ignore").decode("latin-1")
    (folder / "utf8.txt").write_text(text, encoding="utf-8")
    (folder / "latin.txt").write_text(text, encoding="latin-1")
    (folder / "marked.txt").write_bytes(codecs.BOM_UTF16_BE + text.encode("utf-16-be"))
    return folder


@pytest.fixture(scope="module")
def model(folder):
    path = folder / "model.truecase"
    package.Truecaser.train([folder / "utf8.txt"]).save(path)
    return str(path)


def run(*arguments):
    return learning_curves.run([str(argument) for argument in arguments])


def same(path, other):
    assert path.read_bytes() == other.read_bytes()


@pytest.mark.parametrize(
    "command", [["apply"], ["apply", "--style", "title"], ["text", "capitalize"]]
)
@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("more", [[], ["-j", "2"], ["--line-buffered"]])
def test_written_back_in_the_same(tmp_path, model, command, encoding, more):
    source, target = tmp_path / "in", tmp_path / "out"
    model_option = ["-m", model] if command[0] == "apply" else []
    source.write_bytes(TEXT.encode())
    assert run(*command, *model_option, "-i", source, "-o", target) == 0
    expected = target.read_bytes().decode()
    assert expected != TEXT
    source.write_bytes(TEXT.encode(encoding))
    options = [*command, *model_option, *more, "--encoding", encoding]
    assert run(*options, "-i", source, "-o", target) == 0
    assert target.read_bytes() == expected.encode(encoding)


def test_python_gives_the_same_bytes(tmp_path, model):
    source, target = tmp_path / "in", tmp_path / "out"
    source.write_bytes(TEXT.encode("latin-1"))
    assert run("-m", model, "-i", source, "-o", target, "--encoding", "latin-1") == 0
    cased = package.Truecaser.load(model)(TEXT)
    assert target.read_bytes() == cased.encode("latin-1")


@pytest.mark.parametrize("codec", ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_a_byte_order_mark_is_kept(tmp_path, codec, model):
    source, target = tmp_path / "in.gz", tmp_path / "out.bz2"
    marked = "\ufeff" + TEXT
    source.write_bytes(gzip.compress(marked.encode(codec)))
    assert run("-m", model, "-i", source, "-o", target) == 0
    out = bz2.decompress(target.read_bytes()).decode(codec)
    assert out == "\ufeff" + package.Truecaser.load(model)(TEXT)


def test_a_mark_costs_no_capital(tmp_path):
    source, target = tmp_path / "in", tmp_path / "out"
    source.write_bytes(codecs.BOM_UTF8 + b"the ferry was late.\n")
    assert run("-i", source, "-o", target) == 0
    assert target.read_bytes() == codecs.BOM_UTF8 + b"The ferry was late.\n"


def test_a_letter_without_that_case_stays(tmp_path):
    source, target = tmp_path / "in", tmp_path / "out"
    source.write_bytes("l'haÿ-les-roses µ\n".encode("latin-1"))
    assert run("-i", source, "-o", target, "--encoding", "latin-1", "--style", "upper") == 0
    assert target.read_bytes().decode("latin-1") == "L'HAÿ-LES-ROSES µ\n"
    source.write_text("i ılık\n", encoding="utf-8")
    options = ["text", "capitalize", "--language", "tr", "--encoding", "latin-1"]
    source.write_bytes(b"istanbul\n")
    assert run(*options, "-i", source, "-o", target) == 0
    assert target.read_bytes() == b"istanbul\n"


def test_another_encoding_is_one_sentence(tmp_path, capsys, folder, model):
    out = tmp_path / "out"
    latin = folder / "latin.txt"
    for command in (
        ["apply", "-m", model, "-i", latin, "-o", out],
        ["text", "capitalize", "-i", latin, "-o", out],
        ["text", "normalize", "--train", latin, "-i", latin, "-o", out],
        ["train", latin, "-o", out],
        ["evaluate", "-m", model, latin],
        ["arpa", "estimate", latin, "-o", out],
        ["learning-curve", latin, "--test", latin, "-o", out],
        ["apply", "-m", model, "--source", latin, "-i", folder / "utf8.txt", "-o", out],
    ):
        assert run(*command) == 1, command
        message = capsys.readouterr().err
        assert message.count("\n") == 1
        assert "latin.txt: line 1: this is not UTF-8 but most likely " in message
        assert "give --encoding " in message
        assert not out.exists()


@pytest.mark.parametrize("name", ["latin.txt", "marked.txt"])
def test_training_reads_any_encoding(tmp_path, folder, model, name):
    option = ["--encoding", "latin-1"] if name == "latin.txt" else []
    encoding = "latin-1" if name == "latin.txt" else None
    out = tmp_path / "out.truecase"
    assert run("train", folder / name, *option, "-o", out) == 0
    assert run("train", folder / "utf8.txt", "-o", tmp_path / "utf8.truecase") == 0
    same(out, tmp_path / "utf8.truecase")
    package.Truecaser.train([folder / name], encoding=encoding).save(tmp_path / "python.truecase")
    same(tmp_path / "python.truecase", out)


def test_a_development_text_too(tmp_path, folder):
    for preset in ("crf", "portage"):
        files = []
        for name, option in (("utf8.txt", []), ("latin.txt", ["--encoding", "latin-1"])):
            files.append(tmp_path / f"{preset}-{name}")
            text = folder / name
            options = ["--preset", preset, "--dev", text, *option]
            if preset == "portage":
                options += ["--variant", "interpolated"]
            assert run("train", text, *options, "-o", files[-1]) == 0
        same(*files)
    for name, encoding in (("utf8.txt", None), ("latin.txt", "latin-1")):
        text = folder / name
        trained = package.Truecaser.train([text], "crf", development=text, encoding=encoding)
        trained.save(tmp_path / f"python-{name}")
    same(tmp_path / "python-utf8.txt", tmp_path / "python-latin.txt")


def test_adapt(tmp_path, folder):
    files = []
    base = tmp_path / "base.truecase"
    assert run("train", folder / "utf8.txt", "--preset", "crf", "-o", base) == 0
    for name, option in (("utf8.txt", []), ("latin.txt", ["--encoding", "latin-1"])):
        files.append(tmp_path / name)
        text = folder / name
        corpus = text.with_suffix(".corpus")
        corpus.write_bytes(text.read_bytes())
        options = ["--dev", text, "--corpus", corpus, *option]
        assert run("train", "adapt", base, *options, "-o", files[-1]) == 0
    same(*files)


def test_evaluate_and_learning_curve(tmp_path, folder, model, capsys):
    figures = []
    for name, option in (("utf8.txt", []), ("latin.txt", ["--encoding", "latin-1"])):
        text = folder / name
        for more in ([], ["--hypothesis", text], ["--input", text]):
            assert run("evaluate", "-m", model, "--json", text, *more, *option) == 0
            figures.append(capsys.readouterr().out)
        curve = tmp_path / "curve.json"
        assert (
            run("learning-curve", text, "--test", text, "--sizes", "300", "-o", curve, *option) == 0
        )
        points = json.loads(curve.read_text())
        for key in ("corpus", "test"):
            points.pop(key, None)
        figures.append(points)
    assert figures[:4] == figures[4:]


def test_normalize(tmp_path, folder):
    files = []
    for name, encoding in (("utf8.txt", "utf-8"), ("latin.txt", "latin-1")):
        text, out, counts = folder / name, tmp_path / f"out-{name}", tmp_path / f"counts-{name}"
        options = ["--train", text, "-i", text, "--save-model", counts]
        assert run("text", "normalize", *options, "-o", out, "--encoding", encoding) == 0
        files.append((out.read_text(encoding=encoding), counts.read_bytes()))
    assert files[0] == files[1]


def test_arpa(tmp_path, folder):
    arpas = []
    for name, option in (("utf8.txt", []), ("latin.txt", ["--encoding", "latin-1"])):
        arpas.append(tmp_path / f"{name}.arpa.xz")
        assert run("arpa", "estimate", folder / name, "-o", arpas[-1], *option) == 0
    same(*arpas)
    from truecase.base.read import open_text
    from truecase.training.exchange import from_arpa

    latin = tmp_path / "latin.arpa"
    latin.write_bytes(open_text(arpas[0]).read().decode().encode("latin-1"))
    mapping = "île Île 1\n"
    (tmp_path / "utf8.map").write_text(mapping, encoding="utf-8")
    (tmp_path / "latin.map").write_text(mapping, encoding="latin-1")
    models = []
    for arpa, map_file, option in (
        (arpas[0], tmp_path / "utf8.map", []),
        (latin, tmp_path / "latin.map", ["--encoding", "latin-1"]),
    ):
        models.append(from_arpa(arpa, mapping=map_file, encoding=option[-1] if option else None))
        out = tmp_path / "imported.truecase"
        assert run("arpa", "import", arpa, "--map", map_file, *option, "-o", out) == 0
        models[-1].save(tmp_path / "python.truecase")
        same(out, tmp_path / "python.truecase")
    arrays = [model.to_arrays()[0] for model in models]
    for name, array in arrays[0].items():
        assert array.tobytes() == arrays[1][name].tobytes()


def test_source_and_moses_trace(tmp_path, bilingual_model_file):
    lines = bitext(50)
    source, target = lines.source.decode(), lines.target.decode().lower().replace("a", "à")
    expected = tmp_path / "expected"
    for encoding in ("utf-8", "latin-1", "utf-16"):
        (tmp_path / "source").write_text(source, encoding=encoding)
        (tmp_path / "target").write_text(target, encoding=encoding)
        options = ["-m", bilingual_model_file, "--source", tmp_path / "source"]
        out = expected if encoding == "utf-8" else tmp_path / "out"
        more = [] if encoding == "utf-16" else ["--encoding", encoding]
        assert run(*options, "-i", tmp_path / "target", "-o", out, *more) == 0
        assert out.read_text(encoding=encoding) == expected.read_text(encoding="utf-8")
        assert run("evaluate", *options, tmp_path / "target", *more) == 0


def test_align(tmp_path, monkeypatch):
    """The aligner gets UTF-8, whatever the files are in."""
    seen = []

    def align_bitext(blocks, options, phase=None):
        seen.append(b"".join(block.source + block.target for block in blocks))
        raise ValueError("seen")

    monkeypatch.setattr("truecase.alignment.word_aligner.align_bitext", align_bitext)
    monkeypatch.setattr("truecase.alignment.word_aligner.import_library", lambda names: None)
    for encoding in ("utf-8", "cp1252", "utf-16"):
        (tmp_path / "a").write_text("déjà vu\n", encoding=encoding)
        (tmp_path / "b").write_text("seen é\n", encoding=encoding)
        option = [] if encoding == "utf-16" else ["--encoding", encoding]
        assert run("align", tmp_path / "a", tmp_path / "b", "-o", tmp_path / "out", *option) == 1
    assert seen == ["déjà vu\nseen é\n".encode()] * 3


def test_file(tmp_path, capsys):
    entry = 'msgid ""\nmsgstr "Language: en\\n"\n\nmsgid "X"\nmsgstr "the café in paris"\n'
    path, out = tmp_path / "a.po", tmp_path / "b.po"
    path.write_text(entry, encoding="latin-1")
    assert run("file", path, "-o", out) == 1
    assert "is not UTF-8" in capsys.readouterr().err
    assert run("file", path, "-o", out, "--encoding", "latin-1") == 0
    assert out.read_text(encoding="latin-1") == entry.replace(
        "the café in paris", "The café in Paris"
    )
    path.write_text("\ufeff" + entry, encoding="utf-8")
    assert run("file", path, "-o", out, "--encoding", "latin-1") == 1
    assert "a.po: line 1: not in iso8859-1: it begins as one in utf-8" in capsys.readouterr().err


def test_explain_reads_standard_input(truecase, model):
    text = "l'école du nord\n"
    expected = truecase("explain", "-m", model, "--json", "-", text=text.encode())
    done = truecase(
        "explain", "-m", model, "--json", "--encoding", "utf-16", "-", text=text.encode("utf-16")
    )
    assert done.returncode == expected.returncode == 0
    assert done.stdout == expected.stdout


def test_names_of_encodings(capsys):
    assert run("--encoding", "utf-99") == 2
    assert "there is no character encoding 'utf-99'" in capsys.readouterr().err
