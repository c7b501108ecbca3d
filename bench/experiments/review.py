"""Measure how many errors a reviewer finds among the least certain words of the review page.

    python bench/experiments/review.py [-m MODEL] TEXT...

Each TEXT is cased, a sentence per line. The script lowercases it, cases it again, and sorts its
words by rising certainty, like the page of `truecase review`. For each share of the words that a
reviewer looks at, it prints the share of all errors among them, and the share of right words once
these are mended.
"""

from frame import header, parser_of, percent, read_lines, row, run_script

from truecase.formats.registry import read_document
from truecase.formats.review import ReviewSettings, cased_segments
from truecase.kernels._unicode import lower
from truecase.truecaser import Truecaser

SHARES = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1)


def main() -> None:
    args = parser_of(__doc__).parse_args()
    model = Truecaser.load(args.model)
    header("text", "words", "errors", *(f"{100 * share:g} %" for share in SHARES))
    for path in args.texts:
        words = sorted(judged(model, path))
        n_errors = sum(form != right for _, _, form, right in words)
        cells = []
        for share in SHARES:
            seen = words[: round(share * len(words))]
            found = sum(form != right for _, _, form, right in seen)
            accuracy = 100 - percent(n_errors - found, len(words))
            cells.append(f"{percent(found, n_errors):.1f} {accuracy:.2f}")
        row(path.name, len(words), n_errors, *cells)


def judged(model, path):
    """(certainty, place, form, right form) of the words of a text that have letters with case."""
    lines = [line for line in read_lines(path) if any(map(str.isalpha, line))]
    bare = lower("\n".join(lines) + "\n", model.language)
    document = read_document(bare.encode(), "bare.txt", "text")
    words = []
    for segment, line in zip(cased_segments(document, model, ReviewSettings()), lines, strict=True):
        for place in segment.places:
            right = line[place.start : place.end]
            words.append((place.certainty, len(words), place.text, right))
    return words


if __name__ == "__main__":
    run_script(main)
