"""Where the interpreter's Unicode is another version than the one that the package is pinned to."""

import functools
import runpy
import sys
import threading
import unicodedata
from pathlib import Path
from typing import Any

from truecase.kernels._unicode import UNICODE_VERSION

ROOT = Path(__file__).parent.parent
FACTS = ROOT / "truecase" / "kernels" / "unicode.txt"

IS_THE_SAME = unicodedata.unidata_version.rpartition(".")[0] == UNICODE_VERSION


EVERY_POINT = range(sys.maxunicode + 1)

_ONE_AT_A_TIME = threading.Lock()


def _run(*names: str) -> dict[str, Any]:
    """What a program of the checkout defines; runpy calls each `<run_path>` in `sys.modules`."""
    with _ONE_AT_A_TIME:
        return runpy.run_path(str(ROOT.joinpath(*names)))


def facts_of_interpreter(points: range = EVERY_POINT) -> str:
    """What tools/unicode_facts.py would write."""
    return _run("tools", "unicode_facts.py")["facts"](points)


def class_bits() -> dict[str, int]:
    """Bits of the classes of characters by name."""
    bits: dict[str, int] = _run("tools", "case_tables.py")["CLASS_BITS"]
    return bits


@functools.cache
def other_characters(points: range = EVERY_POINT) -> frozenset[str]:
    """Those of some characters of which the interpreter knows something else."""
    if IS_THE_SAME:
        return frozenset()
    read = _run("tools", "case_tables.py")["read_facts"]
    pinned, here = read(FACTS.read_text(encoding="ascii")), read(facts_of_interpreter(points))
    return frozenset(
        chr(point)
        for point in points
        if pinned.kinds.get(point) != here.kinds.get(point)
        or pinned.mappings.get(point) != here.mappings.get(point)
    )
