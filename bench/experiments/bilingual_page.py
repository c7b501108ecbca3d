"""Tables and the figure of what `bilingual.py` found."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parents[1]))

from charts import Axes, Point, image, lines, marker

from truecase.evaluation.pages import Markup, element

#: Columns of Table 4: heading, system, what it sees of the source.
COLUMNS = (
    ("unigram", "unigram", "nothing"),
    ("ngram", "ngram", "nothing"),
    ("crf", "crf", "nothing"),
    ("crf-neural", "crf-neural", "nothing"),
    ("bilingual: phrases", "bilingual", "phrases"),
    ("words", "bilingual", "words"),
    ("sentence", "bilingual", "sentence"),
    ("bilingual-neural: phrases", "bilingual-neural", "phrases"),
    ("words", "bilingual-neural", "words"),
    ("sentence", "bilingual-neural", "sentence"),
)

#: Wang, Knight & Marcu (2006), Table 4.
THE_PAPER = {
    "E→F": {"unigram": 91.52, "ngram": 98.47, "bilingual": 99.11},
    "F→E": {"unigram": 94.03, "ngram": 98.79, "bilingual": 99.20},
    "C→E": {"unigram": 90.77, "ngram": 96.40, "bilingual": 96.76},
}

_SERIES = ("bilingual", "crf", "ngram")
_WIDTH, _LEGEND = 640, 26

# A drawing by itself has no page whose style it could have.
_STYLE = """
text { font: 12px system-ui, sans-serif; fill: #5f6771; }
.grid { stroke: #dedbd5; } .axis { stroke: #a0a8b2; }
.series { fill: none; stroke-width: 2; stroke-linejoin: round; }
.line0 { stroke: #0b62b8; } .line1 { stroke: #14805e; } .line2 { stroke: #c2500a; }
.fill0 { fill: #0b62b8; } .fill1 { fill: #14805e; } .fill2 { fill: #c2500a; }
.ground { fill: #ffffff; }
"""


def markdown(results: dict[str, Any]) -> str:
    """Everything that was found, as tables."""
    parts = []
    if "table" in results:
        parts.append("\n".join(table_4(results["table"])))
    if "curve" in results:
        parts.append("\n".join(curve_table(results["curve"])))
    return "\n\n".join(parts)


def chosen(rows: Sequence[dict[str, Any]], system: str) -> dict[str, dict[str, Any]]:
    """The rows of a system by what they see of the source, all trained with the same settings.

    Of several variants it is the one with the fewest errors on the development text, over all that
    is seen.
    """
    variants: dict[str, dict[str, dict[str, Any]]] = {}
    for row in rows:
        if row["system"] == system:
            variants.setdefault(row["variant"], {})[row["seen"]] = row
    return min(
        variants.values(),
        key=lambda seen: sum(row["dev_errors"] for row in seen.values()),
        default={},
    )


def table_4(table: dict[str, Any]) -> Iterator[str]:
    """Precision, and in brackets wrong words and how many fewer they are than the trigram's."""
    yield _row(["", "words: training, test", *(heading for heading, _, _ in COLUMNS)])
    yield _row(["---", "--:", *("--:" for _ in COLUMNS)])
    for name, found in table.items():
        rows = found["rows"]
        trigram = chosen(rows, "ngram").get("nothing")
        cells = []
        for _, system, seen in COLUMNS:
            row = chosen(rows, system).get(seen)
            cells.append("–" if row is None else _precision(row, trigram))
        text = name.partition(":")[0]
        if "more" in found:
            text += f", {found['more']}"
        sizes = f"{_short(found['train_words'])}, {found['test_words']:,}"
        yield _row([f"{found['direction']} {text}", sizes, *cells])
    for direction, figures in THE_PAPER.items():
        cells = [
            f"{figures[system]:.2f}"
            if system in figures and seen in ("nothing", "phrases")
            else "–"
            for _, system, seen in COLUMNS
        ]
        yield _row([f"*{direction}, the paper*", "", *cells])


def _precision(row: dict[str, Any], trigram: dict[str, Any] | None) -> str:
    errors = f"{row['test_errors']:,}"
    if trigram is not None and row["system"] not in ("unigram", "ngram"):
        change = 100 * (row["test_errors"] / trigram["test_errors"] - 1)
        errors += f", {_signed(change)} %"
    return f"{row['precision']:.2f} ({errors})"


def _signed(change: float) -> str:
    return f"{change:+.0f}".replace("-", "−")


def _short(n_words: int) -> str:
    return f"{n_words / 1e6:.2f}M"


def curve_table(curve: dict[str, Any]) -> Iterator[str]:
    """Precision by training words."""
    yield _row(["training words", *reversed(_SERIES), "errors, bilingual to ngram"])
    yield _row(["--:", *("--:" for _ in _SERIES), "--:"])
    for point in curve["points"]:
        cells = []
        for system in reversed(_SERIES):
            errors = point[system]["test_errors"]
            cells.append(f"{_right(errors, curve):.2f} ({errors:,})")
        change = 100 * (point["bilingual"]["test_errors"] / point["ngram"]["test_errors"] - 1)
        yield _row([f"{point['words']:,}", *cells, f"{_signed(change)} %"])


def _right(errors: int, curve: dict[str, Any]) -> float:
    return 100 * (1 - errors / curve["test_words"])


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def figure(curve: dict[str, Any]) -> str:
    """Figure 4 as a drawing of its own."""
    series = [
        [
            Point(
                point["words"],
                _right(point[system]["test_errors"], curve),
                f"{system}, {point['words']:,} words: "
                f"{_right(point[system]['test_errors'], curve):.2f} %",
            )
            for point in curve["points"]
        ]
        for system in _SERIES
    ]
    label = f"Words right in per cent by words of training text, {curve['direction']}"
    draw = lines(series, label, Axes("words of training text", "words right"))
    names: list[Markup] = []
    for number, name in enumerate(_SERIES):
        x = 52 + 130 * number
        names += [marker(number, x, 13, ""), element("text", name, x=x + 10, y=17)]
    chart = element("g", draw(_WIDTH), transform=f"translate(0 {_LEGEND})")
    height = 360 + _LEGEND
    return image([names, chart], (_WIDTH, height), label, _STYLE)
