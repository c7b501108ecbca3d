"""The most frequent errors of one or several models, where they stand."""

from __future__ import annotations

from collections.abc import Sequence

from truecase.evaluate.contexts import ErrorContexts
from truecase.report.layout import section
from truecase.report.markup import Markup, element, shortened

# Errors listed, and contexts shown of each.
_N_ERRORS = 30
_N_CONTEXTS = 2


def error_table(judged: Sequence[tuple[str, ErrorContexts]]) -> Markup | None:
    """The most frequent errors of the model that makes the fewest, and how often others make them.

    Parameters
    ----------
    judged : sequence of (str, ErrorContexts)
        Names of the models and their errors.
    """
    best_name, best = min(judged, key=lambda one: one[1].counts.total(), default=("", None))
    if best is None or not best.counts:
        return None
    several = len(judged) > 1
    head = ["reference", "output", *(name if several else "times" for name, _ in judged)]
    rows = []
    for gold, output in best.most_frequent(_N_ERRORS):
        counts = [
            element(
                "td", f"{contexts.counts[gold, output]:,}", data_of=name if several else "times"
            )
            for name, contexts in judged
        ]
        rows.append(
            element(
                "tr",
                element("td", element("ins", shortened(gold))),
                element("td", element("del", shortened(output))),
                counts,
                element(
                    "td",
                    [
                        element(
                            "div",
                            element("small", f"{context.line:,}", title="line of the text"),
                            " ",
                            context.before,
                            " ",
                            element("ins", shortened(gold)),
                            " ",
                            context.after,
                        )
                        for context in best.contexts[gold, output][:_N_CONTEXTS]
                    ],
                    class_="context",
                ),
            )
        )
    cells = [
        element("th", text, scope="col", class_="left" if i < 2 else None)
        for i, text in enumerate(head)
    ]
    cells.append(element("th", "where, with the number of the line", scope="col", class_="left"))
    table = element(
        "table", element("thead", element("tr", cells)), element("tbody", rows), class_="errors"
    )
    return section(
        "Most frequent errors",
        "The word in the reference, what came out instead, and places where it happened, quoted "
        "from the reference."
        + (f" The errors of {best_name}, which makes the fewest." if several else ""),
        element("div", table, class_="card"),
    )
