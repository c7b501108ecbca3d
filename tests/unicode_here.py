"""Where the interpreter's Unicode is another version than the one that the package is pinned to."""

import functools
import runpy
import sys
import unicodedata
from pathlib import Path

from truecase.text._casing import UNICODE_VERSION

ROOT = Path(__file__).parent.parent
FACTS = ROOT / "truecase" / "text" / "unicode.txt"

IS_THE_SAME = unicodedata.unidata_version.rpartition(".")[0] == UNICODE_VERSION


EVERY_POINT = range(sys.maxunicode + 1)


def facts_of_interpreter(points: range = EVERY_POINT) -> str:
    """What tools/unicode_facts.py would write."""
    return runpy.run_path(str(ROOT / "tools" / "unicode_facts.py"))["facts"](points)


@functools.cache
def other_characters(points: range = EVERY_POINT) -> frozenset[str]:
    """Those of some characters of which the interpreter knows something else."""
    if IS_THE_SAME:
        return frozenset()
    read = runpy.run_path(str(ROOT / "truecase" / "text" / "case_tables.py"))["read_facts"]
    pinned, here = read(FACTS.read_text(encoding="ascii")), read(facts_of_interpreter(points))
    return frozenset(
        chr(point)
        for point in points
        if pinned.kinds.get(point) != here.kinds.get(point)
        or pinned.mappings.get(point) != here.mappings.get(point)
    )
