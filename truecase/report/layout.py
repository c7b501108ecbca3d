"""The shell of a page, and blocks that pages share."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from importlib import resources

from truecase._installation import __version__
from truecase.report.markup import Child, Markup, element, join


def resource(name: str) -> str:
    """Text of a style sheet or script of this folder; it becomes part of the page."""
    return (resources.files("truecase.report") / name).read_text(encoding="utf-8")


def policy(style: str, script: str | None = None) -> Markup:
    """What a page is allowed, as the element of its head that says so.

    Nothing is loaded, and what is not this style or this script does not apply: text that would be
    taken for markup, if ever escaping failed, could neither run nor hide anything. Attributes
    ``style`` are refused as well; scripts may set ``element.style``.

    Parameters
    ----------
    style : str
        The whole content of the page's element ``style``.
    script : str, optional
        That of its element ``script``, if it has one.
    """
    allowed = f"default-src 'none'; style-src {_source(style)}"
    if script is not None:
        # No text becomes markup in a script either, where browsers know the second directive.
        allowed += f"; script-src {_source(script)}; require-trusted-types-for 'script'"
    allowed += "; base-uri 'none'; form-action 'none'"
    return element("meta", http_equiv="Content-Security-Policy", content=allowed)


def _source(content: str) -> str:
    """How a policy names an element by what is in it."""
    digest = hashlib.sha256(content.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def share_class(per_cent: float) -> str:
    """The class that gives the variable ``--share`` of a page's style a number from 0 to 100."""
    return f"share{per_cent:.0f}"


def _shares() -> str:
    return "".join(f".{share_class(n)}{{--share:{n}}}" for n in range(101))


def page(title: str, *body: Child, style: str = "", script: str = "") -> str:
    """A whole page that needs no other file and may load none.

    Parameters
    ----------
    title : str
    *body
        What is in it.
    style : str
        CSS beside that of all pages.
    script : str
        JavaScript beside that of all pages.
    """
    script = resource("page.js") + script
    style = resource("page.css") + _shares() + "\n" + style
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


def table(
    header: Sequence[Child], rows: Sequence[Sequence[Child]], label: str, n_left: int = 1
) -> Markup:
    """A table that scrolls by itself where it is wider than the page.

    Parameters
    ----------
    header, rows
        Cells; the first one of a row is its heading.
    label : str
        What it shows, for those who do not see it.
    n_left : int
        Columns that stand to the left; numbers stand to the right.
    """

    def side(column: int) -> str | None:
        return "left" if column < n_left else None

    head = [element("th", cell, class_=side(i), scope="col") for i, cell in enumerate(header)]
    body = [
        element(
            "tr",
            element("th", row[0], class_="left", scope="row"),
            [element("td", cell, class_=side(i)) for i, cell in enumerate(row[1:], 1)],
        )
        for row in rows
    ]
    return scrolling(
        element("table", element("thead", element("tr", head)), element("tbody", body)), label
    )


def scrolling(content: Markup, label: str) -> Markup:
    """A region that scrolls sideways; the script makes it a stop of Tab while it is too wide."""
    return element("div", content, class_="scroll", role="region", aria_label=label)


def section(heading: str, lead: Child, *content: Child) -> Markup:
    """A part of a page: heading, what is seen, and the thing itself."""
    return join(element("h2", heading), element("p", lead, class_="muted"), *content)


def unfolding(summary: str, *content: Child) -> Markup:
    """Content that shows when it is asked for."""
    return element("details", element("summary", summary), *content)
