"""What a process takes of the machine, from its start to its exit."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

# In a process of its own: a child's peak begins with the memory of its parent.
MEASURE = """
import os, subprocess, sys
_, status, usage = os.wait4(subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL).pid, 0)
print(usage.ru_maxrss)
sys.exit(os.waitstatus_to_exitcode(status))
"""
# kilobytes on Linux, bytes on macOS
PEAKS_OF_MIB = 1 << 20 if sys.platform == "darwin" else 1 << 10


@dataclass(frozen=True)
class Cost:
    """Of one process.

    Attributes
    ----------
    seconds : float
        By the clock.
    cpu : float
        Seconds of the processors, user and system, of all threads; by the clock where the system
        does not tell.
    peak_mib : float
        Peak resident set, no less than that of this process when it began; 0 where the system does
        not tell.
    """

    seconds: float
    cpu: float
    peak_mib: float


class ProcessFailedError(OSError):
    """A process did not end with 0; the message has its command and its last line."""


def run(
    command: Sequence[str], *, given: bytes | Path = b"", folder: Path | str | None = None
) -> Cost:
    """Run a command to its end; what it writes is dropped.

    Parameters
    ----------
    command : sequence of str
    given : bytes or Path
        Standard input: a few bytes, or a file.
    folder : path-like, optional
        To start in.

    Raises
    ------
    ProcessFailedError
    """
    stdin = given.open("rb") if isinstance(given, Path) else subprocess.PIPE
    start = time.perf_counter()
    with (
        tempfile.TemporaryFile() as said,
        subprocess.Popen(
            command, cwd=folder, stdin=stdin, stdout=subprocess.DEVNULL, stderr=said
        ) as process,
    ):
        if isinstance(given, Path):
            stdin.close()
        else:
            process.stdin.write(given)
            process.stdin.close()
        if hasattr(os, "wait4"):
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            cpu, peak = usage.ru_utime + usage.ru_stime, usage.ru_maxrss / PEAKS_OF_MIB
        else:
            process.wait()
            cpu, peak = time.perf_counter() - start, 0.0
        seconds = time.perf_counter() - start
        if process.returncode:
            said.seek(0)
            why = said.read().decode("utf-8", "replace").strip().splitlines()[-1:]
            raise ProcessFailedError(
                f"{' '.join(command)} ended with {process.returncode}: {' '.join(why)}"
            )
    return Cost(seconds, cpu, peak)


def peak_mib(command: Sequence[str], folder: Path | str | None = None) -> float:
    """Run a command to its end; its peak resident set in MiB.

    Raises
    ------
    ProcessFailedError
    """
    measured = subprocess.run(
        [sys.executable, "-I", "-S", "-c", MEASURE, *command], cwd=folder, stdout=subprocess.PIPE
    )
    if measured.returncode:
        raise ProcessFailedError(f"{' '.join(command[:4])} ended with {measured.returncode}")
    return int(measured.stdout) / PEAKS_OF_MIB
