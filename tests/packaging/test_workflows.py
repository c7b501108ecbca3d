"""The workflows call make targets that exist, for the Pythons that are supported."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[2]
WORKFLOWS = [
    path
    for path in sorted((CHECKOUT / ".github" / "workflows").glob("*.yml"))
    if path.stem != "docs" or (CHECKOUT / "docs").is_dir()
]

pytestmark = pytest.mark.skipif(not WORKFLOWS, reason="the tests are not in a checkout")


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_every_make_target_exists(path):
    targets = set(
        re.findall(r"^([a-z][a-z-]*):", (CHECKOUT / "Makefile").read_text(encoding="utf-8"), re.M)
    )
    text = path.read_text(encoding="utf-8")
    matrix = re.search(r"build: \[(.+)\]", text)
    called = set(
        re.findall(r"\bmake (?:-k )?([a-z][a-z-]*)", text.replace("choco install make", ""))
    )
    called |= set(matrix[1].split(", ")) if matrix else set()
    assert called
    assert called <= targets


def test_workflow_tests_the_pythons_of_the_classifiers():
    project = (CHECKOUT / "pyproject.toml").read_text(encoding="utf-8")
    supported = re.findall(r'"Programming Language :: Python :: (3\.\d+)"', project)
    workflow = (CHECKOUT / ".github" / "workflows" / "tests.yml").read_text(encoding="utf-8")
    assert re.findall(r'"(3\.\d+)"', re.search(r"python: \[.+\]", workflow)[0]) == supported
    wheels = re.search(r"^build = .+$", project, re.M)[0]
    assert re.findall(r"cp3(\d+)-", wheels) == [version[2:] for version in supported]


def test_page_of_benchmarks_has_a_row_for_each(tmp_path):
    results = {
        "machine_info": {
            "cpu": {"brand_raw": "Some <CPU>"},
            "system": "Linux",
            "python_implementation": "CPython",
            "python_version": "3.13.0",
        },
        "datetime": "2026-01-02T03:04:05",
        "benchmarks": [
            {
                "group": "decode",
                "name": "test_trigram[wiki]",
                "extra_info": {"truecase": "1.2.3", "corpus": "wiki", "words_per_s": 1234567},
                "stats": {"min": 0.5},
            },
            {"group": None, "name": "test_b", "extra_info": {}, "stats": {"min": 0.5}},
        ],
    }
    path = tmp_path / "results.json"
    path.write_text(json.dumps(results), encoding="utf-8")
    script = CHECKOUT / "bench" / "page.py"
    done = subprocess.run([sys.executable, script, path], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "Benchmarks of truecase 1.2.3" in done.stdout
    assert "Some &lt;CPU&gt;" in done.stdout
    assert "<th>words/s" in done.stdout and ">1,234,567</td>" in done.stdout
    assert "<th>best, ms" in done.stdout and ">500.00</td>" in done.stdout
    assert done.stdout.count("<tr><td") == 2


def test_version_of_a_release_is_checked(tmp_path):
    script = CHECKOUT / "tools" / "check_version.py"
    done = subprocess.run([sys.executable, script, "99.0.1"], capture_output=True, text=True)
    assert done.returncode == 1
    assert "pyproject.toml" in done.stdout
    for name in ("tools", "truecase"):
        (tmp_path / name).mkdir(parents=True)
    copy = tmp_path / "tools" / "check_version.py"
    copy.write_text(script.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text('name = "x"\nversion = "99.0.1"\n')
    (tmp_path / "truecase" / "_installation.py").write_text('__version__ = "99.0.1"\n')
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## [99.0.1] - unreleased\n")
    done = subprocess.run([sys.executable, copy, "99.0.1"], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stdout.startswith("CHANGELOG.md")
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## [99.0.1] - 2026-01-31\n")
    done = subprocess.run([sys.executable, copy, "99.0.1"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
