"""``truecase -l auto``: each line by the model of its language."""

import json
import os

import pytest
from installed_models import bring
from language_texts import text_of
from recipes import estimated

from truecase import MultilingualTruecaser, Truecaser, case_file, case_table
from truecase.errors import ColumnError
from truecase.model.embedded import installed_models

TEXT = (
    "le train de lyon arrive à paris à midi.\n12\nel tren de sevilla llega a madrid.\n\n"
    "où est\nla gare de lyon ?"
).encode()
CASED = (
    "Le train de Lyon arrive à Paris à midi.\n12\nEl tren de Sevilla llega a Madrid.\n\n"
    "Où est\nLa gare de Lyon ?"
)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A folder of packages that bring French and Spanish, and a model of no language."""
    folder = tmp_path_factory.mktemp("site")
    for name in ("fr", "es", "minutes-fr"):
        package = f"truecase_model_{name.replace('-', '_')}"
        body = f"PATH = __file__[:-11] + '{name}.truecase'\n"
        bring(folder, name, f"{package}:PATH", body, package)
        model = estimated(text_of(name[-2:]), min_count=1, language=name[-2:], smartcase=True)
        model.save(folder / package / f"{name}.truecase")
    return folder


@pytest.fixture
def beside(site):
    """Environment in which the packages of the folder are installed."""
    path = filter(None, [str(site), os.environ.get("PYTHONPATH")])
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path)}


@pytest.mark.parametrize(
    "arguments",
    [["-l", "auto"], ["apply", "-l", "auto", "-j", "2"], ["-l", "auto", "--line-buffered"]],
)
def test_the_same_bytes_as_from_python(truecase, site, beside, monkeypatch, arguments):
    done = truecase(*arguments, text=TEXT, env=beside)
    assert (done.returncode, done.stderr, done.stdout.decode()) == (0, b"", CASED)
    monkeypatch.syspath_prepend(str(site))
    mixed = MultilingualTruecaser.load(["en", "fr", "es"])
    assert mixed.case_block(TEXT).decode() == CASED
    assert {"en", "es", "fr"} <= set(MultilingualTruecaser.load().languages)
    assert "minutes-fr" not in MultilingualTruecaser.load().languages


CUES = """1
00:00:01,000 --> 00:00:02,000
le train de lyon arrive à paris à midi.

