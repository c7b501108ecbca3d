"""``truecase -l auto``: each line by the model of its language."""

import os

import pytest
from installed_models import bring
from language_texts import text_of
from recipes import estimated

from truecase import MultilingualTruecaser, Truecaser, case_file
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
        (["-l", "auto", "--names", "x"], "-l auto does not go together with --names"),
        (["-l", "auto", "--one-sense"], "-l auto does not go together with --one-sense"),
        (
            ["-l", "auto", "--after-colon", "lower"],
            "-l auto does not go together with --after-colon",
        ),
        (["-l", "auto", "--style", "auto", "--title-pattern", "x"], "with --title-pattern"),
        (["-l", "auto", "--source", "x"], "-l auto does not go together with --source"),
        (["explain", "-l", "auto", "x"], "-l auto: only truecase apply and file tell"),
        (["table", "-l", "auto", "-c", "x", "x.csv"], "-l auto: only truecase apply and file tell"),
        (["file", "-l", "auto", "--punctuate", "x.srt"], "does not go together with --punctuate"),
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
