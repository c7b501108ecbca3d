"""Benchmarks, scripts and harnesses import what the package has; few of them run in the tests."""

import ast
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from truecase.errors import TruecaseError

ROOT = Path(__file__).parents[2]
FILES = [
    path for name in ("bench", "fuzz", "scripts", "tools") for path in ROOT.glob(f"{name}/**/*.py")
]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_what_is_imported_is_there(path):
    missing = []
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith("truecase"):
            continue
        if find_spec(node.module) is None:
            missing.append(node.module)
            continue
        try:
            module = import_module(node.module)
        except (ImportError, TruecaseError):  # of a library that is not installed
            continue
        for name in (one.name for one in node.names):
            if not hasattr(module, name) and find_spec(f"{node.module}.{name}") is None:
                missing.append(f"{node.module}.{name}")
    assert missing == []


@pytest.mark.parametrize(
    ("script", "arguments", "code", "message"),
    [
        ("fuzz/kept.py", [], 2, "usage: kept.py"),
        ("fuzz/replay.py", ["none", "no.bin"], 2, "invalid choice: 'none'"),
        (
            "scripts/name_lists.py",
            ["no", "out", "--english", "no"],
            2,
            "no: there is no LANG/*.txt",
        ),
        ("scripts/spoken_text.py", ["bitcoin", "no"], 2, "no: there is no such folder"),
        ("scripts/train_language.py", ["de", "no.txt", "-o", "out"], 1, "No such file"),
        ("tools/check_wheels.py", ["no.whl"], 1, "usage: check_wheels.py WHEEL"),
    ],
)
def test_what_is_missing_is_said_in_a_sentence(tmp_path, script, arguments, code, message):
    done = subprocess.run(
        [sys.executable, str(ROOT / script), *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert done.returncode == code and done.stdout == ""
    assert message in done.stderr and "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []
