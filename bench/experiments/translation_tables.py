"""Cost, growth and size of translation tables.

    python bench/experiments/translation_tables.py SOURCE TARGET ALIGNMENT [--reverse]
        [--words N...] [--dev SOURCE TARGET ALIGNMENT] [--kilobytes N...] [--json FILE]

The alignment is of Pharaoh form, `source-target`; with ``--reverse``, `target-source`. Each row
of the first table is a process of its own that reads the first N target words: CPU time of its
main thread, in which the links are counted, smoothed and packed, reading and parsing apart, and
its peak resident set. The second one, on development text, says what packing loses: of target
words that were seen in several cases, the mean of log Σ p(E | F_k), what that feature alone
thinks of the right case among the cases seen, and how often it finds it; for aligned words,
and for the whole line as the phrase.
"""

import argparse
import json
import math
import re
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from truecase_testing import source_line

from truecase.alignment.lines import AlignedLines
from truecase.alignment.parallel import Reading, read_aligned
from truecase.base.read import open_text
from truecase.lexicon._forms import describe
from truecase.source._translation_table import TranslationTables
from truecase.training._translation_counts import PairCounter
from truecase.training.translation_tables import (
    SmoothedTables,
    TableOptions,
    collect_counts,
    pack_tables,
    smooth,
)

RAW = 1
CASELESS = 4
#: Packed as nearly lossless as can be, to compare with.
EXACT = TableOptions(min_gain=-math.inf, code_bits=16, fingerprint_bits=32)


class Estimate:
    """Tables of the first words of a bitext, and what they cost."""

    def __init__(self, files: list[str], n_words: int) -> None:
        counter = PairCounter(RAW, False, False)
        self.counting = self.reading = 0.0
        self.words = 0
        start = time.thread_time()
        for block in read_aligned(*files, reading=Reading(1 << 20)):
            if self.words >= n_words:
                break
            self.reading += time.thread_time() - start
            phrases = block.phrases
            self.words += phrases.n_words
            start = time.thread_time()
            counter.add(
                block.source,
                block.target,
                phrases.line_offsets,
                phrases.offsets,
                phrases.source_words,
                phrases.unaligned,
            )
            self.counting += time.thread_time() - start
            start = time.thread_time()
        start = time.thread_time()
        self.counts = collect_counts(counter)
        self.tables: SmoothedTables = smooth(self.counts)
        self.smoothing = time.thread_time() - start
        self.forms: dict[int, list[tuple[int, int]]] = {}
        form, key, tag = (column.tolist() for column in counter.target_forms())
        for f, k, t in zip(form, key, tag, strict=True):
            self.forms.setdefault(k, []).append((f, t))
        several = [k for k, forms in self.forms.items() if len(forms) > 1]
        self.keys = np.array(several, np.uint64)

    def row(self) -> dict[str, Any]:
        start = time.thread_time()
        pack_tables(self.tables, TableOptions(max_bytes=400_000), keep_keys=self.keys)
        return {
            "words": self.words,
            "linked": self.counts.n_words,
            "pairs": len(self.counts.cased.count),
            "lower_pairs": len(self.counts.lower.count),
            "counting_s": self.counting,
            "reading_s": self.reading,
            "smoothing_s": self.smoothing,
            "packing_s": time.thread_time() - start,
            "counter_bytes": self.counts.n_bytes,
            "peak_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
        }


def dev_words(
    estimate: Estimate, files: list[str]
) -> Iterator[tuple[bytes, list[int], list[tuple[int, int]], int, int]]:
    """Source line, source words, forms, the right one's place, key; of words of several forms."""
    for block in read_aligned(*files):
        yield from _block_words(estimate, block)


def _block_words(estimate: Estimate, block: AlignedLines) -> Iterator[Any]:
    lines = zip(
        block.source.splitlines(), block.target.splitlines(), block.phrases.to_lines(), strict=True
    )
    for source, target, links in lines:
        tokens, first_token, _, _ = source_line(target, RAW, False)
        blob = b"".join(tokens)
        offsets = np.cumsum([0, *map(len, tokens)]).astype(np.int64)
        keys, right, _, tags, _, _ = describe(blob, offsets, False)
        for word in range(len(first_token) - 1):
            words = links[word] if isinstance(links, list) else []
            for i in range(first_token[word], first_token[word + 1]):
                forms = estimate.forms.get(int(keys[i]), [])
                place = [form for form, _ in forms]
                if tags[i] != CASELESS and len(forms) > 1 and int(right[i]) in place:
                    yield source, words, forms, place.index(int(right[i])), int(keys[i])


