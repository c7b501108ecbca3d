"""The words of a language's rules, from its file ``rules/LANG.toml``."""

import os
from collections.abc import Iterator
from functools import cache
from typing import TypeAlias

from truecase.kernels.text import primary_language

Values: TypeAlias = "dict[str, str | float | bool]"


def read_rules(language: str) -> dict[str, Values]:
    """Read the sections of a language's file; no sections if the language has no file.

    `language` is a primary subtag, such as ``en``, or empty.
    """
    text = ""
    for name in ("common", language):
        path = os.path.join(os.path.dirname(__file__), f"{name}.toml")
        if not os.path.exists(path):
            return {}
        with open(path, encoding="utf-8") as file:
            text += file.read()
    # The part of TOML that the files use: importing a parser takes longer than loading a model.
    sections: dict[str, Values] = {}
    values: Values = {}
    for place, piece in enumerate(text.split('"""')):
        if place % 2:
            values[name] = f"{values.get(name, '')}{piece[1:]}"
            continue
        for line in piece.splitlines():
            name, _, value = line.partition(" = ")
            if line.startswith("["):
                values = sections.setdefault(line[1:-1], {})
            elif value and not line.startswith("#"):
                values[name] = _value(value)
    return sections


def _value(text: str) -> str | float | bool:
    if text in ("true", "false"):
        return text == "true"
    return float(text) if text[:1].isdigit() else text.strip('"')


@cache
def rules_of(language: str) -> dict[str, Values]:
    """The rules of a model's language, such as ``en-GB``, which no caller changes."""
    return read_rules(primary_language(language))


def phrases(words: str) -> Iterator[tuple[tuple[str, ...], bool]]:
    """Yield the words of each phrase of a list, and whether it is a plural."""
    for item in words.split():
        if item.isalpha():
            yield (item,), False
            continue
        head, _, rest = (item if "_" in item else item.replace("/", "_")).partition("[")
        endings, _, tail = rest.partition("]")
        singular, has_plural, plural = endings.partition("|")
        yield tuple(f"{head}{singular}{tail}".split("_")), False
        if has_plural:
            yield tuple(f"{head}{plural}{tail}".split("_")), True
