"""Term bases and glossaries as tables: CSV, and values between tabs or semicolons."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator

from truecase.errors import ReadError
from truecase.text.language_tags import primary

#: Lowercase headings of columns of terms; the first one that a table has is used.
TERM_HEADINGS = ("target", "target term", "translation", "term", "name", "entry", "source")

# ISO 639-1.
_CODES = frozenset(
    "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu "
    "cv cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi "
    "ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks "
    "ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl "
    "nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl "
    "sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve "
    "vi vo wa wo xh yi yo za zh zu".split()
)

_NAMES = {
    "albanian": "sq", "armenian": "hy", "azerbaijani": "az", "basque": "eu", "belarusian": "be",
    "bosnian": "bs", "bulgarian": "bg", "catalan": "ca", "croatian": "hr", "czech": "cs",
    "danish": "da", "dutch": "nl", "english": "en", "estonian": "et", "finnish": "fi",
    "french": "fr", "galician": "gl", "german": "de", "greek": "el", "hungarian": "hu",
    "icelandic": "is", "indonesian": "id", "irish": "ga", "italian": "it", "japanese": "ja",
    "kazakh": "kk", "latvian": "lv", "lithuanian": "lt", "macedonian": "mk", "norwegian": "no",
    "polish": "pl", "portuguese": "pt", "romanian": "ro", "russian": "ru", "serbian": "sr",
    "slovak": "sk", "slovenian": "sl", "spanish": "es", "swedish": "sv", "turkish": "tr",
    "ukrainian": "uk", "vietnamese": "vi", "welsh": "cy", "chinese": "zh", "korean": "ko",
    "arabic": "ar", "hebrew": "he",
}  # fmt: skip


def language_of_heading(heading: str) -> str | None:
    """The code of the language that a column is of: ``en`` of ``EN-us``, ``English (UK)``.

    None if the heading names no language.
    """
    words = heading.lower().strip("[] ").split()
    if not words:
        return None
    code = primary(words[0])
    if words[0] in _NAMES:
        return _NAMES[words[0]]
    return code if code in _CODES and len(words) == 1 else None


# How many rows decide on the column if there are no headings.
_SAMPLE = 200
_SEPARATORS = "\t;,"


def separator_of(text: str) -> str | None:
    """Guess the separator of fields from the first non-empty line; None if it has none."""
    line = next((line for line in text.splitlines() if line.strip()), "")
    counts = {sign: line.count(sign) for sign in _SEPARATORS}
    best = max(_SEPARATORS, key=lambda sign: counts[sign])
    return best if counts[best] else None


def read_table(
    text: str, name: str, separator: str, language: str, knows: Callable[[str], bool]
) -> Iterator[tuple[int, str]]:
    """Read the terms of a table in a language.

    Parameters
    ----------
    text : str
    name : str
        The file's name in messages.
    separator : str
        Between the fields.
    language : str
        A code, or empty; chooses a column with a heading such as ``en``, ``en-US`` or ``English``.
    knows : callable
        Whether the language has a word; chooses the column with the most such words if there are
        no headings.

    Yields
    ------
    int, str
        A line number, from 1, and the term.

    Raises
    ------
    ReadError
        A row cannot be read, or the headings name other languages only.
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
    """Find the column of terms by the first row; None if it has no headings."""
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
    """Find the first column with the largest share of known words."""
    shares = []
    for column in range(max(map(len, rows))):
        words = [word for row in rows if column < len(row) for word in row[column].split()]
        shares.append(sum(map(knows, words)) / len(words) if words else -1.0)
    return shares.index(max(shares))