def judge(estimate: Estimate, options: TableOptions, words: list[Any]) -> dict[str, Any]:
    """What tables so packed say of development words."""
    arrays, settings = pack_tables(estimate.tables, options, keep_keys=estimate.keys)
    loaded = TranslationTables(arrays, settings)
    row: dict[str, Any] = {
        "bytes": sum(array.nbytes for array in arrays.values()),
        "cased_pairs": settings["cased"]["n_pairs"],
        "lower_pairs": settings["lower"]["n_pairs"],
    }
    for name in ("aligned", "whole"):
        n, sums = 0, np.zeros(5)
        for source, phrase, forms, right, key in words:
            if name == "aligned" and not phrase:
                continue
            form = np.array([f for f, _ in forms], np.uint64)
            tag = np.array([t for _, t in forms], np.uint8)
            features = loaded.features(
                source, RAW, False, phrase if name == "aligned" else None, form, tag, key
            )
            n += 1
            sums[0] += features[0][right]
            for column, values in enumerate(features[:2]):
                best = values.max()
                sums[1 + 2 * column] += values[right] - best - math.log(np.exp(values - best).sum())
                sums[2 + 2 * column] += int(values.argmax()) == right
        row[name] = {
            "words": n,
            "translation_ln": sums[0] / n,
            "case_ln": sums[1] / n,
            "case_right": 100 * sums[2] / n,
            "tag_case_ln": sums[3] / n,
            "tag_case_right": 100 * sums[4] / n,
        }
    return row


def reversed_alignment(path: str, folder: str) -> str:
    """The same alignment with its sides exchanged."""
    out = Path(folder) / f"{Path(path).name}.reversed"
    with open_text(path) as text, out.open("wb") as file:
        for line in text:
            file.write(re.sub(rb"(\d+)-(\d+)", rb"\2-\1", line))
    return str(out)


def print_costs(rows: list[dict[str, Any]]) -> None:
    print(
        "| words | pairs | count | words/s | with reading | smooth | pack | pairs' memory | peak |"
    )
    print("|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    for row in rows:
        rate = row["words"] / row["counting_s"]
        whole = row["words"] / (row["counting_s"] + row["reading_s"])
        print(
            f"| {row['words']:,} | {row['pairs']:,} | {row['counting_s']:.2f} s | {rate:,.0f} "
            f"| {whole:,.0f} | {row['smoothing_s']:.2f} s | {row['packing_s']:.2f} s "
            f"| {row['counter_bytes'] / 1e6:.1f} MB | {row['peak_bytes'] / 1e6:.0f} MB |"
        )
    if rows[-1]["words"] > rows[0]["words"]:
        first, last = rows[0], rows[-1]
        growth = math.log(last["words"] / first["words"])
        for name in ("pairs", "counting_s"):
            power = math.log(last[name] / first[name]) / growth
            print(f"{name} grows with the {power:.2f}th power of the words")


def print_sizes(rows: list[dict[str, Any]]) -> None:
    print(
        "\n| KB | pairs E, F | e, f | log p | case log p | right | tags' log p | right "
        "| whole line: case log p | right | tags' log p | right |"
    )
    print("|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    for row in rows:
        aligned, whole = row["aligned"], row["whole"]
        print(
            f"| {row['bytes'] / 1000:,.0f} | {row['cased_pairs']:,} | {row['lower_pairs']:,} "
            f"| {aligned['translation_ln']:.3f} | {_case(aligned)} | {_case(whole)} |",
            flush=True,
        )


def _case(row: dict[str, Any]) -> str:
    return (
        f"{row['case_ln']:.4f} | {row['case_right']:.2f} "
        f"| {row['tag_case_ln']:.4f} | {row['tag_case_right']:.2f}"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs=3, metavar="FILE", help="source, target, alignment")
    parser.add_argument("--dev", nargs=3, metavar="FILE")
    parser.add_argument("--words", nargs="*", type=int, default=[250_000, 1_000_000])
    parser.add_argument(
        "--kilobytes", nargs="*", type=int, default=[800, 400, 300, 200, 150, 100, 50, 25]
    )
    parser.add_argument("--reverse", action="store_true")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    if args.one is not None:
        print(json.dumps(Estimate(args.files, args.one).row()))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        if args.reverse:
            args.files[2] = reversed_alignment(args.files[2], folder)
            if args.dev:
                args.dev[2] = reversed_alignment(args.dev[2], folder)
        costs = []
        for n_words in [*args.words, sys.maxsize]:
            command = [sys.executable, __file__, *args.files, "--one", str(n_words)]
            costs.append(
                json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
            )
        print_costs(costs)
        sizes = []
        if args.dev:
            estimate = Estimate(args.files, sys.maxsize)
            words = list(dev_words(estimate, args.dev))
            choices = [EXACT, TableOptions()]
            choices += [TableOptions(max_bytes=1000 * size) for size in args.kilobytes]
            sizes = [judge(estimate, options, words) for options in choices]
            print_sizes(sizes)
    if args.json:
        args.json.write_text(json.dumps({"costs": costs, "sizes": sizes}, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
