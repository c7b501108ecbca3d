"""White space as the kernels have it, for what is done with words in Python.

It is Unicode's property White_Space. To `str.split` and `str.isspace` four separators of records,
U+001C to U+001F, are some, too.
"""

import re

_WORD = re.compile(r"(?:\S|[\x1c-\x1f])+")


def words_of(text: str) -> list[str]:
    """The words of a text, as they stand between white space."""
    return _WORD.findall(text)


def is_space(character: str) -> bool:
    """Whether a character is white space."""
    return character.isspace() and not "\x1c" <= character <= "\x1f"
