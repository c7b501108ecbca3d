"""Types of Arrow columns, by the letters of Arrow's C data interface."""

from __future__ import annotations

from typing import NamedTuple

from truecase.errors import ColumnError

#: Types of text, and of a column that is all null, by their letters.
TEXTS = {"u": "string", "U": "large_string", "vu": "string_view", "n": "null"}

#: NumPy types of a dictionary's numbers, by their letters.
INDICES = {
    letter: f"{sign}int{bits}"
    for letters, bits in (("cC", 8), ("sS", 16), ("iI", 32), ("lL", 64))
    for letter, sign in zip(letters, ("", "u"), strict=True)
}
_OTHERS = {
    "b": "bool", "e": "halffloat", "f": "float", "g": "double", "z": "binary", "Z": "large_binary",
    "vz": "binary_view", "+l": "list", "+L": "large_list", "+vl": "list_view",
    "+vL": "large_list_view", "+s": "struct", "+m": "map", "+r": "run_end_encoded", **INDICES,
}  # fmt: skip
_BEGINNINGS = {
    "w:": "fixed_size_binary", "d:": "decimal", "td": "date", "tt": "time", "ts": "timestamp",
    "tD": "duration", "ti": "interval", "+w": "fixed_size_list", "+u": "union",
}  # fmt: skip
_LETTERS = {name: letters for letters, name in {**TEXTS, **_OTHERS}.items()}


class TextType(NamedTuple):
    """A type of text.

    Attributes
    ----------
    name : {"string", "large_string", "string_view", "null"}
        Also "double", in a column of confidences.
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

    @property
    def letters(self) -> str:
        """Arrow's letters for it; those of its numbers, if it is a dictionary."""
        return _LETTERS[self.index_type or self.name]

    @property
    def of_texts(self) -> TextType:
        """The type of a dictionary's texts."""
        return TextType(self.name)


def type_name(letters: str) -> str:
    """Return the name of a type."""
    return {**TEXTS, **_OTHERS}.get(letters) or _BEGINNINGS.get(letters[:2]) or repr(letters)


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
    if letters not in INDICES or dictionary not in {**TEXTS, "g": ""}:
        raise ColumnError(f"{name}: expected text, found dictionary of {type_name(dictionary)}")
    if dictionary in ("n", "g"):
        # No row has text: pandas gives a category of nulls an empty dictionary of double.
        return TextType("null")
    return TextType(TEXTS[dictionary], INDICES[letters], is_ordered)
