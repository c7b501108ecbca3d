"""One name, one form: words that agreement on a text's unknown words mends and breaks.

    python bench/experiments/agreed_names.py TEXT... [-m MODEL] [--lines 3000]

Each text has a sentence a line, in the order of its documents. Errors are wrong words between white
space.
"""

import argparse
import sys
from pathlib import Path

from truecase.base.read import read_blocks
from truecase.kernels._unicode import lower
from truecase.truecaser import Truecaser
from truecase.truecaser.agreed_names import with_agreed_names


def main() -> int:
    """Print a line for each text."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("texts", nargs="+", metavar="TEXT", type=Path)
    parser.add_argument("-m", "--model", help="default: the embedded English model")
    parser.add_argument("--lines", type=int, default=3000, help="of each text")
    args = parser.parse_args()
    model = Truecaser.load(args.model)
    print("| text | words | wrong before | mended | broken |")
    print("|---|---:|---:|---:|---:|")
    for path in args.texts:
        text = b"".join(read_blocks([path])).decode().splitlines()
        lines = [line for line in text if line.strip()][: args.lines]
        lowered = [lower(line) for line in lines]
        agreed = with_agreed_names(model, ["\n".join(lowered)])
        n_words = wrong = mended = broken = 0
        for line, *outputs in zip(lines, model.batch(lowered), agreed.batch(lowered), strict=True):
            for right, before, after in zip(line.split(), *map(str.split, outputs), strict=True):
                n_words += 1
                wrong += before != right
                mended += before != right == after
                broken += before == right != after
        print(f"| {path.name} | {n_words:,} | {wrong:,} | {mended} | {broken} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
