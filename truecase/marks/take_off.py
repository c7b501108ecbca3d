"""Marks taken off a text, as speech has none (Zollmann et al. 2006, section 4.2)."""

from __future__ import annotations

import re
import unicodedata

# Signs that are read out, or that words are made of.
_KEPT = frozenset("%&@#*§°'’‘+=<>^~|$`_")
_WORD = re.compile(r"\S+")


def take_off_marks(text: str) -> str:
    """Take off the marks around words; what is only marks goes, with the white space behind it.

    Signs within words stay (``don't``, ``3.5``, ``co-op``), and so do signs that are read out
    (``%``, ``&``); line ends stay.
    """
    return "\n".join(map(_bare, text.split("\n")))


def _bare(line: str) -> str:
    out = []
    position = 0
    for match in _WORD.finditer(line):
        word = _stripped(match[0])
        if word:
            out += [line[position : match.start()], word]
            position = match.end()
        elif match.end() < len(line):
            # With the white space behind it; that before it stays.
            out.append(line[position : match.start()])
            position = match.end() + (len(line[match.end() :]) - len(line[match.end() :].lstrip()))
        else:
            out.append(line[position : match.start()].rstrip())
            position = match.end()
    out.append(line[position:])
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
