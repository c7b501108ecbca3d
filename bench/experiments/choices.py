"""What each choice of training buys: size, precision, F1 and speed, one model per row.

    python bench/experiments/choices.py --train CORPUS... --text NAME=FILE... [--rows REGEX]
        [--json OUT]

The base is a trigram model of 12 MB; every row changes what its name says. Use
development files to choose, test files only to report. Words/s are of one core's CPU time.
"""

import argparse
import re
import tempfile
import time
from pathlib import Path

from frame import run_script, save

from truecase.base.read import read_blocks
from truecase.evaluation.metrics import evaluate_lines
from truecase.training.recipe import PRESETS, Recipe, recipe_note
from truecase.training.train import train as train_model
from truecase.truecaser import Truecaser

MB = 1_000_000
BASE = {"lexicon.min_count": 3, "max_size": 12 * MB, "text.language": "en"}
PACKING = "lm.packing."
UNPRUNED = {"max_size": None, "lexicon.min_count": 2, PACKING + "fingerprint_bits": 16}

ROWS = {
    "trigram, 12 MB": {},
    "unigram": {"preset": "unigram", "max_size": None, "lexicon.min_count": 1},
    "unpruned": UNPRUNED,
    "unpruned, gen full": {**UNPRUNED, "lexicon.candidates": "full"},
    "unpruned, no smartcase": {**UNPRUNED, "lexicon.smartcase": False},
    "unpruned, space": {**UNPRUNED, "text.segmentation": "space"},
    "unpruned, every form kept": {**UNPRUNED, "lexicon.min_count": 1},
    "unpruned, 16 bits per value, 24 of fingerprint": {
        **UNPRUNED, PACKING + "fingerprint_bits": 24,
        PACKING + "probability_bits": 16, PACKING + "backoff_bits": 16,
    },
    "order 2": {"lm.order": 2},
    "order 4": {"lm.order": 4},
    "order 5": {"lm.order": 5},
    "no smartcase": {"lexicon.smartcase": False},
    "space": {"text.segmentation": "space"},
    "min_count 2": {"lexicon.min_count": 2},
    "min_count 5": {"lexicon.min_count": 5},
    "min_count 10": {"lexicon.min_count": 10},
    "6 MB": {"max_size": 6 * MB},
    "24 MB": {"max_size": 24 * MB},
    "count threshold instead of losses": {"max_size": None, "lm.prune": (0, 1, 3)},
    "min_share 0.001": {"lexicon.min_share": 0.001},
    "min_share 0.01": {"lexicon.min_share": 0.01},
    "fingerprint 16": {PACKING + "fingerprint_bits": 16},
    "fingerprint 12": {PACKING + "fingerprint_bits": 12},
    "8 bits per value": {PACKING + "probability_bits": 8, PACKING + "backoff_bits": 8},
    "6 bits per value": {PACKING + "probability_bits": 6, PACKING + "backoff_bits": 6},
    "losses of 1.5 nats": {"max_size": None, "lm.decision_loss": 1.5},
    "losses of 1.5 nats, 16 bits per value, 24 of fingerprint": {
        "max_size": None, "lm.decision_loss": 1.5,
        PACKING + "probability_bits": 16, PACKING + "backoff_bits": 16,
        PACKING + "fingerprint_bits": 24,
    },
}  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--train", nargs="+", required=True, metavar="FILE")
    parser.add_argument("--text", nargs="+", required=True, metavar="NAME=FILE")
    parser.add_argument("--rows", default=".", metavar="REGEX")
    parser.add_argument("--json", type=Path, metavar="OUT")
    args = parser.parse_args()
    texts = dict(item.split("=", 1) for item in args.text)
    names = list(texts)
    headings = "".join(f" {name + ' P':>11} {'F1':>6}" for name in names)
    print(f"{'row':48} {'MB':>7} {'train s':>8}{headings} {'Mwords/s':>9}")
    results = []
    for row, changes in ROWS.items():
        if not re.search(args.rows, row):
            continue
        result = measure(row, recipe_of(changes), args.train, texts)
        results.append(result)
        cells = "".join(
            f" {result['texts'][n]['precision']:9.2f} {result['texts'][n]['f1']:6.2f}"
            for n in names
        )
        print(f"{row:48} {result['bytes'] / MB:7.2f} {result['seconds']:8.0f}{cells}"
              f" {result['words_per_second'] / 1e6:9.2f}", flush=True)  # fmt: skip
    save(args.json, results)
    return 0


def recipe_of(changes: dict[str, object]) -> Recipe:
    """The base with what a row changes of it; None takes an option of the base back."""
    options = {**BASE, **changes}
    preset = PRESETS[str(options.pop("preset", "ngram"))]
    return preset.with_options({path: v for path, v in options.items() if v is not None})


def measure(row, recipe, train, texts):
    """Train one model in a fresh file and evaluate it on every text."""
    start = time.perf_counter()
    trained = train_model(train, recipe).model
    seconds = time.perf_counter() - start
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.truecase"
        trained.save(path)
        del trained
        size = path.stat().st_size
        model = Truecaser.load(path)
        scores, words, elapsed = {}, 0, 0.0
        for name, file in texts.items():
            block = b"".join(read_blocks([file]))
            start = time.process_time()
            cased = model.case_block(block, input_case="ignore")
            elapsed += time.process_time() - start
            words += len(block.split())
            evaluation = evaluate_lines(block.decode().splitlines(), cased.decode().splitlines())
            scores[name] = {"precision": 100 * evaluation.accuracy, "f1": 100 * evaluation.f1}
    return {
        "row": row, "options": recipe_note(recipe), "bytes": size, "seconds": seconds,
        "texts": scores, "words_per_second": words / elapsed,
    }  # fmt: skip


if __name__ == "__main__":
    run_script(main)
