"""Models that other packages bring, by their names."""

import json
import os
import pickle
import subprocess
import sys

import pytest
from installed_models import bring
from recipes import recipe

from truecase import Truecaser
from truecase.model.embedded import how_to_get, languages, model_file, model_of_language

SCRIPT = """
import pickle, sys
from truecase import Truecaser
truecaser = Truecaser.load("xx")
sys.stdout.buffer.write(truecaser.case_block(b"anna was in london\\n"))
copy = pickle.loads(pickle.dumps(truecaser))
sys.stdout.buffer.write(copy.case_block(b"anna was in london\\n"))
print(len(pickle.dumps(truecaser)) < 1000)
"""


def before_others(folder):
    """The path of modules with a folder in front."""
    return os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])


@pytest.fixture
def site(tmp_path):
    """A folder of packages, one of which has the model xx."""
    folder = tmp_path / "site"
    bring(folder, "xx", "truecase_model_xx:PATH", "PATH = __file__[:-11] + 'xx.truecase'\n")
    text = tmp_path / "text.txt"
    text.write_text("She met Anna in London .\nAnna was there .\n" * 20, "utf-8")
    Truecaser.train([text]).save(folder / "truecase_model_xx" / "xx.truecase")
    return folder


@pytest.fixture
def beside(site):
    """Environment in which the packages of the folder are installed."""
    return {**os.environ, "PYTHONPATH": before_others(site)}


def test_by_name_and_by_language(truecase, site, beside):
    text = b"anna was in london\n"
    file = site / "truecase_model_xx" / "xx.truecase"
    expected = truecase("-m", file, text=text).stdout
    for arguments in (["-m", "xx"], ["-l", "xx"], ["--language", "xx-YY"], ["apply", "-l", "XX"]):
        done = truecase(*arguments, text=text, env=beside)
        assert (done.returncode, done.stderr, done.stdout) == (0, b"", expected)
    assert truecase("explain", "-l", "xx", "anna", env=beside).returncode == 0
    about = truecase("info", "xx", env=beside)
    assert about.stdout == truecase("info", file).stdout
    done = subprocess.run([sys.executable, "-c", SCRIPT], env=beside, capture_output=True)
    assert done.stdout == 2 * expected + b"True\n"


def test_a_file_is_cased_by_the_model_of_its_language(truecase, site, beside, tmp_path):
    said = tmp_path / "here" / "said.vtt"
    said.write_text("WEBVTT\nLanguage: xx\n\n00:01.000 --> 00:02.000\nanna was in london\n")
    done = truecase("file", "said.vtt", env=beside)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith(b"Anna was in London\n")
    assert truecase("file", "-l", "xx", "said.vtt", env=beside).stdout == done.stdout
    refused = truecase("file", "-m", "en", "said.vtt", env=beside)
    assert (refused.returncode, refused.stdout) == (1, said.read_bytes())
    assert b"trained for en, the targets are in xx" in refused.stderr
    page = truecase("review", "said.vtt", env=beside)
    assert b"xx.truecase" in page.stdout


def test_norwegian_is_called_no_and_nb(truecase, tmp_path):
    site = tmp_path / "site"
    bring(site, "nb", "truecase_model_xx:PATH", "PATH = __file__[:-11] + 'nb.truecase'\n")
    (tmp_path / "text.txt").write_text("She met Anna in London .\nAnna was there .\n" * 20, "utf-8")
    made = Truecaser.train([tmp_path / "text.txt"], recipe("ngram", language="no"))
    made.save(site / "truecase_model_xx" / "nb.truecase")
    here = {**os.environ, "PYTHONPATH": before_others(site)}
    for code in ("no", "nb", "nb-NO", "no_NO"):
        assert truecase("-l", code, text=b"anna\n", env=here).stdout == b"Anna\n"
        said = f"WEBVTT\nLanguage: {code}\n\n00:01.000 --> 00:02.000\nanna was in london\n"
        done = truecase("file", "--format", "vtt", text=said.encode(), env=here)
        assert done.stdout.endswith(b"Anna was in London\n"), done.stderr


def test_the_embedded_models_are_languages(truecase):
    assert model_of_language("eng") == model_of_language("en-GB") == "en"
    text = b"she was in paris\n"
    expected = truecase(text=text).stdout
    for code in ("en", "en-GB", "en_US"):
        assert truecase("-l", code, text=text).stdout == expected
        assert truecase("-m", code, text=text).stdout == expected
    assert Truecaser.load("EN").language == Truecaser.load().language


def test_a_model_is_judged_by_its_language(truecase, site, beside, tmp_path):
    reference = tmp_path / "here" / "reference.txt"
    reference.write_text("She met Anna in London .\n")
    file = site / "truecase_model_xx" / "xx.truecase"
    judged = truecase("evaluate", "-l", "xx", "reference.txt", env=beside)
    assert (judged.returncode, judged.stderr) == (0, b"")
    assert judged.stdout == truecase("evaluate", "-m", file, "reference.txt").stdout


