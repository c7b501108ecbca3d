"""Measure how much a model mends and harms, by the case of its input.

    python bench/experiments/given_case.py -m MODEL TEXT...

The model cases each TEXT, which is cased correctly, as it is; with some words spoilt (lowered,
raised, or only the first letter raised); in lower case; in capitals; and in title case (the first
letter of each word raised). For each way to read the case of the input, the table has the share of
words that come out wrong, the share of spoilt words that is mended, the share of all others that is
harmed, and the share of words with inner capitals that stay. By `file`, the lines are proofread as
those of one file: the model is fitted to them.

    python bench/experiments/given_case.py --files FILE...

`--files`: each FILE is subtitles, a catalogue or another format of `truecase file`, which spoils
and cases its texts where they stand.
"""

import random
import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from frame import parser_of, percent, read_lines, read_text, row, run_script

from truecase import case_file
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
    return compare(right, given, [line.split(" ") for line in model.batch(lines)])


class Changer:
    """A model that changes each word, and so spoils a file."""

    def __init__(self, change: Callable[[str], str]) -> None:
        self.change = change

    def case_block(self, block: bytes, threads: int = 1, input_case: str | None = None) -> bytes:
        lines = block.decode().split("\n")
        return "\n".join(" ".join(map(self.change, one.split(" "))) for one in lines).encode()


def figures_of_file(model: Truecaser, path: Path, change: Callable[[str], str]) -> Figures:
    """Change the words of a file, case it, and compare; all between white space counts as words."""
    with tempfile.TemporaryDirectory() as folder:
        given, output = (Path(folder, f"{name}{path.suffix}") for name in ("given", "output"))
        case_file(path, given, Changer(change))
        case_file(given, output, model)
        words = ([read_text(one).split()] for one in (path, given, output))
        return compare(*words)


def compare(right: Words, given: Words, outputs: Words) -> Figures:
    """Count the words of lines that came out wrong."""
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
    parser.add_argument("--ways", nargs="+", help="default: all")
    parser.add_argument("--files", action="store_true", help="the texts are in files of formats")
    args = parser.parse_args()
    if args.files and (args.lines or args.ways):
        parser.error("--files goes over whole files, in one way: leave --lines and --ways out")
    model = Truecaser.load(args.model).with_casing(min_odds=args.min_odds)
    for path in args.texts:
        draw = random.Random(1)

        def slip(word: str, draw: random.Random = draw) -> str:
            return spoilt_word(word, draw) if draw.random() < args.share else word

        changes: dict[str, Callable[[str], str]] = {
            "right": str,
            "spoilt": slip,
            "lower": str.lower,
            "capitals": str.upper,
            "title case": lambda word: word[:1].upper() + word[1:],
        }
        if args.files:
            right = [read_text(path).split()]
        else:
            right = [line.split(" ") for line in read_lines(path, args.lines)]
        print(f"\n{path.name}: {sum(map(len, right)):,} words\n")
        row(
            *("input", "read as", "wrong, %", "spoilt words mended, %"),
            *("others harmed, %", "inner capitals kept, %"),
        )
        print("|---|---|---:|---:|---:|---:|")
        for name, change in changes.items():
            if args.files:
                figures = {"file": figures_of_file(model, path, change)}
            else:
                given = [[change(word) for word in words] for words in right]
                ways = args.ways or WAYS
                figures = {way: figures_of(model, way, right, given) for way in ways}
            for way, one in figures.items():
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
