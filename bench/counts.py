"""Compare training by merged counts with training in one run: CPU seconds, words/s, peak memory.

    python bench/counts.py TEXT... [--parts N] [--memory SIZE] [--shares S...] [--folder FOLDER]

The script takes each share of the bytes of the text (1 is all of it), and splits it at line ends
into parts of about equal size. It runs the commands one after the other: count the words of each
part, merge, count the n-grams of each part, merge, train; then `truecase train` over the same parts
in one run. The two models must be the same, byte for byte. CPU seconds are user and system time of
the processes; the peak is that of the largest process.
"""

import argparse
import filecmp
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import processes
from processes import Cost
from script import run_script

STEPS = ("count words", "merge words", "count n-grams", "merge n-grams", "train --counts")


def run(*words: object) -> Cost:
    """Run a command of truecase to its end."""
    return processes.run([sys.executable, "-m", "truecase", *map(str, words), "--quiet"])


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


def measure(parts: Sequence[Path], folder: Path, memory: Sequence[str]) -> dict[str, list[Cost]]:
    """The costs of the commands of each step, and of one run."""
    costs: dict[str, list[Cost]] = {step: [] for step in (*STEPS, "train")}
    words = [folder / f"{part.stem}.words" for part in parts]
    counts = [folder / f"{part.stem}.counts" for part in parts]
    for part, out in zip(parts, words, strict=True):
        costs["count words"].append(run("train", "count", part, "-o", out, *memory))
    merged = folder / "all.words"
    costs["merge words"].append(run("train", "merge", *words, "-o", merged))
    for part, out in zip(parts, counts, strict=True):
        costs["count n-grams"].append(
            run("train", "count", part, "--words", merged, "-o", out, *memory)
        )
    costs["merge n-grams"].append(run("train", "merge", *counts, "-o", folder / "all.counts"))
    model, whole = folder / "counts.truecase", folder / "whole.truecase"
    costs["train --counts"].append(
        run("train", "--counts", folder / "all.counts", "-o", model, *memory)
    )
    costs["train"].append(run("train", *parts, "-o", whole, *memory))
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
        cpu = {step: sum(one.cpu for one in some) for step, some in costs.items()}
        for step, some in costs.items():
            seconds, peak = sum(one.seconds for one in some), max(one.peak_mib for one in some)
            rate = n_words / cpu[step]
            print(f"{step:16} {cpu[step]:8.1f} {seconds:8.1f} {rate:12,.0f} {peak:9,.0f}")
        way = sum(cpu[step] for step in STEPS)
        print(f"{'whole way':16} {way:8.1f}, {way / cpu['train']:.2f} of one run", flush=True)


if __name__ == "__main__":
    run_script(main)
