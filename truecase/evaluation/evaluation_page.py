"""The page of ``truecase evaluate --html``: figures, and errors in context."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from truecase.base.progress import count_of
from truecase.evaluation import pages
from truecase.evaluation.metrics import ErrorContext, ErrorContexts, Evaluation, Tally
from truecase.evaluation.pages import Child, Markup, element, share_class, shortened
from truecase.evaluation.text_tables import comparison_rows, figure_rows

# How many errors are listed.
_N_ERRORS = 30


def error_table(judged: Sequence[tuple[str, ErrorContexts]]) -> Markup | None:
    """List the most frequent errors of the best model, and how often the others make them."""
    best_name, best = min(judged, key=lambda one: one[1].counts.total(), default=("", None))
    if best is None or not best.counts:
        return None
    several = len(judged) > 1
    names = [name if several else "times" for name, _ in judged]
    rows = [
        (
            element("td", element("ins", shortened(gold))),
            element("td", element("del", shortened(output))),
            [
                element("td", f"{contexts.counts[gold, output]:,}", data_of=head)
                for head, (_, contexts) in zip(names, judged, strict=True)
            ],
            element("td.context", [_quoted(gold, at) for at in best.contexts[gold, output]]),
        )
        for gold, output in best.most_frequent(_N_ERRORS)
    ]
    head = pages.heads(["reference", "output", *names, "where, with the number of the line"])
    return pages.section(
        "Most frequent errors",
        "The word in the reference, what came out instead, and places where it happened, quoted "
        "from the reference."
        + (f" The errors of {best_name}, which makes the fewest." if several else ""),
        pages.card(pages.grid(head, rows, "errors")),
    )


def _quoted(gold: str, at: ErrorContext) -> Markup:
    """Show an error in its context."""
    line = element("small", f"{at.line:,}", title="line of the text")
    word = element("ins", shortened(gold))
    return element("div", line, " ", at.before, " ", word, " ", at.after)


_TAG_NAMES = {
    "AL": "lowercase",
    "IU": "Capitalised",
    "AU": "ALL UPPER",
    "MX": "miXed",
    "AN": "no case",
}


@dataclass(frozen=True)
class Judged:
    """The evaluation of a model, with its metadata, or of another system's output."""

    name: str
    evaluation: Evaluation
    contexts: ErrorContexts | None = None
    about: Mapping[str, Any] = field(default_factory=dict)


def evaluation_page(judged: Sequence[Judged], references: Sequence[str]) -> str:
    """Make the report of one or more evaluations on the same texts, whose names are given."""
    names = [one.name for one in judged]
    first = judged[0].evaluation
    title = f"Truecasing of {', '.join(references)}"
    lead = f"{count_of(first.n_words, 'word')} in {count_of(first.n_lines, 'line')}, "
    lead += f"{len(judged)} models side by side" if len(judged) > 1 else names[0]
    lead += "; rates in per cent."
    return pages.page(
        title,
        element("h1.break", title),
        element("p.muted.break", lead),
        _headline(judged),
        _confusion(judged),
        _by_count(judged),
        error_table([(one.name, one.contexts) for one in judged if one.contexts is not None]),
        _models(judged),
    )


def _percent(share: float) -> str:
    return f"{100 * share:.2f} %"


def _headline(judged: Sequence[Judged]) -> Markup:
    if len(judged) == 1:
        tiles = [
            element("div.card.tile", element("b", number), element("span", label.strip()))
            for label, number in figure_rows([judged[0].evaluation])
        ]
        return element("div.tiles", tiles)
    base = judged[0].evaluation.case_error_rate
    changes = [one.evaluation.case_error_rate / base - 1 if base else None for one in judged[1:]]
    against = ["–" if change is None else f"{100 * change:+.1f} %" for change in changes]
    rows = comparison_rows([one.evaluation for one in judged])
    rows.append([f"errors against {judged[0].name}", "–", *against])
    return pages.card(
        pages.table(["", *(one.name for one in judged)], rows, "Headline figures by model")
    )


_ABOUT_BARS = "The bar of errors is as long as the square root of their share."


def _errors(one: Judged, tally: Tally) -> Markup:
    """Show how many words are wrong as a number, a share and a bar."""
    return element(
        "td",
        element("small", f"{tally.n_errors:,} · "),
        _percent(tally.error_rate),
        title=f"{one.name}: {tally.n_errors:,} of {tally.n_words:,} words wrong",
        # Shares span decades: a square root lets small ones be seen.
        class_=f"rate {share_class(100 * tally.error_rate**0.5)}",
    )


