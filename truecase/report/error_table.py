"""The most frequent errors of one or several models, where they stand."""

from __future__ import annotations

from collections.abc import Sequence

from truecase.evaluate.contexts import ErrorContexts
from truecase.report.layout import section
from truecase.report.markup import Markup, element

# Errors listed, and contexts shown of each.
_N_ERRORS = 40
_N_CONTEXTS = 3


def error_table(judged: Sequence[tuple[str, ErrorContexts]]) -> Markup | None:
    """Errors that are frequent with any of the models, the most frequent first.

    Parameters
    ----------
    judged : sequence of (str, ErrorContexts)
        Names of the models and their errors.
    """
    pairs = {pair for _, contexts in judged for pair in contexts.most_frequent(_N_ERRORS)}
    if not pairs:
        return None
    ranked = sorted(pairs, key=lambda pair: (-max(c.counts[pair] for _, c in judged), pair))
    several = len(judged) > 1
    head = ["reference", "output", *(name if several else "times" for name, _ in judged)]
    rows = []
    for gold, output in ranked[:_N_ERRORS]:
        counts = [
            element("td", f"{contexts.counts[gold, output]:,}",
                    data_of=name if several else "times")
            for name, contexts in judged
        ]
        found = next(c.contexts[gold, output] for _, c in judged if (gold, output) in c.contexts)
        rows.append(
            element(
                "tr",
                element("td", element("ins", gold)),
                element("td", element("del", output)),
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
                            element("ins", gold),
                            " ",
                            context.after,
                        )
                        for context in found[:_N_CONTEXTS]
                    ],
                    class_="context",
                ),
            )
        )
    cells = [element("th", text, scope="col", class_="left" if i < 2 else None)
             for i, text in enumerate(head)]
    cells.append(element("th", "where, with the number of the line", scope="col", class_="left"))
    table = element("table", element("thead", element("tr", cells)), element("tbody", rows),
                    class_="errors")
    return section(
        "Most frequent errors",
        "How the word stands in the reference, and what came out instead. The words around it "
        "are those of the reference.",
        element("div", table, class_="card"),
    )
