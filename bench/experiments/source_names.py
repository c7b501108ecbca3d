"""Capitals that stand in the source: how many of them a model misses, and which.

    python bench/experiments/prepare_bitext.py DATA BITEXTS
    python bench/experiments/source_names.py BITEXTS [-m MODEL] [--part dev] [--seen words]
        [--tasks FOLDER:LANG ...] [--show N]

Of each task: words with upper case, not the line's first, that stand letter by letter in the
source, not as its first word; how many of them the model cases otherwise; and, the other way
round, words in lower case that the source has with upper case alone, and that the model raises.
Missed words are counted by the first of these kinds that they are of:

source has both    the source has the word in lower case, too
target has both    the line to be cased has it in lower case, too
several words      a word beside it is the same on both sides, and has a capital
other form         the model gives it upper case, but another one
letter, number     a single letter, or a word with a digit
alone              none of these
"""

import re
from collections import Counter
from pathlib import Path

from bitexts import TO_ENGLISH, Judge, Task
from frame import header, parser_of, row, run_script

from truecase.truecaser import Truecaser

KINDS = (
    "source has both",
    "target has both",
    "several words",
    "other form",
    "letter, number",
    "alone",
)


def is_cased(word: str) -> bool:
    return word.lower() != word.upper()


def inside(words: list[str]) -> list[str]:
    """The words after the first one with case."""
    first = next((i for i, word in enumerate(words) if is_cased(word)), len(words))
    return words[first + 1 :]


def kind_of(words: list[str], i: int, given: str, source: list[str]) -> str:
    """What kind of a miss word i is, which the model wrote as `given`."""
    word, small = words[i], words[i].lower()
    neighbours = [words[k] for k in (i - 1, i + 1) if 0 <= k < len(words)]
    pairs = set(zip(source, source[1:], strict=False))
    in_name = any(
        other != other.lower() and ((other, word) in pairs or (word, other) in pairs)
        for other in neighbours
    )
    if small in source:
        return KINDS[0]
    if small in words:
        return KINDS[1]
    if in_name:
        return KINDS[2]
    if given != given.lower():
        return KINDS[3]
    if len(word) == 1 or re.search(r"\d", word):
        return KINDS[4]
    return KINDS[5]


def main() -> None:
    parser = parser_of(__doc__, texts="")
    parser.add_argument("bitexts", type=Path)
    parser.add_argument("--part", default="test")
    parser.add_argument("--seen", default="sentence", choices=["nothing", "sentence", "words"])
    parser.add_argument("--tasks", nargs="+", default=TO_ENGLISH, metavar="FOLDER:LANG")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="missed words")
    args = parser.parse_args()
    model = Truecaser.load(args.model)
    header(args.part, "in both", "missed", *KINDS, "raised")
    for name in args.tasks:
        task = Task.parse(args.bitexts, name)
        lines = task.read(args.part)
        judge = Judge(lines, task.target)
        cased = judge.case(model, args.seen).split("\n")
        texts = (text.decode().split("\n") for text in (lines.target, lines.source))
        found: Counter[str] = Counter()
        missed = []
        for reference, source, output in zip(*texts, cased, strict=True):
            words, others, given = reference.split(), inside(source.split()), output.split()
            small = {word.lower() for word in others}
            for i, (word, form) in enumerate(zip(words, given, strict=True)):
                if i == 0 or not is_cased(word):
                    continue
                if word != word.lower() and word in others:
                    found["in both"] += 1
                    if form != word:
                        kind = kind_of(words, i, form, others)
                        found[kind] += 1
                        missed.append((kind, word, reference, source))
                elif word == word.lower() and word not in others and word in small:
                    found["raised"] += form != word
        kinds = (found[kind] for kind in KINDS)
        row(task.name, found["in both"], len(missed), *kinds, found["raised"])
        for example in missed[: args.show]:
            print("   ", *example, sep="\t")


if __name__ == "__main__":
    run_script(main)
