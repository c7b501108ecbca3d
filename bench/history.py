"""The page of releases: what each has kept in results/, as a table and a drawing."""

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from charts import image, marker
from kept import Release
from script import row
from summary import times

from truecase.evaluation.pages import Markup, element

BEGIN, END = "<!-- from here on by bench/page.py -->", "<!-- up to here -->"
SERIES = ("embedded model", "its n-grams", "its lexicon")
KEYS = ("", "ngram_", "unigram_")
# Functions that measure each series; early models were n-grams alone.
FUNCTIONS = (("test_model", "test_trigram"), ("test_ngram", "test_trigram"), ("test_unigram",))

_WIDTH, _LEFT, _RIGHT, _TOP, _STEP = 640, 190, 20, 60, 34
_STYLE = """
text { font: 13px system-ui, sans-serif; fill: #333 }
.ground { fill: #fff }
.axis { stroke: #ddd }
.fill0 { fill: #3266ad } .fill1 { fill: #c2571a } .fill2 { fill: #4c8c4a }
"""


def texts_of(release: Release) -> list[str]:
    """The texts that models were measured on, but for the generated one if there are others."""
    names = [
        name.partition("[")[2].removesuffix("]")
        for name, _ in release.by_name
        if name.partition("[")[0] in FUNCTIONS[0]
    ]
    found = sorted(dict.fromkeys(names), key=lambda name: (name.startswith("generated-"), name))
    own = [name for name in found if not name.startswith("generated-")]
    return own or found


def facts(release: Release, function: str, text: str) -> dict[str, Any]:
    """``extra_info`` of a benchmark on a text, or on a head of it; empty if there is none."""
    for (name, _), info in release.by_name.items():
        if name == f"{function}[{text}]":
            return info
    return {}


def speed(release: Release, functions: tuple[str, ...], text: str) -> str:
    for function in functions:
        found = facts(release, function, text)
        if "words_per_s" in found:
            return f"{found['words_per_s']:,}"
    return ""


def times_peer(release: Release, function: str, text: str, key: str) -> float | None:
    """How many times faster a model was than a peer on a text."""
    found = facts(release, function, text)
    name = "trigram_" if key == "ngram_" and "trigram_times_peer" in found else key
    # Early models had n-grams alone.
    if key == "ngram_" and f"{name}times_peer" not in found and "unigram_times_peer" not in found:
        name = ""
    return found.get(f"{name}times_peer")


def three(release: Release, function: str, text: str) -> str:
    """Ratios of the three series as one cell; empty if there are none."""
    values = [times_peer(release, function, text, key) for key in KEYS]
    return " / ".join(times(v) or "–" for v in values) if any(values) else ""


def times_before(release: Release, text: str) -> str:
    """How many times faster each series was than an older version that took turns with it."""
    values = [
        facts(release, "test_against", f"{text}-{way}").get(f"{key}times_peer")
        for way, key in zip(("model", "ngram", "unigram"), KEYS, strict=True)
    ]
    return " / ".join(times(v) or "–" for v in values) if any(values) else ""


def speed_table(releases: list[Release]) -> Iterator[str]:
    """Lines of Markdown: words per second."""
    yield row(["release", "day", "text", *SERIES, "command line"])
    yield row(["---"] * 3 + ["---:"] * 4)
    for release in releases:
        for text in texts_of(release):
            found = [speed(release, functions, text) for functions in FUNCTIONS]
            line = speed(release, ("test_command_line",), text)
            yield row([release.name, release.day, text, *found, line])


def ratio_table(releases: list[Release]) -> Iterator[str]:
    """Lines of Markdown: times as fast as others in the same run."""
    yield row(["release", "text", "sacremoses", "KenLM's `query`", "the version before"])
    yield row(["---"] * 2 + ["---:"] * 3)
    for release in releases:
        for text in texts_of(release):
            yield row(
                [
                    release.name,
                    text,
                    three(release, "test_sacremoses", text),
                    three(release, "test_kenlm_query", text),
                    times_before(release, text),
                ]
            )


def machines(releases: list[Release]) -> Iterator[str]:
    """What each release was measured on."""
    for release in releases:
        machine = release.run["machine_info"]
        python = f"{machine['python_implementation']} {machine['python_version']}"
        yield (
            f"- {release.name}: {machine['cpu']}, {machine['system']}, {python} "
            f"(`{release.file.name}`)"
        )


def figure(releases: list[Release]) -> str:
    """How many times faster than sacremoses each release is, by text, on a logarithmic axis."""
    rows = [(release, text) for release in releases for text in texts_of(release)]
    points = [
        [times_peer(release, "test_sacremoses", text, key) for key in KEYS]
        for release, text in rows
    ]
    highest = max((value for row in points for value in row if value), default=1.0)
    ticks = [t for t in (1, 2, 5, 10, 20, 50, 100, 200, 500) if t <= 2 * highest]
    height = _TOP + _STEP * len(rows) + 20

    def place(value: float) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * math.log(value) / math.log(ticks[-1])

    return _drawing(height, place, ticks, rows, points)


def _drawing(
    height: int,
    place: Callable[[float], float],
    ticks: list[int],
    rows: list[tuple[Release, str]],
    points: list[list[float | None]],
) -> str:
    parts: list[Markup] = []
    for number, name in enumerate(SERIES):
        x = _LEFT + 145 * number
        parts += [marker(number, x, 16, ""), element("text", name, x=x + 10, y=20)]
    for tick in ticks:
        parts.append(
            element("line", class_="axis", x1=place(tick), x2=place(tick), y1=50, y2=height - 12)
        )
        parts.append(element("text", f"{tick}", x=place(tick), y=44, text_anchor="middle"))
    for number, ((release, text), found) in enumerate(zip(rows, points, strict=True)):
        y = _TOP + _STEP * number + 12
        parts.append(element("text", f"{release.name}", x=4, y=y - 2))
        parts.append(element("text", f"{text[:24]}", x=4, y=y + 12, opacity=0.6))
        for series, value in enumerate(found):
            if value is not None:
                note = f"{SERIES[series]}: {times(value)} times sacremoses"
                parts.append(marker(series, place(value), y, note))
    label = "Times as fast as sacremoses in the same run, by release"
    return image(parts, (_WIDTH, height), label, _STYLE)


def updated(page: str, releases: list[Release], figure_name: str) -> str:
    """A page of Markdown, with what is between its marks made anew."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the page has no lines {BEGIN} and {END}")
    made = [
        "",
        f"![Times as fast as sacremoses, by release]({figure_name})",
        "",
        "Words per second, best round:",
        "",
        *speed_table(releases),
        "",
        "Times as fast as others in the same run: the embedded model / its n-grams / its lexicon.",
        "",
        *ratio_table(releases),
        "",
        *machines(releases),
        "",
    ]
    return before + BEGIN + "\n" + "\n".join(made) + "\n" + END + after


def write(page: Path, releases: list[Release], check: bool) -> bool:
    """Make a page's table and its drawing beside it anew; whether they were as they should be."""
    drawing = page.with_suffix(".svg")
    wanted = {
        page: updated(page.read_text(encoding="utf-8"), releases, drawing.name),
        drawing: figure(releases),
    }
    fits = True
    for file, text in wanted.items():
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            fits = False
            if not check:
                file.write_text(text, encoding="utf-8")
    return fits
