"""Split a corpus into parts, and write the rest of the corpus beside each part.

    python scripts/split_in_parts.py N OUT_DIR FILE...

OUT_DIR gets two folders for each K from 0 to N - 1: ``part-K`` with every Nth run of about 64 kB of
neighbouring lines of each file, and ``without-K`` with the rest. The copies are plain text.
"""

import sys
from contextlib import ExitStack
from pathlib import Path

from corpus_text import lines_of, names_of

_RUN = 1 << 16


def main(n_parts: int, folder: Path, files: list[str]) -> int:
    """Write the copies; return 0."""
    for number in range(n_parts):
        for kind in ("part", "without"):
            (folder / f"{kind}-{number}").mkdir(parents=True, exist_ok=True)
    for path, name in zip(files, names_of(files), strict=True):
        with ExitStack() as opened:
            parts, rests = (
                [
                    opened.enter_context(open(folder / f"{kind}-{number}" / f"{name}.txt", "wb"))
                    for number in range(n_parts)
                ]
                for kind in ("part", "without")
            )
            part = size = 0
            for line in lines_of(path):
                for number in range(n_parts):
                    (parts if number == part else rests)[number].write(line)
                size += len(line)
                if size >= _RUN:
                    part, size = (part + 1) % n_parts, 0
    return 0


if __name__ == "__main__":
    if len(sys.argv) < 4 or not sys.argv[1].isdecimal() or int(sys.argv[1]) < 2:
        sys.exit(f"usage: {sys.argv[0]} N OUT_DIR FILE..., N being 2 or more")
    sys.exit(main(int(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:]))
