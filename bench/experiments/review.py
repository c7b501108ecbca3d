"""How many errors a reviewer finds among the least certain words, as the review page lists them.

    python bench/experiments/review.py [--model MODEL] TEXT...

Each TEXT is cased, a sentence a line. It is lowercased and cased again; its words stand by rising
certainty, as on the page of `truecase review`. For each share of the words that is looked at: the
share of all errors that is among them, and the share of words that are right when these are mended.
"""

import argparse
import tempfile
from pathlib import Path

from truecase.formats.registry import read_document
from truecase.formats.review import cased_segments
from truecase.text._casing import lower
from truecase.truecaser import Truecaser

SHARES = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--model", metavar="MODEL")
    parser.add_argument("texts", nargs="+", metavar="TEXT")
    args = parser.parse_args()
    model = Truecaser.load(args.model)
    print(f"{'text':24} {'words':>8} {'errors':>7}" + "".join(f" {100 * s:11g} %" for s in SHARES))
    for name in args.texts:
        words = judged(model, Path(name))
        words.sort()
        n_errors = sum(form != right for _, _, form, right in words)
        row = f"{Path(name).name[:24]:24} {len(words):8,} {n_errors:7,}"
        for share in SHARES:
            seen = words[: round(share * len(words))]
            found = sum(form != right for _, _, form, right in seen)
            accuracy = 100 * (1 - (n_errors - found) / len(words))
            row += f" {100 * found / n_errors:5.1f} {accuracy:7.2f}"
        print(row)


def judged(model, path):
    """(certainty, place, form, right form) of the words of a text that have letters with case."""
    text = path.read_text(encoding="utf-8")
    lines = [line for line in text.split("\n") if any(map(str.isalpha, line))]
    bare = lower("\n".join(lines) + "\n", model.language)
    with tempfile.NamedTemporaryFile(suffix=".txt") as file:
        document = read_document(bare.encode(), file.name, "text")
    words = []
    for segment, line in zip(cased_segments(document, model), lines, strict=True):
        for place in segment.places:
            right = line[place.start : place.end]
            words.append((place.certainty, len(words), place.text, right))
    return words


if __name__ == "__main__":
    main()
