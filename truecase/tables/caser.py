"""Cases the texts of a column, and finds the rows that cannot be cased."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from truecase.alignment.lines import AlignmentError
from truecase.columns.column import CasedColumn, Column
from truecase.columns.texts import column_of_texts, texts_of_column
from truecase.columns.types import ColumnError
from truecase.tables.job import Casing
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
