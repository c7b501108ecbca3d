"""All ways into the package at once, for as long as is wanted, in two threads.

    python tests/faults/soak.py --seconds 3600

What each way makes is compared with what it made at first, alone. Resident memory is read all the
time; after a first part, in which each way has allocated what it keeps, it must not grow.
"""

import argparse
import hashlib
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

from resident import STRETCHES, resident, slope
from ways import Ways, training_text

MIB = 1 << 20

#: Share of the time after which what each way keeps is there.
WARM = 0.15

_BETWEEN_READINGS = 0.5
_BETWEEN_NOTES = 60.0


def small_model(folder: Path) -> Path:
    """A model of the preset crf-sparse, trained by another process, whose memory is not ours."""
    text, path = folder / "training.txt", folder / "small.truecase"
    text.write_text(training_text(300), encoding="utf-8")
    options = ["--preset", "crf-sparse", "--folds", "2", "--sparse-size", "20k", "-q"]
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
        self._threads = [threading.Thread(target=self._go, args=(seed,)) for seed in range(2)]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def end(self) -> None:
        self._is_ending.set()
        for thread in self._threads:
            thread.join()

    def _go(self, seed: int) -> None:
        draw = random.Random(seed)
        names = list(self._ways)
        while not self._is_ending.is_set():
            name = draw.choice(names)
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


def told(readings: list[tuple[float, float]], warm: float) -> str:
    """The slope of what was read after the first part."""
    after = [one for one in readings if one[0] >= warm]
    if len(after) < STRETCHES:
        return f"{readings[-1][1] / MIB:.1f} MiB"
    found = slope(after)
    verdict = "no growth" if found.is_zero else "it grows"
    return (
        f"{readings[-1][1] / MIB:.1f} MiB now, {min(m for _, m in after) / MIB:.1f} to "
        f"{max(m for _, m in after) / MIB:.1f} since {warm:.0f} s; "
        f"{found.each * 3600 / MIB:+.2f} ± {found.margin * 3600 / MIB:.2f} MiB an hour: {verdict}"
    )


def main() -> int:
    """Run, and print the table."""
    parser = argparse.ArgumentParser(description="All ways at once, for long.")
    parser.add_argument("--seconds", type=float, default=3600)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        soak = Soak(Ways(folder, small_model(folder)))
        readings = []
        start = time.monotonic()
        next_note = _BETWEEN_NOTES
        soak.start()
        try:
            while (now := time.monotonic() - start) < options.seconds:
                readings.append((now, float(resident())))
                if now >= next_note:
                    next_note += _BETWEEN_NOTES
                    n_done, n_wrong = soak.done.total(), soak.wrong.total()
                    print(
                        f"{now:6.0f} s  {n_done:,} times, {n_wrong} wrong; "
                        f"{told(readings, WARM * options.seconds)}",
                        flush=True,
                    )
                time.sleep(_BETWEEN_READINGS)
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
    print(told(readings, WARM * readings[-1][0]))
    after = [one for one in readings if one[0] >= WARM * readings[-1][0]]
    grows = len(after) >= STRETCHES and not slope(after).is_zero
    return int(bool(soak.wrong or left or grows))


if __name__ == "__main__":
    sys.exit(main())
