"""Start of the command and of the library: whole processes, from their start to their exit.

The time is the processors', user and system, of all threads: what spins beside the work counts. The
floor is the interpreter itself, in the same environment.
"""

import os
import shutil
import sys

import pytest
from processes import run

ONE_LINE = b"hello from new york\n"
PYTHON = [sys.executable, "-c"]
LOAD = "import truecase; truecase.Truecaser.load()"
CALL = "import truecase; truecase.truecase('hello from new york')"
FLOOR = "python -c pass"

STARTS = {
    FLOOR: [*PYTHON, "pass"],
    "import truecase": [*PYTHON, "import truecase"],
    "Truecaser.load": [*PYTHON, LOAD],
    "truecase.truecase": [*PYTHON, CALL],
    "truecase --version": ["truecase", "--version"],
    "truecase --help": ["truecase", "--help"],
    "truecase, one line": ["truecase"],
    "truecase -m fr-en, one line": ["truecase", "-m", "fr-en"],
    "truecase --decode-with ngram, one line": ["truecase", "--decode-with", "ngram"],
}
TARGETS_MS = {"truecase, one line": 60}


@pytest.mark.skipif(not hasattr(os, "wait4"), reason="the system does not tell what a child took")
@pytest.mark.benchmark(group="start to exit")
@pytest.mark.parametrize("what", STARTS)
def test_start_to_exit(benchmark, report_ms, tmp_path, what):
    first, *others = STARTS[what]
    # The command of this environment, whatever comes first on PATH.
    folder = os.path.dirname(sys.executable)
    program = shutil.which(first, path=folder) if first == "truecase" else first
    if program is None:
        pytest.skip(f"there is no command truecase in {folder}")
    seconds = []
    benchmark.pedantic(
        lambda: seconds.append(run([program, *others], given=ONE_LINE, folder=tmp_path).cpu),
        rounds=20,
        warmup_rounds=2,
    )
    report_ms(f"{what}, CPU of a process", seconds, TARGETS_MS.get(what))
