"""No model file, however broken, crashes or hangs the process: a clear error, or cased text.

What is damaged is in damage.py; worker.py loads it in a process of its own.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from small_model import training_text

HERE = Path(__file__).parent

# Text that hits known words, unknown words, mixed case, long words and long lines.
TEXT = (
    training_text(40, seed=5).lower()
    + "xyzzy iphone ebay mcleod o'brien u.s. don't 3dtv " * 40
    + "\n\n"
    + "a" * 3000
    + "\nşöße ﬁn ǆ ΟΔΟΣ i̇ 中文 😀 -LRB- `` ''\n"
)


@pytest.fixture(scope="module")
def results(model_file, tmp_path_factory):
    """Outcomes of one kind of damage, by label, without and with the checksum."""

    def run(kind):
        folder = tmp_path_factory.mktemp(kind)
        text = folder / "text.txt"
        # each word costs 64 candidates there
        text.write_text(TEXT[:600] if kind == "endless" else TEXT, encoding="utf-8")
        done = subprocess.run(
            [sys.executable, HERE / "worker.py", kind, model_file, text, folder],
            capture_output=True,
            text=True,
            check=False,
            timeout=300,  # a setting in a file must not make a look-up run for ever
            cwd=folder,
        )
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        last = lines[-1] if lines else "before the first case"
        assert done.returncode == 0, f"died with {done.returncode} at {last}: {done.stderr[-2000:]}"
        ended = [line for line in lines if "outcome" in line]
        assert ended
        return ended[0::2], ended[1::2]

    return run


def bad(outcomes):
    return [o for o in outcomes if o["outcome"].startswith("wrong")]


def refused(outcomes):
    return all(o["outcome"].startswith("refused") for o in outcomes)


@pytest.mark.parametrize("kind", ["truncated", "random_bytes"])
def test_is_always_refused(results, kind):
    plain, verified = results(kind)
    assert [o for o in plain + verified if not o["outcome"].startswith("refused")] == []


@pytest.mark.parametrize(
    "kind", ["flipped_header", "header_length", "settings", "arrays", "endless"]
)
def test_is_refused_or_harmless(results, kind):
    plain, verified = results(kind)
    assert bad(plain + verified) == []
    assert any(o["outcome"].startswith("refused") for o in plain)


def test_changed_data_is_harmless_and_the_checksum_notices(results):
    plain, verified = results("flipped_data")
    assert bad(plain) == []
    assert refused(verified)
