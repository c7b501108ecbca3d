"""All ways into the package at once, for as long as is wanted, in two threads.

    python tests/faults/soak.py --seconds 3600

What each way makes is compared with what it made at first, alone. Every now and then both threads
rest, and memory is read: what is resident, what the allocators of C and of Python have given out.
After a first part, in which each way has allocated what it keeps, none of it must grow.
"""

import argparse
import gc
import hashlib
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from array import array
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from resident import STRETCHES, in_use, python_blocks, resident, slope
from truecase_testing import kept_bytes
from ways import Ways, training_text

from truecase._core import CompiledModel

MIB = 1 << 20

#: Share of the time after which what each way keeps is there.
WARM = 0.15

_BETWEEN_READINGS = 5.0
_BETWEEN_NOTES = 60.0


def small_model(folder: Path) -> Path:
    """A model of the preset crf-neural, trained by another process, whose memory is not ours."""
    text, path = folder / "training.txt", folder / "small.truecase"
    text.write_text(training_text(300), encoding="utf-8")
    options = ["--preset", "crf-neural", "--folds", "2", "--epochs", "1", "-q"]
    command = [sys.executable, "-W", "ignore", "-m", "truecase", "train", str(text), *options]
    subprocess.run([*command, "-o", str(path)], check=True, stderr=subprocess.DEVNULL)
    return path


class Soak:
    """Threads that go random ways until they are told to end."""

    def __init__(self, ways: Ways) -> None:
        self._ways = ways.by_name()
        self._expected = {name: _digest(way()) for name, way in self._ways.items()}
        self.done: Counter[str] = Counter()
        self.wrong: Counter[str] = Counter()
        self.errors: list[str] = []
        self._lock = threading.Lock()
        self._is_ending = threading.Event()
        self._may_go = threading.Event()
        self._may_go.set()
        # Each is held while its thread goes a way.
        self._ways_held = [threading.Lock() for _ in range(2)]
        self._threads = [
            threading.Thread(target=self._go, args=(seed, held))
            for seed, held in enumerate(self._ways_held)
        ]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def end(self) -> None:
        self._is_ending.set()
        for thread in self._threads:
            thread.join()

    @contextmanager
    def at_rest(self) -> Iterator[None]:
        """Let the threads end the ways they are on, and rest."""
        self._may_go.clear()
        try:
            with ExitStack() as stack:
                for held in self._ways_held:
                    stack.enter_context(held)
                yield
        finally:
            self._may_go.set()

    def _go(self, seed: int, held: threading.Lock) -> None:
        draw = random.Random(seed)
        names = list(self._ways)
        while not self._is_ending.is_set():
            self._may_go.wait()
            with held:
                self._go_one(draw.choice(names))

    def _go_one(self, name: str) -> None:
        try:
            is_right = _digest(self._ways[name]()) == self._expected[name]
        except BaseException as error:
            is_right = False
            with self._lock:
                self.errors.append(f"{name}: {type(error).__name__}: {error}")
        with self._lock:
            self.done[name] += 1
            if not is_right:
                self.wrong[name] += 1


def _digest(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def told(name: str, unit: float, readings: list[tuple[float, float]]) -> tuple[str, bool]:
    """What was read of something since the first part, and whether it grows."""
    first, now = readings[0][0], readings[-1][1] / unit
    values = [value / unit for _, value in readings]
    if len(readings) < STRETCHES:
        return f"{name} {now:,.1f}", False
    found = slope(readings)
    each, margin = (3600 * part / unit for part in (found.each, found.margin))
    verdict = "no growth" if found.is_zero else "it grows"
    return (
        f"{name} {now:,.1f}, {min(values):,.1f} to {max(values):,.1f} since {first:.0f} s; "
        f"{each:+,.2f} ± {margin:,.2f} an hour: {verdict}"
    ), not found.is_zero


class Readings:
    """What memory there was, by seconds."""

    def __init__(self) -> None:
        # No objects of Python, which would be counted.
        self._seconds = array("d")
        self._values = {name: array("d") for name in _MEASURES}

    def read(self, seconds: float) -> None:
        gc.collect()
        self._seconds.append(seconds)
        for name, (measure, _) in _MEASURES.items():
            self._values[name].append(float(measure()))

    def told(self, warm: float) -> tuple[list[str], bool]:
        """A line on each measure, of what was read after the first part; whether some grow."""
        lines, grows = [], False
        for name, (_, unit) in _MEASURES.items():
            both = list(zip(self._seconds, self._values[name], strict=True))
            line, this_grows = told(name, unit, [one for one in both if one[0] >= warm] or both)
            lines.append(line)
            grows |= this_grows
        return lines, grows


def _kept() -> int:
    """Bytes that models keep for the next blocks: at most 8 MiB for each thread at work at once."""
    return sum(kept_bytes(one) for one in gc.get_objects() if isinstance(one, CompiledModel))


def _used() -> int:
    """Bytes that are in use for something else."""
    return in_use() - _kept()


_MEASURES: dict[str, tuple[Callable[[], int], float]] = {
    "MiB resident": (resident, MIB),
    "MiB kept for the next blocks": (_kept, MIB),
    "MiB in use besides": (_used, MIB),
    "thousand blocks of Python": (python_blocks, 1000.0),
}


def main() -> int:
    """Run, and print the table."""
    parser = argparse.ArgumentParser(description="All ways at once, for long.")
    parser.add_argument("--seconds", type=float, default=3600)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        soak = Soak(Ways(folder, small_model(folder)))
        readings = Readings()
        start = time.monotonic()
        now, next_note = 0.0, _BETWEEN_NOTES
        soak.start()
        try:
            while now < options.seconds:
                time.sleep(min(_BETWEEN_READINGS, options.seconds / 100))
                with soak.at_rest():
                    now = time.monotonic() - start
                    readings.read(now)
                if now >= next_note:
                    next_note += _BETWEEN_NOTES
                    n_done, n_wrong = soak.done.total(), soak.wrong.total()
                    lines, _ = readings.told(WARM * options.seconds)
                    print(f"{now:6.0f} s  {n_done:,} times, {n_wrong} wrong", *lines, sep="; ")
                    sys.stdout.flush()
        except KeyboardInterrupt:
            pass
        finally:
            soak.end()
        left = sorted(one for one in os.listdir(folder) if one.endswith(".part"))
    print(f"\n{'way':28} {'times':>9} {'wrong':>6}")
    for way, times in sorted(soak.done.items()):
        print(f"{way:28} {times:9,} {soak.wrong[way]:6}")
    print(f"{'all':28} {soak.done.total():9,} {soak.wrong.total():6}")
    for error in soak.errors[:20]:
        print(error)
    print("temporary files left:", ", ".join(left) or "none")
    lines, grows = readings.told(WARM * now)
    print(*lines, sep="\n")
    return int(bool(soak.wrong or left or grows))


if __name__ == "__main__":
    sys.exit(main())
