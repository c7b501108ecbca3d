"""Rows of a table: their texts are cased, and rows that cannot be cased are found."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from truecase.alignment.errors import AlignmentError
from truecase.columns.column import CasedColumn, Column
from truecase.columns.texts import column_of_texts, texts_of_column
from truecase.columns.types import ColumnError
from truecase.formats.errors import BadRow
from truecase.formats.tables import Casing, ColumnJob
from truecase.truecaser import Truecaser

Result = TypeVar("Result")

#: What is wrong with some row of a column.
ROW_ERRORS = (AlignmentError, ColumnError)

_PLACE = re.compile(r"^column: |(?:row \d+ of a chunk|line \d+)(?:: | )")


class ColumnCaser:
    """Cases columns.

    Parameters
    ----------
    truecaser : Truecaser
    casing : Casing
    threads : int
        For one column.
    """

    def __init__(self, truecaser: Truecaser, casing: Casing, threads: int = 1) -> None:
        self._truecaser = truecaser
        self._casing = casing
        self._threads = threads

    def column(self, texts: object, source: object = None, alignment: object = None) -> Column:
        """A column, cased; see `truecase.Truecaser.column`."""
        cased: Column = self._truecaser.column(
            texts, self._threads, source=source, alignment=alignment, **vars(self._casing)
        )
        return cased

    def with_confidence(
        self, texts: object, source: object = None, alignment: object = None
    ) -> CasedColumn:
        """A column, cased, and one of the probability of each row's least certain word."""
        return self._truecaser.column(
            texts,
            self._threads,
            source=source,
            alignment=alignment,
            confidence=True,
            **vars(self._casing),
        )

    def texts(
        self,
        texts: Sequence[bytes],
        sources: Sequence[bytes | None] | None = None,
        alignments: Sequence[bytes | None] | None = None,
    ) -> list[bytes | None]:
        """Texts in UTF-8, cased."""
        source, alignment = (
            None if other is None else column_of_texts(list(other))
            for other in (sources, alignments)
        )
        return texts_of_column(self.column(column_of_texts(list(texts)), source, alignment))


def reason_of(error: ValueError) -> str:
    """What an error says of a single row, without where it is."""
    return _PLACE.sub("", str(error))


def by_sound_rows(
    case: Callable[[int, int], Result], begin: int, end: int
) -> Iterator[tuple[int, int, Result | str]]:
    """Case rows, and what of them can be cased if some cannot.

    Parameters
    ----------
    case : callable
        Of the first row and the one after the last; one of `ROW_ERRORS` is about a row of them.
    begin, end : int

    Yields
    ------
    begin, end : int
    result : object or str
        What `case` gave for these rows; or, of a single row, what is wrong with it.
    """
    if begin == end:
        return
    try:
        result: Result | str = case(begin, end)
    except ROW_ERRORS as error:
        result = reason_of(error) if end - begin == 1 else ""
    else:
        yield begin, end, result
        return
    if result:
        yield begin, end, result
        return
    # Such rows are rare: halves find them without a look at each of the others.
    middle = (begin + end) // 2
    yield from by_sound_rows(case, begin, middle)
    yield from by_sound_rows(case, middle, end)


class Cell(NamedTuple):
    """A text of a row.

    Attributes
    ----------
    row : int
        From 0 in its block.
    start, end : int
        Its bytes in the block, without quotation marks around it.
    text : bytes
        What they stand for, in UTF-8.
    written : callable or None
        Makes bytes for the file of another text of the same length; None: the text is these.
    """

    row: int
    start: int
    end: int
    text: bytes
    written: Callable[[bytes], bytes] | None = None


@dataclass
class RowBlock:
    """Whole rows of a file.

    Attributes
    ----------
    data : bytes
    first_row : int
        Its number in the file.
    first_line : int or None
        Where a row is not a line, the number of the block's first line.
    n_rows : int
    cells : dict of str to list of Cell
        By the column, in order.
    n_seen : dict of str to int
        In how many rows there is such a column, if perhaps without a text.
    bad : dict of int to BadRow
        By the row in the block.
    """

    data: bytes
    first_row: int
    first_line: int | None
    n_rows: int = 0
    cells: dict[str, list[Cell]] = field(default_factory=dict)
    n_seen: dict[str, int] = field(default_factory=dict)
    bad: dict[int, BadRow] = field(default_factory=dict)

    def add_bad(self, row: int, at: int, reason: str) -> None:
        """Note that a row, of which byte `at` is one, is bad."""
        line = None
        if self.first_line is not None:
            line = self.first_line + self.data.count(b"\n", 0, at)
        self.bad.setdefault(row, BadRow(self.first_row + row, line, reason))


class CasedRows(NamedTuple):
    """What became of a block.

    Attributes
    ----------
    data : bytes
    n_rows, n_changed, n_words : int
        Rows; texts that changed; words of texts, about.
    n_seen : dict of str to int
        As of the block.
    bad : list of BadRow
        In order.
    """

    data: bytes
    n_rows: int
    n_changed: int
    n_words: int
    n_seen: dict[str, int]
    bad: list[BadRow]


def case_rows(block: RowBlock, jobs: Sequence[ColumnJob], caser: ColumnCaser) -> CasedRows:
    """Case the texts of a block; runs in any thread."""
    changed: list[tuple[Cell, bytes]] = []
    n_words = 0
    for job in jobs:
        cells = [cell for cell in block.cells[job.column] if cell.row not in block.bad]
        n_words += sum(cell.text.count(b" ") for cell in cells) + len(cells)
        for cell, text in _cased(block, cells, job, caser):
            if text != cell.text:
                changed.append((cell, text))
    changed = [one for one in changed if one[0].row not in block.bad]
    changed.sort(key=lambda one: one[0].start)
    return CasedRows(
        _spliced(block.data, changed),
        block.n_rows,
        len(changed),
        n_words,
        block.n_seen,
        [block.bad[row] for row in sorted(block.bad)],
    )


def _cased(
    block: RowBlock, cells: list[Cell], job: ColumnJob, caser: ColumnCaser
) -> Iterator[tuple[Cell, bytes]]:
    texts = [cell.text for cell in cells]
    sources = _beside(block, cells, job.source)
    alignments = _beside(block, cells, job.alignment)

    def case(begin: int, end: int) -> list[bytes | None]:
        return caser.texts(
            texts[begin:end],
            None if sources is None else sources[begin:end],
            None if alignments is None else alignments[begin:end],
        )

    for begin, end, done in by_sound_rows(case, 0, len(cells)):
        if isinstance(done, str):
            cell = cells[begin]
            block.add_bad(cell.row, cell.start, f"{job.column}: {done}")
            continue
        for cell, text in zip(cells[begin:end], done, strict=True):
            assert text is not None
            yield cell, text


def _beside(block: RowBlock, cells: list[Cell], column: str | None) -> list[bytes | None] | None:
    """The texts of another column in the rows of cells."""
    if column is None:
        return None
    found = {cell.row: cell.text for cell in block.cells[column]}
    return [found.get(cell.row) for cell in cells]


def _spliced(data: bytes, changed: list[tuple[Cell, bytes]]) -> bytes:
    if not changed:
        return data
    view = memoryview(data)
    parts: list[bytes | memoryview] = []
    position = 0
    for cell, text in changed:
        parts += [view[position : cell.start], text if cell.written is None else cell.written(text)]
        position = cell.end
    parts.append(view[position:])
    return b"".join(parts)
