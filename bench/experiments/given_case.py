"""Measure how much a model mends and harms, by the case of its input.

    python bench/experiments/given_case.py -m MODEL TEXT...

The model cases each TEXT, which is cased correctly, as it is; with some words spoilt (lowered,
raised, or only the first letter raised); in lower case; in capitals; and in title case (the first
letter of each word raised). For each way to read the case of the input, the table has the share of
words that come out wrong, the share of spoilt words that is mended, the share of all others that is
harmed, and the share of words with inner capitals that stay. By `file`, the lines are proofread as
those of one file: the model is fitted to them.
"""

import random
import re
from collections.abc import Callable
from typing import NamedTuple

from frame import parser_of, percent, read_lines, row, run_script

from truecase.truecaser import Truecaser

WAYS = ("ignore", "keep", "evidence", "proofread", "file")
INNER_CAPITALS = re.compile(r"[a-z]+[A-Z]|[A-Z][a-z]+[A-Z]")

Words = list[list[str]]


class Figures(NamedTuple):
    """Counts of the words of a text that came in some case."""

    n: int
    wrong: int
    spoilt: int
    mended: int
    harmed: int
    inner: int
    inner_kept: int


def spoilt_word(word: str, draw: random.Random) -> str:
    """A word in another case, if it has letters."""
    return draw.choice([word.lower(), word.upper(), word[:1].upper() + word[1:].lower()])


def figures_of(model: Truecaser, way: str, right: Words, given: Words) -> Figures:
    """Case a text that came as `given`, and compare."""
    lines = [" ".join(words) for words in given]
    model = model.with_casing(input_case="proofread" if way == "file" else way)
    if way == "file":
        model = model.with_agreed_names(["\n".join(lines)])
    outputs = [line.split(" ") for line in model.batch(lines)]
    n = wrong = spoilt = mended = harmed = inner = kept = 0
    for line in zip(right, given, outputs, strict=True):
        for word, came, output in zip(*line, strict=True):
            n += 1
            is_right = output == word
            wrong += not is_right
            if came != word:
                spoilt += 1
                mended += is_right
            else:
                harmed += not is_right
            if INNER_CAPITALS.search(word) and came == word:
                inner += 1
                kept += is_right
    return Figures(n, wrong, spoilt, mended, harmed, inner, kept)


def main() -> int:
    """Print the tables."""
    assert __doc__ is not None
    parser = parser_of(__doc__)
    parser.add_argument("--share", type=float, default=0.05, help="of spoilt words (%(default)s)")
    parser.add_argument("--lines", type=int, help="of each text at most")
    parser.add_argument("--min-odds", type=float, help="of words that change; default: any")
    parser.add_argument("--ways", nargs="+", default=WAYS, help="default: all")
    args = parser.parse_args()
    model = Truecaser.load(args.model).with_casing(min_odds=args.min_odds)
    for path in args.texts:
        right = [line.split(" ") for line in read_lines(path, args.lines)]
        draw = random.Random(1)

        def each(change: Callable[[str], str], right: Words = right) -> Words:
            return [[change(word) for word in words] for words in right]

        def slip(word: str, draw: random.Random = draw) -> str:
            return spoilt_word(word, draw) if draw.random() < args.share else word

        inputs = {
            "right": right,
            "spoilt": each(slip),
            "lower": each(str.lower),
            "capitals": each(str.upper),
            "title case": each(lambda word: word[:1].upper() + word[1:]),
        }
        print(f"\n{path.name}: {sum(map(len, right)):,} words\n")
        row(
            *("input", "read as", "wrong, %", "spoilt words mended, %"),
            *("others harmed, %", "inner capitals kept, %"),
        )
        print("|---|---|---:|---:|---:|---:|")
        for name, given in inputs.items():
            for way in args.ways:
                one = figures_of(model, way, right, given)
                mixed = name in ("right", "spoilt")
                row(
                    name,
                    way,
                    share(one.wrong, one.n),
                    share(one.mended, one.spoilt) if name == "spoilt" else "",
                    share(one.harmed, one.n - one.spoilt) if mixed else "",
                    share(one.inner_kept, one.inner) if mixed else "",
                )
    return 0


def share(part: int, whole: int) -> str:
    """A share in per cent; empty if there is no word of the kind."""
    return f"{percent(part, whole):.2f}" if whole else ""


if __name__ == "__main__":
    run_script(main)
