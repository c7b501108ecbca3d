"""Runs a harness on inputs, without the fuzzer: ``python fuzz/replay.py HARNESS FILE...``."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))


def main() -> None:
    from harnesses import harness

    check = harness(sys.argv[1]).check
    for name in sys.argv[2:]:
        print(name, flush=True)
        check(Path(name).read_bytes())


if __name__ == "__main__":
    main()
