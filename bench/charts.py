"""Charts as SVG: lines over counts on a logarithmic axis."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from truecase.evaluation.pages import Child, Markup, element

#: The style of charts, on a page of the package's layout.
STYLE = """
.narrow { display: none; }
svg text { font: 12px system-ui, -apple-system, sans-serif; fill: var(--muted); }
@media (max-width: 640px) { .wide { display: none; } .narrow { display: block; } }
.legend { display: flex; flex-wrap: wrap; gap: 4px 18px; font-size: .9rem; }
.legend { margin: 4px 0 6px; padding: 0; list-style: none; }
.legend svg { vertical-align: -2px; margin-right: 6px; }
figure { margin: 0; }
figure svg { display: block; max-width: 100%; height: auto; }
svg .grid { stroke: var(--faint); }
svg .axis { stroke: var(--rule); }
.fill0 { fill: var(--s0); } .fill1 { fill: var(--s1); } .fill2 { fill: var(--s2); }
.fill3 { fill: var(--s3); } .fill4 { fill: var(--s4); } .fill5 { fill: var(--s5); }
.line0 { stroke: var(--s0); } .line1 { stroke: var(--s1); } .line2 { stroke: var(--s2); }
.line3 { stroke: var(--s3); } .line4 { stroke: var(--s4); } .line5 { stroke: var(--s5); }
.series { fill: none; stroke-width: 2; stroke-linejoin: round; }
.dot { stroke: var(--card); stroke-width: 1.5; }
"""

#: Number of colours for series; further series repeat them with other markers.
N_COLOURS = 6

#: Widths that charts are drawn for: a screen, a phone.
WIDE, NARROW = 1020, 330

# Width that a label of a horizontal axis needs.
_TICK_ROOM = 52.0


@dataclass(frozen=True)
class Point:
    """A point of a line."""

    x: float
    y: float
    title: str


@dataclass(frozen=True)
class Axes:
    """The axes of a chart of lines; the vertical one begins just below the lowest point."""

    x_label: str
    y_label: str


def drawing(content: Child, size: tuple[float, float], label: str) -> Markup:
    """Draw SVG of a size; `label` describes it for screen readers."""
    width, height = size
    return element(
        "svg",
        content,
        viewBox=f"0 0 {width:g} {height:g}",
        width=width,
        height=height,
        role="img",
        aria_label=label,
    )


def image(content: Child, size: tuple[int, int], label: str, style: str) -> str:
    """Draw SVG on a ground, as a file of its own with its own style."""
    width, height = size
    drawn = element(
        "svg",
        element("style", Markup(style)),
        element("rect", class_="ground", x=0, y=0, width=width, height=height),
        content,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width} {height}",
        width=width,
        height=height,
        role="img",
        aria_label=label,
    )
    return f"{drawn}\n"


def figure(draw: Callable[[int], Markup], wide: int = WIDE) -> Markup:
    """Draw a chart in a box, for screens and for phones; the page shows one of the two."""
    drawn = [(draw(wide), "wide"), (draw(NARROW), "narrow")]
    return element("figure.card", [element("div", chart, class_=name) for chart, name in drawn])


def legend(names: list[str]) -> Markup | None:
    """List the series with their markers; None for a single series."""
    if len(names) < 2:
        return None
    items = [
        element(
            "li",
            element(
                "svg",
                marker(i, 7, 7, ""),
                viewBox="0 0 14 14",
                width=14,
                height=14,
                aria_hidden="true",
            ),
            name,
        )
        for i, name in enumerate(names)
    ]
    return element("ul.legend.break", items)


def lines(series: Sequence[Sequence[Point]], label: str, axes: Axes) -> Callable[[int], Markup]:
    """Make a function that draws lines over counts, logarithmic in x, at a width; y is in per cent.

    `label` describes the chart for screen readers.
    """

    def draw(width: int) -> Markup:
        plot = _Plot(series, axes, width)
        return drawing([*plot.frame(), *plot.series()], (width, plot.height), label)

    return draw


class _Plot:
    """The scales of a chart of lines at one width, and the parts drawn with them."""

    def __init__(self, series: Sequence[Sequence[Point]], axes: Axes, width: int) -> None:
        self._series = series
        self._axes = axes
        self.height = 360.0 if width > 500 else 280.0
        self._left, self._right = 44.0, width - 16.0
        self._top, self._base = 22.0, self.height - 44.0
        self._inner = self._right - self._left
        points = [point for line in series for point in line]
        counts = [point.x for point in points] or [1.0]
        low, high = math.log10(min(counts)), math.log10(max(counts))
        # A tick that is almost reached is drawn.
        margin = 0.25 if high - low < 0.5 else 0.02
        self._low, self._high = low - margin, high + margin
        values = [point.y for point in points] or [0.0]
        self._ticks = ticks_between(min(values), max(values))

    def _x(self, x: float) -> float:
        share = self._inner * (math.log10(x) - self._low) / (self._high - self._low)
        return self._left + share

    def _y(self, y: float) -> float:
        share = (y - self._ticks[0]) / (self._ticks[-1] - self._ticks[0])
        return self._top + (self._base - self._top) * (1.0 - share)

    def frame(self) -> list[Markup]:
        """The axes with their ticks and labels."""
        left, right, base = self._left, self._right, self._base
        drawn = []
        for tick in self._ticks:
            y = self._y(tick)
            drawn.append(element("line.grid", x1=left, x2=right, y1=y, y2=y))
            drawn.append(element("text", f"{tick:g}%", x=left - 7, y=y + 4, text_anchor="end"))
        drawn.append(element("text", self._axes.y_label, x=4, y=11))
        drawn.append(element("line.axis", x1=left, x2=right, y1=base, y2=base))
        at_base: dict[str, float | str] = {"y": base + 19, "text_anchor": "middle"}
        for count in count_ticks(10.0**self._low, 10.0**self._high, int(self._inner / _TICK_ROOM)):
            x = self._x(count)
            drawn.append(element("line.axis", x1=x, x2=x, y1=base, y2=base + 5))
            drawn.append(element("text.tick", short_number(count), x=x, **at_base))
        name = self._axes.x_label
        drawn.append(element("text", name, x=right, y=self.height - 5, text_anchor="end"))
        return drawn

    def series(self) -> list[Markup]:
        drawn = []
        for number, line in enumerate(self._series):
            path = " ".join(f"{self._x(p.x):.1f},{self._y(p.y):.1f}" for p in line)
            drawn.append(
                element("polyline", points=path, class_=f"series line{number % N_COLOURS}")
            )
        for number, line in enumerate(self._series):
            drawn += [marker(number, self._x(p.x), self._y(p.y), p.title) for p in line]
        return drawn


def marker(series: int, x: float, y: float, title: str) -> Markup:
    """Draw a point of a series, whose shape shows the series."""
    look = {"class_": f"dot fill{series % N_COLOURS}"}
    note = element("title", title) if title else None
    shape = series % 4
    if shape == 0:
        return element("circle", note, cx=x, cy=y, r=4.5, **look)
    if shape == 1:
        return element("rect", note, x=x - 4, y=y - 4, width=8, height=8, **look)
    if shape == 2:
        points = f"{x:.1f},{y - 5.5:.1f} {x + 5.5:.1f},{y + 4.5:.1f} {x - 5.5:.1f},{y + 4.5:.1f}"
    else:
        points = f"{x:.1f},{y - 6:.1f} {x + 6:.1f},{y:.1f} {x:.1f},{y + 6:.1f} {x - 6:.1f},{y:.1f}"
    return element("polygon", note, points=points, **look)


def _step(span: float, n: int) -> float:
    """The round step that divides a span into at most `n`."""
    rough = span / n
    power = 10.0 ** math.floor(math.log10(rough))
    return next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= rough)


def ticks_between(lowest: float, highest: float, n: int = 5) -> list[float]:
    """Round numbers that enclose a range."""
    step = _step(max(highest - lowest, 1e-9), n)
    first, last = math.floor(lowest / step + 1e-9), math.ceil(highest / step - 1e-9)
    return [i * step for i in range(first, max(last, first + 1) + 1)]


def count_ticks(lowest: float, highest: float, n: int) -> list[float]:
    """About `n` round numbers within a range, above 0, of a logarithmic axis.

    They are powers of ten; with 3, with 2 and 5, or with all digits if the powers alone are fewer
    than 3; or every second, third and so on if there are more than `n`.
    """
    first, last = math.floor(math.log10(lowest)), math.ceil(math.log10(highest))
    for digits in ((1,), (1, 3), (1, 2, 5), (1, 2, 3, 4, 5, 6, 7, 8, 9)):
        ticks = [
            digit * 10.0**power
            for power in range(first, last + 1)
            for digit in digits
            if lowest * (1 - 1e-9) <= digit * 10.0**power <= highest * (1 + 1e-9)
        ]
        if len(ticks) >= 3:
            break
    step = math.ceil(len(ticks) / max(n, 1))
    return ticks[:: max(step, 1)]


def short_number(value: float) -> str:
    """A count in few characters: 850, 12K, 3.4M."""
    for factor, unit in ((1e9, "G"), (1e6, "M"), (1e3, "K")):
        if value >= 0.9995 * factor:
            return f"{value / factor:.3g}{unit}"
    return f"{value:.0f}"
