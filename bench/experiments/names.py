"""Measure what a list of names gains on text with names that the model has never seen.

    python bench/experiments/names.py TEXT... [-m MODEL] [--size 10000] [--known] [--grid]

The hash of a line puts it into one of three parts: half of the lines give the list, a quarter is
for choosing (`--grid`: errors by bonus), a quarter for reporting. The list has the most frequent
names of its half that have a word unknown to the model, or, with `--known`, the most frequent of
all names. A name is a run of up to five words with capitals inside a sentence, with `of`, `the`,
`van` and similar words between them; no word of it is written in another case there at least as
often.

Errors are wrong words between white space. An error is that of an unknown name if the right form
has a capital and the model did not see the word in training. It is within reach if it stands in a
name of the list. It is *new* if the list makes it.
"""

import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from frame import header, n_words, parser_of, percent, read_lines, row, run_script, wrong_words

from truecase.model.names import name_list
from truecase.truecaser import Truecaser

BETWEEN = {"of", "the", "de", "van", "der", "den", "von", "la", "du", "del", "for"}
LONGEST = 5
MARKS = ".,;:!?()\"'“”‘’"
BONUSES = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0)


def part_of(line: str) -> str:
    """Which part of the experiment a line belongs to."""
    return ("list", "list", "choose", "report")[zlib.crc32(line.encode()) % 4]


def names_in(line: str, rows: list[str]) -> Iterator[str]:
    """Runs of words with capitals that are not first in their sentence; `rows` are its words."""
    run: list[tuple[int, int, str]] = []
    starts = True
    for one in [*rows, "0\t0\t.\tAN"]:
        start, end, word, tag = one.split("\t")
        if tag in ("IU", "AU", "MX") and not starts:
            run.append((int(start), int(end), tag))
        elif run and word in BETWEEN:
            run.append((int(start), int(end), "AL"))
        else:
            while run and run[-1][2] == "AL":
                run.pop()
            if run and len(run) <= LONGEST:
                yield line[run[0][0] : run[-1][1]]
            run = []
        starts = (starts and tag == "AN") or bool(re.fullmatch("[.!?:;]+", word))


def sequences(rows: list[str]) -> Iterator[str]:
    """All runs of words, but for the line's first word, with a space between two."""
    words = [one.split("\t")[2] for one in rows[1:]]
    for first in range(len(words)):
        for last in range(first + 1, min(first + LONGEST, len(words)) + 1):
            yield " ".join(words[first:last])


def lists(model: Truecaser, lines: list[str], size: int, known: bool) -> list[str]:
    """The names that occur most often, alphabetically among equals."""
    text = "".join(f"{line}\n" for line in lines).encode()
    table = model.table_block(text, "keep", sentence_start="learned").decode()
    blocks = [[one for one in block.split("\n") if one] for block in table.split("\n\n")]
    counts: Counter[str] = Counter()
    for line, rows in zip(lines, blocks, strict=False):
        counts.update(names_in(line, rows))
    written = {name.lower(): 0 for name in counts}
    for rows in blocks:
        for sequence in sequences(rows):
            if sequence.lower() in written:
                written[sequence.lower()] += 1
    found = []
    for name, n in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        # Of a name in capitals, shorter ones are counted that are part of it, too.
        if 2 * n <= written[name.lower()] and not name.isupper():
            continue
        if known or any(model.training_count(word) == 0 for word in name.split()):
            found.append(name)
        if len(found) == size:
            break
    return found


def listed_words(line: str, names: set[str]) -> set[int]:
    """Places of the words that stand in a name of the list."""
    words = [word.strip(MARKS).removesuffix("'s") for word in line.split()]
    spans = (
        (first, last)
        for first in range(len(words))
        for last in range(first + 1, min(first + LONGEST, len(words)) + 1)
    )
    return {p for i, j in spans if " ".join(words[i:j]) in names for p in range(i, j)}


def read(paths: Iterable[Path]) -> dict[str, dict[str, list[str]]]:
    """Lines by text and part."""
    texts: dict[str, dict[str, list[str]]] = {}
    for path in paths:
        empty = {part: [] for part in ("list", "choose", "report")}
        parts = texts.setdefault(path.name.split(".")[0], empty)
        for line in read_lines(path):
            parts[part_of(line)].append(line)
    return texts


def choose(base: Truecaser, names: list[str], lines: list[str]) -> None:
    """Print the errors by bonus, one varied at a time around the others' best."""
    best = {"word": 1.0, "unseen_word": 2.0, "phrase": 1.0, "unseen_phrase": 2.0}
    for _ in range(2):
        for which in best:
            tried = {}
            for value in BONUSES:
                listed = name_list(names, bonus={**best, which: value})
                model = Truecaser(base.model.replace(names=listed))
                tried[value] = len(wrong_words(model, lines))
            best[which] = min(tried, key=lambda value: (tried[value], value))
            print(f"{which}: " + ", ".join(f"{v:g} {n:,}" for v, n in tried.items()), flush=True)
    print(best)


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--decode-with", choices=("ngram", "unigram"))
    parser.add_argument("--size", type=int, default=10_000)
    parser.add_argument("--known", action="store_true", help="also names that the model knows")
    parser.add_argument("--grid", action="store_true", help="choose the bonuses")
    args = parser.parse_args()
    base = Truecaser.load(args.model, decode_with=args.decode_with)
    texts = read(args.texts)
    every = [line for parts in texts.values() for line in parts["list"]]
    names = lists(base, every, args.size, args.known)
    print(f"{len(names):,} names: {'; '.join(names[:12])} …")
    if args.grid:
        choose(base, names, [line for parts in texts.values() for line in parts["choose"]])
        return
    model = Truecaser(base.model.replace(names=name_list(names)))
    heads = ("unknown names", "within reach", "other")
    header("text", "words", *(cell for head in heads for cell in (head, "with the list")), "new")
    for name, parts in texts.items():
        lines = parts["report"]
        before, after = wrong_words(base, lines), wrong_words(model, lines)
        unknown, left = (
            sum(word != word.lower() and base.training_count(word) == 0 for word, _ in words)
            for words in (before.values(), after.values())
        )
        reach, missed = (
            sum(place in listed_words(lines[number], set(names)) for number, place in words)
            for words in (before, after)
        )
        cells: list[int | str] = []
        for errors, kept in ((unknown, left), (reach, missed)):
            cells += [errors, f"{kept:,} (−{percent(errors - kept, errors):.0f} %)"]
        cells += [len(before) - unknown, len(after) - left, len(after.keys() - before.keys())]
        row(name, n_words(lines), *cells)


if __name__ == "__main__":
    run_script(main)
