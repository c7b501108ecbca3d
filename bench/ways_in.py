"""Ways in beside `case_block`: a call for each line, lists, columns; what a call costs by itself.

    python bench/ways_in.py TEXT... [--model MODEL] [--decode-with WHAT...] [--threads N]

Each line of a TEXT, cased or not, is a row. In each round the same rows go through every way, one
after the other; a figure is the least CPU time of all rounds, or with `--threads` above 1 the
least time by the clock. What a way makes is dropped within its time.
"""

import argparse
import resource
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pandas as pd
import pyarrow as pa
from script import run_script

from truecase import Truecaser

LINES = {
    "no words": "",
    "one word": "london",
    "three words": "the new york",
    "twelve words": "she moved from new york to the netherlands in 2009 , he said",
}


def ways_of(
    model: Truecaser, data: bytes, rows: list[str], threads: int
) -> Iterator[tuple[str, Callable[[], object]]]:
    """The ways, each with its name; the first is what the others are compared with."""
    string, view = pa.array(rows), pa.array(rows, pa.string_view())
    series = pd.Series(rows, dtype=object)
    yield "case_block", lambda: model.case_block(data, threads)
    yield "column, string", lambda: model.column(string, threads)
    yield "column, string_view", lambda: model.column(view, threads)
    try:
        import polars as pl
    except ImportError:
        pass
    else:
        of_polars = pl.Series(rows)
        yield "column of polars", lambda: model.column(of_polars, threads)
    yield "batch", lambda: model.batch(rows, threads)
    yield "Series to batch and back", lambda: pd.Series(model.batch(series.tolist(), threads))
    if threads == 1:
        yield "tc(line)", lambda: [model(row) for row in rows]
        yield "Series.map", lambda: series.map(model)


def report(model: Truecaser, what: str, path: Path, rounds: int, threads: int) -> None:
    """Print a table of the ways."""
    data = path.read_bytes()
    rows = data.decode("utf-8").removesuffix("\n").split("\n")
    n_words = len(data.split())
    ways = dict(ways_of(model, data, rows, threads))
    clock = time.process_time if threads == 1 else time.perf_counter
    least = dict.fromkeys(ways, float("inf"))
    for _ in range(rounds):
        for name, run in ways.items():
            start = clock()
            run()
            least[name] = min(least[name], clock() - start)
    print(f"\n{what}, {path.name}: {n_words:,} words, {len(rows):,} rows, threads {threads}")
    block = least["case_block"]
    for name, seconds in least.items():
        more = (seconds - block) / len(rows) * 1e9
        print(
            f"{name:26} {n_words / seconds:12,.0f} words/s {block / seconds:6.3f} of case_block"
            f" {more:+7,.0f} ns a row"
        )


def report_calls(model: Truecaser, what: str, rounds: int) -> None:
    """Print what one call costs, and how much of it a block with many such lines needs for one."""
    n = 20_000
    print(f"\n{what}: microseconds a call, and a line of a block of {n:,} such lines")
    for name, line in LINES.items():
        call = block = float("inf")
        data = f"{line}\n".encode() * n
        for _ in range(rounds):
            start = time.process_time()
            for _ in range(n):
                model(line)
            between = time.process_time()
            model.case_block(data)
            call = min(call, between - start)
            block = min(block, time.process_time() - between)
        print(f"{name:26} {call / n * 1e6:6.2f} {block / n * 1e6:6.2f}")


def report_memory(model: Truecaser, path: Path) -> None:
    """Print what a large column needs over itself."""
    rows = path.read_text("utf-8").split("\n")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    large = pa.array(rows * 20)
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    model.column(large)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    size = sum(buffer.size for buffer in large.buffers() if buffer is not None)
    print(f"\na column of {size:,} bytes: peak memory {(peak - max(before, held)) * 1024:+,} bytes")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("texts", metavar="TEXT", nargs="+", type=Path)
    parser.add_argument("--model", metavar="MODEL")
    parser.add_argument(
        "--decode-with",
        nargs="+",
        choices=("model", "whole", "ngram", "unigram"),
        default=["model", "ngram", "unigram"],
    )
    parser.add_argument("--rounds", type=int, default=7, metavar="N")
    parser.add_argument("--threads", type=int, default=1, metavar="N")
    args = parser.parse_args()
    for what in args.decode_with:
        model = Truecaser.load(args.model, decode_with=None if what == "model" else what)
        report_calls(model, what, args.rounds)
        for path in args.texts:
            report(model, what, path, args.rounds, args.threads)
    report_memory(model, args.texts[0])


if __name__ == "__main__":
    run_script(main)
