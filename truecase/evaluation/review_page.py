"""The page on which people look at the least certain words of a text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from truecase.evaluation.pages import Markup, element, page, resource

_KEYS = (
    ("↓ ↑, j k", "next and previous row; with Page Down, Page Up, Home and End as well"),
    ("1 … 9", "write this word so, and go on"),
    ("Shift + 1 … 9", "write it so everywhere in the text, and go on"),
    ("Enter, Space", "it is right as it is: go on; at a heading, all its words are"),
    ("Shift + Enter", "it is right everywhere: go on with the next word"),
    ("e", "another case, typed"),
    ("0, Backspace", "as the model wrote it"),
    ("x", "show all places of a word, or hide those that are more certain"),
    ("u, Ctrl + Z", "undo"),
    ("/", "find a word"),
    ("c", "corrections: look at them, save them"),
    ("?", "these keys"),
)


# What the page shows at first, and the other choices.
_FIRST_SHARE = "0.02"
_SHARES = (
    ("0.005", "least certain 0.5 %"),
    ("0.02", "least certain 2 %"),
    ("0.05", "least certain 5 %"),
    ("0.2", "least certain 20 %"),
    ("1", "all words"),
)


def review_page(data: Mapping[str, Any]) -> str:
    """Make the page from the data of `truecase.formats.review.page_data`."""
    plain = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    title = f"Review of {data['of']}"
    return page(
        title,
        _header(title, data),
        element(
            "div",
            element("div", id="rows"),
            id="list",
            role="listbox",
            tabindex=0,
            aria_label="Words, the least certain first",
        ),
        element("section", id="detail", aria_label="The word"),
        element("p", id="said", role="status", class_="unseen"),
        _corrections(),
        element(
            "dialog",
            element("h2", "Keys"),
            element("dl", [[element("dt", keys), element("dd", what)] for keys, what in _KEYS]),
            element("form", element("button", "Close"), method="dialog"),
            id="keys",
            aria_label="Keys",
        ),
        element("script", Markup(plain), type="application/json", id="data"),
        style=resource("review.css"),
        script=resource("review.js"),
    )


def _header(title: str, data: Mapping[str, Any]) -> Markup:
    n_words = len(data["start"])
    part = "" if n_words == data["words"] else f", the least certain of {data['words']:,}"
    options = [
        element("option", name, value=value, selected=value == _FIRST_SHARE)
        for value, name in _SHARES
    ]
    return element(
        "header",
        element("h1", title, class_="break"),
        element(
            "p",
            f"{data['format']} · {n_words:,} words{part} · ",
            element("span", id="state"),
            class_="muted",
        ),
        element(
            "div",
            element("label", "Show ", element("select", options, id="share")),
            element(
                "label",
                element("span", "Find ", class_="wide-only"),
                element(
                    "input",
                    type="search",
                    id="find",
                    placeholder="word",
                    aria_label="Find a word",
                    autocomplete="off",
                    spellcheck="false",
                    autocapitalize="off",
                ),
            ),
            element("button", "Undo", type="button", id="undo", disabled=True),
            element("button", "Corrections", type="button", id="open-corrections"),
            element("button", "Keys", type="button", id="open-keys", class_="wide-only"),
            class_="tools",
        ),
        element("progress", id="bar", max=1, value=0, aria_label="Looked at"),
        element("p", id="notice", role="alert", hidden=True),
    )


def _corrections() -> Markup:
    return element(
        "dialog",
        element("h2", "Corrections"),
        element("p", id="summary"),
        element(
            "p",
            "Save them, and put them into the text with: ",
            element("code", id="command", class_="break"),
        ),
        element(
            "div",
            element("button", "Save corrections", type="button", id="save"),
            element("button", "Save list of names", type="button", id="save-names"),
            element("button", "Open corrections …", type="button", id="open-file"),
            element("input", type="file", id="file", accept=".json,application/json", hidden=True),
            class_="tools",
        ),
        element("p", "Ticked forms go into the list of names, for texts to come.", class_="muted"),
        element("ul", id="changes"),
        element(
            "details",
            element("summary", "As text, where a browser saves no files"),
            element(
                "textarea", id="as-text", readonly=True, rows=6, aria_label="Corrections as text"
            ),
        ),
        element("form", element("button", "Close"), method="dialog"),
        id="corrections",
        aria_label="Corrections",
    )
