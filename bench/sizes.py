"""Words per second by size of the model, length of lines, number of lines, and threads.

    python bench/sizes.py TEXT... [--on FILE] [--sizes MB...] [--ten-million] [--json OUT.json]

Models of n-grams of each size are trained on the first part of TEXT that gives them. A size that
TEXT is too short for is measured as large as it gets. FILE, by default the end of the last TEXT, is
lowercased and cased by each of them. Lines of 5 to 5,000 words are the same words with other line
ends, cased by the embedded model; 1 to 10^6 lines (10^7 with --ten-million) are lines of FILE over
and over, by the command, from its start to its exit. All by the clock, the best of some rounds,
with 1 and 2 threads.

    --parts sizes lengths lines     what is measured, all by default
    --folder FOLDER                 where models go, and are found by a later run
"""

import argparse
import itertools
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import corpora
import processes
from script import best, row, run_script, save

from truecase import PRESETS, Truecaser

PARTS = ("sizes", "lengths", "lines")
THREADS = (1, 2)
# Megabytes of text that give a megabyte of model, with some to spare.
TEXT_PER_MODEL = {"ngram": 5.5}
WORDS_PER_LINE = (5, 20, 50, 500, 5000)
WAYS = {"embedded model": None, "its n-grams": "ngram", "its lexicon": "unigram"}
MB = 1_000_000


def blocks_of(texts: list[Path], n_bytes: int) -> Iterator[bytes]:
    """The first bytes of texts, whole lines."""
    left = n_bytes
    for text in texts:
        with text.open("rb") as file:
            while left > 0 and (lines := file.readlines(MB)):
                block = b"".join(lines)
                left -= len(block)
                yield block


def trained(texts: list[Path], preset: str, megabytes: float, folder: Path) -> Truecaser:
    """A model of at most a size, of as much text as such a model needs."""
    path = folder / f"{preset}-{megabytes:g}.truecase"
    if not path.exists():
        recipe = replace(PRESETS[preset], max_size=int(megabytes * MB))
        n_bytes = int(TEXT_PER_MODEL[preset] * megabytes * MB)
        Truecaser.train(lambda: blocks_of(texts, n_bytes), recipe).save(path)
    return Truecaser.load(path)


def by_size(
    texts: list[Path], text: bytes, megabytes: list[float], folder: Path, rounds: int
) -> Iterator[dict[str, Any]]:
    n_words = len(text.split())
    for preset, size in itertools.product(TEXT_PER_MODEL, megabytes):
        model = trained(texts, preset, size, folder)
        path = folder / f"{preset}-{size:g}.truecase"
        found: dict[str, Any] = {"preset": preset, "asked": size, "bytes": path.stat().st_size}
        for threads in THREADS:
            seconds = best(
                lambda m=model, n=threads: m.case_block(text, threads=n), rounds, time.perf_counter
            )
            found[f"words_per_s_{threads}"] = round(n_words / seconds)
        yield found


def recut(words: list[bytes], per_line: int) -> bytes:
    """Words in lines of so many."""
    starts = range(0, len(words), per_line)
    return b"\n".join(b" ".join(words[i : i + per_line]) for i in starts) + b"\n"


def by_length(model: Path | None, text: bytes, rounds: int) -> Iterator[dict[str, Any]]:
    words = text.split()
    for (way, decode_with), per_line in itertools.product(WAYS.items(), WORDS_PER_LINE):
        truecaser = Truecaser.load(model, decode_with=decode_with)
        block = recut(words, per_line)
        found: dict[str, Any] = {"way": way, "words_per_line": per_line}
        for threads in THREADS:
            seconds = best(
                lambda t=truecaser, b=block, n=threads: t.case_block(b, threads=n),
                rounds,
                time.perf_counter,
            )
            found[f"words_per_s_{threads}"] = round(len(words) / seconds)
        yield found


