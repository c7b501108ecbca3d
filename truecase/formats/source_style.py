"""The style of a string, told by the case of its source.

Interfaces mix sentences, titles and capitals, and a string alone does not tell which it is; a
source that was written with care does.
"""

from __future__ import annotations

import re

from truecase.styles.style_names import TITLE_GUIDES
from truecase.text.language_tags import primary

#: No style of a model: a string that goes on as within a sentence, in lower case.
CONTINUED = "continued"
#: What a model sees before such a string, so that its first word is none of a sentence.
LEAD = "x , "

# Nouns have capitals there, and titles none of their own.
_CAPITALISED_NOUNS = frozenset(["de", "lb", "nds"])
# Words that titles leave in lower case, in English and in languages that take over its titles.
_SMALL_WORDS = frozenset(
    word for guide in TITLE_GUIDES.values() for word in guide.small_words
) | frozenset(
    "with from than into onto upon over da das de del dem den der des di do dos du e el en et i "
    "la las le les los o och of og oder ou par para pe por pour se si sur u un una und une van vom "
    "von y z zu à".split()
)
_WORD = re.compile(r"[^\W\d_](?:[\w'’-]*\w)?")
# Nothing stands before the first word that could be a part of it, or an identifier.
_FIRST_LETTER = re.compile(r"[\s\"'“„«(\[…]*([^\W\d_])")

# Shorter ones are as likely names: OK, PDF, USB.
_MIN_CAPITALS = 4


def style_of(source: str, language: str | None = None) -> str:
    """The style that a translation takes from its source.

    Parameters
    ----------
    source : str
        Without placeholders.
    language : str, optional
        Of the source. In German and its neighbours, which capitalise nouns, nothing is taken
        for a title.

    Returns
    -------
    str
        ``upper``: all letters are upper case, and there are at least four. ``title``: the first
        and the last of several words have capitals, and all between but small ones.
        `CONTINUED`: it begins in lower case. ``sentence``: anything else.
    """
    words = _WORD.findall(source)
    if not words:
        return "sentence"
    if source == source.upper() != source.lower() and sum(map(len, words)) >= _MIN_CAPITALS:
        return "upper"
    if (language is None or primary(language) not in _CAPITALISED_NOUNS) and _is_title(words):
        return "title"
    first = _FIRST_LETTER.match(source)
    return CONTINUED if first is not None and words[0].islower() else "sentence"


def _is_title(words: list[str]) -> bool:
    if len(words) == 1 or not (_has_capital(words[0]) and _has_capital(words[-1])):
        return False
    return all(_has_capital(word) or word in _SMALL_WORDS for word in words)


def _has_capital(word: str) -> bool:
    return word != word.lower()
