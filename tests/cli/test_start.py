"""What is imported on the way from the start of the command to a line of cased text."""

import subprocess
import sys
import textwrap

import pytest

from truecase.cli.commands import COMMANDS

# Each takes as long as to load the model, or longer, and serves something else.
NOT_NEEDED = (
    "bz2",
    "charset_normalizer",
    "concurrent.futures",
    "dataclasses",
    "hashlib",
    "inspect",
    "logging",
    "lzma",
    "numpy",
    "queue",
    "safetensors",
    "shutil",
    "threading",
    "tqdm",
)

# What the environment and a parser of the standard library import is none of ours.
IMPORTED = """
    import argparse, sys
    argparse.ArgumentParser(
        formatter_class=lambda prog, **options: argparse.HelpFormatter(prog, width=80, **options)
    ).add_argument("--option")
    before = set(sys.modules)
    {code}
    sys.stderr.write("\\n".join(set(sys.modules) - before))
"""


def imported(code, text=b""):
    """Output of some code, and the modules that it imports."""
    script = textwrap.dedent(IMPORTED).replace("{code}", code)
    done = subprocess.run(
        [sys.executable, "-c", script], input=text, capture_output=True, timeout=120, check=True
    )
    return done.stdout, set(done.stderr.decode().splitlines())


@pytest.mark.parametrize(
    "arguments",
    [[], ["-m", "fr-en"], ["--decode-with", "ngram"], ["--decode-with", "unigram"]],
    ids=" ".join,
)
def test_a_line_needs_little(arguments):
    code = f"from truecase.cli import main; main({arguments!r})"
    out, modules = imported(code, b"she moved to new york .\n")
    assert out.startswith(b"She moved to ") and out.lower() == b"she moved to new york .\n"
    assert "truecase._core" in modules
    assert not modules.intersection(NOT_NEEDED)
    others = {f"truecase.cli.{name}" for name in COMMANDS if name != "apply"}
    assert not modules & others


def test_the_function_needs_little():
    code = "import truecase; sys.stdout.write(truecase.truecase('she moved to new york .'))"
    out, modules = imported(code)
    assert out == b"She moved to New York ."
    assert not modules.intersection(NOT_NEEDED)


def test_the_package_by_itself_needs_nothing():
    _, modules = imported("import truecase; truecase.__version__")
    assert {name for name in modules if name.startswith("truecase")} == {
        "truecase",
        "truecase._installation",
    }
    assert not modules.intersection(("typing", *NOT_NEEDED))


@pytest.mark.parametrize("arguments", [["--version"], ["--help"]])
def test_what_needs_no_model_has_none(arguments):
    _, modules = imported(f"from truecase.cli import main; main({arguments!r})")
    assert "truecase._core" not in modules
    # argparse asks shutil how wide the terminal is.
    assert not modules.intersection({*NOT_NEEDED} - {"bz2", "lzma", "shutil"})


def test_marks_need_no_more():
    code = "from truecase.cli import main; main(['punctuate'])"
    out, modules = imported(code, b"she moved to new york and he stayed\n")
    assert out.startswith(b"She moved to New York")
    assert "truecase.kernels._punctuation_stream" in modules
    # One thread at a time: a stream has a lock of threading's.
    assert modules.intersection(NOT_NEEDED) <= {"threading"}
