"""The lattice of a sentence: its candidates as boxes, which the page's script joins by edges.

The style lays the words out, in rows on screens and one below the other on phones.
"""

from __future__ import annotations

from truecase.evaluation.explanation import Edge, Sentence, Word
from truecase.evaluation.pages import Markup, element, share_class, shortened

_ARROW = " → "

# How many candidates of a word are drawn, and the least probability of a drawn edge.
_N_DRAWN = 5
_LEAST_EDGE = 0.0005


def lattice_drawing(sentence: Sentence, number: int) -> Markup:
    """Draw the lattice of a sentence of the page."""
    drawn = [_drawn(word) for word in sentence.words]
    columns = [
        element(
            "div.column",
            element("i.given", shortened(word.text)),
            [_node(word, i, column, row, f"n{number}-{column}-{i}") for row, i in enumerate(shown)],
            element("small", f"+{n_hidden}")
            if (n_hidden := len(word.candidates) - len(shown))
            else None,
        )
        for column, (word, shown) in enumerate(zip(sentence.words, drawn, strict=True))
    ]
    edges = [
        _edge(sentence, edge, number)
        for edge in sorted(sentence.edges, key=lambda edge: edge.posterior)
        if edge.word > 0
        and edge.before in drawn[edge.word - 1]
        and edge.candidate in drawn[edge.word]
        and (edge.posterior >= _LEAST_EDGE or _is_path(sentence, edge))
    ]
    label = "Lattice: " + " ".join(shortened(word.output) for word in sentence.words)
    return element("div.drawing", element("svg", edges), columns, role="group", aria_label=label)


def _drawn(word: Word) -> list[int]:
    """Indexes of the candidates that are drawn."""
    ranked = sorted(
        range(len(word.candidates)),
        key=lambda i: (not word.candidates[i].is_chosen, -word.candidates[i].posterior),
    )
    return sorted(ranked[:_N_DRAWN], key=lambda i: -word.candidates[i].posterior)


def _is_path(sentence: Sentence, edge: Edge) -> bool:
    before, word = sentence.words[edge.word - 1 : edge.word + 1]
    return before.chosen == edge.before and word.chosen == edge.candidate


def _name(word: Word, i: int) -> str:
    """The form of a candidate; each one of a word has another name."""
    steps = word.steps(word.candidates[i])
    return "end" if word.is_end else _ARROW.join(map(shortened, steps))


def _edge(sentence: Sentence, edge: Edge, number: int) -> Markup:
    """An edge between two boxes, without its curve: the script knows where the boxes are."""
    before, word = sentence.words[edge.word - 1 : edge.word + 1]
    names = _name(before, edge.before), _name(word, edge.candidate)
    title = f"{_ARROW.join(names)}: {100 * edge.posterior:.1f} %"
    if edge.lm is not None:
        title += f", log-probability {edge.lm:.2f}"
    return element(
        "path",
        element("title", title),
        class_="edge path"
        if _is_path(sentence, edge)
        else f"edge {share_class(100 * edge.posterior)}",
        data_from=f"n{number}-{edge.word - 1}-{edge.before}",
        data_to=f"n{number}-{edge.word}-{edge.candidate}",
    )


def _node(word: Word, i: int, column: int, row: int, identity: str) -> Markup:
    candidate = word.candidates[i]
    percent = f"{100 * candidate.posterior:.1f} %"
    name = "end of the sentence" if word.is_end else _name(word, i)
    return element(
        "div",
        element("span.form", _name(word, i)),
        element("small", percent),
        class_="node chosen"
        if candidate.is_chosen
        else f"node {share_class(100 * candidate.posterior)}",
        tabindex="0",
        role="button",
        aria_label=f"{name}, {percent}" + (", chosen" if candidate.is_chosen else ""),
        data_numbers=identity,
        data_column=column,
        data_row=row,
    )
