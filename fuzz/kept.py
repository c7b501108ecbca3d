"""Inputs that are kept: a file of each harness, a line for each, in base64.

``python fuzz/kept.py unpack HARNESS FOLDER`` makes a file of each; ``keep`` goes the other way and
takes the shortest inputs of a folder.
"""

from __future__ import annotations

import argparse
import base64
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
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=("unpack", "keep"))
    parser.add_argument("harness")
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    if given.what == "unpack":
        unpack(given.harness, given.folder)
    else:
        inputs = [path.read_bytes() for path in given.folder.iterdir()]
        print(f"{given.harness}: {keep(given.harness, inputs, MOST_BYTES)} of {len(inputs)} inputs")


if __name__ == "__main__":
    main()
