"""HTML pages: functions that make markup and escape all text, and the layout of all pages.

The page of ``truecase review`` is of this layout and of ``review.html``.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from string import Template
from typing import Any

from truecase.base.model_file import __version__

# Characters that HTML does not allow in text, such as lone surrogates, and those that reorder the
# text around them: with these, a line could make the page around it read as something else.
_FORBIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff\ud800-\udfff\u202a-\u202e\u2066-\u2069]"
)
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"

#: Length at which pages cut a word.
LONGEST = 200

# Elements that have no content and no end tag in HTML.
_VOID = frozenset({"br", "col", "hr", "input", "link", "meta", "wbr"})


class Markup(str):
    """Markup, which is not escaped again."""

    __slots__ = ()


Child = str | int | float | None | Iterable["Child"]


def escape(text: str) -> Markup:
    """Escape text for HTML; a forbidden character becomes U+FFFD."""
    return Markup(html.escape(_FORBIDDEN.sub(_REPLACEMENT, text)))


def shortened(text: str, longest: int = LONGEST) -> str:
    """Cut a text that is too long: a "word" may have a million characters."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def join(*children: Child) -> Markup:
    """Concatenate children: markup as it is, text escaped, None left out."""
    parts: list[str] = []
    for child in children:
        if isinstance(child, Markup):
            parts.append(child)
        elif isinstance(child, str):
            parts.append(escape(child))
        elif isinstance(child, (int, float)):
            parts.append(number(child))
        elif child is not None:
            parts.append(join(*child))
    return Markup("".join(parts))


def element(name: str, /, *children: Child, **attributes: str | float | bool | None) -> Markup:
    """Make an element of its children, as for `join`; its name may have classes: ``p.muted``.

    In names of attributes, ``class_`` stands for ``class``, other underscores for hyphens. None
    and False leave an attribute out, True gives it no value.
    """
    name, *classes = name.split(".")
    opening = [name, f'class="{" ".join(classes)}"'] if classes else [name]
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
    """Format a number; two decimals are enough for drawing."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def resource(name: str) -> str:
    """Read a style sheet, script or markup of this folder, which becomes part of the page."""
    return (resources.files("truecase.evaluation") / name).read_text(encoding="utf-8")


def policy(style: str, script: str | None = None) -> Markup:
    """Make the element that restricts a page to the given style and script.

    The page loads nothing, and no other style or script applies: if escaping ever failed, text
    that is taken for markup could neither run nor hide anything. ``style`` attributes are refused
    as well; scripts may set ``element.style``.
    """
    allowed = f"default-src 'none'; style-src {_source(style)}"
    if script is not None:
        # With the second directive, scripts cannot turn text into markup either.
        allowed += f"; script-src {_source(script)}; require-trusted-types-for 'script'"
    allowed += "; base-uri 'none'; form-action 'none'"
    return element("meta", http_equiv="Content-Security-Policy", content=allowed)


def _source(content: str) -> str:
    """The hash by which a policy names an element."""
    digest = hashlib.sha256(content.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def share_class(per_cent: float) -> str:
    """The CSS class that sets the variable ``--share`` to a number from 0 to 100."""
    return f"share{per_cent:.0f}"


def page(title: str, *body: Child, style: str = "", script: str = "") -> str:
    """Make a page that needs no other file and may load none.

    `style` and `script` are added to those of all pages.
    """
    script = resource("page.js") + script
    shares = "".join(f".{share_class(n)}{{--share:{n}}}" for n in range(101))
    style = f"{resource('page.css')}{shares}\n{style}"
    head = element(
        "head",
        element("meta", charset="utf-8"),
        policy(style, script),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="generator", content=f"truecase {__version__}"),
        element("title", title),
        element("style", Markup(style)),
    )
    content = element(
        "body",
        element("main", *body, element("footer", f"Made by truecase {__version__}.")),
        element("script", Markup(script)),
    )
    return "<!DOCTYPE html>\n" + element("html", head, content, lang="en") + "\n"


def table(header: Iterable[Child], rows: Iterable[Sequence[Child]], label: str) -> Markup:
    """Make a table that scrolls sideways if it is wider than the page.

    The first cell of a row is its heading; `label` describes the table for screen readers.
    """
    body = [(row_head(first), [element("td", cell) for cell in others]) for first, *others in rows]
    return scrolling(grid(heads(header), body), label)


def heads(cells: Iterable[Child]) -> list[Markup]:
    """Make the heads of a table's columns."""
    return [element("th", cell, scope="col") for cell in cells]


def row_head(*content: Child) -> Markup:
    """Make the first cell of a row, its heading."""
    return element("th", *content, scope="row")


def grid(head: Child, rows: Iterable[Child], class_: str | None = None) -> Markup:
    """Make a table of cells."""
    body = [element("tr", row) for row in rows]
    return element(
        "table", element("thead", element("tr", head)), element("tbody", body), class_=class_
    )


def card(*content: Child) -> Markup:
    """Make a box around content."""
    return element("div.card", *content)


def scrolling(content: Markup, label: str) -> Markup:
    """Make a region that scrolls sideways; the script lets Tab reach it while it is too wide."""
    return element("div.scroll", content, role="region", aria_label=label)


def section(heading: str, lead: Child, *content: Child) -> Markup:
    """Make a part of a page: heading, explanation, content."""
    return join(element("h2", heading), element("p.muted", lead), *content)


def review_page(data: Mapping[str, Any]) -> str:
    """Make the page for corrections from the data of `truecase.formats.review.page_data`."""
    title = f"Review of {data['of']}"
    n_words = len(data["start"])
    part = "" if n_words == data["words"] else f", the least certain of {data['words']:,}"
    markup = Template(re.sub(r"\n *", "", resource("review.html"))).substitute(
        title=escape(title), format=escape(data["format"]), words=f"{n_words:,} words{part}"
    )
    plain = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return page(
        title,
        Markup(markup),
        element("script", Markup(plain), type="application/json", id="data"),
        style=resource("review.css"),
        script=resource("review.js"),
    )
