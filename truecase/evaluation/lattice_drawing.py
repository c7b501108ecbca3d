"""The lattice of a sentence as SVG: words in rows for screens, one below the other for phones."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

from truecase.evaluation.explanation import Candidate, Edge, Sentence, Word
from truecase.evaluation.pages import Markup, drawing, element, join, shortened

_END = "end"
_ARROW = " → "

# How many candidates of a word are drawn, and the least probability of a drawn edge.
_N_DRAWN = 5
_LEAST_EDGE = 0.0005

_NODE_HEIGHT = 40.0
_CHARACTER = 8.6
_LONGEST = 22


@dataclass(frozen=True)
class _Node:
    """A drawn candidate: its index, its middle and width."""

    number: int
    candidate: Candidate
    x: float
    y: float
    width: float
    band: int = 0


def lattice_drawing(sentence: Sentence, number: int) -> Markup:
    """Draw the lattice for screens and for phones; the page shows one of the two."""
    rows = element("div.scroll", _in_rows(sentence, number))
    return join(element("div.wide", rows), element("div.narrow", _in_a_column(sentence, number)))


def _drawn(word: Word) -> list[int]:
    """Indexes of the candidates that are drawn."""
    ranked = sorted(
        range(len(word.candidates)),
        key=lambda i: (not word.candidates[i].is_chosen, -word.candidates[i].posterior),
    )
    return sorted(ranked[:_N_DRAWN], key=lambda i: -word.candidates[i].posterior)


def _label(word: Word, candidate: Candidate) -> str:
    """The label of a candidate's box; each box of a word has another one."""
    if word.is_end:
        return _END
    steps = word.steps(candidate)
    longest = (_LONGEST - len(_ARROW) * (len(steps) - 1)) // len(steps)
    return _ARROW.join(shortened(step, longest) for step in steps)


def _label_width(word: Word, candidate: Candidate) -> float:
    text = _label(word, candidate)
    wide = sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
    return max(_CHARACTER * wide, 50.0) + 22.0


def _in_rows(sentence: Sentence, number: int) -> Markup:
    """Draw words from left to right in bands, candidates below each other."""
    full, gap, row_height, top = 1020.0, 44.0, 60.0, 52.0
    columns: list[list[_Node]] = []
    heads: list[Markup] = []
    x, y, deepest, band, furthest = gap / 2, top, 0, 0, 0.0
    starts = [top]
    for word in sentence.words:
        shown = _drawn(word)
        width = max(_label_width(word, word.candidates[i]) for i in shown)
        if columns and x + width + gap / 2 > full:
            y += row_height * deepest + 46.0
            x, deepest, band = gap / 2, 0, band + 1
            starts.append(y)
        middle = x + width / 2
        columns.append(
            [
                _Node(i, word.candidates[i], middle, y + row * row_height, width, band)
                for row, i in enumerate(shown)
            ]
        )
        head = shortened(word.text, _LONGEST)
        heads.append(_text(head, "given", middle, y - 30.0))
        deepest = max(deepest, len(shown))
        furthest = max(furthest, x + width + gap / 2)
        x += width + gap
    height = y + row_height * (deepest - 1) + 28.0

    def curve(before: _Node, node: _Node) -> str:
        start, end = before.x + before.width / 2, node.x - node.width / 2
        if before.band != node.band:
            # Out at the right of one band, in again at the left of the next.
            out = _sideways(start, before.y, furthest, starts[before.band])
            return out + " " + _sideways(0.0, starts[node.band], end, node.y)
        return _sideways(start, before.y, end, node.y)

    return _svg(sentence, number, columns, heads, curve, (furthest, height))


def _sideways(x: float, y: float, end_x: float, end_y: float) -> str:
    """An SVG path that leaves to the right and arrives from the left."""
    middle = (x + end_x) / 2
    return (
        f"M{x:.1f},{y:.1f} C{middle:.1f},{y:.1f} {middle:.1f},{end_y:.1f} {end_x:.1f},{end_y:.1f}"
    )


