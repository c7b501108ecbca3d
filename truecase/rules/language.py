"""The words of a language's rules, from its file ``rules/LANG.toml``."""

import os
import re
from collections.abc import Iterator
from typing import TypeAlias

from truecase.kernels.text import primary_language

Values: TypeAlias = "dict[str, str | float | bool]"

# The part of TOML that the files use: importing a parser takes longer than loading a model.
_LINE = re.compile(
    r'^(?:\[(\w+)\]|(\w+) = (?:"""\n(.*?)"""|"(.*?)"|(true|false)|([\d.]+)))$',
    re.MULTILINE | re.DOTALL,
)
_ENDINGS = re.compile(r"\[(\w*)\|(\w*)\]")


def read_rules(language: str) -> dict[str, Values]:
    """Read the sections of a language's file; no sections if the language has no file.

    `language` is a primary subtag, such as ``en``, or empty.
    """
    path = os.path.join(os.path.dirname(__file__), f"{language}.toml")
    if not (language and os.path.exists(path)):
        return {}
    with open(path, encoding="utf-8") as file:
        contents = file.read()
    sections: dict[str, Values] = {}
    values: Values = {}
    for section, name, lines, text, truth, number in _LINE.findall(contents):
        if section:
            values = sections.setdefault(section, {})
        elif truth:
            values[name] = truth == "true"
        else:
            values[name] = float(number) if number else lines or text
    return sections


def has_offices(language: str) -> bool:
    """Whether the rules of a model's language, such as ``en-GB``, list offices."""
    return "offices" in read_rules(primary_language(language))


def phrases(words: str) -> Iterator[tuple[tuple[str, ...], bool]]:
    """Yield the words of each phrase of a list, and whether it is a plural."""
    for item in words.split():
        for ending in (1, 2) if "|" in item else (0,):
            phrase = _ENDINGS.sub(rf"\{ending}", item) if ending else item
            yield tuple(re.split("[_/]", phrase)), ending == 2
