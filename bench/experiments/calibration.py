"""How far a model's probabilities can be trusted: expected calibration error on cased texts.

    python bench/experiments/calibration.py [--model MODEL] [--plain] [--table] TEXT...

Each text is lowercased, cased by the model, and the probability of each word with case is set
beside whether it is right; words whose right form is not among the candidates are wrong. A row for
each text: words, right ones, mean probability, expected calibration error; the same of words to
which the model knows one form, and their share of words and of errors. --table adds a reliability
table of all words, --svg OUT.svg draws it; --plain leaves a model's calibration out.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from truecase.evaluation.calibration import Bin, reliability
from truecase.text._casing import lower
from truecase.truecaser import Truecaser


class Judged(NamedTuple):
    """A word: how sure the model is, whether it is right, whether it has one form."""

    probability: float
    is_right: bool
    is_one: bool


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("text", nargs="+", metavar="TEXT")
    parser.add_argument("--model", metavar="MODEL")
    parser.add_argument("--plain", action="store_true", help="without the model's calibration")
    parser.add_argument("--table", action="store_true", help="a reliability table, too")
    parser.add_argument("--svg", metavar="OUT")
    args = parser.parse_args()
    model = Truecaser.load(args.model)
    if args.plain:
        model = model.without_calibration()
    width = max(len(name) for name in args.text)
    print(f"{'':{width}} {'all words':>32}   {'words with one form':>41}")
    print(
        f"{'text':{width}} {'words':>9} {'right':>7} {'sure':>7} {'ECE':>6}   "
        f"{'of words':>8} {'of errors':>9} {'right':>7} {'sure':>7} {'ECE':>6}"
    )
    every: list[Judged] = []
    for name in args.text:
        words = list(judged(model, Path(name)))
        every += words
        one = [word for word in words if word.is_one]
        of_words = len(one) / max(1, len(words))
        wrong = sum(not word.is_right for word in words)
        of_errors = sum(not word.is_right for word in one) / max(1, wrong)
        print(
            f"{name:{width}} {len(words):9,} {shares(words)}   {100 * of_words:8.1f} "
            f"{100 * of_errors:9.1f} {shares(one)}"
        )
    if args.table:
        print_table(reliability(pairs(every))[0])
    if args.svg:
        Path(args.svg).write_text(plot(reliability(pairs(every))[0]), encoding="utf-8")
    return 0


def judged(model: Truecaser, path: Path) -> Iterator[Judged]:
    """The words of a text that have case."""
    for line in path.read_text(encoding="utf-8").split("\n"):
        bare = lower(line, model.language)
        # A few letters change their length, and words could not be found again.
        for words in model.posteriors(bare) if len(bare) == len(line) else ():
            for word in words:
                if word.tag != "AN":
                    is_right = word.text == line[word.start : word.end]
                    yield Judged(word.posterior, is_right, len(word.candidates) == 1)


def pairs(words: list[Judged]) -> Iterator[tuple[float, bool]]:
    return ((word.probability, word.is_right) for word in words)


def shares(words: list[Judged]) -> str:
    """Share of right words, mean probability and expected calibration error, in %."""
    n = max(1, len(words))
    right = sum(word.is_right for word in words) / n
    sure = sum(word.probability for word in words) / n
    return f"{100 * right:7.2f} {100 * sure:7.2f} {100 * reliability(pairs(words))[1]:6.2f}"


def print_table(bins: list[Bin]) -> None:
    print(f"\n{'probability':>15} {'words':>9} {'mean':>7} {'right':>7}")
    for b in bins:
        limits = f"{b.low:.3f}-{b.high:.3f}"
        print(f"{limits:>15} {b.n_words:9,} {b.confidence:7.4f} {b.accuracy:7.4f}")


def plot(bins: list[Bin]) -> str:
    """A reliability diagram as SVG; the area of a dot is the number of words."""
    side, margin = 320, 40
    most = max(b.n_words for b in bins)

    def x(value: float) -> float:
        return margin + value * side

    def y(value: float) -> float:
        return margin + (1 - value) * side

    size = side + 2 * margin
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" '
        'font-family="sans-serif" font-size="11" fill="currentColor">',
        f'<rect x="{margin}" y="{margin}" width="{side}" height="{side}" fill="none" '
        'stroke="currentColor" opacity=".4"/>',
        f'<line x1="{x(0)}" y1="{y(0)}" x2="{x(1)}" y2="{y(1)}" stroke="currentColor" '
        'opacity=".4" stroke-dasharray="4"/>',
    ]
    for tick in (0, 0.25, 0.5, 0.75, 1):
        parts.append(f'<text x="{x(tick) - 8}" y="{size - 22}">{tick:g}</text>')
        parts.append(f'<text x="8" y="{y(tick) + 4}">{tick:g}</text>')
    for b in bins:
        radius = 2 + 8 * (b.n_words / most) ** 0.5
        parts.append(
            f'<circle cx="{x(b.confidence):.1f}" cy="{y(b.accuracy):.1f}" r="{radius:.1f}" '
            f'fill="#3b7" opacity=".8"><title>{b.n_words} words: {b.confidence:.3f} sure, '
            f"{b.accuracy:.3f} right</title></circle>"
        )
    parts.append(f'<text x="{margin}" y="{size - 6}">probability given</text>')
    parts.append(f'<text x="{margin}" y="24">share that is right</text></svg>')
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    sys.exit(main())
