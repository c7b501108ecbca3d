"""Pages that bench/ makes: of the releases, and of one run."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[2]
PAGE = CHECKOUT / "bench" / "page.py"

pytestmark = pytest.mark.skipif(not PAGE.exists(), reason="the tests are not in a checkout")


def page(*arguments):
    return subprocess.run(
        [sys.executable, str(PAGE), *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
    )


def run(speeds, machine="a chip"):
    """What pytest-benchmark writes of some benchmarks, by words a second."""
    return {
        "datetime": "2026-01-02T03:04:05",
        "machine_info": {
            "cpu": {"brand_raw": machine},
            "machine": "x86_64",
            "system": "Linux",
            "python_version": "3.12.1",
            "python_implementation": "CPython",
        },
        "benchmarks": [
            {
                "group": "decode",
                "name": f"{name}[a text-12345678]",
                "stats": {"min": 0.5, "median": 0.6, "max": 0.7, "rounds": 3, "mean": 0.6},
                "extra_info": {
                    "corpus": "a text-12345678",
                    "words": 1000,
                    "bytes": 6000,
                    "truecase": "9.9",
                    "words_per_s": speed,
                    **more,
                },
            }
            for name, speed, more in speeds
        ],
    }


def test_the_page_of_releases_is_up_to_date():
    done = page("--releases", CHECKOUT / "docs" / "experiments" / "releases.md", "--check")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_page_of_releases_that_is_not(tmp_path):
    before = (CHECKOUT / "docs" / "experiments" / "releases.md").read_text(encoding="utf-8")
    file = tmp_path / "releases.md"
    file.write_text(before.replace("2026-11-21", "2025-11-21", 1), encoding="utf-8")
    done = page("--releases", file, "--check")
    assert done.returncode == 1 and "make bench-history" in done.stdout
    assert page("--releases", file).returncode == 0
    assert file.read_text(encoding="utf-8") == before
    assert page("--releases", file, "--check").returncode == 0


def test_a_page_of_one_run(tmp_path):
    found = run(
        [
            ("test_model", 2_000_000, {"preset": "crf-sparse", "threads": 1}),
            (
                "test_sacremoses",
                250_000,
                {"peer": "sacremoses", "version": "0.2", "times_peer": 8.0},
            ),
            (
                "test_stages",
                2_000_000,
                {"decode_with": "model", "stages_ns": {"segmentation": 125.0, "search": 375.0}},
            ),
        ]
    )
    file = tmp_path / "run.json"
    file.write_text(json.dumps(found), encoding="utf-8")
    done = page(file)
    assert done.returncode == 0, done.stderr
    # 2 million words a second of 6 bytes; a quarter of the time is the first stage's.
    assert '<td class="number">2,000,000</td><td class="number">12.00</td>' in done.stdout
    assert "<td>sacremoses 0.2</td>" in done.stdout and "8.00</td>" in done.stdout
    assert '<td class="number">25 %</td><td class="number">75 %</td>' in done.stdout
    assert "a chip, Linux, CPython 3.12.1, 2026-01-02" in done.stdout


def test_what_is_kept_is_what_later_runs_are_compared_with(tmp_path):
    script = """
import json, sys
sys.path.insert(0, sys.argv[1])
import kept, summary
then, now = (json.loads(arg) for arg in sys.argv[2:4])
last = kept.Release("then.json", kept.kept(then, "one"))
assert last.name == "one" and "mean" not in last.run["benchmarks"][0]["stats"]
against = summary.AgainstKept(now, last)
print([(against.raw(b), against.evened_out(b)) for b in now["benchmarks"]], against.same_machine)
"""
    peer = {"peer": "sacremoses", "version": "0.2"}
    then = run([("test_model", 1_000_000, {}), ("test_sacremoses", 200_000, peer)])
    now = run([("test_model", 3_000_000, {}), ("test_sacremoses", 300_000, peer)], "another")
    arguments = [str(PAGE.parent), json.dumps(then), json.dumps(now)]
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=False
    )
    # The machine is 1.5 times as fast, the model 3 times.
    assert done.stdout == "[(3.0, 2.0), (1.5, 1.0)] False\n", done.stderr
