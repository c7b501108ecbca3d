"""Which words titles leave in lower case, by guide.

No guide goes by the word alone: *off* is a preposition in *Off the Coast* and part of the verb in
*Turn Off the Lights*. Where a guide lowers a word only as a preposition, and in titles it is mostly
something else (off, out, over, up), it has a capital here. The *to* of infinitives is like others.
"""

from __future__ import annotations

from typing import NamedTuple


class TitleGuide(NamedTuple):
    """How a guide writes titles.

    Attributes
    ----------
    small_words : tuple of str
        Lowercase inside a title. Names of letters and units are the model's affair.
    raises_last : bool
        Whether the last word has a capital whatever it is.
    max_kept : int
        Words of up to so many letters stay as the model has them, and longer ones have a capital;
        nothing else counts then. 0: words go by the rules above.
    """

    small_words: tuple[str, ...]
    raises_last: bool
    max_kept: int = 0


_ALWAYS = "a an the and but or nor for at by in of on per to via as vs vs. v v."

TITLE_GUIDES = {
    "title": TitleGuide(tuple(f"{_ALWAYS} so yet off up if".split()), True),
    # Associated Press, on titles of compositions: articles, conjunctions and prepositions of up to
    # three letters, but as the first and the last word.
    "title-ap": TitleGuide(tuple(f"{_ALWAYS} so yet if".split()), True),
    # American Psychological Association, 7th edition, section 6.17: the same words of up to three
    # letters, and no rule for the last one.
    "title-apa": TitleGuide(tuple(f"{_ALWAYS} so yet off up if".split()), False),
    # Chicago Manual of Style, 18th edition, section 8.160: articles; and, but, for, or, nor; to and
    # as, whatever they are; prepositions of up to four letters (until the 17th edition: of any).
    "title-chicago": TitleGuide(
        tuple(f"{_ALWAYS} amid atop from into onto sans than upon with".split()), True
    ),
    # Agbago, Kuhn & Foster (2005), section 4: words "longer than four letters".
    "title-long-words": TitleGuide((), False, 4),
}