def _in_a_column(sentence: Sentence, number: int) -> Markup:
    """Draw words from top to bottom, candidates side by side, as many as fit a phone."""
    width, step = 330.0, 84.0
    rows: list[list[_Node]] = []
    y = 34.0
    for word in sentence.words:
        shown = _drawn(word)
        widths = [_label_width(word, word.candidates[i]) * 0.92 for i in shown]
        while len(shown) > 1 and sum(widths) + 10.0 * (len(widths) - 1) > width:
            least = max(i for i, c in enumerate(shown) if not word.candidates[c].is_chosen)
            del shown[least], widths[least]
        spare = (width - sum(widths)) / (len(widths) + 1)
        x, row = 0.0, []
        for i, node_width in zip(shown, widths, strict=True):
            x += spare
            row.append(_Node(i, word.candidates[i], x + node_width / 2, y, node_width))
            x += node_width
        rows.append(row)
        y += step

    def curve(before: _Node, node: _Node) -> str:
        start, end = before.y + _NODE_HEIGHT / 2, node.y - _NODE_HEIGHT / 2
        bend = (end - start) / 2
        return (
            f"M{before.x:.1f},{start:.1f} C{before.x:.1f},{start + bend:.1f} "
            f"{node.x:.1f},{end - bend:.1f} {node.x:.1f},{end:.1f}"
        )

    return _svg(sentence, number, rows, [], curve, (width, y - step + 30.0))


def _svg(
    sentence: Sentence,
    number: int,
    columns: list[list[_Node]],
    heads: list[Markup],
    curve: Callable[[_Node, _Node], str],
    size: tuple[float, float],
) -> Markup:
    """Draw the edges as `curve` leads them, then the nodes; only rows have `heads`."""
    places = [{node.number: node for node in column} for column in columns]
    edges: list[Markup] = []
    path: list[Markup] = []
    for edge in sorted(sentence.edges, key=lambda edge: edge.posterior):
        if edge.word == 0:
            continue
        before = places[edge.word - 1].get(edge.before)
        node = places[edge.word].get(edge.candidate)
        if before is None or node is None:
            continue
        is_path = before.candidate.is_chosen and node.candidate.is_chosen
        if edge.posterior < _LEAST_EDGE and not is_path:
            continue
        names = [
            _label(word, place.candidate)
            for word, place in zip(sentence.words[edge.word - 1 :], (before, node), strict=False)
        ]
        drawn = _edge(edge, _ARROW.join(names), curve(before, node), is_path)
        (path if is_path else edges).append(drawn)
    nodes = [
        _node(
            word,
            node,
            len(word.candidates) - len(column) if row == 0 else 0,
            f"n{number}-{i}-{node.number}",
            i,
            row,
        )
        for i, (word, column) in enumerate(zip(sentence.words, columns, strict=True))
        for row, node in enumerate(column)
    ]
    return drawing(
        [heads, edges, path, nodes],
        size,
        "Lattice: " + " ".join(shortened(word.output) for word in sentence.words),
        "group",
        f"drawing {'row' if heads else 'column'}",
    )


def _text(text: str, class_: str, x: float, y: float, opacity: float | None = None) -> Markup:
    return element("text", text, class_=class_, x=x, y=y, text_anchor="middle", opacity=opacity)


def _edge(edge: Edge, names: str, curve: str, is_path: bool) -> Markup:
    title = f"{names}: {100 * edge.posterior:.1f} %"
    if edge.lm is not None:
        title += f", log-probability {edge.lm:.2f}"
    return element(
        "path",
        element("title", title),
        d=curve,
        class_="edge path" if is_path else "edge",
        stroke_opacity=None if is_path else 0.25 + 0.75 * edge.posterior**0.5,
        stroke_width=None if is_path else 1.2 + 2.5 * edge.posterior,
    )


def _node(word: Word, node: _Node, n_hidden: int, identity: str, column: int, row: int) -> Markup:
    candidate = node.candidate
    percent = f"{100 * candidate.posterior:.1f} %"
    steps = _ARROW.join(map(shortened, word.steps(candidate)))
    name = "end of the sentence" if word.is_end else steps
    label = f"{name}, {percent}"
    if candidate.is_chosen:
        label += ", chosen"
    left, top, height = node.x - node.width / 2, node.y - _NODE_HEIGHT / 2, _NODE_HEIGHT
    more = None
    if n_hidden:
        x = node.x + node.width / 2 - 4
        more = element("text.more", f"+{n_hidden}", x=x, y=top - 4, text_anchor="end")
    opacity = None if candidate.is_chosen else 0.62 + 0.38 * max(candidate.posterior, 0.0) ** 0.5
    return element(
        "g",
        element("rect", x=left, y=top, width=node.width, height=height, rx=9),
        _text(_label(word, candidate), "form", node.x, node.y - 1, opacity),
        _text(percent, "percent", node.x, node.y + 14),
        more,
        class_="node chosen" if candidate.is_chosen else "node",
        tabindex="0",
        role="button",
        aria_label=label,
        data_numbers=identity,
        data_column=column,
        data_row=row,
    )
