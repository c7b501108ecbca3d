"""Bars by kind, and lines over counts on a logarithmic axis."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from truecase.report.markup import Markup, element
from truecase.report.svg import (
    N_COLOURS,
    canvas,
    count_ticks,
    marker,
    rate_ticks,
    short_number,
    ticks_between,
)

# Room that a label of a horizontal axis takes.
_TICK_ROOM = 52.0


@dataclass(frozen=True)
class Bar:
    """One bar: its length, and what is written beside it."""

    value: float
    label: str
    title: str = ""


@dataclass(frozen=True)
class Point:
    """One point of a line; `is_faint` if it rests on few words."""

    x: float
    y: float
    title: str
    is_faint: bool = False


@dataclass(frozen=True)
class Backdrop:
    """Columns behind the lines: x from, x to, share of all, what it says when pointed at."""

    columns: list[tuple[float, float, float, str]] = field(default_factory=list)


def bars(groups: Sequence[tuple[str, str, Sequence[Bar]]], label: str) -> Callable[[int], Markup]:
    """Horizontal bars, a group for each kind with a bar for each series.

    Parameters
    ----------
    groups : sequence of (str, str, sequence of Bar)
        Name, a note in small print, the bars.
    label : str
        What the chart shows, for those who do not see it.
    """

    def draw(width: int) -> Markup:
        thick, gap, between = 15.0, 3.0, 16.0
        left, right = (150.0, 64.0) if width > 500 else (62.0, 66.0)
        highest = max((bar.value for _, _, row in groups for bar in row), default=0.0) or 1.0
        drawn: list[Markup] = []
        y = 4.0
        for name, note, row in groups:
            height = len(row) * (thick + gap) - gap
            notes = [
                element("text", name, class_="strong", x=0, y=y + 12),
                element("text", note, x=44, y=y + 12) if width > 500 else None,
            ]
            drawn.append(element("g", notes))
            for series, bar in enumerate(row):
                top = y + series * (thick + gap)
                length = (width - left - right) * bar.value / highest
                drawn.append(
                    element(
                        "g",
                        element("title", bar.title),
                        element(
                            "rect",
                            x=left,
                            y=top,
                            width=max(length, 1.0),
                            height=thick,
                            rx=2,
                            class_=f"fill{series % N_COLOURS}",
                        ),
                        element("text", bar.label, class_="value", x=left + length + 6, y=top + 12),
                    )
                )
            y += height + between
        return canvas(width, y - between + 6, label, drawn)

    return draw


def lines(
    series: Sequence[Sequence[Point]],
    label: str,
    x_label: str,
    y_label: str,
    unit: str = "%",
    is_rate: bool = False,
    backdrop: Backdrop | None = None,
    zero_name: str | None = None,
) -> Callable[[int], Markup]:
    """Lines over counts, logarithmic in x.

    Parameters
    ----------
    series : sequence of sequence of Point
    label : str
        What the chart shows, for those who do not see it.
    x_label, y_label : str
    unit : str
        Behind the numbers of the y axis.
    is_rate : bool
        The y axis has rates of errors, from 0, stretched there as a square root does; else it
        starts just below the lowest point.
    backdrop : Backdrop, optional
    zero_name : str, optional
        A place of its own at the left, with this name, for points whose x is 0.
    """
    points = [point for line in series for point in line]
    counts = [point.x for point in points if point.x > 0] or [1.0]
    low, high = math.log10(min(counts)), math.log10(max(counts))
    if high - low < 0.5:
        low, high = low - 0.25, high + 0.25
    else:
        # A tick that is almost reached is reached.
        low, high = low - 0.02, high + 0.02
    values = [point.y for point in points] or [0.0]
    ticks = rate_ticks(max(values)) if is_rate else ticks_between(min(values), max(values))
    stretch = math.sqrt if is_rate else float

    def draw(width: int) -> Markup:
        height = 360.0 if width > 500 else 280.0
        left, right, top, bottom = 44.0, 16.0, 22.0, 44.0
        zero_room = 0.0
        if zero_name is not None:
            zero_room = 56.0
        inner = width - left - right - zero_room

        def x_at(x: float) -> float:
            if x <= 0:
                return left + 24.0
            return left + zero_room + inner * (math.log10(x) - low) / (high - low)

        def y_at(y: float) -> float:
            share = (stretch(y) - stretch(ticks[0])) / (stretch(ticks[-1]) - stretch(ticks[0]))
            return top + (height - top - bottom) * (1.0 - share)

        beside, middle = min(10.0, 40.0 / len(series)), (len(series) - 1) / 2
        drawn: list[Markup] = []
        base = height - bottom
        columns = backdrop.columns if backdrop is not None else []
        largest = max((share for _, _, share, _ in columns), default=1.0)
        for start, end, share, title in columns:
            column = 0.45 * (base - top) * share / largest
            edges = (left + 8.0, left + 40.0) if start <= 0 else (x_at(start), x_at(end))
            edges = (max(edges[0], left), min(edges[1], width - right))
            drawn.append(
                element(
                    "rect",
                    element("title", title),
                    class_="words",
                    x=edges[0] + 1,
                    y=base - column,
                    width=max(edges[1] - edges[0] - 2, 1.0),
                    height=column,
                )
            )
        for tick in ticks:
            y = y_at(tick)
            drawn.append(element("line", class_="grid", x1=left, x2=width - right, y1=y, y2=y))
            drawn.append(element("text", f"{tick:g}{unit}", x=left - 7, y=y + 4, text_anchor="end"))
        drawn.append(element("text", y_label, x=4, y=11))
        drawn.append(element("line", class_="axis", x1=left, x2=width - right, y1=base, y2=base))
        for count in count_ticks(10.0**low, 10.0**high, int(inner / _TICK_ROOM)):
            x = x_at(count)
            drawn.append(element("line", class_="axis", x1=x, x2=x, y1=base, y2=base + 5))
            drawn.append(
                element(
                    "text",
                    short_number(count),
                    class_="tick",
                    x=x,
                    y=base + 19,
                    text_anchor="middle",
                )
            )
        if zero_name is not None:
            drawn.append(element("text", zero_name, x=x_at(0), y=base + 19, text_anchor="middle"))
        drawn.append(element("text", x_label, x=width - right, y=height - 5, text_anchor="end"))
        for number, line in enumerate(series):
            path = [p for p in line if p.x > 0]
            coordinates = " ".join(f"{x_at(p.x):.1f},{y_at(p.y):.1f}" for p in path)
            drawn.append(
                element("polyline", points=coordinates, class_=f"series line{number % N_COLOURS}")
            )
        for number, line in enumerate(series):
            drawn += [
                # Points at one place stand side by side.
                marker(
                    number,
                    x_at(p.x) + (beside * (number - middle) if p.x <= 0 else 0.0),
                    y_at(p.y),
                    p.title,
                    p.is_faint,
                )
                for p in line
            ]
        return canvas(width, height, label, drawn)

    return draw
