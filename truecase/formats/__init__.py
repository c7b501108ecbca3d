"""Files whose texts are cased in place: subtitles, transcripts, translations, catalogues, pages."""

import os
import re
from functools import cache

# With blanks around it; there are others in regular expressions.
_BAR = re.compile(r"(?<!\S)\|(?!\S)")


@cache
def rows_of(table: str) -> list[list[str]]:
    """The rows of a table in this folder, a text file; bars are between columns."""
    path = os.path.join(os.path.dirname(__file__), table)
    with open(path, encoding="utf-8") as file:
        lines = [line for line in file if not line.startswith("#")]
    return [[column.strip() for column in _BAR.split(line)] for line in lines]


def words_of(name: str) -> list[str]:
    """A list in words.txt."""
    return dict(rows_of("words.txt"))[name].split()
