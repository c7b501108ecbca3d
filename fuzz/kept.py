"""Inputs that are kept: a file of each harness, a line for each, in base64.

``python fuzz/kept.py unpack HARNESS FOLDER`` makes a file of each; ``keep`` goes the other way and
takes the shortest inputs of a folder.
"""

from __future__ import annotations

import base64
import sys
from pathlib import Path

#: Where they are.
CORPUS = Path(__file__).resolve().parent / "corpus"

#: Of the file of a harness.
MOST_BYTES = 20_000


def kept_inputs(name: str) -> list[bytes]:
    """The inputs of a harness; none if it has no file."""
    path = CORPUS / f"{name}.txt"
    if not path.exists():
        return []
    return [base64.b64decode(line) for line in path.read_text("ascii").splitlines()]


def keep(name: str, inputs: list[bytes], n_bytes: int) -> int:
    """Write the shortest of some inputs, in so many bytes; how many they are."""
    lines: list[str] = []
    for data in sorted(set(inputs), key=lambda one: (len(one), one)):
        line = base64.b64encode(data).decode("ascii")
        n_bytes -= len(line) + 1
        if n_bytes < 0:
            break
        lines.append(line)
    CORPUS.mkdir(exist_ok=True)
    (CORPUS / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines), "ascii")
    return len(lines)


def unpack(name: str, folder: Path) -> None:
    """Write each input of a harness as a file of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, data in enumerate(kept_inputs(name)):
        (folder / f"{number:04}").write_bytes(data)


def main() -> None:
    what, name, folder = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    if what == "unpack":
        unpack(name, folder)
    elif what == "keep":
        inputs = [path.read_bytes() for path in folder.iterdir()]
        print(f"{name}: {keep(name, inputs, MOST_BYTES)} of {len(inputs)} inputs")
    else:
        sys.exit("usage: kept.py unpack|keep HARNESS FOLDER")


if __name__ == "__main__":
    main()
