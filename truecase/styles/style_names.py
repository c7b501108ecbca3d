"""The names of styles, checked without what writes them."""

from __future__ import annotations

from typing import get_args

from truecase.errors import TruecaseError
from truecase.options import Style

STYLES: tuple[Style, ...] = get_args(Style)
# The styles by the line, and how each writes titles.
_TITLES: dict[str, str] = {
    style: f"title{style.removeprefix('auto')}" for style in STYLES if "auto" in style
}


class StyleError(TruecaseError):
    """A style that does not exist, a pattern that is none, or no way to detect titles."""


def detected(style: str) -> str | None:
    """The style of titles, if `style` decides line by line what is one; else None."""
    return _TITLES.get(style)


def check_style(style: str) -> Style:
    """The same, if it is a style.

    Raises
    ------
    StyleError
        It is none.
    """
    for known in STYLES:
        if style == known:
            return known
    raise StyleError(f"style {style!r}: expected one of {', '.join(STYLES)}")
