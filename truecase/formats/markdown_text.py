"""Texts of Markdown: paragraphs, headings, items and cells, without code, links and markup.

What is a paragraph and what is code is told by markdown-it-py, a reader of CommonMark, which
tells the lines of each; where a text stands in them is looked for here.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any

from truecase.errors import FormatError
from truecase.formats.flow import FIXED, Piece
from truecase.formats.html_text import add_html
from truecase.formats.pieces import blank, plain, split_plain
from truecase.formats.units import Units

_LINE_END = re.compile(rb"\r\n?|\n")
_FRONT_MATTER = re.compile(
    rb"(?:\xef\xbb\xbf)?(?P<mark>---|\+\+\+)[ \t]*\r?\n(?:.*?\r?\n)??(?P=mark)[ \t]*(?=[\r\n]|\Z)",
    re.DOTALL,
)
# Lines that begin or end a block of an extension, and the title of a note of GitHub.
_FENCE = re.compile(r"\s*(?::{3,}|!{3}|\?{3}|\[!\w+\]\s*$|\{[:%#.])")
_MARKUP = re.compile(
    r"(?P<kept>(?P<ticks>`+)(?!`).{0,2000}?(?<!`)(?P=ticks)(?!`)"
    r"|\$[^\s$](?:[^$]*[^\s$])?\$(?!\d)"
    r"|<[A-Za-z][A-Za-z0-9+.-]*:[^<>\s]*>)"
    # Targets of links, names of footnotes, attributes.
    r"|(?P<target>\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+(?:\"[^\"]*\"|'[^']*'))?\s*\)"
    r"|\[[ xX]\](?=\s)|\]\s?\[[^\[\]]*\]|\[\^[^\[\]]*\]:?|\{[.#:][^{}]*\})"
    r"|\\(?P<escaped>[!-/:-@\[-`{-~])"
    r"|(?P<emphasis>\*+|(?<!\w)_+(?=\w)|(?<=\w)_+(?!\w)|~~|!?\[|\])"
)


def read_markdown(name: str, data: bytes) -> Units:
    """The texts of a Markdown file.

    Raises
    ------
    FormatError
        If markdown-it-py is not installed.
    """
    try:
        markdown_it: Any = import_module("markdown_it")
    except ModuleNotFoundError:
        raise FormatError(
            f"{name}: Markdown needs markdown-it-py: pip install 'truecase-crf[markdown]'"
        ) from None
    lines = list(_lines(data))
    front = _FRONT_MATTER.match(data)
    n_front = 0 if front is None else bisect.bisect_left(lines, (front.end(), 0))
    source = "\n".join(
        "" if i < n_front else data[start:end].decode("utf-8").replace("\0", " ").lstrip("\ufeff")
        for i, (start, end) in enumerate(lines)
    )
    parser = markdown_it.MarkdownIt("commonmark", {"maxNesting": 50}).enable("table")
    # Texts are read here; the parser finds blocks alone.
    parser.core.ruler.disable("inline")
    units = Units()
    cells: dict[int, int] = {}
    for token in parser.parse(source):
        if token.type == "html_block":
            first, last = token.map
            add_html(units, data, lines[first][0], lines[last - 1][1])
        elif token.type == "inline" and token.map is not None:
            pieces = list(_pieces(data, lines, token.map[0], token.content, cells))
            if pieces:
                units.add_unit(split_plain(pieces, _MARKUP, _shown))
    return units


def _lines(data: bytes) -> Iterator[tuple[int, int]]:
    start = 0
    for end in _LINE_END.finditer(data):
        yield start, end.start()
        start = end.end()
    yield start, len(data)


def _pieces(
    data: bytes, lines: list[tuple[int, int]], first: int, content: str, cells: dict[int, int]
) -> Iterable[Piece]:
    """The text of a block whose lines begin at `first`; none if it does not stand there as it is.

    `cells` tells how far the texts of a line are read, if there are several.
    """
    found: list[Piece] = []
    for i, line in enumerate(content.split("\n"), first):
        text = line.strip().encode("utf-8")
        if not text or _FENCE.match(line):
            continue
        if i >= len(lines):
            return []
        start, end = lines[i]
        start = data.find(text, max(start, cells.get(i, 0)), end)
        if start < 0:
            return []
        cells[i] = start + len(text)
        found += [plain(data, start, cells[i]), blank(cells[i])]
    return found


def _shown(match: re.Match[str], start: int, end: int) -> Piece | None:
    if match["kept"] is not None:
        return Piece(FIXED, start, end, match[0])
    if match["escaped"] is not None:
        return Piece(FIXED, start, end, match["escaped"])
    return None