2
00:00:03,000 --> 00:00:04,000
el tren de sevilla llega a madrid.
"""


@pytest.mark.parametrize("arguments", [[], ["-j", "2"]])
def test_sentences_of_a_file(truecase, site, beside, monkeypatch, tmp_path, arguments):
    cues = tmp_path / "talk.srt"
    cues.write_text(CUES, encoding="utf-8")
    done = truecase("file", "-q", "-l", "auto", *arguments, cues, env=beside)
    assert (done.returncode, done.stderr) == (0, b"")
    said = done.stdout.decode()
    assert "Le train de Lyon arrive à Paris à midi." in said
    assert "El tren de Sevilla llega a Madrid." in said
    monkeypatch.syspath_prepend(str(site))
    case_file(cues, tmp_path / "cased.srt", "auto")
    assert (tmp_path / "cased.srt").read_bytes() == done.stdout
    cues.rename(tmp_path / "talk.fr.srt")
    named = truecase("file", "-q", "-l", "auto", tmp_path / "talk.fr.srt", env=beside).stdout
    assert named == truecase("file", "-q", "-l", "fr", tmp_path / "talk.fr.srt", env=beside).stdout


ROWS = [
    ("fr", "le train de lyon arrive à paris."),
    ("es", "el tren de sevilla llega a madrid."),
    ("French", "où est la gare de lyon ?"),
    ("", "el tren de sevilla."),
    ("fr-CA", "la gare de lyon."),
]
CASED_ROWS = [
    "Le train de Lyon arrive à Paris.",
    "El tren de Sevilla llega a Madrid.",
    "Où est la gare de Lyon ?",
    "El tren de Sevilla.",
    "La gare de Lyon.",
]
TABLES = ("t.tsv", "t.csv", "t.jsonl", "t.parquet")


def write_table(path, rows):
    """Write a table of languages and texts; return the name of its column of languages."""
    if path.suffix == ".parquet":
        pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
        languages, texts = map(pyarrow.array, zip(*rows, strict=True))
        table = pyarrow.table({"lang": languages.dictionary_encode(), "text": texts})
        parquet.write_table(table, path)
    elif path.suffix == ".jsonl":
        lines = [json.dumps({"text": text, "meta": {"lang": lang}}) for lang, text in rows]
        path.write_text("\n".join(lines))
        return "meta.lang"
    else:
        sign = "\t" if path.suffix == ".tsv" else ","
        path.write_text(
            "".join(f'{lang}{sign}"{text}"\n' for lang, text in [("lang", "text"), *rows])
        )
    return "lang"


def texts_of(path):
    if path.suffix == ".parquet":
        return pytest.importorskip("pyarrow.parquet").read_table(path)["text"].to_pylist()
    lines = path.read_text(encoding="utf-8").splitlines()
    if path.suffix == ".jsonl":
        return [json.loads(line)["text"] for line in lines]
    return [line.split('"')[1] for line in lines[1:]]


@pytest.mark.parametrize("name", TABLES)
def test_rows_of_a_table(truecase, site, beside, monkeypatch, tmp_path, name):
    monkeypatch.syspath_prepend(str(site))
    path, out, made = (tmp_path / f"{kind}{name}" for kind in ("", "typed", "made"))
    column = write_table(path, ROWS)
    for arguments, options in (
        (["--language-column", column], {"language_column": column}),
        (["-j", "2", "-l", "auto"], {"model": "auto"}),
        (["-l", "es", "--language-column", column], {"model": "es", "language_column": column}),
    ):
        done = truecase("table", "-q", path, "-c", "text", *arguments, "-o", out, env=beside)
        assert (done.returncode, done.stderr) == (0, b"")
        case_table(path, made, "text", **options)
        assert made.read_bytes() == out.read_bytes()
        # Without a language, the row has the model given: English, but for two of the calls.
        of_no_language = CASED_ROWS[3] if "model" in options else Truecaser.load()(ROWS[3][1])
        assert texts_of(out) == [*CASED_ROWS[:3], of_no_language, CASED_ROWS[4]]


@pytest.mark.parametrize("name", TABLES)
def test_rows_whose_language_has_no_model(truecase, site, beside, tmp_path, name):
    path, out = tmp_path / name, tmp_path / f"out{name}"
    column = write_table(path, [ROWS[0], ("pt_BR", "em lisboa"), ("Klingon", "qapla"), *ROWS[1:]])
    call = ("table", path, "-c", "text", "--language-column", column, "-o", out)
    done = truecase(*call, env=beside)
    assert (done.returncode, done.stdout) == (1, b"") and not out.exists()
    line = " (line 3)" if path.suffix in (".csv", ".tsv") else ""
    told = f"{name}: row 2{line}: {column}: the model for Portuguese is not installed: "
    assert told in done.stderr.decode() and b"--skip-bad" in done.stderr
    done = truecase(*call, "--skip-bad", env=beside)
    assert done.returncode == 0 and b"7 rows" in done.stderr and b"2 bad rows left" in done.stderr
    assert texts_of(out)[:4] == [CASED_ROWS[0], "em lisboa", "qapla", CASED_ROWS[1]]


def test_rows_of_a_column(site, monkeypatch):
    monkeypatch.syspath_prepend(str(site))
    pyarrow = pytest.importorskip("pyarrow")
    languages, texts = map(list, zip(*ROWS, strict=True))
    column = pyarrow.chunked_array([texts[:2], texts[2:]] * 3)
    languages = pyarrow.array([language or None for language in languages] * 3)
    spanish = Truecaser.load("es")
    cased = spanish.column(column, language=languages)
    assert cased.to_pylist() == CASED_ROWS * 3
    assert spanish.column(column, 3, language=languages.dictionary_encode()).to_pylist() == (
        CASED_ROWS * 3
    )
    sure = spanish.column(column, language=languages, confidence=True)
    french = Truecaser.load("fr").column(pyarrow.array(texts), confidence=True)
    assert sure.confidence.to_pylist()[10:13:2] == french.confidence.to_pylist()[0:3:2]
    assert sure.text.to_pylist() == CASED_ROWS * 3
    mixed = MultilingualTruecaser.load(["en", "fr", "es"])
    assert mixed.column(column).to_pylist() == CASED_ROWS * 3
    assert mixed.column(column.dictionary_encode()).to_pylist() == CASED_ROWS * 3
    for wrong, message in (
        (languages[:-1], "language: there are 14 rows, and more texts"),
        (pyarrow.array(["es"] * 16), "language: there are 16 rows, and 15 texts"),
        (pyarrow.array(["de"] * 15), "language: the model for German is not installed"),
        (pyarrow.array([1] * 15), "language: expected text, found int64"),
    ):
        with pytest.raises(ColumnError, match=message):
            spanish.column(column, language=wrong)
    with pytest.raises(ColumnError, match="would need its own source or language"):
        spanish.column(column.dictionary_encode(), language=languages)


def test_marks(truecase, site, beside, monkeypatch):
    monkeypatch.syspath_prepend(str(site))
    text = b"so how are you today i am fine\n\n\nthe queen lives in london\n\n"
    for lines in ("keep", "sentences"):
        done = truecase("punctuate", "-l", "auto", "--lines", lines, text=text, env=beside)
        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout == truecase("punctuate", "--lines", lines, text=text).stdout
        mixed = MultilingualTruecaser.load()
        assert mixed.punctuate_block(text, lines=lines) == done.stdout
    done = truecase("punctuate", "-l", "auto", text=text + TEXT, env=beside)
    assert done.returncode == 1 and b"fr: the model cannot punctuate" in done.stderr
    cues = CUES.replace("le train de lyon arrive à paris à midi.", "so how are you today i am fine")
    english = cues.partition("2\n")[0].encode()
    call = ("file", "-q", "--format", "srt", "--punctuate")
    done = truecase(*call, "-l", "auto", text=english, env=beside)
    assert b"So how are you today? I am fine" in done.stdout
    assert done.stdout == truecase(*call, text=english).stdout


def test_words_in_doubt(truecase, site, beside, monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(str(site))
    mixed = MultilingualTruecaser.load(["en", "fr", "es"])
    words = [word for line in mixed.posteriors(TEXT.decode()) for word in line]
    assert all(CASED[word.start : word.end] == word.text for word in words)
    assert {"Lyon", "Sevilla", "Paris"} <= {word.text for word in words}
    page, plain = tmp_path / "page.html", tmp_path / "plain.txt"
    plain.write_bytes(TEXT)
    done = truecase("review", "-l", "auto", plain, "-o", page, env=beside)
    assert done.returncode == 0 and "Sevilla" in page.read_text(encoding="utf-8")


def test_names(truecase, site, beside, monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(str(site))
    listed, table, plain = (tmp_path / name for name in ("names.txt", "names.csv", "plain.txt"))
    listed.write_text("quoVax\n")
    table.write_text("fr,en\nLyONNE,ZED\n")
    text = "le train de lyonne arrive à paris.\nel tren de quovax llega a madrid.\n"
    cased = "Le train de LyONNE arrive à Paris.\nEl tren de quoVax llega a Madrid.\n"
    plain.write_text(text)
    names = ("-l", "auto", "--names", listed, "--names", table)
    mixed = MultilingualTruecaser.load(["fr", "es"]).with_names([listed, table])
    alone = MultilingualTruecaser.load(["fr", "es"])
    assert [alone.with_names(one)(text.split("\n")[1]) for one in (listed, str(listed))] == [
        "El tren de quoVax llega a Madrid."
    ] * 2
    assert mixed.case_block(text.encode()).decode() == cased
    for call in ((), ("file", "-q", "--format", "text", plain)):
        done = truecase(*call, *names, text=text.encode(), env=beside)
        assert (done.returncode, done.stderr, done.stdout.decode()) == (0, b"", cased), call
    assert b"quoVax" in truecase("review", *names, plain, env=beside).stdout
    done = truecase(*names, "--names", "-", text=b"x\n", env=beside)
    assert done.returncode == 2 and b"--names: give the name of a file" in done.stderr
    # A table has terms of one language at least.
    table.write_text("ja,zh\nX,Y\n")
    done = truecase(*names, text=text.encode(), env=beside)
    assert (done.returncode, done.stdout) == (1, b"") and b"the columns are ja, zh" in done.stderr


def test_sure_changes(truecase, site, beside, monkeypatch):
    monkeypatch.syspath_prepend(str(site))
    text = TEXT.replace(b"gare", b"Gare").replace(b"sevilla", b"Sevilla")
    mixed = MultilingualTruecaser.load(["en", "fr", "es"]).with_casing(min_odds=1e9)
    done = truecase("-l", "auto", "--min-odds", "1e9", text=text, env=beside)
    assert done.stdout == mixed.case_block(text)
    assert b"La Gare" in done.stdout


def test_options_of_casing(truecase, site, beside, monkeypatch):
    monkeypatch.syspath_prepend(str(site))
    mixed = MultilingualTruecaser.load(["en", "fr", "es"])
    for arguments, expected in (
        (["--context", "document"], mixed.case_documents(TEXT)),
        (["--style", "upper"], mixed.case_block(TEXT, style="upper")),
        (["--style", "title"], mixed.case_block(TEXT, style="title")),
        (["--input-case", "keep"], mixed.case_block(TEXT, input_case="keep")),
        (["--sentence-start", "learned"], mixed.case_block(TEXT, sentence_start="learned")),
        (
            ["--decode-with", "unigram"],
            MultilingualTruecaser.load(["en", "fr", "es"], decode_with="unigram").case_block(TEXT),
        ),
    ):
        done = truecase("-l", "auto", *arguments, text=TEXT, env=beside)
        assert (done.returncode, done.stderr, done.stdout) == (0, b"", expected), arguments
    # A sentence runs over the line's end.
    assert b"est\nla gare de Lyon" in mixed.case_documents(TEXT)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-l", "auto", "--tags"], "-l auto does not go together with --tags"),
        (["-l", "auto", "--confidence"], "-l auto does not go together with --confidence"),
        (
            ["-l", "auto", "--after-colon", "lower"],
            "-l auto does not go together with --after-colon",
        ),
        (["-l", "auto", "--style", "auto", "--title-pattern", "x"], "with --title-pattern"),
        (["-l", "auto", "--source", "x"], "-l auto does not go together with --source"),
        (["explain", "-l", "auto", "x"], "-l auto: this command needs one language; only"),
        (
            ["table", "-l", "auto", "-c", "x", "--source-column", "y", "x.csv"],
            "-l auto does not go together with --source-column",
        ),
        (
            ["table", "--language-column", "y", "--names", "x", "-c", "x", "x.csv"],
            "--language-column: chooses among several models, but --names",
        ),
    ],
)
def test_what_it_does_not_go_together_with(truecase, arguments, message):
    done = truecase(*arguments, text=b"x\n")
    assert (done.returncode, done.stdout) == (2, b"")
    assert message in done.stderr.decode() and done.stderr.count(b"\n") == 1


def test_auto_is_no_model(truecase):
    done = truecase("-m", "auto", text=b"x\n")
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"auto: no such file, nor one model for all languages" in done.stderr
    with pytest.raises(FileNotFoundError, match="MultilingualTruecaser in Python, choose one"):
        Truecaser.load("auto")


@pytest.mark.skipif(bool(installed_models()), reason="models of other languages are installed")
def test_there_must_be_languages_to_choose_from(truecase):
    done = truecase("-l", "auto", text=b"x\n")
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"no model but the English one is installed" in done.stderr
    assert b"truecase info --languages says how" in done.stderr and done.stderr.count(b"\n") == 1
