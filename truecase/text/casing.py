"""Facts of case that everything shares: names of tags, and which languages have which mapping."""

from __future__ import annotations

import re
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
