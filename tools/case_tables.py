"""Write ``_case_tables.h``, Unicode's case mappings and character classes, for ``setup.py``.

``tools/unicode_facts.py`` made ``unicode.txt``, which gives each build the same tables. They are
two-stage: ``case_block[cp >> 7]`` is a block of 128 entries in ``case_entry``, which are numbers of
records. Mappings are from one code point to one, and can be undone: a code point has an upper or
title case only if it is the lower case of that. So ß, ﬁ and ſ have none.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["CLASS_BITS", "UnicodeFacts", "read_facts", "write_header"]

BLOCK_BITS = 7
N_CODE_POINTS = sys.maxunicode + 1

CLASS_BITS = {
    "LETTER": 1,
    "MARK": 2,  # combining mark, joiner or soft hyphen, part of the character before it
    "DIGIT": 4,
    "SPACE": 8,
    "PUNCTUATION": 16,
    "ENDS_SENTENCE": 32,
    "CLOSES": 64,  # closing quote or bracket, or an undirected quote
    "CASED": 128,
}

SENTENCE_ENDS = frozenset(".!?…‼⁇⁈⁉。！？．｡؟۔।॥։።჻")
WORD_JOINERS = frozenset("\u00ad\u200c\u200d")
SIGMA, FINAL_SIGMA = ord("Σ"), ord("ς")
#: Small letters whose upper case is several letters (SpecialCasing.txt); Unicode adds no others.
EXPANDING = frozenset(
    "ßŉǰ\u0390\u03b0և\u1e96\u1e97\u1e98\u1e99\u1e9aὐὒὔὖᾲᾴᾶᾷῂῄῆῇῒ\u1fd3ῖῗῢ\u1fe3ῤῦῧῲῴῶῷﬀﬁﬂﬃﬄﬅﬆﬓﬔﬕﬖﬗ"
)
FACTS = Path(__file__).parents[1] / "truecase" / "kernels" / "unicode.txt"


@dataclass(frozen=True)
class UnicodeFacts:
    """The contents of ``unicode.txt``.

    Attributes
    ----------
    version : str
        Of Unicode, such as ``14.0``.
    kinds : dict of int to str
        ``L``, ``M``, ``N``, ``P``, ``Pe``, ``Pf`` or ``space``, by code point.
    mappings : dict of int to tuple of int
        Lower, upper and title case of code points that have one other than themselves.
    """

    version: str
    kinds: dict[int, str] = field(default_factory=dict)
    mappings: dict[int, tuple[int, int, int]] = field(default_factory=dict)

    def lower(self, point: int) -> int:
        """Simple lower case."""
        return self.mappings.get(point, (point,))[0]

    def upper(self, point: int) -> int:
        """Upper case, if it can be undone."""
        if point == FINAL_SIGMA:
            return SIGMA
        upper = self.mappings[point][1] if point in self.mappings else point
        return upper if self.lower(upper) == self.lower(point) else point

    def title(self, point: int) -> int:
        """Title case, if it can be undone."""
        if point == FINAL_SIGMA:
            return SIGMA
        title = self.mappings[point][2] if point in self.mappings else point
        lower = self.lower(point)
        if self.lower(title) != lower:
            return point
        # A capital has the title case of its lower case: Georgian capitals have the lower case.
        if lower != point and self.upper(lower) == point:
            return self.title(lower)
        return title

    def is_cased(self, point: int) -> bool:
        """Whether it and its lower case have another case; ß, the lower case of ẞ, has none."""
        low = self.lower(point)
        return any(mapped != low for mapped in (self.upper(point), self.title(point))) and any(
            mapped != low for mapped in (self.upper(low), self.title(low))
        )

    def has_no_capital(self, point: int) -> bool:
        """Whether its lower case has no capital, or one of several letters: ﬁ, µ, ẞ."""
        low = self.lower(point)
        if low not in self.mappings:
            return chr(low) in EXPANDING
        return self.mappings[low][1] != low and not self.is_cased(low)

    def class_bits(self, point: int, cased: bool) -> int:
        """Class bits (`CLASS_BITS`) of a code point."""
        kind = self.kinds.get(point, "")
        character = chr(point)
        bits = CLASS_BITS["CASED"] if cased else 0
        if kind == "L" or cased:
            bits |= CLASS_BITS["LETTER"]
        elif kind == "M" or character in WORD_JOINERS:
            bits |= CLASS_BITS["MARK"]
        elif kind == "N":
            bits |= CLASS_BITS["DIGIT"]
        elif kind == "space":
            bits |= CLASS_BITS["SPACE"]
        elif kind[:1] == "P":
            bits |= CLASS_BITS["PUNCTUATION"]
        if character in SENTENCE_ENDS:
            bits |= CLASS_BITS["ENDS_SENTENCE"]
        if kind in ("Pe", "Pf") or character in "\"'":
            bits |= CLASS_BITS["CLOSES"]
        return bits


def read_facts(text: str) -> UnicodeFacts:
    """Read a text in the form of ``unicode.txt``."""
    lines = [line.split() for line in text.splitlines() if not line.startswith("#")]
    facts = UnicodeFacts(version=lines[0][1])
    for first, last, *rest in lines[1:]:
        if len(rest) == 1:
            for point in range(int(first, 16), int(last, 16) + 1):
                facts.kinds[point] = rest[0]
            continue
        step, lower, upper, title = map(int, rest)
        for point in range(int(first, 16), int(last, 16) + 1, step):
            facts.mappings[point] = (point + lower, point + upper, point + title)
    return facts


Row = tuple[int, int, int, int, int]


def table_rows(facts: UnicodeFacts) -> tuple[list[Row], list[int]]:
    """Distinct records, and the record number of every code point."""
    number: dict[Row, int] = {(0, 0, 0, 0, 0): 0}
    # All other code points have a record by their kind.
    alone = {ord(character) for character in SENTENCE_ENDS | WORD_JOINERS | EXPANDING | set("\"'")}
    alone.update(facts.mappings)
    by_kind: dict[str, int] = {}
    entries = []
    for point in range(N_CODE_POINTS):
        kind = facts.kinds.get(point, "")
        if point not in alone and kind in by_kind:
            entries.append(by_kind[kind])
            continue
        deltas = (
            facts.lower(point) - point,
            facts.upper(point) - point,
            facts.title(point) - point,
        )
        bits = facts.class_bits(point, facts.is_cased(point))
        record = (*deltas, bits, int(facts.has_no_capital(point)))
        entries.append(number.setdefault(record, len(number)))
        if point not in alone:
            by_kind[kind] = entries[-1]
    return list(number), entries


def c_array(declaration: str, values: list[int]) -> str:
    rows = [", ".join(map(str, values[start : start + 24])) for start in range(0, len(values), 24)]
    return f"static const {declaration} = {{\n" + ",\n".join(rows) + "\n};\n"


def header_text() -> str:
    facts = read_facts(FACTS.read_text(encoding="ascii"))
    records, entries = table_rows(facts)
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
            "/* Written by case_tables.py. */\n",
            "#ifndef TRUECASE_CASE_TABLES_H\n#define TRUECASE_CASE_TABLES_H\n",
            f'#define TRUECASE_UNICODE "{facts.version}"\n',
            "#include <stdint.h>\n",
            "typedef struct {\n",
            "    int32_t lower, upper, title; uint8_t bits, no_capital;\n",
            "} CaseRecord;\n",
            f"static const CaseRecord case_record[{len(records)}] = {{\n{rows}\n}};\n",
            c_array(f"{block_type} case_block[{len(blocks)}]", blocks),
            c_array(f"{entry_type} case_entry[{len(flat)}]", flat),
            c_array("uint8_t ascii_bits[128]", [records[entry][3] for entry in entries[:128]]),
            "#endif\n",
        ]
    )


def write_header(path: Path) -> None:
    """Write the tables to a header, unless it has them already, so that nothing is rebuilt."""
    text = header_text()
    path = Path(path)
    if not path.exists() or path.read_text(encoding="ascii") != text:
        path.write_text(text, encoding="ascii")
