"""Copy a corpus for training, and hold development text out of it.

    python scripts/hold_out.py OUT_DIR DEV_DIR FILE... [--part FILE...] [--seen-by-nobody FILE...]
        [--nothing-like FILE...]

DEV_DIR gets `N_BLOCKS` blocks of neighbouring lines of each file of --part, evenly spread over the
file and of about `N_WORDS` words together. OUT_DIR gets all FILEs and the rest of the files of
--part. It gets no line that stands in DEV_DIR or in a file of --seen-by-nobody (development and
test text), by itself or as a sentence. Lines are compared by their letters and digits without case,
short ones ("Thank you.") as they are. It also gets no line that has `N_ALIKE` words in a row with a
file of --nothing-like, because articles of another year have the same sentences with small changes.
The copies are plain text. If two files have the same name, the names of their folders tell the
copies apart. The same files give the same bytes.
"""

import argparse
import re
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from corpus_text import SHORTEST_KEY, copy_kept, key, lines_of, names_of, sentence_keys

N_BLOCKS = 20
N_WORDS = 27_500
N_ALIKE = 8
_WORD = re.compile(rb"[A-Za-z0-9\x80-\xff]+")


def keys(line: bytes) -> Iterator[bytes]:
    """Return the keys of a line as a whole and of its sentences."""
    whole = key(line)
    return chain([whole] if len(whole) >= SHORTEST_KEY else [], sentence_keys(line))


def runs(line: bytes) -> Iterator[tuple[bytes, ...]]:
    """Yield all sequences of `N_ALIKE` words of a line, in lower case."""
    words = _WORD.findall(line.lower())
    return zip(*(words[first:] for first in range(N_ALIKE)), strict=False)


def blocks(lines: list[bytes]) -> list[range]:
    """Return the numbers of the lines to hold out."""
    held: list[range] = []
    for block in range(N_BLOCKS):
        start = end = block * len(lines) // N_BLOCKS
        n_words = 0
        while end < len(lines) and n_words < N_WORDS / N_BLOCKS:
            n_words += len(lines[end].split())
            end += 1
        held.append(range(start, end))
    return held


def main() -> int:
    """Write the copies; return 0."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("dev", type=Path)
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--part", nargs="+", default=[], metavar="FILE")
    parser.add_argument("--seen-by-nobody", nargs="+", default=[], metavar="FILE")
    parser.add_argument("--nothing-like", nargs="+", default=[], metavar="FILE")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    args.dev.mkdir(parents=True, exist_ok=True)
    held = {
        found for path in args.seen_by_nobody for line in lines_of(path) for found in keys(line)
    }
    alike = {run for path in args.nothing_like for line in lines_of(path) for run in runs(line)}
    files = [*args.files, *args.part]
    names = dict(zip(files, names_of(files), strict=True))
    rest: dict[str, list[bytes]] = {}
    for path in args.part:
        lines = list(lines_of(path))
        numbers = set(chain.from_iterable(blocks(lines)))
        with open(args.dev / f"{names[path]}.txt", "wb") as dev:
            for number in sorted(numbers):
                dev.write(lines[number])
                held.update(keys(lines[number]))
        rest[path] = [line for number, line in enumerate(lines) if number not in numbers]
    for path, name in names.items():
        copy_kept(
            rest[path] if path in rest else lines_of(path),
            args.out / f"{name}.txt",
            lambda line: (
                held.isdisjoint(keys(line)) and (not alike or alike.isdisjoint(runs(line)))
            ),
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
