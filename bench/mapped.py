"""Compare mapping and reading a model's file: the time of loading, the memory of several processes.

    python bench/mapped.py [MODEL...] [--processes N] [--lines TEXT]

Each process loads the model, cases the text and waits, so that all have the model at the same time.
*all* is the sum of their memory (Pss: if N processes share a page, each counts an Nth of it), which
only Linux reports. Loading is CPU time, with the file in the page cache.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from script import run_script

WORKER = """
import sys, time
from truecase import Truecaser
path, copy, text = sys.argv[1] or None, sys.argv[2] == "read", sys.argv[3]
Truecaser.load(path, copy=copy)  # imports
times = []
for _ in range(9):
    start = time.process_time()
    model = Truecaser.load(path, copy=copy)
    times.append(time.process_time() - start)
if text:
    model.case_block(open(text, "rb").read())
print(min(times), flush=True)
sys.stdin.read()
"""


def memory(process: int) -> tuple[float, float]:
    """MiB of a process that are in memory, and its share of those."""
    with open(f"/proc/{process}/smaps_rollup", encoding="ascii") as file:
        kib = {line.split(":")[0]: line.split()[1] for line in file.readlines()[1:]}
    return int(kib["Rss"]) / 1024, int(kib["Pss"]) / 1024


def measure(path: str, way: str, text: str, n_processes: int) -> tuple[float, float, float]:
    """Milliseconds of loading; MiB of one process, and of all."""
    command = [sys.executable, "-c", WORKER, path and os.path.abspath(path), way, text]
    workers = []
    try:
        for _ in range(n_processes):
            workers.append(
                subprocess.Popen(
                    command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    cwd=tempfile.gettempdir(),
                )
            )
        seconds = []
        for worker in workers:
            assert worker.stdout is not None
            seconds.append(float(worker.stdout.readline()))
        taken = [memory(worker.pid) for worker in workers]
    finally:
        for worker in workers:
            worker.communicate()
    resident, shares = zip(*taken, strict=True)
    return 1000 * min(seconds), max(resident), sum(shares)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Mapped and read model files.")
    parser.add_argument("model", nargs="*", default=[""], help="files; default: the embedded one")
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 4])
    parser.add_argument("--lines", type=Path, help="a text to case, which reads much of the model")
    options = parser.parse_args()
    text = "" if options.lines is None else str(options.lines.resolve())
    for file in filter(None, [*options.model, text]):
        open(file, "rb").close()
    print(f"{'model':24} {'way':6} {'processes':>9} {'load, ms':>9} {'RSS of one':>11} {'all':>8}")
    for model in options.model:
        for n_processes in options.processes:
            for way in ("mapped", "read"):
                cost, resident, everything = measure(model, way, text, n_processes)
                name = Path(model).name if model else "embedded"
                print(
                    f"{name:24} {way:6} {n_processes:9} {cost:9.2f} {resident:11.1f} "
                    f"{everything:8.1f}",
                    flush=True,
                )


if __name__ == "__main__":
    run_script(main)
