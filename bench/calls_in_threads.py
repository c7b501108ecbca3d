"""Measure calls for single lines in Python threads that share one truecaser: lines/s, CPU per line.

    python bench/calls_in_threads.py TEXT [--model MODEL] [--threads 1 2 4] [--rounds N]

On a free-threaded Python, `PYTHON_GIL=1` gives the figures of the same build with a GIL. In each
round, every number of threads cases the same lines, shared among them; a figure is the best of all
rounds. The CPU time shows what threads cost each other even if the processors do other work.
"""

import argparse
import sys
import threading
import time
from pathlib import Path

from script import run_script

from truecase import Truecaser


def call(model: Truecaser, rows: list[str], start: threading.Barrier) -> None:
    start.wait()
    for row in rows:
        model(row)


def measured(model: Truecaser, rows: list[str], n: int) -> tuple[float, float]:
    """Seconds by the clock, and of CPU, from when all threads are there."""
    began: list[float] = []
    clocks = time.perf_counter, time.process_time
    start = threading.Barrier(n + 1, lambda: began.extend(clock() for clock in clocks))
    threads = [threading.Thread(target=call, args=(model, rows[i::n], start)) for i in range(n)]
    for thread in threads:
        thread.start()
    start.wait()
    for thread in threads:
        thread.join()
    clock, cpu = (clock() - before for clock, before in zip(clocks, began, strict=True))
    return clock, cpu


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("text", type=Path, metavar="TEXT", help="lines in UTF-8")
    parser.add_argument("--model", help="path or name of a model, instead of the embedded one")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    model = Truecaser.load(given.model)
    rows = given.text.read_text("utf-8").lower().splitlines()
    if not rows or given.rounds < 1:
        parser.error("expected a TEXT with lines, and a round")
    best = {n: (float("inf"), float("inf")) for n in given.threads}
    for _ in range(given.rounds):
        for n in given.threads:
            clock, cpu = measured(model, rows, n)
            best[n] = min(best[n][0], clock), min(best[n][1], cpu)
    has_gil = getattr(sys, "_is_gil_enabled", lambda: True)()
    print(f"Python {sys.version.split()[0]}, {'with' if has_gil else 'without'} a GIL")
    print(f"{'threads':>7} {'lines/s':>10} {'times':>6} {'CPU us/line':>12}")
    alone = best[given.threads[0]][0]
    for n, (clock, cpu) in best.items():
        speed = len(rows) / clock
        print(f"{n:7} {speed:10,.0f} {alone / clock:6.2f} {1e6 * cpu / len(rows):12.2f}")


if __name__ == "__main__":
    run_script(main)