def _by_count(judged: Sequence[Judged]) -> Markup | None:
    known = [one for one in judged if one.evaluation.by_training_count is not None]
    if not known:
        return None
    return pages.section(
        "Errors by training count",
        "Words that are wrong, by how often the word occurs in the training text, in any case. "
        f"{_ABOUT_BARS}",
        *_cards(known, _count_table),
    )


def _cards(judged: Sequence[Judged], draw: Callable[[Judged], Markup]) -> list[Markup]:
    """Draw each evaluation in a box, under its name if there are several."""
    several = len(judged) > 1
    return [
        pages.card(element("h3.break", one.name) if several else None, draw(one)) for one in judged
    ]


def _count_table(one: Judged) -> Markup:
    e = one.evaluation
    n_errors = e.n_words - e.n_correct
    rows: list[Child] = [
        (
            pages.row_head(_seen(low, high)),
            element("td", f"{tally.n_words:,}"),
            element("td", _percent(tally.n_words / e.n_words)),
            _errors(one, tally),
            element("td", _percent(tally.n_errors / n_errors if n_errors else 0.0)),
        )
        for low, high, tally in e.by_training_count or []
        if tally.n_words
    ]
    head = pages.heads(["seen in training", "words", "share of words", "errors", "share of errors"])
    return pages.scrolling(pages.grid(head, rows), f"Errors by count, {one.name}")


def _seen(low: int, high: int) -> str:
    if high == 0:
        return "never"
    return f"{low:,} times" if low == high else f"{low:,} to {high:,}"


def _confusion(judged: Sequence[Judged]) -> Markup:
    return pages.section(
        "Which case became which",
        "Words by their case in the reference (rows) and in the output (columns), with the share "
        "of their row. In brackets: mixed-case words that come out mixed, but with other capitals. "
        f"{_ABOUT_BARS}",
        *_cards(judged, _confusion_table),
    )


def _confusion_table(one: Judged) -> Markup:
    e = one.evaluation
    # Words without case are shown only if one is wrong.
    tags = [
        tag for tag, tally in e.by_tag.items() if tally.n_words and (tag != "AN" or tally.n_errors)
    ]
    columns = [
        tag for tag in e.by_tag if tag in tags or any(e.confusion[gold][tag] for gold in tags)
    ]
    rows = []
    for gold in tags:
        total = e.by_tag[gold].n_words
        cells = [element("td", f"{total:,}"), _errors(one, e.by_tag[gold])]
        off_diagonal = sum(n for tag, n in e.confusion[gold].items() if tag != gold)
        for tag in columns:
            n = e.confusion[gold][tag]
            text = f"{n:,}"
            if tag == gold:
                still_wrong = e.by_tag[gold].n_errors - off_diagonal
                text += f" ({still_wrong:,})" if still_wrong else ""
                cells.append(element("td.cell.right", text))
                continue
            share = n / total
            percent = f"{100 * share:.1f} %" if share >= 0.0005 else "< 0.1 %"
            cells.append(
                element(
                    "td",
                    text,
                    element("br") if n else None,
                    element("small", percent) if n else None,
                    # Shares span decades: a square root lets small ones be seen.
                    class_=f"cell wrong {share_class(70 * share**0.5)}" if n else "cell right",
                )
            )
        name = element("small", _TAG_NAMES[gold])
        rows.append((pages.row_head(gold, element("br"), name), cells))
    head = pages.heads(["reference", "words", "errors", *(f"as {tag}" for tag in columns)])
    return pages.scrolling(pages.grid(head, rows, "heat"), "Confusion of cases")


def _models(judged: Sequence[Judged]) -> Markup | None:
    rows = []
    for one in judged:
        tokens = one.about.get("tokens")
        about = [str(one.about.get(name, "–")) for name in ("preset", "order", "segmentation")]
        if one.about:
            rows.append([one.name, *about, f"{tokens:,}" if isinstance(tokens, int) else "–"])
    if not rows:
        return None
    header = ["model", "preset", "n-grams", "segmentation", "training tokens"]
    return pages.section("The models", None, pages.card(pages.table(header, rows, "The models")))
