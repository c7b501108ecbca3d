"""Learning curves as charts and a table."""

from __future__ import annotations

from collections.abc import Callable

from truecase.evaluate.curve import CurvePoint, LearningCurve
from truecase.report.charts import Point, lines
from truecase.report.layout import page, section, table, unfolding
from truecase.report.markup import Markup, element
from truecase.report.svg import legend, responsive
from truecase.text.casing import TAGS

_HALF = 520


def curve_section(curve: LearningCurve) -> Markup:
    """Accuracy and F1 over the size of the training text."""
    names = list(curve.curves)
    return section(
        "Accuracy by size of the training text",
        f"Each point is a model trained on the beginning of {', '.join(curve.corpus)} and tested "
        f"on {', '.join(curve.test)} ({curve.n_test_words:,} words). The horizontal axis is "
        "logarithmic.",
        legend(names),
        element(
            "div",
            _chart(curve, "Words right", lambda point: point.accuracy),
            _chart(curve, "F1 of words not all-lowercase", lambda point: point.f1),
            class_="pair",
        ),
        unfolding("The numbers", _table(curve)),
    )


def curve_page(curve: LearningCurve) -> str:
    """A page with nothing but a learning curve."""
    return page(
        "Learning curve",
        element("h1", "Learning curve"),
        curve_section(curve),
    )


def _chart(curve: LearningCurve, label: str, figure: Callable[[CurvePoint], float]) -> Markup:
    series = [
        [
            Point(
                point.n_words,
                100 * figure(point),
                f"{preset}, {point.n_words:,} words: {100 * figure(point):.2f} %",
            )
            for point in points
        ]
        for preset, points in curve.curves.items()
    ]
    draw = lines(
        series,
        f"{label} in per cent by words of training text",
        x_label="words of training text",
        y_label=label,
    )
    return element("figure", responsive(draw, _HALF), class_="card")


def _table(curve: LearningCurve) -> Markup:
    tags = sorted(
        {tag for points in curve.curves.values() for point in points for tag in point.error_by_tag},
        key=TAGS.index,
    )
    rows = [
        [
            f"{preset}, {point.n_words:,} words",
            f"{100 * point.accuracy:.2f}",
            f"{100 * point.f1:.2f}",
            f"{100 * point.out_of_vocabulary:.2f}",
            *(f"{100 * point.error_by_tag.get(tag, 0.0):.2f}" for tag in tags),
        ]
        for preset, points in curve.curves.items()
        for point in points
    ]
    header = ["model", "words right %", "F1 %", "unseen %", *(f"{tag} wrong %" for tag in tags)]
    return table(header, rows, "Learning curve in numbers")
