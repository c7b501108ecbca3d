"""Types of Arrow columns, by the letters of Arrow's C data interface."""

from __future__ import annotations

import re
from typing import NamedTuple

from truecase.errors import ColumnError


class TextType(NamedTuple):
    """A type of text.

    Attributes
    ----------
    name : {"string", "large_string", "string_view", "null"}
    index_type : str
        The NumPy type of a dictionary's numbers; empty for other columns.
    is_ordered : bool
        Whether a dictionary is ordered.
    """

    name: str
    index_type: str = ""
    is_ordered: bool = False

    def __str__(self) -> str:
        return f"dictionary of {self.name}" if self.index_type else self.name


#: Types of text, and of a column that is all null, by their letters.
TEXTS = {"u": "string", "U": "large_string", "vu": "string_view", "n": "null"}
LETTERS = {name: letters for letters, name in TEXTS.items()}

#: NumPy types of a dictionary's numbers, by their letters.
INDICES = {
    "c": "int8",
    "C": "uint8",
    "s": "int16",
    "S": "uint16",
    "i": "int32",
    "I": "uint32",
    "l": "int64",
    "L": "uint64",
}
INDEX_LETTERS = {name: letter for letter, name in INDICES.items()}

_OTHERS = {
    "b": "bool",
    "e": "halffloat",
    "f": "float",
    "g": "double",
    "z": "binary",
    "Z": "large_binary",
    "vz": "binary_view",
    "+l": "list",
    "+L": "large_list",
    "+vl": "list_view",
    "+vL": "large_list_view",
    "+s": "struct",
    "+m": "map",
    "+r": "run_end_encoded",
    **INDICES,
}
_BEGINNINGS = (
    (r"w:", "fixed_size_binary"),
    (r"d:", "decimal"),
    (r"td", "date"),
    (r"tt", "time"),
    (r"ts", "timestamp"),
    (r"tD", "duration"),
    (r"ti", "interval"),
    (r"\+w:", "fixed_size_list"),
    (r"\+u", "union"),
)


def type_name(letters: str) -> str:
    """Return the name of a type."""
    known = TEXTS.get(letters) or _OTHERS.get(letters)
    if known is not None:
        return known
    for pattern, name in _BEGINNINGS:
        if re.match(pattern, letters):
            return name
    return repr(letters)


def text_type(letters: str, dictionary: str | None, *, is_ordered: bool, name: str) -> TextType:
    """Return the type of a column of text, or raise ColumnError if it has another one.

    Parameters
    ----------
    letters : str
    dictionary : str or None
        The letters of its dictionary.
    is_ordered : bool
    name : str
        Of the column, for messages.
    """
    if dictionary is None:
        if letters in TEXTS:
            return TextType(TEXTS[letters])
        kind = type_name(letters)
        more = ""
        if kind in ("struct", "map"):
            more = ": take one of its fields"
        elif "binary" in kind:
            more = ": cast it to string"
        raise ColumnError(f"{name}: expected text, found {kind}{more}")
    if letters not in INDICES or dictionary not in TEXTS or dictionary == "n":
        raise ColumnError(f"{name}: expected text, found dictionary of {type_name(dictionary)}")
    return TextType(TEXTS[dictionary], INDICES[letters], is_ordered)
