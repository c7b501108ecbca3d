"""Term bases and glossaries as tables: CSV, and values between tabs or semicolons."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator

from truecase.errors import ReadError
from truecase.names.headings import TERM_HEADINGS, language_of_heading
from truecase.text.language_tags import primary

# Rows by which a column is chosen where no heading says which.
_SAMPLE = 200
_SEPARATORS = "\t;,"


def separator_of(text: str) -> str | None:
    """What the fields of a text are separated by, by its first line that has something; or None."""
    line = next((line for line in text.splitlines() if line.strip()), "")
    counts = {sign: line.count(sign) for sign in _SEPARATORS}
    best = max(_SEPARATORS, key=lambda sign: counts[sign])
    return best if counts[best] else None


def read_table(
    text: str, name: str, separator: str, language: str, knows: Callable[[str], bool]
) -> Iterator[tuple[int, str]]:
    """The terms of a table in a language.

    Parameters
    ----------
    text : str
    name : str
        Of the file, for messages.
    separator : str
        Between the fields.
    language : str
        A code, or empty. A column with a heading such as ``en``, ``en-US`` or ``English`` is taken.
    knows : callable
        Whether a word is one of the language. Of columns without headings, the one of whose words
        most are known is taken.

    Yields
    ------
    int, str
        Number of a line, from 1, and its term.

    Raises
    ------
    ReadError
        A row cannot be read, or headings name languages, and not this one.
    """
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    rows: list[tuple[int, list[str]]] = []
    try:
        for row in reader:
            if any(field.strip() for field in row):
                rows.append((reader.line_num, [field.strip() for field in row]))
    except csv.Error as error:
        raise ReadError(f"{name}: line {reader.line_num}: {error}") from None
    if not rows:
        return
    column = _column_by_heading(rows[0][1], name, language)
    if column is not None:
        rows = rows[1:]
    else:
        column = _column_by_words([row for _, row in rows[:_SAMPLE]], knows)
    for line, row in rows:
        if column < len(row) and row[column]:
            yield line, row[column]


def _column_by_heading(row: list[str], name: str, language: str) -> int | None:
    """The column that a first row says has the terms; None if it is no row of headings."""
    wanted = primary(language)
    codes = {place: language_of_heading(heading) for place, heading in enumerate(row)}
    languages = {place: code for place, code in codes.items() if code is not None}
    for place, code in languages.items():
        if not wanted or code == wanted:
            return place
    headings = [field.lower() for field in row]
    for heading in TERM_HEADINGS:
        if heading in headings:
            return headings.index(heading)
    # One column called "It" or "No" may as well be a name.
    if len(languages) >= 2:
        listed = ", ".join(row[place] for place in languages)
        raise ReadError(
            f"{name}: line 1: the columns are {listed}, and the model's language is {language}"
        )
    return None


def _column_by_words(rows: list[list[str]], knows: Callable[[str], bool]) -> int:
    """The column of whose words the largest share is known, the first of equals."""
    shares = []
    for column in range(max(map(len, rows))):
        words = [word for row in rows if column < len(row) for word in row[column].split()]
        shares.append(sum(map(knows, words)) / len(words) if words else -1.0)
    return shares.index(max(shares))