def test_a_file_wins_over_an_installed_model(truecase, site, beside, model, tmp_path):
    folder = tmp_path / "here" / "xx"
    folder.mkdir()
    assert truecase("-m", "xx", text=b"anna\n", env=beside).stdout == b"Anna\n"
    folder.rmdir()
    (tmp_path / "here" / "xx").write_bytes((tmp_path / "model.en").read_bytes())
    assert b"Moses" in truecase("info", "xx", env=beside).stdout
    assert b"Moses" not in truecase("-l", "xx", "--copy-model", env=beside).stderr


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["-l", "de"], 2, f"-l/--language: the model for German is not installed: "
                          f"{how_to_get('de')}"),
        (["-l", "ger"], 2, f"the model for German is not installed: {how_to_get('de')}"),
        (["-l", "German"], 2, f"the model for German is not installed: {how_to_get('de')}"),
        (["-l", "čeština"], 2, f"the model for Czech is not installed: {how_to_get('cs')}"),
        (["-m", "Deutsch"], 1, "Deutsch: no such file, and the model for German is not installed"),
        (["-l", "pt-BR"], 2, f"the model for Portuguese is not installed: {how_to_get('pt')}"),
        (["file", "-l", "sr-Latn", "a.srt"], 2, "the model for Serbian is not installed: "),
        (["table", "-l", "fi", "a.csv"], 2, "the model for Finnish is not installed: "),
        (["punctuate", "-l", "nb"], 2, "the model for Norwegian is not installed: "),
        (["-l", "no-NO"], 2, "the model for Norwegian is not installed: "),
        (["review", "-l", "nl_BE", "a.txt"], 2, "the model for Dutch is not installed: "),
        (["-l", "yy"], 2, "no model for yy: truecase train makes one of text in the language"),
        (["-l", "no such"], 2, "expected a code of ISO 639"),
        (["-l", "xx", "-m", "en"], 2, "-l: not allowed with argument --model"),
        (["-m", "yy"], 1, "yy: no such file, nor a model of that name; there are en, fr-en and xx"),
        (["-m", "de"], 1,
         f"de: no such file, and the model for German is not installed: {how_to_get('de')}"),
        (["-m", "pt_BR"], 1, "pt_BR: no such file, and the model for Portuguese is not installed"),
        (["-m", "en-fr"], 1, "en-fr: no such file, nor a model of that name"),
    ],
)  # fmt: skip
def test_models_that_are_not_there(truecase, beside, arguments, status, message):
    done = truecase(*arguments, env=beside)
    assert (done.returncode, done.stdout) == (status, b"")
    assert message in done.stderr.decode()
    assert done.stderr.count(b"\n") == 1


def test_a_file_in_a_language_that_is_not_installed(truecase, site, beside, tmp_path):
    said = "WEBVTT\nLanguage: {}\n\n00:01.000 --> 00:02.000\nanna was in london\n"
    for code, what in (
        ("pl", f" and the model for Polish is not installed: {how_to_get('pl')}; give another "),
        ("no", f" and the model for Norwegian is not installed: {how_to_get('nb')}; give another "),
        ("et", " the targets are in et; give another model with -m, or --target-language et "),
    ):
        text = said.format(code)
        (tmp_path / "here" / "said.vtt").write_text(text)
        done = truecase("file", "said.vtt", env=beside)
        assert (done.returncode, done.stdout) == (1, text.encode())
        assert what in done.stderr.decode() and done.stderr.count(b"\n") == 1


def test_the_languages_are_listed(truecase, site, beside):
    done = truecase("info", "--languages", env=beside)
    assert (done.returncode, done.stderr) == (0, b"")
    header, *lines = done.stdout.decode().splitlines()
    rows = {line.split()[0]: line for line in lines}
    assert header.split() == ["code", "language", "MB", "model"]
    assert sorted(rows) == list(rows) == sorted({"en", "xx", *languages()})
    megabytes = f"{os.path.getsize(model_file('en')) / 1e6:.1f}"
    assert rows["en"].split() == ["en", "English", megabytes, "installed"]
    assert rows["de"].startswith("de     German ") and rows["de"].endswith(how_to_get("de"))
    assert rows["xx"].split() == ["xx", "0.0", "installed"]
    found = json.loads(truecase("info", "--languages", "--json", env=beside).stdout)
    assert [one["code"] for one in found] == list(rows)
    of = {one["code"]: one for one in found}
    size = os.path.getsize(site / "truecase_model_xx" / "xx.truecase")
    assert of["xx"] == {"code": "xx", "language": "", "bytes": size, "get": ""}
    assert of["de"]["language"] == "German" and of["de"]["get"] == how_to_get("de")


@pytest.mark.parametrize(
    ("value", "body", "message"),
    [
        ("truecase_model_zz:PATH", "raise OSError('no disk')", "cannot be loaded"),
        ("truecase_model_zz:PATH", "", "cannot be loaded"),
        ("truecase_model_zz:PATH", "PATH = 5", "is int, not the path of a model"),
        ("truecase_model_zz:PATH", "PATH = '/no/such/file'", "/no/such/file: No such file"),
        ("truecase_model_zz:PATH", "PATH = __file__", "not a truecase model"),
    ],
)
def test_packages_that_are_broken(truecase, tmp_path, value, body, message):
    bring(tmp_path / "site", "zz", value, body, "truecase_model_zz")
    for arguments in (["-m", "zz"], ["info", "zz"]):
        done = truecase(
            *arguments, env={**os.environ, "PYTHONPATH": before_others(tmp_path / "site")}
        )
        assert done.returncode == 1
        assert message in done.stderr.decode()
        assert done.stderr.count(b"\n") == 1


def test_two_packages_with_one_name(truecase, site, beside):
    bring(site, "xx", "truecase_model_other:PATH", "PATH = ''", "truecase_model_other")
    done = truecase("-m", "xx", env=beside)
    assert done.returncode == 1
    assert b"xx: several packages have a model of this name" in done.stderr


def test_installed_models_travel_by_path(site, monkeypatch):
    monkeypatch.syspath_prepend(str(site))
    truecaser = Truecaser.load("xx")
    data = pickle.dumps(truecaser)
    assert str(site).encode() in data
    assert pickle.loads(data).case_block(b"anna\n") == truecaser.case_block(b"anna\n")
