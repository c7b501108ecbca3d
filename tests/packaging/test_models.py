"""The packages in ``models/``: all alike, small, and in every list of languages."""

import json
import os
import re
import runpy
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from build import ProjectBuilder
from build.env import DefaultIsolatedEnv
from packaging.version import Version
from recipes import trained

from truecase import Truecaser, __version__
from truecase.model.embedded import languages

CHECKOUT = Path(__file__).parents[2]
FOLDERS = sorted(path.parent for path in CHECKOUT.glob("models/*/pyproject.toml"))
SECTIONS = ["Made of", "Made with", "Figures", "Licence"]

pytestmark = pytest.mark.skipif(
    not (CHECKOUT / "scripts").is_dir(), reason="the tests are not in a checkout"
)


def run_script(*arguments, code=0):
    script = CHECKOUT / "scripts" / "train_language.py"
    done = subprocess.run(
        [sys.executable, script, *map(str, arguments)], capture_output=True, text=True, check=False
    )
    assert done.returncode == code, done.stderr
    return done


def fact(text, pattern):
    return re.search(pattern, text, re.MULTILINE)[1]


def test_each_language_is_an_extra():
    project = (CHECKOUT / "pyproject.toml").read_text(encoding="utf-8")
    extras = re.findall(r'^([a-z]{2}) = \["truecase-crf-([a-z]{2})"\]$', project, re.MULTILINE)
    assert extras == [(code, code) for code in sorted(languages())]
    assert fact(project, r'^languages = \["truecase-crf\[(.+)\]"\]$').split(",") == sorted(
        languages()
    )


def test_every_language_in_the_list_has_a_model():
    assert {folder.name for folder in FOLDERS} == set(languages())
    assert sum(path.stat().st_size for path in CHECKOUT.glob("models/*/*/*.truecase")) <= 80e6


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_package_is_like_the_others(folder):
    check_package(folder, folder.name, languages()[folder.name])
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert re.search(r"^\| .*\b[0-9a-f]{7,}\b.* \|$", card, re.MULTILINE), "sources with commits"
    assert Truecaser.load(model_of(folder, folder.name)).model.preset == "crf-neural"


def model_of(folder, code):
    return folder / f"truecase_model_{code}" / f"{code}.truecase"


