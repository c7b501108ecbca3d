"""The package as it is installed: where it is, what lies in it, how it is started."""

import importlib.metadata
import importlib.util
import inspect
import os
import re
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

import truecase

PACKAGE = Path(truecase.__file__).parent
CHECKOUT = Path(__file__).parents[2]
TOKENIZER = "truecase.tokenizer.v1"
try:
    VERSION = importlib.metadata.version("truecase-crf")
except importlib.metadata.PackageNotFoundError:
    pytest.skip("truecase-crf is not installed, only built in place", allow_module_level=True)
in_wheel = pytest.mark.skipif(
    os.environ.get("TRUECASE_TEST_INSTALLED") != "1",
    reason="an editable or in-place install; `make test` sets TRUECASE_TEST_INSTALLED=1",
)


def compiled_modules():
    suffix = EXTENSION_SUFFIXES[0]
    return sorted(
        str(path.relative_to(PACKAGE.parent))[: -len(suffix)].replace(os.sep, ".")
        for path in PACKAGE.rglob(f"*{suffix}")
    )


@in_wheel
def test_tests_import_the_installed_package_not_the_folder():
    assert not PACKAGE.is_relative_to(CHECKOUT / "truecase")
    assert "site-packages" in PACKAGE.parts


@in_wheel
def test_no_sources_and_no_generated_files_are_installed():
    unwanted = {".c", ".h", ".pyx", ".pxd", ".cpp", ".html"}
    found = {path.name for path in PACKAGE.rglob("*") if path.suffix in unwanted}
    assert found == {"review.html"}


def test_typing_marker_is_installed():
    assert (PACKAGE / "py.typed").is_file()


@pytest.mark.parametrize("module", compiled_modules())
def test_compiled_module_imports_alone_and_has_a_stub(module):
    python = "".join(path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py"))
    if f"from {module} import" in python:
        assert (PACKAGE.parent / (module.replace(".", os.sep) + ".pyi")).is_file()
    done = subprocess.run(
        [sys.executable, "-c", f"import {module}"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("module", compiled_modules())
def test_signatures_of_compiled_functions_are_readable(module):
    namespace = vars(__import__(module, fromlist=["_"]))
    for name, value in namespace.items():
        if type(value).__name__ == "cython_function_or_method":
            assert isinstance(inspect.signature(value), inspect.Signature), f"{module}.{name}"


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_module_and_console_script_print_the_version():
    script = Path(sys.executable).parent / "truecase"
    commands = [[sys.executable, "-m", "truecase"], [str(script)]]
    if os.environ.get("TRUECASE_TEST_INSTALLED") != "1" and not script.exists():
        commands.pop()  # metadata of a checkout on PYTHONPATH, which installs no script
    for command in commands:
        done = run(*command, "--version")
        assert done.returncode == 0, done.stderr
        assert VERSION in done.stdout


def test_spacy_finds_the_component_and_the_tokenizer():
    points = importlib.metadata.distribution("truecase-crf").entry_points
    found = {(point.group, point.name): point.module for point in points}
    for group, name in (("spacy_factories", "truecase"), ("spacy_tokenizers", TOKENIZER)):
        assert importlib.util.find_spec(found[group, name]) is not None


def test_version_is_the_metadata_s():
    assert truecase.__version__ == VERSION


def test_no_text_tells_to_install_the_distribution_of_others():
    texts = [path for path in PACKAGE.rglob("*") if path.suffix in (".py", ".md", ".pyi")]
    texts += [path for path in (CHECKOUT / "README.md",) if path.exists()]
    wrong = re.compile(r"truecase\[|(?<!un)install '?truecase(?!-crf)")
    assert [str(path) for path in texts if wrong.search(path.read_text(encoding="utf-8"))] == []
