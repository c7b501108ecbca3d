"""Chunks of texts that are in Python.

Dictionaries whose texts became the same: readers of Arrow expect each text once.

Columns of texts that are in Python, and back.

Cases a column of text: row after row in its own memory, several threads at a time.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from truecase.base.threads import ONE_THREAD_BYTES, bytes_for_a_thread, ordered_map
from truecase.errors import ColumnError
from truecase.truecaser._column_input import (
    GivenChunk,
    GivenColumn,
    is_utf8,
    last_row,
    line_counts,
    lines_of_rows,
    row_with_lines,
    source_lines,
    texts_of_rows,
)
from truecase.truecaser._column_output import (
    ArrowChunk,
    TextWriter,
    array_capsules,
    chunk_of_buffers,
    chunk_of_numbers,
    dictionary_chunk,
    schema_capsule,
    stream_capsule,
)
from truecase.truecaser.column_types import TextType

_INLINE_BYTES = 12


def chunk_of_texts(texts: list[bytes | None], kind: TextType) -> ArrowChunk:
    """A chunk of a few texts, of the type `kind`."""
    is_there = np.array([text is not None for text in texts])
    n_nulls = len(texts) - int(is_there.sum())
    valid = np.packbits(is_there, bitorder="little") if n_nulls else None
    whole = [text or b"" for text in texts]
    if kind.name != "string_view":
        dtype = np.int32 if kind.name == "string" else np.int64
        ends = np.cumsum([0, *map(len, whole)]).astype(dtype)
        return chunk_of_buffers(len(texts), n_nulls, [valid, ends.view(np.uint8), b"".join(whole)])
    views, held = [], bytearray()
    for text in whole:
        if len(text) <= _INLINE_BYTES:
            views.append(struct.pack("<i12s", len(text), text))
        else:
            views.append(struct.pack("<i4sii", len(text), text, 0, len(held)))
            held += text
    sizes = struct.pack("<q", len(held))
    return chunk_of_buffers(len(texts), n_nulls, [valid, b"".join(views), bytes(held), sizes])


def distinct(
    texts: ArrowChunk, kind: TextType, numbers: npt.NDArray[np.integer]
) -> tuple[ArrowChunk, npt.NDArray[np.integer]]:
    """A dictionary with each of its texts once, and the numbers of rows in it.

    Parameters
    ----------
    texts : ArrowChunk
        Of the type `kind`.
    kind : TextType
    numbers : ndarray of int
    """
    (chunk,) = GivenColumn(_Offered(kind, texts))
    found: dict[bytes | None, int] = {}
    places = [found.setdefault(text, len(found)) for text in texts_of_rows(chunk)]
    if len(found) == len(places):
        return texts, numbers
    renumbered = np.array(places, np.int64)[numbers].astype(numbers.dtype)
    return chunk_of_texts(list(found), kind), renumbered


class _Offered:
    """A chunk as a column."""

    def __init__(self, kind: TextType, chunk: ArrowChunk) -> None:
        self._parts = kind, chunk

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        return array_capsules(*self._parts)


def column_of_texts(texts: list[bytes | None]) -> Column:
    """A column of texts in UTF-8."""
    kind = TextType("large_string")
    return Column(kind, [chunk_of_texts(texts, kind)])


def texts_of_column(column: Column) -> list[bytes | None]:
    """The texts of a column."""
    return [text for chunk in GivenColumn(column) for text in texts_of_rows(chunk)]


# Rows are cased in blocks of about so many bytes, or fewer, so that all threads get some.
_BLOCK_BYTES = 1 << 18

# The letter of Arrow's interface for numbers of 64 bits with a point.
_DOUBLE = "g"


#: Cases a block of lines, with the lines of a source and of links, or None; called by several
#: threads at once.
CasesLines = Callable[[bytes, bytes | None, bytes | None], bytes]


class Column:
    """A column for whoever reads Arrow: pyarrow, polars, pandas, DuckDB, nanoarrow, datasets.

    It offers ``__arrow_c_stream__``, and, if it is in one piece, ``__arrow_c_array__``.

    Attributes
    ----------
    type : str
        ``string``, ``large_string``, ``string_view``, a dictionary of these, or ``double``.
    null_count : int
    """

    def __init__(self, kind: TextType | str, chunks: list[ArrowChunk]) -> None:
        self._kind = kind
        self._chunks = chunks

    def __repr__(self) -> str:
        return f"<Column: {len(self):,} rows of {self.type}, {self.null_count:,} null>"

    def __len__(self) -> int:
        return sum(chunk.length for chunk in self._chunks)

    @property
    def type(self) -> str:
        """What its rows are."""
        return "double" if self._kind == _DOUBLE else str(self._kind)

    @property
    def null_count(self) -> int:
        """Rows that are null."""
        return sum(chunk.null_count for chunk in self._chunks)

    def to_pylist(self) -> list[str | float | None]:
        """The rows as objects."""
        rows: list[str | float | None] = []
        if self._kind == _DOUBLE:
            for made in self._chunks:
                assert made.numbers is not None
                rows += [None if number != number else number for number in made.numbers.tolist()]
            return rows
        for chunk in GivenColumn(self):
            if chunk.dictionary is None:
                rows += _decoded(chunk)
                continue
            texts = [*_decoded(chunk.dictionary), None]
            numbers, nulls = chunk.numbers().astype(np.int64), chunk.nulls()
            if nulls is not None:
                numbers[nulls] = len(texts) - 1
            rows += [texts[number] for number in numbers.tolist()]
        return rows

    def __iter__(self) -> Iterator[str | float | None]:
        return iter(self.to_pylist())

    def __array__(self, dtype: object = None, copy: bool | None = None) -> npt.NDArray[np.generic]:
        return np.array(self.to_pylist(), dtype or object)  # type: ignore[call-overload, no-any-return]

    def __arrow_c_schema__(self) -> object:
        return schema_capsule(self._kind)

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        if len(self._chunks) != 1:
            raise ColumnError(
                f"the column is in {len(self._chunks)} chunks, as the one that it was made of: "
                "take it as a stream (__arrow_c_stream__)"
            )
        return array_capsules(self._kind, self._chunks[0])

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return stream_capsule(self._kind, self._chunks)


class CasedColumn(NamedTuple):
    """A cased column, and how sure the model is of each row.

    Attributes
    ----------
    text : Column
    confidence : Column
        The probability of the row's least certain word, 1 for a row without words; null where the
        text is.
    """

    text: Column
    confidence: Column


def case_column(
    column: object,
    case: CasesLines,
    confidences: Callable[..., npt.NDArray[np.float64]] | None = None,
    *,
    source: object = None,
    alignment: object = None,
    threads: int = 1,
    n_feeds: int = 1,
) -> tuple[Column, Column | None]:
    """Case a column.

    Parameters
    ----------
    column : object
        With ``__arrow_c_array__`` or ``__arrow_c_stream__``.
    case : CasesLines
    confidences : callable, optional
        Takes what `case` takes, and gives the probability of each line's least certain word.
    source, alignment : object, optional
        Columns of as many rows.
    threads : int
    n_feeds : int
        Line feeds between rows: 2 where a blank line is to end a document.

    Returns
    -------
    text : Column
    confidence : Column or None

    Raises
    ------
    WrongTypeError, ColumnError
        One of them is no column of text, or broken, or of another length.
    """
    given = GivenColumn(column)
    caser = _Caser(case, confidences, threads, n_feeds)
    beside = [
        _Beside(other, name)
        for other, name in ((source, "source"), (alignment, "alignment"))
        if other is not None
    ]
    chunks, numbers = [], []
    for chunk in given:
        made, sure = _cased_chunk(chunk, caser, beside)
        chunks.append(made)
        numbers.append(sure)
    for one in beside:
        one.check_end()
    kind = given.type
    if kind.name == "null" or (kind.index_type and beside):
        kind = TextType("string" if kind.name == "null" else kind.name)
    text = Column(kind, chunks)
    if confidences is None:
        return text, None
    return text, Column(_DOUBLE, [sure for sure in numbers if sure is not None])


class _Caser(NamedTuple):
    """How blocks are cased."""

    case: CasesLines
    confidences: Callable[..., npt.NDArray[np.float64]] | None
    threads: int
    n_feeds: int


class _Beside:
    """A column whose rows belong to those of another one."""

    def __init__(self, column: object, name: str) -> None:
        self.name = name
        self._given = GivenColumn(column, name)
        if self._given.type.index_type:
            raise ColumnError(f"{name}: expected text, found {self._given.type}")
        self._chunks = iter(self._given)
        self._chunk: GivenChunk | None = None
        self._row = 0
        self._n_rows = 0

    def rows(self) -> tuple[GivenChunk, int]:
        """The chunk and the row in it that come next."""
        while self._chunk is None or self._row == self._chunk.length:
            chunk = next(self._chunks, None)
            if chunk is None:
                raise ColumnError(f"{self.name}: there are {self._n_rows:,} rows, and more texts")
            self._chunk, self._row = chunk, 0
        return self._chunk, self._row

    def n_left(self) -> int:
        """Rows that are left in the chunk."""
        chunk, row = self.rows()
        return chunk.length - row

    def advance(self, n: int) -> None:
        self._row += n
        self._n_rows += n

    def check_end(self) -> None:
        """Refuse rows beyond the texts."""
        left = 0 if self._chunk is None else self._chunk.length - self._row
        left += sum(chunk.length for chunk in self._chunks)
        if left:
            raise ColumnError(
                f"{self.name}: there are {self._n_rows + left:,} rows, and {self._n_rows:,} texts"
            )


class _Task(NamedTuple):
    """Rows to be cased together."""

    chunk: GivenChunk
    begin: int
    end: int
    beside: list[tuple[str, GivenChunk, int]]


def _cased_chunk(
    chunk: GivenChunk, caser: _Caser, beside: list[_Beside]
) -> tuple[ArrowChunk, ArrowChunk | None]:
    if chunk.type.name == "null":
        return _of_nulls(chunk.length, caser)
    if chunk.dictionary is not None:
        if beside:
            raise ColumnError(
                f"column: each row of {chunk.type} would need its own source: cast it to "
                f"{chunk.type.name}"
            )
        return _of_dictionary(chunk, caser)
    writer = TextWriter(chunk, "column")
    sure = []
    n_threads, size = _shares(chunk, caser.threads)
    tasks = _tasks(chunk, beside, size)
    for task, (block, numbers) in _done(tasks, caser, n_threads):
        writer.write(block, task.end, caser.n_feeds)
        if numbers is not None:
            sure.append(numbers)
    made = writer.finish()
    if caser.confidences is None:
        return made, None
    return made, chunk_of_numbers(np.concatenate([np.empty(0), *sure]), chunk.nulls())


def _decoded(chunk: GivenChunk) -> list[str | None]:
    return [None if text is None else text.decode("utf-8") for text in texts_of_rows(chunk)]


def _done(
    tasks: Iterable[_Task], caser: _Caser, threads: int
) -> Iterator[tuple[_Task, tuple[bytes, npt.NDArray[np.float64] | None]]]:
    return ordered_map(lambda task: (task, _case(task, caser)), tasks, threads)


def _shares(chunk: GivenChunk, threads: int) -> tuple[int, int]:
    """In how many threads a chunk is cased, and about how many bytes each gets at a time."""
    if threads == 1 or (n_bytes := chunk.n_bytes()) <= ONE_THREAD_BYTES:
        return 1, _BLOCK_BYTES
    return threads, min(_BLOCK_BYTES, bytes_for_a_thread(n_bytes, threads))


def _tasks(chunk: GivenChunk, beside: list[_Beside], n_bytes: int) -> Iterator[_Task]:
    begin = 0
    while begin < chunk.length:
        end = last_row(chunk, begin, n_bytes)
        # So that rows beside these are of one chunk, too.
        end = min([end, *(begin + one.n_left() for one in beside)])
        yield _Task(chunk, begin, end, [(one.name, *one.rows()) for one in beside])
        for one in beside:
            one.advance(end - begin)
        begin = end


def _case(task: _Task, caser: _Caser) -> tuple[bytes, npt.NDArray[np.float64] | None]:
    """Case some rows; runs in any thread."""
    chunk, begin, end, beside = task
    lines = lines_of_rows(chunk, begin, end, caser.n_feeds)
    _check_utf8(lines, "column", task, caser.n_feeds)
    others: dict[str, bytes | None] = {"source": None, "alignment": None}
    for name, other, row in beside:
        lines_beside = source_lines(chunk, begin, end, other, row)
        _check_utf8(lines_beside, name, task, 1)
        others[name] = lines_beside
    if others["alignment"] is not None:
        wrong = row_with_lines(chunk, begin, end)
        if wrong < end:
            raise ColumnError(
                f"row {wrong} of a chunk: has a line end in it, and an alignment is of one line"
            )
    given = lines, others["source"], others["alignment"]
    cased = caser.case(*given)
    if caser.confidences is None:
        return cased, None
    counts = line_counts(chunk, begin, end, caser.n_feeds)
    return cased, _by_row(caser.confidences(*given), counts)


def _check_utf8(block: bytes, name: str, task: _Task, n_feeds: int) -> None:
    """Refuse bytes that are no text.

    Raises
    ------
    ColumnError
    """
    if is_utf8(block):
        return
    try:
        block.decode("utf-8")
    except UnicodeDecodeError as error:
        line = block.count(b"\n", 0, error.start)
        ends = np.cumsum(line_counts(task.chunk, task.begin, task.end, n_feeds))
        row = task.begin + int(np.searchsorted(ends, line, side="right"))
        raise ColumnError(f"{name}: row {row} of a chunk is not UTF-8: {error.reason}") from None


def _of_nulls(length: int, caser: _Caser) -> tuple[ArrowChunk, ArrowChunk | None]:
    """Rows that are all null, as string."""
    nothing, starts = np.zeros(length // 8 + 1, np.uint8), np.zeros(4 * (length + 1), np.uint8)
    made = chunk_of_buffers(length, length, [nothing, starts, b""])
    if caser.confidences is None:
        return made, None
    return made, chunk_of_numbers(np.zeros(length), np.ones(length, np.bool_))


def _of_dictionary(chunk: GivenChunk, caser: _Caser) -> tuple[ArrowChunk, ArrowChunk | None]:
    """Each text of the dictionary is cased once; rows are numbers of these."""
    assert chunk.dictionary is not None
    writer = TextWriter(chunk.dictionary, "column")
    sure = [np.empty(0)]
    n_threads, size = _shares(chunk.dictionary, caser.threads)
    for task, (block, by_text) in _done(_tasks(chunk.dictionary, [], size), caser, n_threads):
        writer.write(block, task.end, caser.n_feeds)
        if by_text is not None:
            sure.append(by_text)
    given = chunk.numbers()
    texts, numbers = distinct(writer.finish(), chunk.dictionary.type, given)
    nulls = chunk.nulls()
    made = dictionary_chunk(numbers, texts, nulls)
    if caser.confidences is None:
        return made, None
    of_texts = np.concatenate([*sure, [np.nan]])
    by_row = np.full(chunk.length, np.nan)
    there = np.ones(chunk.length, np.bool_) if nulls is None else ~nulls
    by_row[there] = of_texts[given[there]]
    return made, chunk_of_numbers(by_row, np.isnan(by_row))


def _by_row(
    sure: npt.NDArray[np.float64], counts: npt.NDArray[np.int64]
) -> npt.NDArray[np.float64]:
    """The least of the lines of each row; NaN for a row without lines, which is null."""
    by_row = np.full(len(counts), np.nan)
    with_lines = counts > 0
    if with_lines.any():
        ends = np.cumsum(counts[with_lines])
        by_row[with_lines] = np.minimum.reduceat(sure, ends - counts[with_lines])
    return by_row
