"""Every command writes the bytes that it wrote before."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent.parent


@pytest.mark.slow
def test_commands_write_the_same_bytes():
    done = subprocess.run(
        [sys.executable, TESTS / "golden_commands.py"], capture_output=True, check=True, timeout=600
    )
    expected = json.loads((TESTS / "golden" / "commands.json").read_text(encoding="utf-8"))
    assert json.loads(done.stdout) == expected
