"""The parts of a title, and whether its own case is informative.

A part is a word, or a piece of a word with hyphens: ``Mandarin``, ``BERT`` and ``Based`` of
``BERT-Based``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from truecase.kernels._unicode import capitalize, lower, tag
from truecase.truecaser.title_markup import Plain

if TYPE_CHECKING:
    from truecase.evaluation.words import Candidate, WordPosterior
    from truecase.truecaser import Truecaser


#: Stands before a word or a title, so that the model does not give the first word the capital of a
#: sentence.
PREFIX = "x , "
_SUFFIX = " , x"

#: Log-odds of posteriors are clipped to this.
MAX_LOG_ODDS = math.log((1 - 1e-6) / 1e-6)

# Words that are kept at most: some 50 MB.
_MAX_KEPT = 200_000


class Known(NamedTuple):
    """Facts about a word.

    Attributes
    ----------
    seen : int
        Its training count, whatever its case.
    log_odds : float
        Of capitals in it against none, between two commas.
    """

    seen: int
    log_odds: float


class KnownWords:
    """Facts about words by their lowercase form; they are looked up once."""

    def __init__(self, truecaser: Truecaser) -> None:
        self._truecaser = truecaser
        self._known: dict[str, Known] = {}

    def look_up(self, words: Iterable[str]) -> dict[str, Known]:
        """Return facts about these words, and maybe about others."""
        known = self._known
        new = sorted({word for word in words if word not in known})
        if not new:
            return known
        if len(known) + len(new) > _MAX_KEPT:
            # Other threads may still read the old ones.
            words = set(words)
            self._known = known = {}
            new = sorted(words)
        text = "\n".join(f"{PREFIX}{word}{_SUFFIX}" for word in new)
        lines = self._truecaser.posteriors(text, style="sentence", sentence_start="learned")
        for word, line in zip(new, lines, strict=True):
            # To the model U.S. and don't are more than one word.
            between = line[2:-2]
            log_odds = (
                capitals(between[0].candidates, 0, len(word), word)[0] if between else -MAX_LOG_ODDS
            )
            known[word] = Known(self._truecaser.training_count(word), log_odds)
        return known


def capitals(
    candidates: Sequence[Candidate], start: int, end: int, small: str
) -> tuple[float, str]:
    """Log-odds of capitals in a part of a word, and its most probable form with capitals, or ""."""
    forms: dict[str, float] = {}
    for candidate in candidates:
        form = candidate.text[start:end]
        if form != small:
            forms[form] = forms.get(form, 0.0) + candidate.posterior
    share = sum(forms.values())
    if share <= 0.0:
        log_odds = -MAX_LOG_ODDS
    elif share >= 1.0:
        log_odds = MAX_LOG_ODDS
    else:
        log_odds = max(-MAX_LOG_ODDS, min(math.log(share / (1 - share)), MAX_LOG_ODDS))
    return log_odds, max(forms, key=forms.__getitem__) if forms else ""


_PART = re.compile(r"[^-‐‑–/]+")

# Title Case leaves shorter words in lower case if the model surely writes them so: of, der, la.
_SMALL_WORD_LENGTH = 3
_SMALL_WORD_LOG_ODDS = -3.0

# Every style of Title Case raises words of so many letters.
_LONG_WORD_LENGTH = 4


class Part(NamedTuple):
    """A part of a title.

    Attributes
    ----------
    start, end : int
        In the plain title.
    given : str
        Its form in the title.
    tag : str
        Its kind of case: AL, IU, AU or MX.
    log_odds : float
        Of capitals in it against none, by the model, which does not see the title's case.
    form : str
        Its most probable form with a capital, by the model.
    small : str
        Its lowercase form.
    hyphenated : int
        0: a word by itself; 1: the first part of a hyphenated one; 2: a later part.
    before : str
        The text between it and the part before it.
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
    """Split a title into its parts, given its words with the posteriors of a model.

    `offset` is the index of the title in the text of `words`; earlier words are of other titles.
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
    """Whether the case of a title says nothing about its words.

    So it is if all is in lower case, if common words are in capitals (A SURVEY OF TONES), or if
    exactly the first letter of every word is raised, as programs do it (A Survey Of Tones).
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
    """Share of a title's long words after the first that begin with a capital; 0.5 without any.

    Near 1 in Title Case, near 0 in sentence case. Words with other capitals do not count.
    """
    long = [part.tag for part in parts[1:] if len(part.given) >= _LONG_WORD_LENGTH]
    n_raised = long.count("IU")
    n = n_raised + long.count("AL")
    return n_raised / n if n else 0.5
