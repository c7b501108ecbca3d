"""Write the numbers of features that kernels use, from the schema of features.

python tools/features.py           write them (``make features``)
python tools/features.py --check   1 if what stands there is something else (``make lint``)
"""

import re
import sys
import textwrap
from pathlib import Path

from truecase.kernels import schema

ROOT = Path(__file__).parents[1]
NUMBERS = ROOT / "truecase/kernels/_schema.pxd"


def constant(prefix: str, name: str) -> str:
    """A feature's name in the kernels: ``before2`` is FIELD_BEFORE_2."""
    return f"{prefix}_{re.sub(r'(?<=[a-z])(?=[0-9])', '_', name).upper()}"


def numbers() -> str:
    """The file of the kernels' numbers."""
    enums = (
        ("DENSE", "N_NODE_COLUMNS", schema.NODE_COLUMNS),
        ("SOURCE", "N_SOURCE_COLUMNS", schema.SOURCE_COLUMNS),
    )
    lines = ['"""Numbers of features and fields. Written by `make features` from `schema.py`."""']
    for prefix, total, names in enums:
        # The number of columns is that of the next one.
        constants = ", ".join([*(constant(prefix, name) for name in names), total])
        lines += ["", "", "cdef enum:"]
        lines += textwrap.wrap(constants, 99, initial_indent="    ", subsequent_indent="    ")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Write or check; 1 if something differs."""
    if sys.argv[1:] != ["--check"]:
        NUMBERS.write_text(numbers(), encoding="utf-8")
        return 0
    is_stale = not NUMBERS.exists() or NUMBERS.read_text(encoding="utf-8") != numbers()
    if is_stale:
        print(f"{NUMBERS.relative_to(ROOT)}: not as schema.py has it; run: make features")
    print(f"{len(schema.columns())} dense features")
    return 1 if is_stale else 0


if __name__ == "__main__":
    sys.exit(main())
