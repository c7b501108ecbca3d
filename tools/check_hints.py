"""Fail on any performance hint or warning of Cython.

A hint names a function that takes the GIL again although the source does not say so (`void` without
`noexcept`, an exception check after each call). Such a function is ten times slower. Cython has no
switch that turns hints into errors, so this script reads the log.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
COMMAND = [sys.executable, "setup.py", "-q", "build_ext", "--cython-only", "--force"]
MARKS = ("performance hint:", "warning:", "Error")


def main() -> int:
    for command in (COMMAND, [*COMMAND, "--for-tests"]):
        done = subprocess.run(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        found = [line for line in done.stdout.splitlines() if line.startswith(MARKS)]
        if done.returncode or found:
            print(done.stdout if done.returncode else "\n".join(found))
            print(f"Cython: {len(found)} hints and warnings, exit code {done.returncode}")
            return 1
    print("Cython: no performance hints, no warnings")
    return 0


if __name__ == "__main__":
    sys.exit(main())
