"""Read and compare the lines of a corpus, for the scripts beside this file."""

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from truecase.base.read import read_blocks

#: Shorter ones, as "She smiled.", repeat by nature.
SHORTEST_KEY = 16
# Where a sentence of a paragraph may end. One cut too many or too few only keeps a line.
_END = re.compile(rb"(?<=[.!?])[\"')\]]*[ \t]+|(?<=[.!?][\"')\]])[ \t]+")
_NOT_LETTERS = re.compile(rb"[^a-z0-9\x80-\xff]+")


def lines_of(path: str) -> Iterator[bytes]:
    """Yield the lines of a file, plain or compressed, with their line ends."""
    for block in read_blocks([path]):
        yield from bytes(block).splitlines(keepends=True)


def key(sentence: bytes) -> bytes:
    """Return the letters and digits of a line, in lower case."""
    return _NOT_LETTERS.sub(b"", sentence.lower())


def sentence_keys(line: bytes) -> Iterator[bytes]:
    """Return the keys of the sentences that are long enough to be recognised."""
    return (found for found in map(key, _END.split(line)) if len(found) >= SHORTEST_KEY)


def names_of(paths: Sequence[str]) -> list[str]:
    """Return the names of files up to their first dots; equal ones have the folders' before them.

    Exits if that does not tell the files apart.
    """
    names = [Path(path).name.split(".")[0] for path in paths]
    found = [
        f"{Path(path).parent.name}-{name}" if names.count(name) > 1 else name
        for path, name in zip(paths, names, strict=True)
    ]
    if len(set(found)) < len(found):
        sys.exit(f"{sys.argv[0]}: two files have the same name, and so have their folders")
    return found


def copy_kept(lines: Iterable[bytes], out: Path, keeps: Callable[[bytes], bool]) -> None:
    """Write the lines to keep, and print their number on standard error."""
    n_lines = n_kept = n_words = 0
    with open(out, "wb") as copy:
        for line in lines:
            n_lines += 1
            if keeps(line):
                copy.write(line)
                n_kept += 1
                n_words += len(line.split())
    print(f"{out.stem}: {n_kept:,} of {n_lines:,} lines, {n_words:,} words", file=sys.stderr)
