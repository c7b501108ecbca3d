"""Writes ``_case_tables.h``: case mappings and character classes of all of Unicode.

Run by ``setup.py`` at build time. The tables come from the building Python's own ``str``
and ``unicodedata``, so that the kernels and Python agree about every code point. They are
two-stage: ``case_block[cp >> 7]`` names a block of 128 entries in ``case_entry``, each of
which names a record (three deltas and a byte of class bits).

Mappings are simple (one code point to one) and can be undone: a code point has an upper
(title) case only if the lower case of that is the code point itself. So ß, ﬁ and ſ have
none. Where the upper case is several code points, the title case stands in for it.
"""

from __future__ import annotations

import sys
import unicodedata
from pathlib import Path

__all__ = ["CLASS_BITS", "CaseMapping", "character_class", "write_header"]

BLOCK_BITS = 7
N_CODE_POINTS = sys.maxunicode + 1

CLASS_BITS = {
    "LETTER": 1,
    "MARK": 2,  # combining mark, joiner or soft hyphen: goes with what is before it
    "DIGIT": 4,
    "SPACE": 8,
    "PUNCTUATION": 16,
    "ENDS_SENTENCE": 32,
    "CLOSES": 64,  # closing quote or bracket, or an undirected quote
    "CASED": 128,
}

SENTENCE_ENDS = frozenset(".!?…‼⁇⁈⁉。！？．｡؟۔।॥։።჻")
WORD_JOINERS = frozenset("\u00ad\u200c\u200d")
# str.isspace() also has the four separators U+001C … U+001F, which Unicode's White_Space lacks.
NO_SPACES = frozenset("\x1c\x1d\x1e\x1f")


def single(mapped: str, unmapped: str) -> str:
    return mapped if len(mapped) == 1 else unmapped


class CaseMapping:
    """The simple case mappings of one code point."""

    __slots__ = ("lower", "title", "upper")

    def __init__(self, character: str) -> None:
        self.lower = simple_lower(character)
        self.upper = simple_upper(character)
        self.title = simple_title(character)


def simple_lower(character: str) -> str:
    return single(character.lower(), character)


def simple_upper(character: str) -> str:
    if character == "ς":
        return "Σ"
    upper = character.upper()
    if len(upper) > 1:
        upper = single(character.title(), character)
    return upper if simple_lower(upper) == simple_lower(character) else character


def simple_title(character: str) -> str:
    if character == "ς":
        return "Σ"
    title = single(character.title(), character)
    if simple_lower(title) != simple_lower(character):
        return character
    # A capital that its own lower case maps to does as that lower case does: Georgian
    # capitals have the lower case as their title case.
    lower = simple_lower(character)
    if lower != character and simple_upper(lower) == character:
        return simple_title(lower)
    return title


def character_class(character: str, cased: bool) -> int:
    """Class bits (`CLASS_BITS`) of one code point."""
    category = unicodedata.category(character)
    bits = CLASS_BITS["CASED"] if cased else 0
    if category[0] == "L" or cased:
        bits |= CLASS_BITS["LETTER"]
    elif category[0] == "M" or character in WORD_JOINERS:
        bits |= CLASS_BITS["MARK"]
    elif category[0] == "N":
        bits |= CLASS_BITS["DIGIT"]
    elif character.isspace() and character not in NO_SPACES:
        bits |= CLASS_BITS["SPACE"]
    elif category[0] == "P":
        bits |= CLASS_BITS["PUNCTUATION"]
    if character in SENTENCE_ENDS:
        bits |= CLASS_BITS["ENDS_SENTENCE"]
    if category in ("Pe", "Pf") or character in "\"'":
        bits |= CLASS_BITS["CLOSES"]
    return bits


def table_rows() -> tuple[list[tuple[int, int, int, int]], list[int]]:
    """Distinct records, and the record number of every code point."""
    number: dict[tuple[int, int, int, int], int] = {(0, 0, 0, 0): 0}
    entries = []
    for code_point in range(N_CODE_POINTS):
        character = chr(code_point)
        deltas = (0, 0, 0)
        if character.lower() != character or character.upper() != character:
            mapping = CaseMapping(character)
            deltas = (
                ord(mapping.lower) - code_point,
                ord(mapping.upper) - code_point,
                ord(mapping.title) - code_point,
            )
        record = (*deltas, character_class(character, any(deltas)))
        entries.append(number.setdefault(record, len(number)))
    return list(number), entries


def c_array(declaration: str, values: list[int]) -> str:
    rows = [", ".join(map(str, values[start : start + 24])) for start in range(0, len(values), 24)]
    return f"static const {declaration} = {{\n" + ",\n".join(rows) + "\n};\n"


def header_text() -> str:
    records, entries = table_rows()
    block_size = 1 << BLOCK_BITS
    block_number: dict[tuple[int, ...], int] = {}
    blocks = [
        block_number.setdefault(tuple(entries[start : start + block_size]), len(block_number))
        for start in range(0, N_CODE_POINTS, block_size)
    ]
    entry_type = "uint8_t" if len(records) <= 256 else "uint16_t"
    block_type = "uint8_t" if len(block_number) <= 256 else "uint16_t"
    flat = [entry for block in block_number for entry in block]
    rows = ",\n".join("{" + ", ".join(map(str, record)) + "}" for record in records)
    return "".join(
        [
            f"/* Written by case_tables.py from Unicode {unicodedata.unidata_version}. */\n",
            "#ifndef TRUECASE_CASE_TABLES_H\n#define TRUECASE_CASE_TABLES_H\n",
            "#include <stdint.h>\n",
            "typedef struct { int32_t lower, upper, title; uint8_t bits; } CaseRecord;\n",
            f"static const CaseRecord case_record[{len(records)}] = {{\n{rows}\n}};\n",
            c_array(f"{block_type} case_block[{len(blocks)}]", blocks),
            c_array(f"{entry_type} case_entry[{len(flat)}]", flat),
            c_array("uint8_t ascii_bits[128]", [records[entry][3] for entry in entries[:128]]),
            "#endif\n",
        ]
    )


def write_header(path: Path) -> None:
    """Write the tables to `path`, unless it has them already.

    Parameters
    ----------
    path : Path
        The header; left untouched when its content would stay the same, so that a build
        without changes compiles nothing.
    """
    text = header_text()
    path = Path(path)
    if not path.exists() or path.read_text(encoding="ascii") != text:
        path.write_text(text, encoding="ascii")


if __name__ == "__main__":
    write_header(Path(__file__).with_name("_case_tables.h"))
