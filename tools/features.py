"""What follows from the schema of features: the kernels' numbers and the documentation's tables.

python tools/features.py           write them (``make features``)
python tools/features.py --check   1 if what stands there is something else (``make lint``)
"""

import re
import sys
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path

from truecase.kernels import schema

ROOT = Path(__file__).parents[1]
NUMBERS = ROOT / "truecase/kernels/_schema.pxd"
DOCUMENTATION = ROOT / "docs/reference/features.md"


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


def table(head: str, rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Lines of a table of names."""
    yield f"| name | {head} |"
    yield "|---|---|"
    for name, document in rows:
        yield f"| `{name}` | {document} |"


def documentation(text: str) -> str:
    """The page with its tables as they follow from the schema."""
    tables = {
        "dense features": table("value", ((f.name, f.document) for f in schema.NODE)),
        "features of the source": table("value", ((f.name, f.document) for f in schema.SOURCE)),
    }
    for name, lines in tables.items():
        begin, end = f"<!-- table of {name}: make features -->", f"<!-- end of {name} -->"
        if text.count(begin) != 1 or text.count(end) != 1:
            raise SystemExit(f"{DOCUMENTATION}: no place for the table of {name}")
        before, _, rest = text.partition(begin)
        _, _, after = rest.partition(end)
        text = "\n".join([before + begin, "", *lines, "", end]) + after
    return text


def main() -> int:
    """Write or check; 1 if something differs."""
    wanted = {
        NUMBERS: numbers(),
        DOCUMENTATION: documentation(DOCUMENTATION.read_text(encoding="utf-8")),
    }
    if sys.argv[1:] != ["--check"]:
        for path, text in wanted.items():
            path.write_text(text, encoding="utf-8")
        return 0
    stale = [
        path
        for path, text in wanted.items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
    for path in stale:
        print(f"{path.relative_to(ROOT)}: not as schema.py has it; run: make features")
    print(f"{len(schema.columns())} dense features")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
