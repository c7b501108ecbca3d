"""HTML and SVG from Python calls: whatever is not markup already is escaped."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable

# Characters that HTML does not allow in text, lone surrogates among them, and those that reorder
# the text around them: with these, a line could make the page beside it read as something else.
_FORBIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff\ud800-\udfff\u202a-\u202e\u2066-\u2069]"
)
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"

#: Characters of a word that pages show.
LONGEST = 200

# Elements that have no content and no end tag in HTML.
_VOID = frozenset({"br", "col", "hr", "input", "link", "meta", "wbr"})


class Markup(str):
    """Text that is markup already."""

    __slots__ = ()


Child = str | int | float | None | Iterable["Child"]


def escape(text: str) -> Markup:
    """Text as it stands in a page; what cannot stand there becomes U+FFFD."""
    return Markup(html.escape(_FORBIDDEN.sub(_REPLACEMENT, text)))


def shortened(text: str, longest: int = LONGEST) -> str:
    """A text, or the beginning of one that has more than so many characters.

    For what stands in a page again and again: a "word" may have a million characters.
    """
    return text if len(text) <= longest else text[: longest - 1] + "…"


def join(*children: Child) -> Markup:
    """Children one after the other: markup as it is, text escaped, None left out."""
    parts: list[str] = []
    for child in children:
        if child is None:
            continue
        if isinstance(child, Markup):
            parts.append(child)
        elif isinstance(child, str):
            parts.append(escape(child))
        elif isinstance(child, (int, float)):
            parts.append(number(child))
        else:
            parts.append(join(*child))
    return Markup("".join(parts))


def element(name: str, /, *children: Child, **attributes: str | float | bool | None) -> Markup:
    """One element.

    Parameters
    ----------
    name : str
    *children
        Markup is taken as it is, text is escaped, None left out.
    **attributes
        ``class_`` stands for ``class``, other underscores for hyphens. None and False leave
        an attribute out, True gives it no value.
    """
    opening = [name]
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        key = key.rstrip("_").replace("_", "-")
        if value is True:
            opening.append(key)
        else:
            shown = value if isinstance(value, str) else number(value)
            opening.append(f'{key}="{escape(shown)}"')
    start = f"<{' '.join(opening)}>"
    if name in _VOID:
        return Markup(start)
    return Markup(f"{start}{join(*children)}</{name}>")


def number(value: float) -> str:
    """A number as short as drawing needs it."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
