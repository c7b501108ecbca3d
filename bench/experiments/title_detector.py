"""What casing by a title detector costs and gains: errors of --style auto against sentence.

    python bench/experiments/title_detector.py MODEL TEXT...

MODEL is a model with a detector (`truecase train --title-detector`), TEXT naturally cased text, of
which so many lines, spread over it, are taken that they have about 600 kB. For several thresholds,
the log-odds that a line must have to be cased as a title: how many lines have them, and how many
more words are wrong than with every line cased as a sentence.
"""

import argparse
import sys
from pathlib import Path

import numpy as np

from truecase import Truecaser
from truecase.base.read import read_blocks
from truecase.styles._titles import TitleDetector
from truecase.text._casing import lower

THRESHOLDS = (0, 2, 4, 6, 8)
MOST_BYTES = 600_000


def sample(path: Path) -> str:
    """Lines of a text, spread over it."""
    lines = b"".join(read_blocks([path])).decode("utf-8", "surrogateescape").split("\n")[:-1]
    step = max(1, sum(map(len, lines)) // MOST_BYTES)
    return "\n".join(lines[::step])


def wrong(lines: list[str], cased: str) -> np.ndarray:
    """Of each line, the words that are cased otherwise."""
    others = cased.split("\n")
    return np.array(
        [
            sum(a != b for a, b in zip(line.split(), other.split(), strict=True))
            for line, other in zip(lines, others, strict=True)
        ]
    )


def log_odds(detector: TitleDetector, weights: np.ndarray, bias: int, block: bytes) -> np.ndarray:
    """Of each line the highest threshold that it passes, -1 if none."""
    found = np.full(block.count(b"\n"), -1)
    for threshold in THRESHOLDS:
        moved = weights.copy()
        moved[bias] -= threshold
        kinds = TitleDetector("raw", "", moved).detect(block)
        found[kinds > 0] = threshold
    return found


def bias_of(weights: np.ndarray) -> int:
    """The weight that every line has: the one that lines without anything in common share."""
    lines = b"zebra\nthe quick brown fox jumps , over 3 dogs .\n3 4 5 ?\nfoo: bar baz\n"
    for place in range(len(weights)):
        alone = np.zeros_like(weights)
        alone[place] = 1.0
        if TitleDetector("raw", "", alone).detect(lines).all():
            return place
    raise SystemExit("the detector has no weight that all lines have")


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("model")
    parser.add_argument("texts", nargs="+", type=Path)
    args = parser.parse_args()
    model = Truecaser.load(args.model)
    as_titles = Truecaser.load(args.model, style="title")
    if model.model.titles is None:
        sys.exit(f"{args.model}: no title detector")
    detector = model.model.titles.detector("raw", model.model.text.casing_language)
    weights = detector.weights
    bias = bias_of(weights)
    heads = " | ".join(f"> {threshold}" for threshold in THRESHOLDS)
    print(f"| text | lines | wrong as sentences | all as titles | {heads} |")
    print("|---" * (4 + len(THRESHOLDS)) + "|")
    for path in args.texts:
        text = sample(path)
        bare = lower(text, model.model.text.casing_language)
        lines = text.split("\n")
        sentence, title = (wrong(lines, cased(bare)) for cased in (model, as_titles))
        odds = log_odds(detector, weights, bias, (bare + "\n").encode("utf-8", "surrogateescape"))
        cells = [
            f"{(title - sentence)[odds >= t].sum():+,} in {(odds >= t).sum():,}" for t in THRESHOLDS
        ]
        print(
            f"| {path.name} | {len(lines):,} | {sentence.sum():,} | {title.sum():,} "
            f"| {' | '.join(cells)} |",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
