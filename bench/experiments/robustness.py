"""The same test text as other people's text looks: without punctuation, and in ALL CAPS.

    python bench/experiments/robustness.py [-m MODEL] TEXT...

Prints precision and F1 of each text lowercased, with the tokens that have no letter and no
digit taken out (speech recognition output), and of the upper-cased text, whose output must be
the same as that from the lowercased one. Words are what stands between white space; the texts
should be tokenised, or the punctuation that is attached to words goes as well.
"""

import argparse
import re
import sys

from truecase.base.read import read_blocks
from truecase.evaluation.metrics import Evaluation, evaluate_lines
from truecase.truecaser import Truecaser

# No letter or digit, or the escape of a bracket.
PUNCTUATION = re.compile(r"[\W_]+|-[lr][rsc]b-", re.IGNORECASE)


def without_punctuation(line: str) -> str:
    """The line without the tokens that are marks."""
    return " ".join(word for word in line.split() if not PUNCTUATION.fullmatch(word))


def judge(model: Truecaser, lines: list[str]) -> Evaluation:
    """Lowercase, case again, compare."""
    return evaluate_lines(lines, model.batch(lines))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("-m", "--model", help="default: the embedded model")
    parser.add_argument("texts", nargs="+", metavar="TEXT")
    args = parser.parse_args()
    model = Truecaser.load(args.model)
    differences = 0
    print(f"{'text':40} {'P':>6} {'F1':>6}  {'no punct. P':>11} {'F1':>6}  {'ALL CAPS':>20}")
    for path in args.texts:
        lines = b"".join(read_blocks([path])).decode("utf-8", "replace").splitlines()
        plain = judge(model, lines)
        bare = judge(model, [without_punctuation(line) for line in lines])
        lower, upper = (line_case(lines, case) for case in (str.lower, str.upper))
        # Letters whose upper case is two letters (ß) or another word's (ı) do not come back.
        same = [i for i, line in enumerate(upper) if line.lower() == lower[i]]
        cased = [model.batch([text[i] for i in same]) for text in (lower, upper)]
        wrong = sum(a != b for a, b in zip(*cased, strict=True))
        differences += wrong
        print(f"{path[-40:]:40} {100 * plain.accuracy:6.2f} {100 * plain.f1:6.2f} "
              f" {100 * bare.accuracy:11.2f} {100 * bare.f1:6.2f} "
              f" {wrong:6} of {len(same):,} lines differ")  # fmt: skip
    return 1 if differences else 0


def line_case(lines: list[str], case) -> list[str]:
    """Every line through `str.lower` or `str.upper`."""
    return [case(line) for line in lines]


if __name__ == "__main__":
    sys.exit(main())
