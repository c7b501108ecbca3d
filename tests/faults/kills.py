"""Commands are ended at random moments: the old file or the new one, never half of it.

    python tests/faults/kills.py --kills 1000 [--only train count …] [--seed N]

Each time, a command is to replace a file, and gets Ctrl-C or another of `SIGNALS` at a moment
between its start and its usual end. Looked at are the file, what stands beside it and in the folder
of temporary files, the exit code, and standard error. What SIGKILL leaves, the next run, which is
not disturbed, has to clear away. Prints a row for each command: signals; whether the file is old or
new afterwards; how often a temporary file was left; how often it was Python itself, before any line
of the package ran, that showed a traceback after Ctrl-C. Then, what was not as it should be.
"""

import argparse
import random
import re
import signal
import sys
import tempfile
import time
from pathlib import Path

from jobs import OLD, Desk, Job, Run, chosen, jobs_in
from tally import Tally

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL)

# A command may be ended before Python has begun to listen, and while it ends by itself.
CODES = {
    signal.SIGINT: (0, 130, -signal.SIGINT),
    signal.SIGTERM: (0, 143, -signal.SIGTERM),
    signal.SIGHUP: (0, 129, -signal.SIGHUP),
    signal.SIGKILL: (0, -signal.SIGKILL),
}


def wrongs(job: Job, run: Run, new: bytes, number: int) -> list[str]:
    """What is not as it should be after a signal."""
    found = []
    if run.output is None:
        found.append("the file is gone")
    elif run.output not in (OLD, new):
        found.append(f"the file is neither old nor new, {len(run.output)} bytes")
    if is_before_the_package(run):
        return found
    # Ctrl-C in a program of somebody's is his, or Python's own.
    if run.code not in CODES[signal.Signals(number)] and not job.is_program:
        found.append(f"exit code {run.code}")
    if run.code == 0 and run.output != new:
        found.append("exit code 0, and the file is old")
    if not job.is_program and ("Traceback" in run.said or "Exception ignored" in run.said):
        found.append("a traceback")
    if run.left and run.code in (0, 129, 130, 143):
        found.append(f"left behind: {', '.join(run.left)}")
    return found


def is_before_the_package(run: Run) -> bool:
    """Whether Ctrl-C came while the interpreter was starting: it has a traceback of its own then.

    No line of the package has run, so that nothing in it could prevent that.
    """
    return "KeyboardInterrupt" in run.said and not re.search(r'File ".*truecase/', run.said)


class Kills:
    """Commands at a desk, with what they usually write and how long they take."""

    def __init__(self, jobs: list[Job], desk: Desk, draw: random.Random) -> None:
        self._desk = desk
        self._draw = draw
        self._new: dict[str, bytes] = {}
        self._seconds: dict[str, float] = {}
        self.tally = Tally()
        for job in jobs:
            desk.clear()
            start = time.monotonic()
            run = desk.run(job)
            self._seconds[job.name] = time.monotonic() - start
            if run.code or run.output is None or run.left:
                raise SystemExit(f"{job.name}: fails undisturbed, {run}")
            self._new[job.name] = run.output

    def kill(self, job: Job) -> None:
        """Once, at some moment, by some signal."""
        desk, number = self._desk, self._draw.choice(SIGNALS)
        desk.clear()
        desk.lay(job)
        process = desk.start(job, preexec_fn=listen)
        time.sleep(self._draw.random() * 1.1 * self._seconds[job.name])
        process.send_signal(number)
        run = desk.ended(job, process)
        name = signal.Signals(number).name
        is_new = "new" if run.output == self._new[job.name] else "old"
        self.tally.ends[job.name, is_new] += 1
        self.tally.ends[job.name, name] += 1
        found = wrongs(job, run, self._new[job.name], number)
        self.tally.note(job, name, name, found, run)
        if is_before_the_package(run):
            self.tally.ends[job.name, "python"] += 1
        if run.left:
            self.tally.ends[job.name, "left"] += 1
            self._next_run(job, run, name)

    def _next_run(self, job: Job, before: Run, name: str) -> None:
        run = self._desk.run(job)
        trouble = [f"not cleared away: {', '.join(run.left)}"] if run.left else []
        if run.code or run.output != self._new[job.name]:
            trouble.append(f"the next run fails, exit code {run.code}")
        self.tally.note(job, name, name, trouble, run)


def listen() -> None:
    """A shell in the background, or `nohup`, has told its children to ignore some."""
    for number in SIGNALS[:-1]:
        signal.signal(number, signal.SIG_DFL)


def main() -> int:
    """Kill, and print the table."""
    parser = argparse.ArgumentParser(description="Commands ended at random moments.")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--only", nargs="+", default=[], metavar="COMMAND")
    parser.add_argument("--lines", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    draw = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as name:
        jobs = chosen(jobs_in(Path(name) / "materials", options.lines), options.only)
        kills = Kills(jobs, Desk(Path(name) / "desk"), draw)
        for number in range(options.kills):
            kills.kill(jobs[number % len(jobs)])
            if (number + 1) % 100 == 0:
                print(f"{number + 1} kills, {kills.tally.troubles.total()} troubles", flush=True)
    columns = ("SIGINT", "SIGTERM", "SIGHUP", "SIGKILL", "old", "new", "left", "python")
    kills.tally.print_table(jobs, columns)
    return int(bool(kills.tally.troubles))


if __name__ == "__main__":
    sys.exit(main())
