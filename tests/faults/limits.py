"""Commands that get too little: of a file's length, of the disk, of memory.

    python tests/faults/limits.py [--only train count …] [--what length disk memory] [--steps N]

Each command is to replace a file: with RLIMIT_FSIZE, on a file system that is nearly full (which
root alone can make), with temporary files on such a one, and with RLIMIT_AS, at `--steps` sizes
each. It has to write the new file and end with 0, or leave the old one as it was, say why in one
line, and end with 1; and nothing may stay behind. Prints a row for each command, and what was not
as it should be. What ended in a library, by a crash or because it went on for ever, or before the
package was reached, is counted in columns of its own.
"""

import argparse
import contextlib
import re
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from jobs import OLD, SECONDS, Desk, Job, Run, chosen, jobs_in
from tally import Tally

WHAT = ("length", "disk", "temporary", "memory")
KINDS_OF_END = ("library", "python", "ours")
MIB = 1 << 20
_BLOCK = 4096
_ERRORS = ("OSError: ", "MemoryError", "ImportError: ", "truecase.errors.", "OpenBLAS error: ")


def wrongs(run: Run, new: bytes, is_program: bool = False) -> list[str]:
    """What is not as it should be when something was lacking; a program shows the error itself."""
    found = []
    if run.output not in (OLD, new):
        found.append(
            "the file is gone" if run.output is None else "the file is neither old nor new"
        )
    if run.is_stuck:
        found.append("it does not end")
    if run.code not in (0, 1):
        found.append(f"exit code {run.code}")
    if run.code == 0 and run.output != new:
        found.append("exit code 0, and the file is old")
    if is_program:
        # Errors of libraries have several lines.
        if run.code == 1 and not any(one.startswith(_ERRORS) for one in run.said.splitlines()):
            found.append("another error")
    elif "Traceback" in run.said or "Exception ignored" in run.said:
        found.append("a traceback")
    elif run.code == 1:
        # Above it may stand what the command has found out, or a warning of a library.
        last = run.said.splitlines()[-1:]
        if not last or not last[0].startswith(("truecase: ", "OpenBLAS error: ")):
            found.append("no message")
    if run.left:
        found.append(f"left behind: {', '.join(run.left)}")
    return found


def limited(which: int, size: int) -> Callable[[], None]:
    """What a process does before it becomes a command that is limited."""

    def limit() -> None:
        resource.setrlimit(which, (size, size))

    return limit


@contextlib.contextmanager
def small_disk(folder: Path, size: int) -> Iterator[None]:
    """A file system of a few blocks in the place of a folder.

    Raises
    ------
    PermissionError
        Not root.
    """
    options = f"size={max(size, 2 * _BLOCK)}"
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], capture_output=True, check=False
    )
    if done.returncode:
        raise PermissionError(done.stderr.decode().strip())
    try:
        yield
    finally:
        subprocess.run(["umount", folder], check=True)


class Limits:
    """Commands at a desk, and what they write when they get all that they want."""

    def __init__(self, desk: Desk, steps: int, seconds: float = SECONDS) -> None:
        self._desk = desk
        self._steps = steps
        self._seconds = seconds
        self.tally = Tally()

    def go(self, job: Job, what: str) -> None:
        """One command, all sizes."""
        self._desk.clear()
        run = self._desk.run(job)
        assert run.code == 0 and run.output is not None, run
        for size in self._sizes(what, len(run.output)):
            self._once(job, what, size, run.output)

    def _sizes(self, what: str, n_bytes: int) -> list[int]:
        if what == "memory":
            # Of address space, most of it is never touched: libraries alone are some 100 MiB.
            return [16 * MIB + step * 480 * MIB // self._steps for step in range(self._steps)]
        if what == "temporary":
            return [_BLOCK * (1 << step) for step in range(min(self._steps, 9))]
        few = [0, 1, n_bytes // 2, n_bytes - 1, n_bytes]
        return few + [n_bytes * step // self._steps for step in range(1, self._steps)]

    def _once(self, job: Job, what: str, size: int, new: bytes) -> None:
        desk = self._desk
        desk.clear()
        if what == "disk":
            with small_disk(desk.here, size + 2 * _BLOCK):
                desk.lay(job)
                run = desk.run(job)
        elif what == "temporary":
            with small_disk(desk.temporary, size):
                desk.lay(job)
                run = desk.run(job)
        else:
            which = resource.RLIMIT_AS if what == "memory" else resource.RLIMIT_FSIZE
            desk.lay(job)
            run = desk.run(job, self._seconds, preexec_fn=limited(which, size))
        if run.is_stuck:
            self.tally.ends[job.name, "stuck"] += 1
        if what == "memory" and (kind := kind_of_end(run)) != "ours":
            self.tally.ends[job.name, kind] += 1
            return
        self.tally.ends[job.name, what] += 1
        self.tally.ends[job.name, "new" if run.output == new else "old"] += 1
        found = wrongs(run, new, job.is_program)
        self.tally.note(job, what, f"{what} {size}", found, run)


def kind_of_end(run: Run) -> str:
    """Who is to answer for how a command ended that had too little memory.

    Returns
    -------
    str
        One of `KINDS_OF_END`: "library" if it crashed or went on for ever in a function of another
        package, "python" if the interpreter could not even start, else "ours".
    """
    if not run.code:
        return "ours"
    if run.code < 0:
        frames = _INNERMOST.findall(run.said)
        if not frames:
            return "python"
        return "ours" if "truecase" in Path(frames[-1]).parts else "library"
    return "ours" if "truecase" in run.said else "python"


# The threads of a process follow each other, and the one that had the signal is named "Current".
# Between its first line and a file there may be functions of the import system.
_INNERMOST = re.compile(
    r"^Current thread .*\n(?:  File \"<frozen .*\n)*  File \"(.*)\", line ", re.MULTILINE
)


def main() -> int:
    """Run all, and print the table."""
    parser = argparse.ArgumentParser(description="Commands that get too little.")
    parser.add_argument("--only", nargs="+", default=[], metavar="COMMAND")
    parser.add_argument("--what", nargs="+", choices=WHAT, default=WHAT)
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("--lines", type=int, default=3000)
    parser.add_argument(
        "--seconds", type=float, default=SECONDS, help="after which a command is ended"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        jobs = chosen(jobs_in(Path(name) / "materials", options.lines), options.only)
        limits = Limits(Desk(Path(name) / "desk"), options.steps, options.seconds)
        for what in options.what:
            try:
                for job in jobs:
                    limits.go(job, what)
            except PermissionError as error:
                print(f"{what}: not tried, {error}")
    columns = (*options.what, "old", "new", "stuck", "library", "python")
    limits.tally.print_table(jobs, columns)
    return int(bool(limits.tally.troubles))


if __name__ == "__main__":
    sys.exit(main())