def check_package(folder, code, name):
    project = (folder / "pyproject.toml").read_text(encoding="utf-8")
    version = fact(project, r'^version = "(\d+\.\d+\.\d+)"$')
    assert Version(version) <= Version(__version__)
    licence = fact(project, r'^license = "(.+)"$')
    script = runpy.run_path(str(CHECKOUT / "scripts" / "train_language.py"))
    wanted = script["package_files"](code, name, version, licence)
    for path, text in wanted.items():
        assert (folder / path).read_text(encoding="utf-8") == text, path
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    model = model_of(folder, code)
    left = re.compile(r"^build/|\.egg-info/|__pycache__/")
    assert {path for path in found if not left.search(path)} == {
        *wanted, "README.md", model.relative_to(folder).as_posix(),
    }  # fmt: skip
    assert model.stat().st_size <= 5_000_000
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert card.startswith(f"# truecase-crf-{code}: {name} for truecase\n")
    sections = re.findall(r"^## (.+)$", card, re.MULTILINE)
    assert [section for section in sections if section in SECTIONS] == SECTIONS
    assert f"The model has {model.stat().st_size:,} bytes." in card
    assert f"\n## Licence\n\n{licence}\n" in card
    assert Truecaser.load(model).model.text.language == code


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    path = tmp_path_factory.mktemp("text") / "text.txt"
    path.write_text("Chonaic sí Anna i nGaillimh .\nBhí Anna ann .\n" * 20, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def package(tmp_path_factory, text):
    """A package of Irish that the script has made of a model."""
    folder = tmp_path_factory.mktemp("made")
    trained(text.read_bytes(), "ngram", language="ga").save(folder / "any.truecase")
    (folder / "sources.md").write_text("Of the tests.\n", encoding="utf-8")
    done = run_script(
        "ga", text, "-o", folder / "irish", "-m", folder / "any.truecase", "--name", "Irish",
        "--command", "make it", "--sources", folder / "sources.md", "--dev", f"development={text}",
    )  # fmt: skip
    assert (folder / "irish" / "README.md").read_text(encoding="utf-8") == done.stdout[:-1]
    return folder / "irish"


def test_the_script_writes_a_package(package):
    check_package(package, "ga", "Irish")
    card = (package / "README.md").read_text(encoding="utf-8")
    assert "\n200 words of cased text.\n\nOf the tests.\n" in card
    assert "\n    make it\n\nby truecase " in card
    assert re.search(r"^\| development \| 200 \| \d+\.\d\d \| \d+\.\d\d \|$", card, re.MULTILINE)


def test_the_script_trains_with_names_and_calibrates(tmp_path, text):
    (tmp_path / "names.txt").write_text("Bréanainn\n", encoding="utf-8")
    dev = tmp_path / "dev.txt"
    dev.write_text("Bhí Anna i mBéal Feirste .\n" * 400, encoding="utf-8")
    run_script(
        "ga", text, "-o", tmp_path / "irish", "--names", tmp_path / "names.txt", "--name", "Irish",
        "--dev", f"development={dev}",
    )  # fmt: skip
    made = Truecaser.load(model_of(tmp_path / "irish", "ga"))
    assert made.model.preset == "crf-neural" and made.model.calibration is not None
    assert made.training_count("bréanainn") == 2
    card = (tmp_path / "irish" / "README.md").read_text(encoding="utf-8")
    assert "TEXT... -o models/ga --names ga.txt" in card


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["xx", "a.txt", "-o", "x"], "--name: what is the language of the code xx called?"),
        (["DE", "a.txt", "-o", "x"], "expected a code in lower case, such as de, not 'DE'"),
        (["de", "a.txt", "-o", "x", "-m", "m"], "-m and --command go together"),
    ],
)
def test_the_script_refuses(arguments, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert message in run_script(*arguments, code=2).stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_wheel_of_a_model_is_found_by_its_language(package, tmp_path):
    with DefaultIsolatedEnv() as environment:
        builder = ProjectBuilder.from_isolated_env(environment, package)
        try:
            environment.install(builder.build_system_requires)
        except subprocess.CalledProcessError:
            pytest.skip("offline: a build gets its requirements from the package index")
        wheel = Path(builder.build("wheel", tmp_path))
    assert wheel.name == f"truecase_crf_ga-{__version__}-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    path = os.pathsep.join([str(tmp_path / "site"), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, "-m", "truecase", "-l", "ga-IE"],
        input="chonaic sí anna\n".encode(),
        capture_output=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path},
        check=True,
    )
    assert done.stdout.decode() == "Chonaic sí Anna\n"


PAGES = ("README.md", "docs/experiments/languages.md")
PAGE = "a\n<!-- table of languages: make language-tables -->\n<!-- end of languages -->\nb\n"


