"""Measure how far a model's probabilities are right: expected calibration error on cased texts.

    python bench/experiments/calibration.py [-m MODEL] [--plain] TEXT...

The script lowercases each text, cases it with the model, and compares the probability of each word
with case with whether it is right; a word whose right form is no candidate is wrong. The row of a
text has the number of words, the share of right ones, the mean probability and the expected
calibration error; the same for words with one known form, and their share of words and of errors.
--plain leaves out a model's calibration.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from frame import header, parser_of, percent, read_lines, row, run_script

from truecase.evaluation.calibration import calibration_error
from truecase.kernels._unicode import lower
from truecase.truecaser import Truecaser


class Judged(NamedTuple):
    """A word: how sure the model is, whether it is right, whether it has one form."""

    probability: float
    is_right: bool
    is_one: bool


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--plain", action="store_true", help="without the model's calibration")
    args = parser.parse_args()
    model = Truecaser.load(args.model)
    if args.plain:
        model = model.without_calibration()
    of_one = "right, one form", "sure", "error"
    header("text", "words", "right", "sure", "error", "one form", "of the errors", *of_one)
    for path in args.texts:
        words = list(judged(model, path))
        one = [word for word in words if word.is_one]
        wrong, of_them = (sum(not word.is_right for word in some) for some in (words, one))
        share = f"{percent(len(one), len(words)):.1f}", f"{percent(of_them, wrong):.1f}"
        row(path.name, len(words), *shares(words), *share, *shares(one))


def judged(model: Truecaser, path: Path) -> Iterator[Judged]:
    """The words of a text that have case."""
    for line in read_lines(path):
        bare = lower(line, model.language)
        # A few letters change their length, and words could not be found again.
        for words in model.posteriors(bare) if len(bare) == len(line) else ():
            for word in words:
                if word.tag != "AN":
                    is_right = word.text == line[word.start : word.end]
                    yield Judged(word.posterior, is_right, len(word.candidates) == 1)


def shares(words: list[Judged]) -> list[str]:
    """Share of right words, mean probability and expected calibration error, in %."""
    right = percent(sum(word.is_right for word in words), len(words))
    sure = percent(sum(word.probability for word in words), len(words))
    probabilities, is_right = ([word[i] for word in words] for i in range(2))
    error = 100 * calibration_error(np.array(probabilities), np.array(is_right))
    return [f"{figure:.2f}" for figure in (right, sure, error)]


if __name__ == "__main__":
    run_script(main)
