"""Recognise whole sentences of a language in natural case."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

try:
    import tomllib
except ImportError:  # Python 3.10
    import tomli as tomllib

# Code between backticks, until it is known whether its sentence stays.
CODE, END_OF_CODE = "\ue000", "\ue001"


# How sentences of a language look


# Of all alphabets whose words have case.
_CAPITALS = "".join(filter(str.isupper, map(chr, range(0x530))))


@dataclass(frozen=True)
class Language:
    """The signs of whole sentences of a language.

    Attributes
    ----------
    words : frozenset of str
        Words of grammar; a line of this language has at least as many of them as of English ones.
    every : int
        At least one of so many words of a line is such a word.
    letters : str
        The letters of the alphabet, as a class of a regular expression; empty for any.
    spaced : str
        Marks with a space before them.
    today : dict
        Today's letters by those of older files.
    abbreviation, border, start, stop : re.Pattern
        A full stop that ends no sentence; the border of two sentences; the start and end of lines.
    """

    words: frozenset[str]
    every: int
    letters: str
    spaced: str
    today: dict[int, int]
    abbreviation: re.Pattern[str]
    border: re.Pattern[str]
    start: re.Pattern[str]
    stop: re.Pattern[str]


def _language(code: str, table: dict[str, Any]) -> Language:
    """Return a language of the file."""
    abbreviations = table["abbreviations"]
    if code == "en":
        capital, letter, opening, closing = "A-Z", "A-Za-z", "\"“‘'(", "\"”’')"
        before, before_next = "", rf"[{opening}\[]?"
    else:
        capital, letter = _CAPITALS, r"^\W\d_"
        opening, closing = "\"“‘'(„«»‚¿¡–— ", "\"”’')“»«‘"
        before, before_next = "„«»‚¿¡", rf"[{opening}]*"
        abbreviations = f"(?i:Mrs?|{abbreviations})"
    return Language(
        frozenset(table["words"].split()),
        table.get("every", 8),
        table.get("letters", ""),
        table.get("spaced", ""),
        str.maketrans(*table.get("today", ("", ""))),
        re.compile(
            rf"(?:^|[\s(\"“'{before}])(?:[{letter}]|[{capital}]\.(?:[{capital}]\.)*[{capital}]|"
            rf"{abbreviations})\.$"
        ),
        re.compile(rf"(?<=[.!?])([{closing}\]]*)\s+(?={before_next}[{capital}0-9\ue000])"),
        re.compile(rf"[{opening}]*[{capital}0-9À-Þ]"),
        re.compile(rf"[.!?…{table.get('stops', '')}][{closing}]*$"),
    )


_FILE = Path(__file__).with_name("text_sources.toml")
TABLES = tomllib.loads(_FILE.read_text("utf-8"))
LANGUAGES = {code: _language(code, table) for code, table in TABLES["language"].items()}
ENGLISH = LANGUAGES["en"]


# Which sentences stay


_ODD = re.compile(
    r"https?:|www\.|[{}<>|\\=^~`#*@•→\ufffd\u200b\x00-\x1f\ue000\ue001]|\[|\]|(?<!\w)_|_(?!\w)|--|"
    r"\.\.\.\.|^\W*$|\S{40}|&\w+;|\(\s*\)| [,;:.] |\$[A-Za-z]|:[a-z_]{3,}:|\(\("
)
_BROKEN = re.compile(
    r"https?:|www\.|[`\ufffd\u200b\x00-\x1f\ue000\ue001]|\[!|---|\S{60}|^\.\. |^[#→]|\);$"
)
_PLAIN = re.compile(r"[(\"'“‘\[]*[^\W\d_]+(?:['’/-][^\W\d_]+)*[)\"'”’\].,:;!?…]*")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_NOT_LETTERS = re.compile(r"[\W_]+")
_KEY_TO_KEEP = 16


def sentences(text: str, language: Language = ENGLISH) -> list[str]:
    """Split a paragraph into sentences; a doubtful border does not split."""
    found, start = [], 0
    for border in language.border.finditer(text):
        if language.abbreviation.search(text[start : border.start()]):
            continue
        found.append(text[start : border.end(1)])
        start = border.end()
    return [*found, text[start:]]


def _is_closed(line: str, language: Language) -> bool:
    """Return whether the brackets and quotation marks of a line are closed."""
    if line.count("(") != line.count(")") or line.count('"') % 2:
        return False
    if language is ENGLISH:
        return line.count("“") == line.count("”")
    return sum(map(line.count, "„“”")) % 2 == 0 and line.count("«") == line.count("»")


def is_natural(
    line: str, shortest: int = 4, longest: int = 400, language: Language = ENGLISH
) -> bool:
    """Return whether a line is whole sentences of a language in natural case."""
    words = line.split()
    if not shortest <= len(words) <= longest:
        return False
    if not language.start.match(line) or not language.stop.search(line):
        return False
    if _ODD.search(re.sub(rf" [{language.spaced}] ", " ", line) if language.spaced else line):
        return False
    if not _is_closed(line, language):
        return False
    letters = _WORD.findall(line)
    if len(letters) < len(words) * 0.6:
        return False
    if sum(len(word) > 1 and word.isupper() for word in letters) > 0.3 * len(letters):
        return False
    if sum(not word[0].islower() for word in letters) > 0.6 * len(letters) + 2:
        return False
    return is_in(letters, language)


def is_in(words: list[str], language: Language) -> bool:
    """Return whether words look like a language, and no less than like English."""
    if language.letters and len(re.findall(language.letters, "".join(words))) < 0.7 * sum(
        map(len, words)
    ):
        return False
    functional = [sum(word.lower() in one.words for word in words) for one in (language, ENGLISH)]
    return functional[0] >= max(len(words) // language.every, functional[1])


def is_item(line: str, longest: int = 100) -> bool:
    """Return whether a line of a manual is words with little code, in natural case."""
    words = line.split()
    plain = sum(_PLAIN.fullmatch(word) is not None for word in words)
    if not 2 <= len(words) <= longest or plain < len(words) * 0.6:
        return False
    return not (line.isupper() or _BROKEN.search(line))


def key(sentence: str) -> str:
    """Return the letters and digits of a line, in lower case."""
    return _NOT_LETTERS.sub("", sentence.lower())


def keys(line: str, language: Language = ENGLISH) -> list[str]:
    """Return the keys of a line and, if it has several sentences, of its longer ones."""
    several = [key(sentence) for sentence in sentences(line, language)]
    whole = [key(line)]
    return whole if len(several) < 2 else whole + [k for k in several if len(k) >= _KEY_TO_KEEP]
