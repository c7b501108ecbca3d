"""What looks like text and is not: placeholders, markup written as text, accelerator marks.

Messages of programs hold ``%s``, ``{name}``, ``<b>`` or ``&nbsp;``, whose case matters to the
program. They keep it, and the model sees a neutral stand-in: a number where something will be
put in, nothing for markup within a line of text, a blank for markup that breaks it.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from typing import NamedTuple


class Protected(NamedTuple):
    """Characters `start` … `end` - 1 of a text stay; `shown` stands for them."""

    start: int
    end: int
    shown: str


# All repeats are bounded, or end at a character that cannot be in them: time is linear.
_PROTECTED = re.compile(
    r"""
    (?P<template> \{\{ [^{}\n]{0,200} \}\} | \{% [^{}\n]{0,200} %\} )
  | (?P<icu> \{ \s{0,9} \w{1,60} \s{0,9} , \s{0,9} (?:plural|select|selectordinal) \s{0,9} ,
        (?: \s{0,9} offset:\d{1,9} )? )
  | (?P<value>
        \{ \s{0,9} \w{1,60} \s{0,9} , \s{0,9} (?:number|date|time|spellout|ordinal|duration)
            [^{}\n]{0,200} \}
      | [$%#@]? \{ [\w.\[\]-]{1,100} (?: ![rsa] )? (?: : [^{}\s]{0,40} )? \}
      | % \( [\w. -]{1,100} \) [-#0+ ]{0,5} \d{0,9} (?:\.\d{1,9})? [a-zA-Z]
      | % [A-Za-z_] \w{0,60} %
      | % [A-Z] [A-Z_]{2,60}
      | %%
      | (?<!\d) % (?:\d{1,3}\$)? [-#0+']{0,5} (?:\d{1,9}|\*)? (?:\.(?:\d{1,9}|\*))?
            (?:hh|h|ll|l|L|q|j|z|t)? [diouxXeEfFgGaAcspnmrCS]
      | \$ \( \w{1,60} \)
      | \$ [A-Za-z_] \w{0,60}
    )
  | (?P<markup> </? [A-Za-z] [^<>]{0,2000} > )
  | (?P<entity> & (?: [A-Za-z] \w{1,30} | \#\d{1,7} | \#x[0-9A-Fa-f]{1,6} ) ; )
    """,
    re.VERBOSE,
)
_MAY_BE = re.compile(r"[%{<&$]")

# In ICU's plural and select the words before braces are keys.
_ICU_KEY = re.compile(r"\b\w{1,40}(?=\s{0,9}\{)")

_TAG_NAME = re.compile(r"</?([A-Za-z][\w-]{0,20})")
#: HTML elements that words do not run across.
_BREAKING = frozenset(
    "blockquote br button dd div dl dt figure footer form h1 h2 h3 h4 h5 h6 header hr img input "
    "label li main nav ol option p pre section select table tbody td th thead tr ul".split()
)

#: What stands for something that a program will put in.
VALUE = "0"

_ACCELERATOR = re.compile(r"[_&~](?=\w)")
_WORD = re.compile(r"\w+")


def is_placeholder(code: str) -> bool:
    """Whether a program will put something in for this code."""
    match = _PROTECTED.search(code)
    return match is not None and match.lastgroup in ("template", "value", "icu")


def protected(text: str) -> list[Protected]:
    """What in a text must not change, in order."""
    if _MAY_BE.search(text) is None:
        return []
    found = []
    has_keys = False
    for match in _PROTECTED.finditer(text):
        kind = match.lastgroup
        stand_in = VALUE
        if kind == "markup":
            name = _TAG_NAME.match(match[0])
            stand_in = " " if name is not None and name[1].lower() in _BREAKING else ""
        elif kind == "entity":
            stand_in = html.unescape(match[0])
        elif kind == "icu":
            stand_in = " "
            has_keys = True
        elif match[0] == "%%":
            stand_in = "%"
        found.append(Protected(match.start(), match.end(), stand_in))
    if has_keys:
        found = _with_icu_keys(text, found)
    return found


def _with_icu_keys(text: str, found: list[Protected]) -> list[Protected]:
    merged: list[Protected] = []
    keys = (Protected(key.start(), key.end(), " ") for key in _ICU_KEY.finditer(text))
    for span in sorted([*found, *keys]):
        if not merged or span.start >= merged[-1].end:
            merged.append(span)
    return merged


def shown(text: str, kept: Sequence[Protected]) -> str:
    """A text with the stand-ins for what is protected in it."""
    if not kept:
        return text
    parts = []
    position = 0
    for start, end, stand_in in kept:
        parts += [text[position:start], stand_in]
        position = end
    parts.append(text[position:])
    return "".join(parts)


def accelerators(target: str, source: str) -> list[Protected]:
    """The mark of a menu's key in a target, if its source has the same mark once, too.

    ``_Open`` (GTK), ``&Open`` (Qt, Windows), ``~Open`` (LibreOffice): the model shall see the
    word without it.
    """
    marks = list(_ACCELERATOR.finditer(target))
    if len(marks) != 1:
        return []
    position, mark = marks[0].start(), marks[0][0]
    if target.count(mark) != 1 or source.count(mark) != 1:
        return []
    # max_size on both sides is a name, not a word with a key.
    words = (word for word in _WORD.finditer(target) if word.start() < position < word.end())
    if any(word[0] in source for word in words):
        return []
    return [Protected(position, position + 1, "")]
