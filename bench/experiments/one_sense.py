"""What a text says of its words, for its other places: errors with and without `--one-sense`.

    python bench/experiments/one_sense.py TEXT... [-m MODEL] [--lines 3000] [--shuffled]
    python bench/experiments/one_sense.py TEXT... --learn truecase/data/evidence.json

Each text has a sentence a line, in the order of its documents. Errors are wrong words between white
space. With `--shuffled`, the lines of each text are shuffled, so that windows are no documents. The
last columns are of the text as a file: words that agreement on unknown words mends and breaks.

`--learn` learns which changes of the second pass are right: logistic regression over each text in
order and shuffled. It prints the errors of each text with weights learned on the others, `A,B`
being held out together, and writes those of all.
"""

import argparse
import json
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

from truecase.base.read import read_blocks
from truecase.kernels._unicode import lower
from truecase.model.names import name_list
from truecase.truecaser import Truecaser
from truecase.truecaser.one_sense import (
    MARGIN,
    WEIGHTS,
    WINDOW,
    Evidence,
    changes,
    read_words,
    with_agreed_names,
)

# The weights that are there name the features.
FEATURES = tuple(WEIGHTS["raised"])
PENALTY = 3.0  # inverse variance of the Gaussian prior of weights

Row = tuple[str, tuple[float, ...], bool | None]


def lines_of(path: Path, n_lines: int, *, shuffled: bool) -> list[str]:
    """The first lines of a text that have something."""
    text = b"".join(read_blocks([path])).decode().splitlines()
    lines = [line for line in text if line.strip()][:n_lines]
    if shuffled:
        random.Random(1).shuffle(lines)
    return lines


def errors(lines: list[str], cased: list[str]) -> int:
    """Wrong words."""
    return sum(
        right != word
        for line, output in zip(lines, cased, strict=True)
        for right, word in zip(line.split(), output.split(), strict=True)
    )


def of_agreement(model: Truecaser, lines: list[str]) -> tuple[int, int]:
    """How many words come out right, and how many wrong, because unknown words agree."""
    lowered = [lower(line) for line in lines]
    agreed = with_agreed_names(model, ["\n".join(lowered)])
    mended = broken = 0
    for line, *outputs in zip(lines, model.batch(lowered), agreed.batch(lowered), strict=True):
        for right, before, after in zip(line.split(), *map(str.split, outputs), strict=True):
            mended += before != right == after
            broken += before == right != after
    return mended, broken


def rows_of(model: Truecaser, lines: list[str]) -> Iterator[Row]:
    """Of each change of the second pass, kind and features, and which form is right."""
    for at in range(0, len(lines), WINDOW):
        window = lines[at : at + WINDOW]
        block = "".join(f"{lower(line)}\n" for line in window).encode()
        first = model.table_block(block, with_posteriors=True).decode()
        evidence = Evidence(first, model.training_count)
        knowing = model.with_names(name_list(evidence.forms()))
        second = knowing.table_block(block, with_posteriors=True).decode()
        for change in changes(evidence, read_words(second)):
            word = evidence.lines[change.line][change.word]
            right = window[change.line][word.start : word.end]
            is_right = {change.second.text: True, word.text: False}.get(right)
            yield change.kind, tuple(change.features[name] for name in FEATURES), is_right


def learn(rows: list[Row]) -> dict[str, np.ndarray]:
    """Weights by kind; changes between two wrong forms tell nothing."""
    weights = {}
    for kind in WEIGHTS:
        values = np.array([row[1] for row in rows if row[0] == kind and row[2] is not None])
        signs = np.array(
            [1.0 if row[2] else -1.0 for row in rows if row[0] == kind and row[2] is not None]
        )

        def loss(w: np.ndarray, values=values, signs=signs) -> tuple[float, np.ndarray]:
            margins = signs * (values @ w)
            slope = -(signs / (1 + np.exp(margins))) @ values
            return np.logaddexp(0, -margins).sum() + PENALTY / 2 * w @ w, slope + PENALTY * w

        weights[kind] = minimize(loss, np.zeros(len(FEATURES)), jac=True, method="L-BFGS-B").x
    return weights


def gain(rows: list[Row], weights: dict[str, np.ndarray]) -> int:
    """Changes to the worse that weights make, less those to the better."""
    made = [row[2] for row in rows if weights[row[0]] @ np.array(row[1]) > MARGIN]
    return sum(right is False for right in made) - sum(right is True for right in made)


def write_weights(path: Path, weights: dict[str, np.ndarray]) -> None:
    """Write the file of the weights."""
    learned = {
        kind: {name: round(w, 3) for name, w in zip(FEATURES, weights[kind].tolist(), strict=True)}
        for kind in WEIGHTS
    }
    text = json.dumps({"margin": MARGIN, "weights": learned}, indent=1)
    path.write_text(f"{text}\n", encoding="utf-8")


def learn_and_write(model: Truecaser, args: argparse.Namespace) -> int:
    """Print what weights of the other texts give each, and write those of all."""
    groups = [[Path(name) for name in text.split(",")] for text in args.texts]
    rows = {
        (path, shuffled): list(rows_of(model, lines_of(path, args.lines, shuffled=shuffled)))
        for group in groups
        for path in group
        for shuffled in (False, True)
    }
    print("| text | errors | in order | shuffled |")
    print("|---|---:|---:|---:|")
    for group in groups:
        others = [row for (path, _), found in rows.items() if path not in group for row in found]
        weights = learn(others)
        for path in group:
            lines = lines_of(path, args.lines, shuffled=False)
            before = errors(lines, model.batch([lower(line) for line in lines]))
            changed = [
                f"{100 * gain(rows[path, shuffled], weights) / max(before, 1):+.1f} %"
                for shuffled in (False, True)
            ]
            print(f"| {path.name} | {before:,} | {changed[0]} | {changed[1]} |", flush=True)
    write_weights(args.learn, learn([row for found in rows.values() for row in found]))
    return 0


def main() -> int:
    """Print a line for each text."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("texts", nargs="+", metavar="TEXT")
    parser.add_argument("-m", "--model", help="default: the embedded English model")
    parser.add_argument("--lines", type=int, default=3000, help="of each text")
    parser.add_argument("--shuffled", action="store_true")
    parser.add_argument("--learn", type=Path, metavar="WEIGHTS.json")
    args = parser.parse_args()
    model = Truecaser.load(args.model).without_calibration()
    if args.learn:
        return learn_and_write(model, args)
    print("| text | words | errors | with --one-sense | words/s | names agree: mended | broken |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for path in map(Path, args.texts):
        lines = lines_of(path, args.lines, shuffled=args.shuffled)
        lowered = [lower(line) for line in lines]
        before = errors(lines, model.batch(lowered))
        started = time.process_time()
        cased = model.document(lowered, context="line", one_sense=True)
        seconds = time.process_time() - started
        after = errors(lines, cased)
        n_words = sum(len(line.split()) for line in lines)
        print(
            f"| {path.name} | {n_words:,} | {before:,} | {after:,} "
            f"({100 * (after - before) / max(before, 1):+.1f} %) | {n_words / seconds:,.0f} | "
            "{} | {} |".format(*of_agreement(model, lines))
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
