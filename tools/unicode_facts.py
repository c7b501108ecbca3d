"""Write truecase/kernels/unicode.txt, the package's facts of Unicode: unicode_facts.py [FILE].

The facts come from ``unicodedata`` and ``str`` of the interpreter that runs this, which must have
the wanted version. Keys of words in model files depend on these facts, so the package refuses files
with other facts. `tools/case_tables.py` makes tables from them.
"""

import argparse
import itertools
import sys
import unicodedata
from pathlib import Path

FILE = Path(__file__).parent.parent / "truecase" / "kernels" / "unicode.txt"

HEADER = """\
# What the package knows of Unicode {version}; tools/unicode_facts.py writes it.
#
# A line in hexadecimal, FIRST LAST KIND, is a range of code points of one kind: letters (L),
# marks (M), numbers (N), white space (space), closing brackets (Pe) and quotes (Pf), other
# punctuation (P).
#
# A line in hexadecimal, FIRST LAST STEP, then in decimals LOWER UPPER TITLE, says what to add to
# every STEPth code point of a range for its simple mappings. Where the mapping is several code
# points, there is none; if the upper case is, the title case stands in for it.
"""

# str.isspace() also has the four separators U+001C … U+001F, which Unicode's White_Space lacks.
NO_SPACES = frozenset("\x1c\x1d\x1e\x1f")


def kind_of(character: str) -> str:
    category = unicodedata.category(character)
    if category[0] in "LMN" or category in ("Pe", "Pf"):
        return category if category[0] == "P" else category[0]
    if character.isspace() and character not in NO_SPACES:
        return "space"
    return "P" if category[0] == "P" else ""


def deltas_of(character: str) -> tuple[int, int, int]:
    upper, title = character.upper(), character.title()
    mappings = (character.lower(), upper if len(upper) == 1 else title, title)
    differences = [ord(one) - ord(character) if len(one) == 1 else 0 for one in mappings]
    return differences[0], differences[1], differences[2]


def kind_lines(of: range) -> list[str]:
    lines = []
    ranges = itertools.groupby(of, lambda point: kind_of(chr(point)))
    for kind, group in ranges:
        points = list(group)
        if kind:
            lines.append(f"{points[0]:04x} {points[-1]:04x} {kind}\n")
    return lines


def mapping_lines(of: range) -> list[str]:
    runs: list[list[int]] = []  # first, last, step (0: not known yet) of those with equal deltas
    open_runs: dict[tuple[int, int, int], list[int]] = {}
    deltas_of_run: list[tuple[int, int, int]] = []
    for point in of:
        deltas = deltas_of(chr(point))
        if not any(deltas):
            continue
        run = open_runs.get(deltas)
        step = point - run[1] if run else 0
        if run and step <= 2 and run[2] in (0, step):
            run[1:] = [point, step]
        else:
            open_runs[deltas] = [point, point, 0]
            runs.append(open_runs[deltas])
            deltas_of_run.append(deltas)
    return [
        f"{first:04x} {last:04x} {step or 1} {' '.join(map(str, deltas))}\n"
        for (first, last, step), deltas in zip(runs, deltas_of_run, strict=True)
    ]


def facts(of: range = range(sys.maxunicode + 1)) -> str:
    """The file's text, as this interpreter has it, of some characters."""
    version = ".".join(unicodedata.unidata_version.split(".")[:2])
    lines = [HEADER.format(version=version), f"unicode {version}\n"]
    return "".join(lines + kind_lines(of) + mapping_lines(of))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file", nargs="?", type=Path, default=FILE)
    parser.parse_args().file.write_text(facts(), encoding="ascii")
