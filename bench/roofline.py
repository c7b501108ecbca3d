"""How far from the limits of a machine decoding is: look-ups and bytes per word, and the bound.

    python bench/roofline.py TEXT [--model MODEL] [--megabytes 4] [--json OUT.json]

What decoding reads of the model's tables is counted on TEXT, lowercased: look-ups per word (of an
n-gram first in the heads of its table, then in the slot that these name, if any), lines of the
cache that they ask for, and of these the lines that caches of this machine's size would not
have, simulated from empty. What the machine can do is measured: copying, lowercasing, hashing and
one look-up per word in a table that the first cache holds, and random look-ups in tables of four
sizes, each among independent others and each after the other. The bound follows:

    core     one pass over the words, and a look-up in the first cache for each that is made
    memory   lines from the third cache and from memory, at the pace of independent look-ups
    bound    the larger of the two: a program that computes while it waits
    sum      both: a program that waits, then computes

Beside it stand the stages of decoding and what they take. The tables are printed as Markdown. What
else runs on the machine is in the figures: run it where nothing does.
"""

import argparse
import mmap
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import corpora
import numpy as np
import stages
from script import best, row, run_script, save
from truecase_measure import count_look_ups, follow, gather, pass_over_words

from truecase import ModelError, Truecaser
from truecase._core import CompiledModel

MIB = 1 << 20
LINE = 64
# Of random look-ups: what fits the first cache, the second, the third, and none.
SIZES = {"first": 16 << 10, "second": 512 << 10, "third": 8 << 20, "memory": 512 << 20}
WAYS = {"model": None, "its n-grams": "ngram", "its lexicon": "unigram"}


def caches() -> dict[str, tuple[int, int]]:
    """Bytes and ways of the second and the third cache, as Linux tells."""
    found = {"second": (1 * MIB, 8), "third": (32 * MIB, 16)}
    for folder in Path("/sys/devices/system/cpu/cpu0/cache").glob("index*"):
        level = (folder / "level").read_text().strip()
        size = (folder / "size").read_text().strip()
        ways = int((folder / "ways_of_associativity").read_text())
        name = {"2": "second", "3": "third"}.get(level)
        if name and size.endswith("K") and ways:
            found[name] = (int(size[:-1]) << 10, ways)
    return found


def table_of(size: int) -> np.ndarray:
    """A table whose lines lead through all others in random order, in pages as they come."""
    table = np.frombuffer(mmap.mmap(-1, size), np.uint64)
    n_lines = size // LINE
    order = np.random.default_rng(5).permutation(n_lines).astype(np.uint64)
    table[8 * order] = np.roll(order, -1)
    return table


