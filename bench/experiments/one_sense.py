"""What a text says of its words, for its other places: errors with and without `--one-sense`.

    python bench/experiments/one_sense.py TEXT... [-m MODEL] [--lines 3000] [--shuffled]

Each text has a sentence a line, in the order of its documents. Errors are wrong words between white
space. With `--shuffled`, the lines of each text are shuffled, so that windows are no documents.
"""

import argparse
import random
import sys
import time
from pathlib import Path

from truecase.files.read import read_blocks
from truecase.truecaser import Truecaser


def errors(lines: list[str], cased: list[str]) -> int:
    """Wrong words."""
    return sum(
        right != word
        for line, output in zip(lines, cased, strict=True)
        for right, word in zip(line.split(), output.split(), strict=True)
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("texts", nargs="+", type=Path, metavar="TEXT")
    parser.add_argument("-m", "--model", help="default: the embedded English model")
    parser.add_argument("--lines", type=int, default=3000, help="of each text")
    parser.add_argument("--shuffled", action="store_true")
    args = parser.parse_args()
    model = Truecaser.load(args.model)
    print("| text | words | errors | with --one-sense | words/s |")
    print("|---|---:|---:|---:|---:|")
    for path in args.texts:
        text = b"".join(read_blocks([path])).decode().splitlines()
        lines = [line for line in text if line.strip()][: args.lines]
        if args.shuffled:
            random.Random(1).shuffle(lines)
        lower = [line.lower() for line in lines]
        before = errors(lines, model.batch(lower))
        started = time.process_time()
        cased = model.document(lower, context="line", one_sense=True)
        seconds = time.process_time() - started
        after = errors(lines, cased)
        n_words = sum(len(line.split()) for line in lines)
        print(
            f"| {path.name} | {n_words:,} | {before:,} | {after:,} "
            f"({100 * (after - before) / max(before, 1):+.1f} %) | {n_words / seconds:,.0f} |"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
