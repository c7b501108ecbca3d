"""The shell of a page, and blocks that pages share."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from importlib import resources

from truecase.report.markup import Child, Markup, element, join
from truecase.runtime.version import __version__


def resource(name: str) -> str:
    """Text of a style sheet or script of this folder; it becomes part of the page."""
    return (resources.files("truecase.report") / name).read_text(encoding="utf-8")


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
        JavaScript beside that of all pages. Nothing else may run: the policy names the hash.
    """
    script = resource("page.js") + script
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
    policy += f"; script-src 'sha256-{digest}'"
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="generator", content=f"truecase {__version__}"),
        element("title", title),
        element("style", Markup(resource("page.css") + style)),
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