def machine(text: bytes, rounds: int) -> dict[str, Any]:
    """What the machine can do: nanoseconds per word, and per look-up."""
    padded = text + b"\n" + bytes(8)
    out, hot = bytearray(len(padded)), np.zeros(SIZES["first"] // 4, np.uint32)
    n_words, _ = pass_over_words(padded, out, hot)
    seconds = best(lambda: pass_over_words(padded, out, hot), rounds)
    found: dict[str, Any] = {"pass_ns": 1e9 * seconds / n_words, "pass_words": n_words}
    n = 1 << 21
    for name, size in SIZES.items():
        table = table_of(size)
        found[name] = {
            "bytes": size,
            "independent_ns": 1e9 * best(lambda t=table: gather(t, n), rounds) / n,
            "dependent_ns": 1e9 * best(lambda t=table: follow(t, n >> 3), rounds) / (n >> 3),
        }
    return found


def bound(counted: dict[str, Any], n_words: int, limits: dict[str, Any]) -> dict[str, float]:
    """Nanoseconds per word below which a machine cannot go."""
    tables = counted["tables"].values()
    look_ups = sum(table["look_ups"] for table in tables) / n_words
    third = sum(table["from_third"] - table["from_memory"] for table in tables) / n_words
    memory = sum(table["from_memory"] for table in tables) / n_words
    core = limits["pass_ns"] + look_ups * limits["first"]["independent_ns"]
    waits = third * limits["third"]["independent_ns"] + memory * limits["memory"]["independent_ns"]
    return {
        "core_ns": core,
        "memory_ns": waits,
        "bound_ns": max(core, waits),
        "sum_ns": core + waits,
    }


def of_model(
    path: Path | None, text: bytes, limits: dict[str, Any], rounds: int
) -> dict[str, dict[str, Any]]:
    """Counts, bound and speed of each way to decode with a model, by its name."""
    n_words = len(text.split())
    sizes = caches()
    found = {}
    for name, decode_with in WAYS.items():
        try:
            model = Truecaser.load(path, decode_with=decode_with)
        except ModelError:
            continue  # a unigram model has no n-grams
        counted = count_look_ups(CompiledModel(model.model), text, sizes["second"], sizes["third"])
        run = partial(model.case_block, text, input_case="ignore")  # as what is counted
        run()
        taken = 1e9 * best(run, rounds) / n_words
        found[name] = {
            "preset": model.about()["preset"],
            "taken_ns": taken,
            "stages_ns": stages.of_words(model, text),
            **bound(counted, n_words, limits),
            "counted": counted,
        }
    return found


def machine_tables(limits: dict[str, Any]) -> Iterator[str]:
    yield row(["of this machine", "ns", "millions a second"])
    yield row(["---", "---:", "---:"])
    ns = limits["pass_ns"]
    yield row(["copy, lowercase, hash, a hot look-up: a word", f"{ns:.1f}", f"{1e3 / ns:.0f}"])
    names = {"independent_ns": "among independent others", "dependent_ns": "after the one before"}
    for key, words in names.items():
        for size in SIZES:
            ns = limits[size][key]
            what = f"a look-up {words}, in {limits[size]['bytes'] / MIB:.3g} MiB"
            yield row([what, f"{ns:.1f}", f"{1e3 / ns:.0f}"])


def look_up_tables(ways: dict[str, dict[str, Any]], n_words: int) -> Iterator[str]:
    """Look-ups and lines per word in each table of the model."""
    yield row(["table", "MB", *(f"look-ups, {way}" for way in ways), "lines", "not in L2", "read"])
    yield row(["---", *["---:"] * (len(ways) + 4)])
    names = list(dict.fromkeys(t for way in ways.values() for t in way["counted"]["tables"]))
    for name in names:
        of_ways = [way["counted"]["tables"].get(name) for way in ways.values()]
        first = next(table for table in of_ways if table)
        yield row(
            [
                name,
                f"{first['bytes'] / 1e6:.2f}",
                *(f"{t['look_ups'] / n_words:.2f}" if t else "" for t in of_ways),
                f"{first['lines'] / n_words:.2f}",
                f"{first['from_third'] / n_words:.2f}",
                f"{LINE * first['distinct'] / 1e6:.2f} MB",
            ]
        )
    totals = [
        [sum(t[key] for t in way["counted"]["tables"].values()) for way in ways.values()]
        for key in ("look_ups", "lines", "from_third", "distinct")
    ]
    yield row(
        [
            "all",
            "",
            *(f"{total / n_words:.2f}" for total in totals[0]),
            f"{totals[1][0] / n_words:.2f}",
            f"{totals[2][0] / n_words:.2f}",
            f"{LINE * totals[3][0] / 1e6:.2f} MB",
        ]
    )


def word_table(ways: dict[str, dict[str, Any]], n_words: int) -> Iterator[str]:
    """Which share of the words reaches which stage."""
    yield row(["per word", *ways])
    yield row(["---", *["---:"] * len(ways)])
    names = {
        "tokens": "tokens",
        "candidates": "candidates",
        "with_choice": "with more than one candidate",
        "edges": "edges",
    }
    for key, name in names.items():
        counts = [way["counted"].get(key, 0) for way in ways.values()]
        if any(counts):
            yield row([name, *(f"{count / n_words:.3f}" for count in counts)])


def stage_table(ways: dict[str, dict[str, Any]]) -> Iterator[str]:
    """Nanoseconds of each stage, and its share."""
    yield row(["ns per word", *ways])
    yield row(["---", *["---:"] * len(ways)])
    found = [way["stages_ns"] for way in ways.values()]
    totals = [sum(taken.values()) for taken in found]
    for stage in found[0]:
        cells = [
            f"{taken[stage]:.1f} ({100 * taken[stage] / total:.0f} %)"
            for taken, total in zip(found, totals, strict=True)
        ]
        yield row([stage, *cells])
    yield row(["all", *(f"{total:.1f}" for total in totals)])


def bound_table(ways: dict[str, dict[str, Any]], n_bytes: float) -> Iterator[str]:
    yield row(["ns per word", *ways])
    yield row(["---", *["---:"] * len(ways)])
    found = list(ways.values())
    lines = [sum(t["lines"] for t in way["counted"]["tables"].values()) for way in found]
    n_words = found[0]["n_words"]
    touched = [LINE * n / n_words + 2 * n_bytes for n in lines]
    yield row(["bytes touched: text in and out, lines", *(f"{n:,.0f}" for n in touched)])
    for key, name in (
        ("core_ns", "core"),
        ("memory_ns", "memory"),
        ("bound_ns", "bound: the larger"),
        ("sum_ns", "sum of both"),
        ("taken_ns", "taken"),
    ):
        yield row([name, *(f"{way[key]:.1f}" for way in found)])
    yield row(["words/s at the bound", *(f"{1e9 / way['bound_ns']:,.0f}" for way in found)])
    yield row(["words/s", *(f"{1e9 / way['taken_ns']:,.0f}" for way in found)])
    yield row(["share of the bound", *(_share(way, "bound_ns") for way in found)])
    yield row(["share of the sum", *(_share(way, "sum_ns") for way in found)])


def _share(way: dict[str, Any], key: str) -> str:
    return f"{100 * way[key] / way['taken_ns']:.0f} %"


def main() -> None:
    parser = argparse.ArgumentParser(description="The limits of a machine, and how far they are.")
    parser.add_argument("text", type=Path, metavar="TEXT", help="a file, or `generated`")
    parser.add_argument("--model", type=Path, help="default: the embedded model")
    parser.add_argument("--megabytes", type=float, default=4, help="how much of TEXT (4)")
    parser.add_argument("--rounds", type=int, default=5, help="best of so many (5)")
    parser.add_argument("--json", type=Path, metavar="OUT.json")
    args = parser.parse_args()
    corpus = corpora.read([args.text], args.megabytes)[0]
    text = corpus.lower
    n_words = len(text.split())
    limits = machine(text, args.rounds)
    ways = of_model(args.model, text, limits, args.rounds)
    for way in ways.values():
        way["n_words"] = n_words
    print(f"{corpus.label}: {n_words:,} words, {len(text):,} bytes")
    print(", ".join(f"{k} cache {size:,} bytes, {w} ways" for k, (size, w) in caches().items()))
    for lines in (
        machine_tables(limits),
        look_up_tables(ways, n_words),
        word_table(ways, n_words),
        stage_table(ways),
        bound_table(ways, len(text) / n_words),
    ):
        print()
        print(*lines, sep="\n")
    kept = {"text": corpus.settings(), "machine": limits, "caches": caches(), "ways": ways}
    save(args.json, kept)


if __name__ == "__main__":
    run_script(main)
