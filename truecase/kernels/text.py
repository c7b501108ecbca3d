"""Facts of case that everything shares: names of tags, and which languages have which mapping.

Tags of languages such as ``en`` and ``en-US``.

Where a text in memory can be cut: at ends of lines.

White space as the kernels have it, for what is done with words in Python.

It is Unicode's property White_Space. To `str.split` and `str.isspace` four separators of records,
U+001C to U+001F, are some, too.

Words that tell of a line whether it is in a language whose nouns have a capital: German.

In such a source a capital says little of a translation's, in any other it mostly means a name.
The words are frequent in German and rare in other languages that write Latin letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Literal

#: Kinds of case, in the order of the kernels' ``Tag``: lower, first letter upper, all upper, mixed,
#: and no letter with case.
TAGS = ("AL", "IU", "AU", "MX", "AN")

#: The kinds that are told apart where nothing is known but a word's class: AN goes with AL.
CLASS_TAGS = TAGS[:4]

#: Mapping between the cases: the usual one, or that of languages with a dotless i.
Casing = Literal["default", "turkic"]

#: A code of each, as kernels take them.
CASINGS: dict[Casing, int] = {"default": 0, "turkic": 1}

#: Which letters a capital raises, and on which word, by language; any other has ``first``.
CapitalRule = Literal["first", "dutch", "irish"]

#: A code of each, as kernels take them.
CAPITAL_RULES: dict[CapitalRule, int] = {"first": 0, "dutch": 1, "irish": 2}

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
        It is no code of a language, which would be taken for any other one.
    """
    if not language:
        return False
    primary = language.lower().replace("_", "-").split("-")[0]
    if _LANGUAGE.fullmatch(primary) is None:
        raise ValueError(
            f"language {language!r}: expected a code of ISO 639, such as en, de or pt-BR; tr "
            "(Turkish) and az (Azerbaijani) have a dotted and a dotless i"
        )
    return primary in _TURKIC


def casing_of(language: str) -> Casing:
    """Case mapping of a language; errors as of `is_turkic`."""
    return "turkic" if is_turkic(language) else "default"


def primary_language(language: str) -> str:
    """The language of a tag, ``pt`` of ``pt-BR``; empty for what is no tag."""
    primary = language.lower().replace("_", "-").split("-")[0]
    return primary if _LANGUAGE.fullmatch(primary) else ""


def capital_rule(language: str) -> CapitalRule:
    """Where the capital of a word stands in a language."""
    return _CAPITALS.get(primary_language(language), "first")


def is_greek(language: str) -> bool:
    """Whether it is Greek, whose words have no accents in upper case."""
    return primary_language(language) in ("el", "ell", "gre")


def language_of(casing: Casing) -> str:
    """A language of that mapping, for functions that want one; empty for the usual mapping."""
    return "tr" if casing == "turkic" else ""


def normal(tag: str) -> str:
    """A tag for comparison: ``en_US`` is ``en-us``."""
    return tag.strip().replace("_", "-").lower()


def primary(tag: str) -> str:
    """The language of a tag without region or script."""
    return normal(tag).partition("-")[0]


def matches(wanted: str, tag: str) -> bool:
    """Whether a tag is the wanted one, or a variety of it: ``en`` wants ``en-US`` as well."""
    wanted, tag = normal(wanted), normal(tag)
    return tag == wanted or tag.startswith(wanted + "-")


def listed(tags: Iterable[str]) -> str:
    """Tags for a message, a few of many."""
    names = list(dict.fromkeys(tag for tag in tags if tag))
    more = f" and {len(names) - 10} more" if len(names) > 10 else ""
    return (", ".join(name[:40] for name in names[:10]) or "none") + more


def line_slices(text: bytes | bytearray, size: int) -> Iterator[slice]:
    """Slices that make up a text, each ending with a line, or with the text.

    Parameters
    ----------
    text : bytes or bytearray
    size : int
        Each slice but the last goes on to the first line end at or after this many bytes.

    Yields
    ------
    slice
    """
    start = 0
    while start < len(text):
        end = text.find(b"\n", start + size) + 1 or len(text)
        yield slice(start, end)
        start = end


_WORD = re.compile(r"(?:\S|[\x1c-\x1f])+")


def words_of(text: str) -> list[str]:
    """The words of a text, as they stand between white space."""
    return _WORD.findall(text)


def is_space(character: str) -> bool:
    """Whether a character is white space."""
    return character.isspace() and not "\x1c" <= character <= "\x1f"


#: One of them is enough.
SURE = frozenset(
    """
    und ist nicht ein eine einen einer einem eines für auf zum zur sich wird sind auch wenn oder nur
    durch nach über aus vom beim kann können haben wir diese dieser dieses diesen diesem keine kein
    dass daß aber wurde wurden sie ihre ihr zwischen sowie muss müssen soll sollte sollten
    """.split()
)

#: Two different ones are; some stand in other languages, too. A word with ß, ä, ö or ü is like one
#: of them, and one with another letter that is not in ASCII is of another language.
LIKELY = ("der", "die", "das", "im", "mit", "von", "bis", "hat", "zu", "ich", "bei", "noch")

#: Words that a line without any of these must have to be in another language, and one with one.
FEWEST_WORDS = (5, 12)
