"""Cases the rows of tables, and finds rows that cannot be cased."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from truecase.errors import AlignmentError, ColumnError
from truecase.formats.errors import BadRow
from truecase.formats.segments import spliced
from truecase.formats.tables import Casing, ColumnJob
from truecase.truecaser import Truecaser
from truecase.truecaser.column import CasedColumn, Column, column_of_texts, texts_of_column

Result = TypeVar("Result")

#: What is wrong with some row of a column.
ROW_ERRORS = (AlignmentError, ColumnError)

_PLACE = re.compile(r"^column: |(?:row \d+ of a chunk|line \d+)(?:: | )")


class ColumnCaser:
    """Cases columns, with `threads` threads for each."""

    def __init__(self, truecaser: Truecaser, casing: Casing, threads: int = 1) -> None:
        self._truecaser = truecaser
        self._casing = casing
        self._threads = threads

    def column(self, texts: object, source: object = None, alignment: object = None) -> Column:
        """A cased column; see `truecase.Truecaser.column`."""
        cased: Column = self._truecaser.column(
            texts, self._threads, source=source, alignment=alignment, **vars(self._casing)
        )
        return cased

    def with_confidence(
        self, texts: object, source: object = None, alignment: object = None
    ) -> CasedColumn:
        """A cased column, and the probability of each row's least certain word."""
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
        """Cased texts, in UTF-8."""
        source, alignment = (
            None if other is None else column_of_texts(list(other))
            for other in (sources, alignments)
        )
        return texts_of_column(self.column(column_of_texts(list(texts)), source, alignment))


def reason_of(error: ValueError) -> str:
    """The message of an error about a single row, without the place of the row."""
    return _PLACE.sub("", str(error))


def by_sound_rows(
    case: Callable[[int, int], Result], begin: int, end: int
) -> Iterator[tuple[int, int, Result | str]]:
    """Case rows; if some cannot be cased, case all others.

    Parameters
    ----------
    case : callable
        Cases the rows `begin` … `end` - 1; one of `ROW_ERRORS` means that some row is bad.
    begin, end : int

    Yields
    ------
    begin, end : int
    result : object or str
        What `case` returned for these rows; for a bad row, what is wrong with it.
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
        Its bytes in the block, without quotation marks.
    text : bytes
        In UTF-8, without escapes.
    written : callable or None
        Escapes another text of the same length; None if nothing needs escapes.
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
        The number of its first row in the file.
    first_line : int or None
        The number of its first line, where a row is not a line.
    n_rows : int
    cells : dict of str to list of Cell
        By column, in order.
    n_seen : dict of str to int
        How many rows have the column, with or without a text.
    bad : dict of int to BadRow
        By row in the block.
    """

    data: bytes
    first_row: int
    first_line: int | None
    n_rows: int = 0
    cells: dict[str, list[Cell]] = field(default_factory=dict)
    n_seen: dict[str, int] = field(default_factory=dict)
    bad: dict[int, BadRow] = field(default_factory=dict)

    def add_bad(self, row: int, at: int, reason: str) -> None:
        """Mark a row as bad; `at` is one of its bytes."""
        line = None
        if self.first_line is not None:
            line = self.first_line + self.data.count(b"\n", 0, at)
        self.bad.setdefault(row, BadRow(self.first_row + row, line, reason))


class CasedRows(NamedTuple):
    """A block after casing; see `RowBlock`.

    Attributes
    ----------
    n_changed, n_words : int
        Texts that changed; words of all texts, about.
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
    splices = (
        (cell.start, cell.end, text if cell.written is None else cell.written(text))
        for cell, text in changed
    )
    return CasedRows(
        b"".join(spliced(block.data, splices)) if changed else block.data,
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
