"""Facts about text for Python code: tags of case, languages, lines, white space, German words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import AnyStr, Literal

from truecase.base.model_file import read_weights

#: Kinds of case, as in the kernels' ``Tag``: lower, initial upper, all upper, mixed, none.
TAGS = ("AL", "IU", "AU", "MX", "AN")

#: The kinds of class tokens, where AN counts as AL.
CLASS_TAGS = TAGS[:4]

#: Mapping between cases: the usual one, or that of languages with a dotless i.
Casing = Literal["default", "turkic"]

#: Codes for kernels.
CASINGS: dict[Casing, int] = {"default": 0, "turkic": 1}

#: Which letters a capital raises, and on which word, by language; any other has ``first``.
CapitalRule = Literal["first", "dutch", "irish"]

#: Codes for kernels.
CAPITAL_RULES: dict[CapitalRule, int] = {"first": 0, "dutch": 1, "irish": 2}

#: Capitals of a line in title case, for each of its words in lower case.
CAPITALS_IN_TITLE = 8

_LANGUAGE = re.compile("[a-z]{2,3}")
_CAPITALS: dict[str, CapitalRule] = {
    "nl": "dutch", "nld": "dutch", "dut": "dutch", "ga": "irish", "gle": "irish",
}  # fmt: skip
_TURKIC = ("tr", "tur", "az", "aze")


def is_turkic(language: str) -> bool:
    """Whether the language has dotted and dotless i (``tr``, ``az``, also ``tr-TR``).

    Raises
    ------
    ValueError
        It is not a language code.
    """
    if not language:
        return False
    primary = primary_language(language)
    if not primary:
        raise ValueError(
            f"language {language!r}: expected a code of ISO 639, such as en, de or pt-BR; tr "
            "(Turkish) and az (Azerbaijani) have a dotted and a dotless i"
        )
    return primary in _TURKIC


def casing_of(language: str) -> Casing:
    """Case mapping of a language; errors as of `is_turkic`."""
    return "turkic" if is_turkic(language) else "default"


def primary_language(language: str) -> str:
    """The language of a tag, ``pt`` of ``pt-BR``; empty if it is not a tag."""
    primary = language.lower().replace("_", "-").split("-")[0]
    return primary if _LANGUAGE.fullmatch(primary) else ""


def capital_rule(language: str) -> CapitalRule:
    """Rule for the capital of a word in a language."""
    return _CAPITALS.get(primary_language(language), "first")


def is_greek(language: str) -> bool:
    """Whether it is Greek, whose words have no accents in upper case."""
    return primary_language(language) in ("el", "ell", "gre")


def language_of(casing: Casing) -> str:
    """A language with that mapping, for functions that take one; empty for the usual mapping."""
    return "tr" if casing == "turkic" else ""


def normal(tag: str) -> str:
    """A tag in a form for comparisons: ``en-us`` for ``en_US``."""
    return tag.strip().replace("_", "-").lower()


def primary(tag: str) -> str:
    """The language of a tag without region or script; Norwegian, ``no``, is nb, its usual form."""
    code = normal(tag).partition("-")[0]
    return "nb" if code == "no" else code


def matches(wanted: str, tag: str) -> bool:
    """Whether a tag is the wanted one or a variety of it, as ``en-US`` is of ``en``."""
    wanted, tag = normal(wanted), normal(tag)
    return tag == wanted or tag.startswith(wanted + "-")


def listed(tags: Iterable[str]) -> str:
    """Up to ten tags for a message."""
    names = list(dict.fromkeys(tag for tag in tags if tag))
    more = f" and {len(names) - 10} more" if len(names) > 10 else ""
    return (", ".join(name[:40] for name in names[:10]) or "none") + more


def line_slices(text: bytes | bytearray, size: int) -> Iterator[slice]:
    """Slices of a text, each of `size` bytes and on to the next line end, or the text's end."""
    start = 0
    while start < len(text):
        end = text.find(b"\n", start + size) + 1 or len(text)
        yield slice(start, end)
        start = end


def lines_of(text: bytes) -> list[bytes]:
    """Lines of a text with their ends."""
    return [text[part] for part in line_slices(text, 0)]


def split_lines(text: AnyStr) -> list[AnyStr]:
    """Lines without their ends; what follows the last line feed is a line unless it is empty."""
    lines = text.split("\n" if isinstance(text, str) else b"\n")
    if not lines[-1]:
        lines.pop()
    return lines


def spliced(text: str, parts: Iterable[tuple[int, int, str]]) -> str:
    """Replace parts of a text, given the start, the end and the new text of each, in order."""
    pieces = []
    done = 0
    for start, end, new in parts:
        pieces += [text[done:start], new]
        done = end
    return "".join([*pieces, text[done:]])


# To `str.split` and `str.isspace`, U+001C to U+001F are white space, too.
_WORD = re.compile(r"(?:\S|[\x1c-\x1f])+")


def words_of(text: str) -> list[str]:
    """The words of a text, split at Unicode's White_Space, as kernels split it."""
    return _WORD.findall(text)


def is_space(character: str) -> bool:
    """Whether a character is white space."""
    return character.isspace() and not "\x1c" <= character <= "\x1f"


#: Words frequent in German and rare in other languages in Latin letters: a line with one of them is
#: in a language whose nouns have capitals.
GERMAN_WORDS = frozenset(read_weights("languages")["german"].split())

#: So is a line with two of these. A word with ß, ä, ö or ü counts as one; a word with another
#: letter outside ASCII is of another language.
LIKELY_GERMAN_WORDS = tuple("der die das im mit von bis hat zu ich bei noch".split())

#: Words that a line of another language must have: without likely German words, and with one.
FEWEST_FOREIGN_WORDS = (5, 12)