def by_lines(
    model: Path | None, text: bytes, largest: int, folder: Path, rounds: int
) -> Iterator[dict[str, Any]]:
    """The command on files of 1, 10, … lines."""
    lines = text.splitlines(keepends=True)
    given, out = folder / "lines.txt", folder / "out.txt"
    count = 1
    while count <= largest:
        n_words = 0
        with given.open("wb") as file:
            for first in range(0, count, len(lines)):
                part = b"".join(lines[: count - first])
                n_words += len(part.split())
                file.write(part)
        for way, decode_with in WAYS.items():
            command = [sys.executable, "-m", "truecase", "-i", str(given), "-o", str(out)]
            command += ["-m", str(model.absolute())] if model else []
            command += ["--decode-with", decode_with] if decode_with else []
            found: dict[str, Any] = {"way": way, "lines": count, "words": n_words}
            for threads in THREADS:
                # Few rounds of what is long.
                n_rounds = rounds if count <= 10_000 else 2 if count <= 100_000 else 1
                costs = [
                    processes.run([*command, "-j", str(threads)], folder=folder)
                    for _ in range(n_rounds)
                ]
                seconds = min(cost.seconds for cost in costs)
                found[f"seconds_{threads}"] = round(seconds, 4)
                found[f"words_per_s_{threads}"] = round(n_words / seconds)
            yield found
        count *= 10
    given.unlink()
    out.unlink()


HEADERS = {
    "sizes": ("preset", "MB"),
    "lengths": ("model", "words a line"),
    "lines": ("model", "lines", "words", "seconds"),
}


def first_cells(part: str, found: dict[str, Any]) -> list[str]:
    if part == "sizes":
        return [found["preset"], f"{found['bytes'] / MB:.1f}"]
    if part == "lengths":
        return [found["way"], f"{found['words_per_line']:,}"]
    cells = [found["way"], f"{found['lines']:,}", f"{found['words']:,}"]
    return [*cells, f"{found['seconds_1']:.3f}"]


def show(part: str, rows: Iterator[dict[str, Any]]) -> list[dict[str, Any]]:
    """Print a table in Markdown, row by row as they come."""
    header = [*HEADERS[part], *(f"words/s, {n} thread{'s' * (n > 1)}" for n in THREADS)]
    print(f"\n{row(header)}\n{row(['---', *['---:'] * (len(header) - 1)])}")
    found = []
    for measured in rows:
        found.append(measured)
        cells = first_cells(part, measured)
        cells += [f"{measured[f'words_per_s_{threads}']:,}" for threads in THREADS]
        print(row(cells), flush=True)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="Words per second by sizes.")
    parser.add_argument("texts", nargs="+", type=Path, metavar="TEXT", help="to train on")
    parser.add_argument("--on", type=Path, metavar="FILE", help="text to case")
    parser.add_argument("--megabytes", type=float, default=4, help="how much of it (4)")
    parser.add_argument("--sizes", type=float, nargs="+", default=[5, 15, 50, 150], metavar="MB")
    parser.add_argument("--model", type=Path, help="instead of the embedded model")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--ten-million", action="store_true", help="also 10^7 lines")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--json", type=Path, metavar="OUT.json")
    args = parser.parse_args()
    if args.on is not None:
        corpus = corpora.read([args.on], args.megabytes)[0]
    else:
        data = args.texts[-1].read_bytes()[-int(args.megabytes * MB) :]
        corpus = corpora.Corpus(args.texts[-1].stem, data[data.find(b"\n") + 1 :])
    text = corpus.lower
    print(f"cased: {corpus.label}, {len(text.split()):,} words")
    found: dict[str, Any] = {"text": corpus.settings(), "processors": os.cpu_count()}
    with tempfile.TemporaryDirectory() as scratch:
        folder = (args.folder or Path(scratch)).absolute()
        folder.mkdir(parents=True, exist_ok=True)
        largest = 10_000_000 if args.ten_million else 1_000_000
        makers = {
            "sizes": lambda: by_size(args.texts, text, args.sizes, folder, args.rounds),
            "lengths": lambda: by_length(args.model, text, args.rounds),
            "lines": lambda: by_lines(args.model, text, largest, folder, args.rounds),
        }
        for part in args.parts:
            found[part] = show(part, makers[part]())
    save(args.json, found)


if __name__ == "__main__":
    run_script(main)
