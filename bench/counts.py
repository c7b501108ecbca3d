"""Training by counts that merge against training in one run: CPU seconds, words/s, peak memory.

    python bench/counts.py TEXT... [--parts N] [--memory SIZE] [--shares S...] [--folder FOLDER]

The text is cut into parts of about as many bytes, at the ends of lines; for each share (1 is all
of it) the first so many bytes are. Each command of the way is run by itself, one after the other:
count the words of each part, merge, count the n-grams of each part, merge, train; then `truecase
train` over the same parts in one run. The two models must be the same, byte for byte. CPU seconds
are user and system time of the processes; the peak is that of the largest.
"""

import argparse
import filecmp
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from script import run_script

STEPS = ("count words", "merge words", "count n-grams", "merge n-grams", "train --counts")


@dataclass
class Cost:
    cpu: float = 0.0
    seconds: float = 0.0
    peak_mib: float = 0.0

    def add(self, other: "Cost") -> None:
        self.cpu += other.cpu
        self.seconds += other.seconds
        self.peak_mib = max(self.peak_mib, other.peak_mib)


def run(*words: object) -> Cost:
    """Run a command of truecase to its end."""
    command = [sys.executable, "-m", "truecase", *map(str, words), "--quiet"]
    start = time.monotonic()
    process = os.posix_spawn(sys.executable, command, os.environ)
    _, status, usage = os.wait4(process, 0)
    if os.waitstatus_to_exitcode(status):
        sys.exit(f"counts.py: {' '.join(command[2:5])} failed")
    # kilobytes on Linux, bytes on macOS
    peak = usage.ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)
    return Cost(usage.ru_utime + usage.ru_stime, time.monotonic() - start, peak)


def cut(texts: Sequence[Path], folder: Path, n_parts: int, share: float) -> tuple[list[Path], int]:
    """Parts of the first bytes of texts, in files; and how many words they have."""
    wanted = int(sum(text.stat().st_size for text in texts) * share)
    paths = [folder / f"part{number}.txt" for number in range(n_parts)]
    files = [path.open("wb") for path in paths]
    n_bytes = n_words = 0
    for text in texts:
        with text.open("rb") as file:
            while n_bytes < wanted and (lines := file.readlines(1 << 20)):
                block = b"".join(lines)
                files[min(n_bytes * n_parts // wanted, n_parts - 1)].write(block)
                n_bytes += len(block)
                n_words += len(block.split())
    for file in files:
        file.close()
    return paths, n_words


def measure(parts: Sequence[Path], folder: Path, memory: Sequence[str]) -> dict[str, Cost]:
    """The cost of each step, and of one run."""
    costs = {step: Cost() for step in (*STEPS, "train")}
    words = [folder / f"{part.stem}.words" for part in parts]
    counts = [folder / f"{part.stem}.counts" for part in parts]
    for part, out in zip(parts, words, strict=True):
        costs["count words"].add(run("train", "count", part, "-o", out, *memory))
    merged = folder / "all.words"
    costs["merge words"].add(run("train", "merge", *words, "-o", merged))
    for part, out in zip(parts, counts, strict=True):
        costs["count n-grams"].add(
            run("train", "count", part, "--words", merged, "-o", out, *memory)
        )
    costs["merge n-grams"].add(run("train", "merge", *counts, "-o", folder / "all.counts"))
    model, whole = folder / "counts.truecase", folder / "whole.truecase"
    costs["train --counts"].add(
        run("train", "--counts", folder / "all.counts", "-o", model, *memory)
    )
    costs["train"].add(run("train", *parts, "-o", whole, *memory))
    if not filecmp.cmp(model, whole, shallow=False):
        sys.exit("counts.py: the two models differ")
    return costs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("text", type=Path, nargs="+", metavar="TEXT")
    parser.add_argument("--parts", type=int, default=8, metavar="N")
    parser.add_argument("--memory", metavar="SIZE")
    parser.add_argument("--shares", type=float, nargs="+", default=[0.25, 0.5, 1.0], metavar="S")
    parser.add_argument("--folder", type=Path, metavar="FOLDER", help="for parts and counts")
    given = parser.parse_args()
    memory = [] if given.memory is None else ["--memory", given.memory]
    for share in given.shares:
        with tempfile.TemporaryDirectory(dir=given.folder) as name:
            folder = Path(name)
            parts, n_words = cut(given.text, folder, given.parts, share)
            costs = measure(parts, folder, memory)
            size = (folder / "all.counts").stat().st_size
        print(f"\n{n_words:,} words in {len(parts)} parts; counts of {size / 1e6:,.0f} MB")
        print(f"{'step':16} {'CPU s':>8} {'clock s':>8} {'words/CPU s':>12} {'peak MiB':>9}")
        for step, cost in costs.items():
            print(
                f"{step:16} {cost.cpu:8.1f} {cost.seconds:8.1f} {n_words / cost.cpu:12,.0f} "
                f"{cost.peak_mib:9,.0f}"
            )
        way = sum(costs[step].cpu for step in STEPS)
        print(f"{'whole way':16} {way:8.1f}, {way / costs['train'].cpu:.2f} of one run", flush=True)


if __name__ == "__main__":
    run_script(main)
