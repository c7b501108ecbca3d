"""What the fuzzer has done in all runs: executions and bytes of each harness, as a table."""

from __future__ import annotations

import struct
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_PAIR = struct.Struct("<QQ")


def main() -> None:
    print(f"{'harness':12} {'executions':>14} {'bytes of input':>16} {'of text':>16}")
    total = [0, 0, 0]
    for path in sorted((ROOT / "build" / "fuzz" / "counts").glob("*")):
        if path.suffix:
            continue
        text = path.with_suffix(".text")
        n, n_bytes = _PAIR.unpack(path.read_bytes())
        n_text = _PAIR.unpack(text.read_bytes())[1] if text.exists() else 0
        print(f"{path.name:12} {n:14,} {n_bytes:16,} {n_text:16,}")
        total = [a + b for a, b in zip(total, (n, n_bytes, n_text), strict=True)]
    print(f"{'together':12} {total[0]:14,} {total[1]:16,} {total[2]:16,}")


if __name__ == "__main__":
    main()
