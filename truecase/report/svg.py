"""What charts are drawn with: scales, ticks, markers of series."""

from __future__ import annotations

import math
from collections.abc import Callable

from truecase.report.markup import Markup, element

#: Series that can be told apart by colour; more of them start again, with other markers.
N_COLOURS = 6

#: Widths that charts are drawn for: a screen, a phone.
WIDE, NARROW = 1020, 330


def responsive(draw: Callable[[int], Markup], wide: int = WIDE) -> Markup:
    """One chart drawn twice, for screens and for phones; the page shows one of them."""
    return Markup(
        element("div", draw(wide), class_="wide") + element("div", draw(NARROW), class_="narrow")
    )


def canvas(width: float, height: float, label: str, *content: Markup | list[Markup]) -> Markup:
    """An SVG of its own size that says what it shows."""
    return element(
        "svg",
        *content,
        viewBox=f"0 0 {width:g} {height:g}",
        width=width,
        height=height,
        role="img",
        aria_label=label,
    )


def nice_ticks(highest: float, n: int = 5) -> list[float]:
    """Round numbers from 0 to at least `highest`, about `n` steps."""
    if highest <= 0:
        return [0.0, 1.0]
    rough = highest / n
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= rough)
    return [i * step for i in range(math.ceil(highest / step - 1e-9) + 1)]


def ticks_between(lowest: float, highest: float, n: int = 5) -> list[float]:
    """Round numbers that enclose a range."""
    span = max(highest - lowest, 1e-9)
    rough = span / n
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= rough)
    first, last = math.floor(lowest / step + 1e-9), math.ceil(highest / step - 1e-9)
    return [i * step for i in range(first, max(last, first + 1) + 1)]


def count_ticks(lowest: float, highest: float, n: int) -> list[float]:
    """Round numbers within a range of a logarithmic axis.

    Parameters
    ----------
    lowest, highest : float
        Both above 0.
    n : int
        Of as many there is room for the labels.

    Returns
    -------
    list of float
        At least 2 where `n` allows it and the range has them: powers of ten, with 2 and 5 or
        with all digits between where powers alone would be fewer than 3, or every second,
        third and so on where they are too many.
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


def rate_ticks(highest: float) -> list[float]:
    """Ticks for an axis of rates in per cent that is stretched towards 0."""
    steps = [0.0, 1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 40.0, 60.0, 80.0, 100.0]
    if highest < 2.0:
        return nice_ticks(highest)
    return steps[: next(i for i, step in enumerate(steps) if step >= min(highest, 100.0)) + 1]


def short_number(value: float) -> str:
    """A count in few characters: 850, 12K, 3.4M."""
    for factor, unit in ((1e9, "G"), (1e6, "M"), (1e3, "K")):
        if value >= 0.9995 * factor:
            return f"{value / factor:.3g}{unit}"
    return f"{value:.0f}"


def marker(series: int, x: float, y: float, title: str, is_faint: bool = False) -> Markup:
    """A point of a series, of a shape of its own, which says its numbers when pointed at."""
    look = {"class_": f"dot fill{series % N_COLOURS}{' few' if is_faint else ''}"}
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


def legend(names: list[str]) -> Markup | None:
    """What the series are; nothing for one alone."""
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
    return element("ul", items, class_="legend break")
