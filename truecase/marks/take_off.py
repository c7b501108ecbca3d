"""Marks taken off a text, as speech has none (Zollmann et al. 2006, section 4.2)."""

from __future__ import annotations

import re
import unicodedata

# Signs that are read out, or that words are made of.
_KEPT = frozenset("%&@#*§°'’‘+=<>^~|$`_")
_TOKEN = re.compile(r"(?P<word>\S+)(?P<space>\s*)")


def take_off_marks(text: str) -> str:
    """Take off the marks around words; what is only marks goes, with the white space behind it.

    Signs within words stay (``don't``, ``3.5``, ``co-op``), and so do signs that are read out
    (``%``, ``&``); line ends stay.
    """
    return "\n".join(map(_bare, text.split("\n")))


def _bare(line: str) -> str:
    out = [line[: len(line) - len(line.lstrip())]]
    for match in _TOKEN.finditer(line):
        word = _stripped(match["word"])
        if word:
            out += [word, match["space"]]
    came = "".join(out)
    return came.rstrip() if line == line.rstrip() else came


def _stripped(word: str) -> str:
    start, end = 0, len(word)
    while start < end and _is_mark(word[start]):
        start += 1
    while end > start and _is_mark(word[end - 1]):
        end -= 1
    return word[start:end]


def _is_mark(character: str) -> bool:
    return character not in _KEPT and unicodedata.category(character).startswith("P")
