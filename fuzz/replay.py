"""Runs harnesses on inputs, without the fuzzer.

    python fuzz/replay.py HARNESS FILE ...      # each is named before it is tried
    python fuzz/replay.py --all [--most 500] [--seconds 60]    # what is kept, what runs have found

With ``--all``, what fails is told at the end; ``--most`` is of what runs have found, by harness.
With ``--seconds``, each harness has so long for its inputs, which come in random order.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

#: What `make fuzz-native` has found to reach something new.
FOUND = Path(__file__).resolve().parent.parent / "build" / "fuzz" / "corpus"


def _inputs(name: str, most: int) -> Iterator[tuple[str, bytes]]:
    from harnesses import harness
    from kept import kept_inputs

    for number, data in enumerate(harness(name).seeds()):
        yield f"seed {number}", data
    for number, data in enumerate(kept_inputs(name)):
        yield f"kept input {number}", data
    found = sorted((FOUND / name).glob("*"))
    for path in random.Random(1).sample(found, min(most, len(found))):
        yield str(path), path.read_bytes()


def _replay_all(most: int, seconds: float) -> int:
    """How many harnesses failed; the first failure of each is printed."""
    from harnesses import NAMES, harness

    failed = 0
    for name in NAMES:
        n, check = 0, harness(name).check
        inputs = list(_inputs(name, most))
        random.Random(1).shuffle(inputs)
        ends = time.monotonic() + seconds
        for what, data in inputs:
            if time.monotonic() > ends:
                break
            try:
                check(data)
            except Exception as error:
                failed += 1
                print(f"{name}: {what}: {type(error).__name__}: {error}", flush=True)
                break
            n += 1
        print(f"{name}: {n} of {len(inputs)} inputs", flush=True)
    return failed


def main() -> None:
    from harnesses import NAMES, harness

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("harness", nargs="?", choices=NAMES)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--most", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=math.inf)
    arguments = parser.parse_args()
    if arguments.all == bool(arguments.files):
        parser.error("either --all, or a harness and files")
    if arguments.all:
        warnings.simplefilter("ignore")
        sys.exit(min(1, _replay_all(arguments.most, arguments.seconds)))

    check = harness(arguments.harness).check
    for path in arguments.files:
        print(path, flush=True)
        check(path.read_bytes())


if __name__ == "__main__":
    main()
