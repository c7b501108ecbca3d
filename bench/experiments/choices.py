"""What each choice of training buys: size, precision, F1 and speed, one model per row.

    python bench/experiments/choices.py --train CORPUS... --text NAME=FILE... [--rows REGEX]
        [--json OUT]

The base is a trigram model of 12 MB; every row changes what its name says. Use
development files to choose, test files only to report. Words/s are of one core's CPU time.
"""

import argparse
import dataclasses
import json
import re
import sys
import tempfile
import time
from pathlib import Path

from truecase.corpus.read import read_blocks
from truecase.evaluate.metrics import evaluate_lines
from truecase.training.options import TrainingOptions
from truecase.training.train import train_arrays
from truecase.truecaser import Truecaser

MB = 1_000_000
BASE = TrainingOptions(min_count=3, max_size=12 * MB, language="en")

ROWS = {
    "trigram, 12 MB": {},
    "unigram": {"preset": "unigram", "max_size": None, "min_count": 1},
    "unpruned": {"max_size": None, "min_count": 2, "fingerprint_bits": 16},
    "unpruned, gen full": {"max_size": None, "min_count": 2, "fingerprint_bits": 16, "gen": "full"},
    "unpruned, no smartcase": {
        "max_size": None, "min_count": 2, "fingerprint_bits": 16, "smartcase": False,
    },
    "unpruned, space": {
        "max_size": None, "min_count": 2, "fingerprint_bits": 16, "segmentation": "space",
    },
    "unpruned, every form kept": {"max_size": None, "min_count": 1, "fingerprint_bits": 16},
    "unpruned, 16 bits per value, 24 of fingerprint": {
        "max_size": None, "min_count": 2, "fingerprint_bits": 24,
        "probability_bits": 16, "backoff_bits": 16,
    },
    "order 2": {"order": 2},
    "order 4": {"order": 4},
    "order 5": {"order": 5},
    "no smartcase": {"smartcase": False},
    "space": {"segmentation": "space"},
    "min_count 2": {"min_count": 2},
    "min_count 5": {"min_count": 5},
    "min_count 10": {"min_count": 10},
    "6 MB": {"max_size": 6 * MB},
    "24 MB": {"max_size": 24 * MB},
    "count threshold instead of losses": {"max_size": None, "prune": (0, 1, 3)},
    "min_share 0.001": {"min_share": 0.001},
    "min_share 0.01": {"min_share": 0.01},
    "fingerprint 16": {"fingerprint_bits": 16},
    "fingerprint 12": {"fingerprint_bits": 12},
    "8 bits per value": {"probability_bits": 8, "backoff_bits": 8},
    "6 bits per value": {"probability_bits": 6, "backoff_bits": 6},
    "losses of 1.5 nats": {"max_size": None, "decision_loss": 1.5},
    "losses of 1.5 nats, 16 bits per value, 24 of fingerprint": {
        "max_size": None, "decision_loss": 1.5,
        "probability_bits": 16, "backoff_bits": 16, "fingerprint_bits": 24,
    },
}  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--train", nargs="+", required=True, metavar="FILE")
    parser.add_argument("--text", nargs="+", required=True, metavar="NAME=FILE")
    parser.add_argument("--rows", default=".", metavar="REGEX")
    parser.add_argument("--json", metavar="OUT")
    args = parser.parse_args()
    texts = dict(item.split("=", 1) for item in args.text)
    names = list(texts)
    headings = "".join(f" {name + ' P':>11} {'F1':>6}" for name in names)
    print(f"{'row':48} {'MB':>7} {'train s':>8}{headings} {'Mwords/s':>9}")
    results = []
    for row, changes in ROWS.items():
        if not re.search(args.rows, row):
            continue
        result = measure(row, dataclasses.replace(BASE, **changes), args.train, texts)
        results.append(result)
        cells = "".join(
            f" {result['texts'][n]['precision']:9.2f} {result['texts'][n]['f1']:6.2f}"
            for n in names
        )
        print(f"{row:48} {result['bytes'] / MB:7.2f} {result['seconds']:8.0f}{cells}"
              f" {result['words_per_second'] / 1e6:9.2f}", flush=True)  # fmt: skip
    if args.json:
        Path(args.json).write_text(json.dumps(results, indent=1))
    return 0


def measure(row, options, train, texts):
    """Train one model in a fresh file and evaluate it on every text."""
    start = time.perf_counter()
    arrays, metadata = train_arrays(read_blocks(train), options)
    seconds = time.perf_counter() - start
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.truecase"
        Truecaser(arrays, metadata).save(path)
        del arrays
        size = path.stat().st_size
        model = Truecaser.load(path)
        scores, words, elapsed = {}, 0, 0.0
        for name, file in texts.items():
            block = b"".join(read_blocks([file]))
            start = time.process_time()
            cased = model.case_block(block)
            elapsed += time.process_time() - start
            words += len(block.split())
            evaluation = evaluate_lines(block.decode().splitlines(), cased.decode().splitlines())
            scores[name] = {"precision": 100 * evaluation.precision, "f1": 100 * evaluation.f1}
    return {
        "row": row, "options": options.to_dict(), "bytes": size, "seconds": seconds,
        "texts": scores, "words_per_second": words / elapsed,
    }  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
