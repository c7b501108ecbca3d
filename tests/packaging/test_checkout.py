"""A checkout's own folder in the way of the installed package, and a package of the same name."""

import json
import os
import shutil
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

import truecase

PACKAGE = Path(truecase.__file__).parent
LINE = "she moved from new york to the netherlands in 2009 .\n"
CASED = "She moved from New York to the Netherlands in 2009 .\n"


def run(*arguments, cwd, python_path=(), **options):
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    if python_path:
        environment["PYTHONPATH"] = os.pathsep.join(map(str, python_path))
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
        env=environment,
        **options,
    )


@pytest.fixture
def checkout(tmp_path):
    """A folder with the package as a fresh clone has it: sources, nothing compiled."""
    compiled = [f"*{suffix}" for suffix in EXTENSION_SUFFIXES]
    shutil.copytree(
        PACKAGE,
        tmp_path / "checkout" / "truecase",
        ignore=shutil.ignore_patterns(*compiled, "*.truecase", "__pycache__"),
    )
    (tmp_path / "checkout" / "truecase" / "_core.pyx").touch()
    return tmp_path / "checkout"


def test_import_in_a_checkout_takes_the_installed_package(checkout):
    code = (
        "import sys, truecase, truecase._core\n"
        "assert truecase is sys.modules['truecase']\n"
        "assert truecase._core is sys.modules['truecase._core']\n"
        f"print(truecase.__file__, truecase.truecase({LINE!r}), sep='\\n', end='')"
    )
    done = run("-c", code, cwd=checkout, python_path=[PACKAGE.parent])
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    where, _, cased = done.stdout.partition("\n")
    assert Path(where).parent.samefile(PACKAGE)
    assert cased == CASED


def test_import_of_a_submodule_first(checkout):
    code = "from truecase.kernels import _unicode; print(_unicode.__file__)"
    done = run("-c", code, cwd=checkout, python_path=[PACKAGE.parent])
    assert done.returncode == 0, done.stderr
    assert Path(done.stdout.strip()).is_relative_to(PACKAGE)


def test_command_in_a_checkout_takes_the_installed_package(checkout):
    done = run("-m", "truecase", cwd=checkout, python_path=[PACKAGE.parent], input=LINE)
    assert done.returncode == 0, done.stderr
    assert done.stdout == CASED


@pytest.mark.parametrize("how", [("-c", "import truecase"), ("-m", "truecase")])
def test_without_an_installed_package_one_sentence_says_what_to_do(checkout, how):
    done = run("-S", *how, cwd=checkout)
    assert done.returncode == 1
    said = done.stderr.splitlines()[-1]
    assert "`pip install .`" in said
    assert "`python setup.py build_ext --inplace`" in said


def test_a_package_of_the_same_name_is_not_taken_for_ours(checkout, tmp_path):
    other = tmp_path / "other" / "truecase"
    other.mkdir(parents=True)
    (other / "__init__.py").write_text("print('not ours')\n")
    done = run("-S", "-c", "import truecase", cwd=checkout, python_path=[other.parent])
    assert done.returncode == 1
    assert done.stdout == ""
    assert "truecase-crf is not installed" in done.stderr.splitlines()[-1]


@pytest.fixture
def site(tmp_path):
    """A folder that pip might have installed this package into."""
    shutil.copytree(
        PACKAGE,
        tmp_path / "site" / "truecase",
        ignore=shutil.ignore_patterns("*.truecase", "*.pyx", "__pycache__"),
    )
    (tmp_path / "site" / "truecase_crf-0.1.0.dist-info").mkdir()
    return tmp_path / "site"


def test_no_warning_about_our_own_distribution(site):
    done = run("-W", "error", "-c", "import truecase", cwd=site)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("kind", ["dist-info", "egg-info"])
def test_warning_if_the_other_truecase_is_installed_too(site, kind):
    (site / f"truecase-0.0.14.{kind}").mkdir()
    done = run("-c", "import truecase", cwd=site)
    assert done.returncode == 0
    assert done.stderr.count("Warning") == 1
    assert "the distributions truecase 0.0.14 and truecase-crf are both installed" in done.stderr
    assert "`pip uninstall truecase truecase-crf`" in done.stderr


def how_to_get(site, language):
    code = f"from truecase.model.embedded import how_to_get; print(how_to_get({language!r}))"
    done = run("-c", code, cwd=site)
    assert done.returncode == 0, done.stderr
    return done.stdout.rstrip("\n")


@pytest.mark.parametrize(
    "source", ["", "dist/truecase_crf-0.1.0.whl"], ids=["the folder", "a wheel of it"]
)
def test_a_checkout_says_where_its_models_are(site, checkout, tmp_path, source):
    here = checkout.rename(tmp_path / "check out")
    url = (here / source).as_uri()
    (site / "truecase_crf-0.1.0.dist-info" / "direct_url.json").write_text(json.dumps({"url": url}))
    # No model, and no folder for them.
    assert how_to_get(site, "de") == 'pip install "truecase-crf[de]"'
    model = here / "models" / "de" / "truecase_model_de" / "de.truecase"
    model.parent.mkdir(parents=True)
    model.write_bytes(b"a model")
    assert how_to_get(site, "de") == f'pip install "{here / "models" / "de"}"'
    for language in ("fr", "xx"):
        assert how_to_get(site, language).startswith("truecase train makes one")


@pytest.mark.parametrize("about", [None, '{"url": "https://example.org/truecase.git"}'])
def test_what_an_index_or_a_server_brought_has_extras(site, about):
    (site / "truecase_crf-0.1.0.dist-info" / "METADATA").write_text("Name: truecase-crf\n")
    if about is not None:
        (site / "truecase_crf-0.1.0.dist-info" / "direct_url.json").write_text(about)
    assert how_to_get(site, "sr") == 'pip install "truecase-crf[sr]"'
    assert how_to_get(site, "xx").startswith("truecase train makes one")
