"""Whether memory grows with what a process has done: lines, calls, loads; and after a long line.

    python tests/faults/slopes.py [--lines N] [--calls N] [--loads N] [--long BYTES]

Resident memory is read while the same is done again and again; the first tenth, in which buffers
are allocated that stay, does not count. A line of many megabytes is cased, and what is left of its
memory is told.
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from resident import resident, slope

from truecase import Truecaser

sys.path.insert(0, str(Path(__file__).parents[1]))

from small_model import training_text

MIB = 1 << 20
_READINGS = 240

#: What the whole run may grow by.
FEW_PAGES = 1 << 16

#: What may be left of a long line, whose buffers are kept up to some size for the next one.
KEPT = 16 * MIB


def told(name: str, n: int, step: int, do: Callable[[], object]) -> bool:
    """Do something `n` times, `step` of it at a time; print the slope, and whether it is 0."""
    readings = []
    done, between = 0, max(n // _READINGS, step)
    next_reading = n // 10
    while done < n:
        do()
        done += step
        if done >= next_reading:
            next_reading += between
            readings.append((float(done), float(resident())))
    found = slope(readings)
    # One page more, once, is a slope, too, if all else stands perfectly still.
    is_still = found.is_zero or readings[-1][1] - readings[0][1] <= FEW_PAGES
    verdict = "no growth" if is_still else "it grows"
    print(
        f"{name:8} {n:12,}  {readings[0][1] / MIB:7.1f} to {readings[-1][1] / MIB:7.1f} MiB, "
        f"{found.each:+.6f} ± {found.margin:.6f} bytes each: {verdict}",
        flush=True,
    )
    return is_still


def main() -> int:
    """Print a row for each."""
    parser = argparse.ArgumentParser(description="Memory by what was done.")
    parser.add_argument("--lines", type=int, default=10_000_000)
    parser.add_argument("--calls", type=int, default=1_000_000)
    parser.add_argument("--loads", type=int, default=1_000)
    parser.add_argument("--long", type=int, default=64 * MIB)
    options = parser.parse_args()
    model = Truecaser.load()
    block = training_text(2000).lower().encode()
    n_lines = block.count(b"\n")
    line = "the post of oslo"
    embedded = Path(sys.modules["truecase"].__file__ or "").parent / "data" / "en.truecase"

    def load() -> None:
        Truecaser.load()(line)
        Truecaser.load(embedded)(line)

    right = [
        told("lines", options.lines, n_lines, lambda: model.case_block(block)),
        told("marks", options.lines // 10, n_lines, lambda: model.punctuate_block(block)),
        told("calls", options.calls, 1, lambda: model(line)),
        told("loads", options.loads, 2, load),
    ]
    long = (block.replace(b"\n", b" ") * (options.long // len(block) + 1))[: options.long]
    before = resident()
    cased = len(model.case_block(long))
    after = resident() - before
    assert cased == len(long)
    print(f"a line of {options.long / MIB:.0f} MiB leaves {after / MIB:.1f} MiB", flush=True)
    return int(not all(right) or after > KEPT)


if __name__ == "__main__":
    sys.exit(main())
