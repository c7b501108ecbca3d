"""Benchmarks, scripts and harnesses import what the package has; few of them run in the tests."""

import ast
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
