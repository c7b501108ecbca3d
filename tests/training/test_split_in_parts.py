"""The script that cuts a corpus in parts: every line in one part, and in the rest of the others."""

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "scripts" / "split_in_parts.py"


def run(*arguments):
    command = [sys.executable, str(SCRIPT), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_parts_and_the_rest_are_the_text(tmp_path):
    lines = [f"Line {number} of the text is in Oslo.\n" for number in range(20_000)]
    text = tmp_path / "text.txt"
    text.write_text("".join(lines), encoding="utf-8")
    assert run(3, tmp_path / "out", text).returncode == 0
    seen = []
    for number in range(3):
        part = (tmp_path / "out" / f"part-{number}" / "text.txt").read_text("utf-8")
        rest = (tmp_path / "out" / f"without-{number}" / "text.txt").read_text("utf-8")
        part, rest = part.splitlines(keepends=True), rest.splitlines(keepends=True)
        assert sorted(part + rest) == sorted(lines)
        assert len(part) > 3000
        seen += part
    assert sorted(seen) == sorted(lines)
    # Neighbours stay together.
    assert lines.index(part[1]) == lines.index(part[0]) + 1


def test_wrong_use_is_told(tmp_path):
    done = run(1, tmp_path, tmp_path / "none.txt")
    assert done.returncode == 1
    assert "usage" in done.stderr
