"""Placeholders, markup and accelerator marks in the texts of programs.

Messages contain ``%s``, ``{name}``, ``<b>`` or ``&nbsp;``, whose case matters to the program. They
keep their case, and the model sees a neutral stand-in: a number for a value with the letter of a
unit (``%sK``), nothing for markup within a line, a blank for markup that breaks a line, a blank
line for markup that ends a sentence.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from truecase.formats import words_of
from truecase.formats._contents import UNIT_VALUE
from truecase.formats._contents import VALUE as VALUE
from truecase.kernels.text import spliced


class Protected(NamedTuple):
    """Characters `start` … `end` - 1 of a text, which stay; the model sees `shown` instead."""

    start: int
    end: int
    shown: str


#: Elements of HTML whose content is code, for regular expressions.
CODE = "code|kbd|samp|tt|var"

# The capitals of Latin, Greek and Cyrillic letters.
_UPPER = "".join(filter(str.isupper, map(chr, range(0x530))))
#: The end of a line before one that begins with a capital: without a source, that begins a text.
LINE_END = re.compile(rf"(?<!\n)\n(?=[ \t]*[{_UPPER}])")

# All repeats are bounded, or end at a character that cannot be in them: time is linear.
_PROTECTED = re.compile(
    r"""
    (?P<literal> ``[^`]{1,300}`` | `[^`<\n]{0,99}<[^`\n]{1,300}>[^`\n]{0,99}` )
  | (?P<role> :[A-Za-z][\w:+.-]{0,60}:`(?P<title>[^`]{0,300}?)(?P<target>\s{0,9}<[^`<>]{0,300}>)?` )
  | (?P<statement> (?: \{\{ (?= \s{0,9} (?:[\#/^!>]|else\b) ) | \{% -? ) \s{0,9}
        (?: (?P<opens> \# | if\b | unless\b ) | (?P<other> \^ | el(?:se|s?if)\b ) )?
        [^{}\n]{0,200} [%}]\} )
  | (?P<template> \{\{ [^{}\n]{0,200} \}\} )
  | (?P<icu> \{ \s{0,9} \w{1,60} \s{0,9} , \s{0,9} (?:plural|select|selectordinal) \s{0,9} ,
        (?: \s{0,9} offset:\d{1,9} )? )
  | (?P<value> (?:
        \{ \s{0,9} \w{1,60} \s{0,9} , \s{0,9} (?:number|date|time|spellout|ordinal|duration)
            [^{}\n]{0,200} \}
      | [$%#@]? \{ [\w.\[\]-]{1,100} (?: ![rsa] )? (?: : [^{}\s]{0,40} )? \}
      | % (?: \( [\w. -]{1,100} \) | <\w{1,60}> ) [-#0+ ]{0,5} \d{0,9} (?:\.\d{1,9})? [a-zA-Z]
      | % [A-Za-z_] \w{0,60} %
      | % [A-Z] [A-Z_]{2,60}
      | %% | %\d{1,2}[^\W\d_]{2,30} | nplurals=[^\n]{1,400}
      | (?<!\d) % (?:\d{1,3}\$)? [-#0+']{0,5} (?:\d{1,9}|\*)? (?:\.(?:\d{1,9}|\*))?
            (?:hh|h|ll|l|L|q|j|z|t)? [diouxXeEfFgGaAcspnmrCS@]
      | \$ \( \w{1,60} \) | \$t\( [^()\n]{1,100} \)
      | \$ [A-Za-z_] \w{0,60}
      # Of Laravel; links of Vue's messages; components of React's.
      | (?<![\w:]) : [A-Za-z_] \w{0,60} (?![\w:-])
      | @ (?:\.\w{1,20})? : (?: \( [\w.]{1,100} \) | \w{1,60} (?: \.\w{1,60} ){0,9} )
      | < \d{1,3} \s? />
      # Patterns of dates: d MMM yyyy, HH:mm; above, values of Qt with a word: %1min.
      | (?<!\w) (?= [^\n]{0,12}? (?: [jJyY]{2}|MM|HH|DD|EEE|:mm ) ) (?: FIELD [-/.:,T\s]{1,2} ){1,6}
            (?:FIELD|a) (?!\w)
    ) (?: [A-Z] (?!\w) )? )
  | (?P<code> <(?P<element>CODE | gui\w{0,9} (?= [^<>]{0,300} > UPPER )) \b [^<>]{0,300} >
        [^<]{0,300} </(?P=element)> )
  | (?P<markup> </? (?: [A-Za-z] (?: => | [^<>] ){0,2000} | \d{1,3} ) >
      | \[ /? (?:b|center|code|colou?r|font|i|img|list|quote|s|size|spoiler|u|url)
        (?: =[^\[\]\n]{0,200} )? \] )
  | (?P<item> (?<=:) \n | \n (?= [ \t]{0,9} (?: [-*•·‣–] | \d{1,2}[.)] ) [ \t] ) )
  | (?P<entity> & (?: [A-Za-z] \w{1,30} | \#\d{1,7} | \#x[0-9A-Fa-f]{1,6} ) ; )
    """.replace("CODE", CODE)
    .replace("FIELD", "(?:[jJyY]{4}|M{1,4}|EEEE?|yy|YY|ss|mm|tt|TT|[dDhH]{1,2})")
    .replace("UPPER", f"[{_UPPER}]"),
    re.VERBOSE,
)
_MAY_BE = re.compile(r"([DEHJMYjy])\1|[%{<&$`|]|:[A-Za-z_\n]|@[.:]|\[[/a-z]|\n[ \t]*[-*•·‣–\d]|ls=")

# In ICU's plural and select the words before braces are keys.
_ICU_KEY = re.compile(r"\s{0,99}(=?\w{1,40})\s{0,99}(?=\{)")
_BRACE = re.compile(r"[{}]")
# It stands for the number in a branch.
_NUMBER = re.compile(r"(?<!\S)#(?!\S)|(?<=\{)#(?!\S)")
# Text with more of them is not a message.
_MAX_ICU = 20
# A blank line separates the branches, each of them a text.
_APART = "\n\n"
_SENTENCE_END = re.compile(r"[.!?:;]|\n\n")

# Where forms for several numbers begin, as Laravel and Vue have them: {0} none|{1} one|[2,*] some.
_FORM = re.compile(
    r"(?:\A|\|)\s*(?:\{\s*\d{1,9}\s*\}|[\[\]]\s*[-\w*]{1,9}\s*,\s*[-\w*]{1,9}\s*[\[\]])?\s*"
)
_MAX_FORMS = 12
_BRACKETS = (("(", ")"), ("[", "]"), ("{", "}"), ("<", ">"))

# Roles of reStructuredText that have a text before their target, and that text is prose.
_PROSE_ROLES = frozenset("abbr any doc download numref ref std:doc std:ref term".split())

_TAG_NAME = re.compile(r"</?([A-Za-z][\w-]{0,20})")
#: HTML elements that words do not run across, and those that end a sentence; so do two breaks.
_BREAKING = frozenset("br button img input label option select".split())
_ENDING = frozenset(words_of("blocks"))
_ELEMENTS = _ENDING.union(_BREAKING, words_of("inline"))

_STAND_INS = {"item": _APART, "icu": " ", "statement": " "}

_ACCELERATOR = re.compile(r"[_&~](?=\w)")
_WORD = re.compile(r"\w+")
# A word right behind a value; up to three letters are its unit.
_GLUED = re.compile(r"[^\W\d_]{0,4}")


def value_at(text: str | bytes, end: int) -> str:
    """The stand-in of a value that ends at a place of a text or file."""
    raw = text[end : end + 16]
    following = raw if isinstance(raw, str) else raw.decode("utf-8", "ignore")
    glued: re.Match[str] = _GLUED.match(following)  # type: ignore[assignment]
    return (VALUE, UNIT_VALUE, UNIT_VALUE, UNIT_VALUE, f"{VALUE} ")[glued.end()]


def is_placeholder(code: str) -> bool:
    """Whether a program puts a value in place of this code."""
    match = _PROTECTED.search(code)
    return match is not None and match.lastgroup in ("statement", "template", "value", "icu")


def protected(text: str) -> list[Protected]:
    """The parts of a text that must not change, in order."""
    if _MAY_BE.search(text) is None:
        return []
    found: list[Protected] = []
    headers: list[re.Match[str]] = []
    broken = -1
    begins = False
    for match in _PROTECTED.finditer(text):
        kind = match.lastgroup
        stand_in = _stand_in(match)
        if kind == "markup":
            stand_in = _shown_for(match)
            is_break = match[0][:3].lower() == "<br"
            if is_break and broken >= 0 and not text[broken : match.start()].strip():
                stand_in = _APART
            broken = match.end() if is_break else -1
        elif match["opens"]:
            begins = len(found) < _MAX_ICU and _begins(text[: match.start()], found)
        elif match["other"] and begins:
            # The other branch begins where the first did.
            stand_in = _APART
        elif kind == "icu":
            headers.append(match)
        elif kind == "role" and match["target"] and match[0][1:].partition(":`")[0] in _PROSE_ROLES:
            found.append(Protected(match.start(), match.start("title"), ""))
            found.append(Protected(match.end("title"), match.end(), ""))
            continue
        found.append(Protected(match.start(), match.end(), stand_in))
    without_bars = ((a, b, text[a:b].replace("|", " ")) for a, b, _ in found)
    if "|" in text and (forms := _forms(spliced(text, without_bars))):
        signs = {place for form in forms for place in range(form.start, form.end)}
        return sorted([*forms, *(one for one in found if one.start not in signs)])
    return _with_icu_keys(text, found, headers) if headers else found


def _stand_in(match: re.Match[str]) -> str:
    kind = match.lastgroup or ""
    if kind == "entity" or match[0] == "%%":
        return html.unescape(match[0].removesuffix("%"))
    if kind in ("value", "template"):
        return value_at(match.string, match.end())
    return _STAND_INS.get(kind, VALUE)


def _begins(before: str, kept: Sequence[Protected]) -> bool:
    return re.search(r"\w", _SENTENCE_END.split(shown(before, kept))[-1]) is None


def _forms(text: str) -> list[Protected]:
    """The signs between the forms of a text for several numbers, if it has any; a form is a text.

    The forms have numbers before them, blanks around their signs or in each form, or begin alike.
    """
    signs = list(_FORM.finditer(text))
    ends = [*(sign.start() for sign in signs[1:]), len(text)]
    forms = [text[sign.end() : end].strip() for sign, end in zip(signs, ends, strict=True)]
    is_whole = all(form.count(a) == form.count(b) for form in forms for a, b in _BRACKETS)
    if not (1 < len(forms) <= _MAX_FORMS and all(forms) and is_whole):
        return []
    is_numbered = len({sign[0].strip(" |") for sign in signs}) > 1
    is_spaced = text.count(" | ") == len(forms) - 1 or all(" " in form for form in forms)
    is_alike = len({form[:3] for form in forms}) == 1 and not any(" " in form for form in forms)
    if not (is_numbered or is_spaced or is_alike):
        return []
    return [
        Protected(sign.start(), sign.end() if is_numbered else sign.start() + 1, _APART)
        for sign in signs
        if sign.start() or (is_numbered and sign[0])
    ]


def _shown_for(markup: re.Match[str]) -> str:
    tag = _TAG_NAME.match(markup[0])
    name = "" if tag is None else tag[1].lower()
    # <file> that nothing ends, and <x id="1"/>, are values.
    is_bare = markup[0] == f"<{name}>"
    is_open = is_bare and markup.string.find(f"</{name}", markup.end(), markup.end() + 2000) < 0
    if name not in _ELEMENTS and (is_open or markup[0].endswith("/>")):
        return VALUE
    return _APART if name in _ENDING else " " if name in _BREAKING else ""


def _with_icu_keys(
    text: str, found: list[Protected], headers: Sequence[re.Match[str]]
) -> list[Protected]:
    """Add the keys of branches; a branch is a text of its own unless a sentence runs into it."""
    signs, opens = [], set()
    branches = [(0, len(text), _APART)]
    for header in headers[:_MAX_ICU]:
        place = header.start()
        # The innermost branch around it, or the whole text.
        begin, _, apart = next(one for one in reversed(branches) if one[0] <= place < one[1])
        kept = (span for span in found if begin <= span.start and span.end <= place)
        if not _begins(text[:place], [Protected(0, begin, ""), *kept]):
            apart = " "
        for start, end, close in _branches(text, header.end()):
            branches.append((end, close if close >= 0 else len(text), apart))
            # A brace next to a word would keep it from being the first of a sentence.
            signs.append(Protected(start, end, apart))
            if close >= 0:
                signs.append(Protected(close, close + 1, " "))
            numbers = _NUMBER.finditer(text, end, close if close >= 0 else len(text))
            signs += [Protected(*number.span(), VALUE) for number in numbers]
            opens.add(end - 1)
    for i, span in enumerate(found):
        # A branch that is a placeholder looks like a template, one of one word like a
        # placeholder.
        if span.start in opens and text.startswith("{{", span.start):
            found[i] = Protected(span.start + 1, span.end - 1, VALUE)
    merged: list[Protected] = []
    for span in sorted([*found, *signs]):
        if span.start not in opens and (not merged or span.start >= merged[-1].end):
            merged.append(span)
    return merged


def _branches(text: str, start: int) -> Iterator[tuple[int, int, int]]:
    """For each branch: the beginning of its key, the beginning and the end (or -1) of its text."""
    while (key := _ICU_KEY.match(text, start)) is not None:
        depth = 0
        for brace in _BRACE.finditer(text, key.end()):
            depth += 1 if brace[0] == "{" else -1
            if depth == 0:
                yield key.start(1), key.end() + 1, brace.start()
                start = brace.end()
                break
        else:
            yield key.start(1), key.end() + 1, -1
            return


def shown(text: str, kept: Sequence[Protected]) -> str:
    """A text with stand-ins for its protected parts."""
    return spliced(text, kept) if kept else text


def accelerators(target: str, source: str) -> list[Protected]:
    """The mark of a menu's key in a target, if its source has the same mark.

    In ``_Open`` (GTK), ``&Open`` (Qt, Windows) and ``~Open`` (LibreOffice), the model sees the word
    without its mark. Without a source, the mark is before the first word, or before a capital.
    """
    marks = list(_ACCELERATOR.finditer(target))
    if len(marks) != 1:
        return []
    position, mark = marks[0].start(), marks[0][0]
    before = target[:position].strip()
    is_inside = before and (target[position - 1].isalnum() or target[position + 1].islower())
    if target.count(mark) != 1 or (source.count(mark) != 1 if source else is_inside):
        return []
    # max_size on both sides is a name, not a word with a key.
    words = (word for word in _WORD.finditer(target) if word.start() < position < word.end())
    if any(word[0] in source or not source for word in words):
        return []
    return [Protected(position, position + 1, "")]
