"""Write the tables of languages in README.md and the documentation, from the cards in models/.

python tools/language_tables.py           write them (``make language-tables``)
python tools/language_tables.py --check   1 if what stands there is something else (``make lint``)
"""

import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]

# What cards call the texts that models are judged by, in the order of the columns.
TEXTS = ("development", "NTREX-128", "FLORES-200", "news", "Wikipedia")


class Card(NamedTuple):
    """Facts of a model's card; the figures are token accuracy and F1, by text."""

    code: str
    language: str
    n_words: int
    n_bytes: int
    figures: dict[str, tuple[str, str]]


def card_of(folder: Path, language: str) -> Card:
    """Read the card of a model; ValueError if a fact is missing."""
    text = (folder / "README.md").read_text(encoding="utf-8")

    def number(pattern: str) -> int:
        found = re.search(pattern, text)
        if found is None:
            raise ValueError(f"{folder.name}/README.md: nothing like {pattern!r}")
        return int(found[1].replace(",", ""))

    rows = re.findall(r"^\| (.+?) \| [\d,]+ \| (\d+\.\d\d) \| (\d+\.\d\d) \|$", text, re.MULTILINE)
    figures = {name: (accuracy, f1) for name, accuracy, f1 in rows}
    if strange := set(figures) - set(TEXTS):
        raise ValueError(f"{folder.name}/README.md: no column for the text {min(strange)!r}")
    if TEXTS[0] not in figures:
        raise ValueError(f"{folder.name}/README.md: no figures on {TEXTS[0]} text")
    n_words = number(r"\n([\d,]+) words of cased text\.")
    return Card(folder.name, language, n_words, number(r"The model has ([\d,]+) bytes"), figures)


def cards() -> list[Card]:
    """Read all cards, by the names of the languages."""
    data = (ROOT / "truecase/data/languages.json").read_text(encoding="utf-8")
    names = json.loads(data)["models"]
    folders = (path.parent for path in (ROOT / "models").glob("*/pyproject.toml"))
    return sorted((card_of(path, names[path.name]) for path in folders), key=lambda c: c.language)


def long_table(found: list[Card]) -> Iterator[str]:
    """Lines of the table with all figures, a language a line."""
    shown = [name for name in TEXTS if any(name in card.figures for card in found)]
    yield f"| language | `-l` | million words | MB | {' | '.join(shown)} |"
    yield "|---|---|---:|---:|" + len(shown) * "---:|"
    for card in found:
        figures = (" / ".join(card.figures.get(name, ())) or "–" for name in shown)
        about = f"{card.n_words / 1e6:.1f} | {card.n_bytes / 1e6:.1f} | {' | '.join(figures)}"
        yield f"| {card.language} | `{card.code}` | {about} |"


def short_table(found: list[Card]) -> Iterator[str]:
    """Lines of the table of F1 on one text, six languages a line."""
    name = next((one for one in TEXTS[1:] if all(one in card.figures for card in found)), TEXTS[0])
    yield f"| F1, {name} |" + 11 * " |"
    yield "|" + 6 * "---|---:|"
    cells = [f"{card.language} `{card.code}` | {card.figures[name][1]}" for card in found]
    cells += -len(cells) % 6 * ["|"]
    for start in range(0, len(cells), 6):
        yield f"| {' | '.join(cells[start : start + 6])} |"


TABLES: dict[str, Callable[[list[Card]], Iterator[str]]] = {
    "README.md": short_table,
    "docs/experiments/languages.md": long_table,
}


def main() -> int:
    """Write or check; 1 if something differs."""
    found, stale = cards(), 0
    begin, end = "<!-- table of languages: make language-tables -->", "<!-- end of languages -->"
    for name, table in TABLES.items():
        text = (ROOT / name).read_text(encoding="utf-8")
        if text.count(begin) != 1 or text.count(end) != 1:
            raise SystemExit(f"{name}: no place for the table of languages")
        before, after = text.split(begin)[0], text.split(end)[1]
        lines = ["", *table(found), ""] if found else []
        wanted = "\n".join([before + begin, *lines, end]) + after
        if sys.argv[1:] != ["--check"]:
            (ROOT / name).write_text(wanted, encoding="utf-8")
        elif text != wanted:
            print(f"{name}: not as the cards in models/ have it; run: make language-tables")
            stale = 1
    return stale


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ValueError as error:
        sys.exit(f"models: {error}")