@pytest.fixture
def tables(tmp_path, package):
    """The tool in a checkout of its own, with two packages."""
    for path in ("tools/language_tables.py", "truecase/data/languages.json"):
        (tmp_path / path).parent.mkdir(parents=True)
        shutil.copyfile(CHECKOUT / path, tmp_path / path)
    card = (package / "README.md").read_text(encoding="utf-8")
    both = re.sub(r"^\| development( .*)$", r"\g<0>\n| NTREX-128\1", card, flags=re.MULTILINE)
    for code, text in (("fi", card), ("de", both)):
        (tmp_path / "models" / code).mkdir(parents=True)
        (tmp_path / "models" / code / "pyproject.toml").touch()
        (tmp_path / "models" / code / "README.md").write_text(text, encoding="utf-8")
    (tmp_path / "docs" / "experiments").mkdir(parents=True)
    for page in PAGES:
        (tmp_path / page).write_text(PAGE, encoding="utf-8")

    def run(*arguments):
        command = [sys.executable, str(tmp_path / "tools" / "language_tables.py"), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    return run


def test_the_tables_are_those_of_the_cards(tables, tmp_path):
    stale = tables("--check")
    assert stale.returncode == 1 and stale.stdout.count("run: make language-tables") == 2
    assert tables().returncode == 0
    assert tables("--check").returncode == 0
    short, long = ((tmp_path / page).read_text(encoding="utf-8") for page in PAGES)
    rows = [row.split(" | ") for row in re.findall(r"^\| (.*) \|$", long, re.MULTILINE)]
    assert rows[0] == ["language", "`-l`", "million words", "MB", "development", "NTREX-128"]
    card = (tmp_path / "models" / "fi" / "README.md").read_text(encoding="utf-8")
    figures = re.search(r"\| 200 \| (\S+) \| (\S+) \|", card)
    both = " / ".join(figures.groups())
    assert rows[1] == ["Finnish", "`fi`", "0.0", "0.0", both, "–"]
    assert rows[2] == ["German", "`de`", "0.0", "0.0", both, both]
    assert f"\n| Finnish `fi` | {figures[2]} | German `de` | {figures[2]} |" in short
    assert "| F1, development |" in short
    for text in (short, long):
        assert text.startswith("a\n<!-- table") and text.endswith("<!-- end of languages -->\nb\n")


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("| development |", "| wmt18 |", "fi/README.md: no column for the text 'wmt18'"),
        ("| development |", "| news |", "fi/README.md: no figures on development text"),
        ("The model has", "It has", "fi/README.md: nothing like 'The model has"),
    ],
)
def test_a_card_that_is_not_like_the_others_is_named(tables, tmp_path, before, after, message):
    path = tmp_path / "models" / "fi" / "README.md"
    path.write_text(path.read_text(encoding="utf-8").replace(before, after), encoding="utf-8")
    done = tables()
    assert done.returncode == 1 and done.stderr.startswith(f"models: {message}")
    assert done.stderr.count("\n") == 1


def test_the_tables_of_this_checkout():
    script = CHECKOUT / "tools" / "language_tables.py"
    done = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_names_of_the_list():
    listed = json.loads((CHECKOUT / "truecase/data/languages.json").read_text(encoding="utf-8"))
    assert listed["models"] == languages() == dict(sorted(languages().items()))
    assert set(languages()) <= set(listed["codes"].split()) and len(languages()) == 21


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("es", "¿Por qué no me llamaste ayer? Estaba muy ocupado."),
        ("pl", "Gdzie mieszkasz teraz?"),
        ("pl", "Możesz mi pomóc, proszę?"),
        ("ru", "Ты поедешь с нами в Москву завтра?"),
        ("de", "Kannst du mir helfen, bitte?"),
        ("fr", "Tu as vu le match hier soir?"),
    ],
)
def test_a_question_is_not_cut_before_its_last_word(language, text):
    (path,) = CHECKOUT.glob(f"models/{language}/*/*.truecase")
    words = re.sub(r"[¿?.,]", "", text).lower()
    assert Truecaser.load(path).punctuate(words) == text


@pytest.mark.parametrize(
    "language, text",
    [
        ("el", "Η εντολή shell ή EXIT και το IDE"),
        ("ru", "Команда shell или EXIT, а не IDE."),
        ("uk", "Команда shell або EXIT, а не IDE."),
    ],
)
def test_latin_words_among_other_letters_keep_their_case(language, text):
    (path,) = CHECKOUT.glob(f"models/{language}/*/*.truecase")
    model = Truecaser.load(path)
    for input_case in ("evidence", "proofread"):
        assert model(text, input_case) == text
    assert model(text.lower()) != text


def test_a_capital_behind_code_stays_in_a_cased_text():
    (path,) = CHECKOUT.glob("models/uk/*/*.truecase")
    text = "`B` Двійкове дерево (Абстрактний тип) - приклади"
    assert Truecaser.load(path)(text, "proofread") == text
