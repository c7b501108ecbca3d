"""Columns of text against blocks of lines and lists of strings: words per second, peak memory.

    python bench/columns.py TEXT [--model MODEL] [--rounds N] [--threads N]

TEXT, cased or not, is a column of a row per line. In each round the same text goes through
`Truecaser.column` (pyarrow's string and string_view), `case_block`, and a pandas Series' `map`,
one after the other; the figures are medians of CPU seconds, and of their ratios within a round.
"""

import argparse
import resource
import statistics
import time
from pathlib import Path

import pandas as pd
import pyarrow as pa

from truecase import Truecaser


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("text", metavar="TEXT")
    parser.add_argument("--model", metavar="MODEL")
    parser.add_argument("--decode-with", choices=("ngram", "unigram"))
    parser.add_argument("--rounds", type=int, default=7, metavar="N")
    parser.add_argument("--threads", type=int, default=1, metavar="N")
    args = parser.parse_args()
    model = Truecaser.load(args.model, decode_with=args.decode_with)
    data = Path(args.text).read_bytes()
    rows = data.decode("utf-8").split("\n")
    n_words = len(data.split())
    string, view = pa.array(rows), pa.array(rows, pa.string_view())
    series = pd.Series(string.to_pandas())
    ways = {
        "case_block": lambda: model.case_block(data, args.threads),
        "column, string": lambda: model.column(string, args.threads),
        "column, string_view": lambda: model.column(view, args.threads),
        "Series.map": lambda: series.map(model),
        "list and batch": lambda: pd.Series(model.batch(series.tolist(), args.threads)),
    }
    assert pa.array(ways["column, string"]()).to_pylist() == list(ways["Series.map"]())
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(args.rounds):
        for name, run in ways.items():
            start = time.process_time()
            run()
            seconds[name].append(time.process_time() - start)
    print(f"{n_words:,} words, {len(rows):,} rows, {len(data):,} bytes")
    for name, times in seconds.items():
        pairs = zip(seconds["case_block"], times, strict=True)
        against = statistics.median(block / this for block, this in pairs)
        rate = n_words / statistics.median(times)
        print(f"{name:22} {rate:12,.0f} words/s {against:6.3f} of case_block")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    large = pa.array(rows * 20)
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    model.column(large)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    size = sum(buffer.size for buffer in large.buffers() if buffer is not None)
    print(f"a column of {size:,} bytes: peak memory {(peak - max(before, held)) * 1024:+,} bytes")


if __name__ == "__main__":
    main()
