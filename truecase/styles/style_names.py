"""The names of styles, and the small words of titles by style guide.

No guide decides by the word alone: *off* is a preposition in *Off the Coast* and part of the verb
in *Turn Off the Lights*. A word that a guide lowers as a preposition only, and that is mostly
something else in titles (off, out, over, up), has a capital here. The *to* of infinitives is like
any other.
"""

from __future__ import annotations

from typing import NamedTuple, get_args

from truecase.errors import StyleError
from truecase.options import Style

STYLES: tuple[Style, ...] = get_args(Style)
# The styles that are chosen line by line, and the style of titles in each.
_TITLES: dict[str, str] = {
    style: f"title{style.removeprefix('auto')}" for style in STYLES if "auto" in style
}


def detected(style: str) -> str | None:
    """Return the style of titles if `style` detects titles line by line; else None."""
    return _TITLES.get(style)


def check_style(style: str) -> Style:
    """Return the style; raises `StyleError` if there is no such style."""
    for known in STYLES:
        if style == known:
            return known
    raise StyleError(f"style {style!r}: expected one of {', '.join(STYLES)}")


class TitleGuide(NamedTuple):
    """How a guide writes titles.

    Attributes
    ----------
    small_words : tuple of str
        Lowercase inside a title. The model decides on names of letters and units.
    raises_last : bool
        Whether the last word always has a capital.
    max_kept : int
        If above 0, no other rule applies: words of up to so many letters keep the model's case, and
        longer ones get a capital.
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
