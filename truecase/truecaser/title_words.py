"""The parts of a title that are judged one by one, and what its own case tells.

A part is a word, or what stands between the hyphens of one: ``Mandarin``, ``BERT`` and ``Based`` of
``BERT-Based``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from truecase.kernels._unicode import capitalize, lower, tag
from truecase.truecaser.title_features import Known, capitals
from truecase.truecaser.title_markup import Plain

if TYPE_CHECKING:
    from truecase.evaluation.words import WordPosterior


_PART = re.compile(r"[^-‐‑–/]+")

# A word that a model is sure to write small, and that Title Case leaves small: of, der, la.
_SMALL_WORD_LENGTH = 3
_SMALL_WORD_LOG_ODDS = -3.0

# Long enough for Title Case to raise it in every style.
_LONG_WORD_LENGTH = 4


class Part(NamedTuple):
    """A part of a title.

    Attributes
    ----------
    start, end : int
        In the plain title.
    given : str
        As the title has it.
    tag : str
        Its kind of case: AL, IU, AU or MX.
    log_odds : float
        Of capitals in it against none, to the model, which does not see the title's case.
    form : str
        Of the forms with a capital the one most probable to the model.
    small : str
        It in lower case.
    hyphenated : int
        0: a word by itself; 1: the first part of a hyphenated one; 2: a later part.
    before : str
        What stands between it and the part before it.
    is_open : bool
        Whether its case may change.
    """

    start: int
    end: int
    given: str
    tag: str
    log_odds: float
    form: str
    small: str
    hyphenated: int
    before: str
    is_open: bool


def parts_of(
    title: Plain,
    words: Sequence[WordPosterior],
    offset: int,
    language: str,
) -> list[Part]:
    """The parts of a title.

    Parameters
    ----------
    title : Plain
    words : sequence of WordPosterior
        Its words, with the posteriors of a model.
    offset : int
        Where the title begins in the text that has them; words before it are none of its own.
    language : str
        Of the model's case mapping.
    """
    text = title.text
    parts = []
    done = 0
    for word in words:
        if word.start < offset:
            continue
        begin = word.start - offset
        found = list(_PART.finditer(text, begin, word.end - offset))
        for place, match in enumerate(found):
            start, end = match.span()
            given = match[0]
            kind = tag(given, language)
            if kind == "AN":
                continue
            small = lower(given, language)
            log_odds, form = capitals(word.candidates, start - begin, end - begin, small)
            parts.append(
                Part(
                    start,
                    end,
                    given,
                    kind,
                    log_odds,
                    # A form of another length has letters that are not one code point to one.
                    form if len(form) == end - start else capitalize(given, language),
                    small,
                    0 if len(found) == 1 else min(place + 1, 2),
                    text[done:start],
                    min(title.letters[start:end]) >= 0,
                )
            )
            done = end
    return parts


def says_nothing(parts: Sequence[Part], known: Mapping[str, Known]) -> bool:
    """Whether the case of a title says nothing of its words.

    It does not if all is in lower case, if common words are in capitals (A SURVEY OF TONES), or if
    every word has its first letter raised and no other, the smallest words too (A Survey Of Tones),
    as programs do it.
    """
    kinds = {part.tag for part in parts}
    if kinds == {"AL"}:
        return True
    common = [
        part
        for part in parts
        if part.log_odds < 0 and known[part.small].seen and len(part.given) > 1
    ]
    n_caps = sum(part.tag == "AU" for part in common)
    if n_caps and 2 * n_caps > len(common):
        return True
    return kinds == {"IU"} and any(
        len(part.given) <= _SMALL_WORD_LENGTH
        and part.log_odds < _SMALL_WORD_LOG_ODDS
        and known[part.small].seen
        and not part.hyphenated
        and part.before.isspace()
        for part in parts[1:]
    )


def capitalised_share(parts: Sequence[Part]) -> float:
    """Share of a title's long words, but for its first, that begin with a capital.

    Near 1 in Title Case, near 0 in sentence case; without such words a half. Words with other
    capitals do not count.
    """
    long = [part.tag for part in parts[1:] if len(part.given) >= _LONG_WORD_LENGTH]
    n_raised = long.count("IU")
    n = n_raised + long.count("AL")
    return n_raised / n if n else 0.5
