"""Case Arrow columns of text: rows are read in place, and several threads case blocks of them.

Also columns of Python's texts, and texts of columns.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from truecase.base.threads import ONE_THREAD_BYTES, bytes_for_a_thread, ordered_map
from truecase.errors import ColumnError, DocumentError
from truecase.truecaser._column_input import (
    InputChunk,
    InputColumn,
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
from truecase.truecaser.arguments import source_lines as with_source
from truecase.truecaser.arrow_types import TextType

if TYPE_CHECKING:
    from truecase.options import Casing
    from truecase.truecaser import Truecaser


# --- columns of Python's texts --------------------------------------------------------------

# Arrow's views hold texts of up to so many bytes.
_INLINE_BYTES = 12


def chunk_of_texts(texts: list[bytes | None], kind: TextType) -> ArrowChunk:
    """Make a chunk of the type `kind`."""
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
    """Make a dictionary's texts distinct, as readers of Arrow expect, and renumber its rows."""
    (chunk,) = InputColumn(_Offered(kind, texts))
    found: dict[bytes | None, int] = {}
    places = [found.setdefault(text, len(found)) for text in texts_of_rows(chunk)]
    if len(found) == len(places):
        return texts, numbers
    renumbered = np.array(places, np.int64)[numbers].astype(numbers.dtype)
    return chunk_of_texts(list(found), kind), renumbered


class _Offered:
    """Offers a chunk as a column."""

    def __init__(self, kind: TextType, chunk: ArrowChunk) -> None:
        self._parts = kind, chunk

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        return array_capsules(*self._parts)


def column_of_texts(texts: list[bytes | None]) -> Column:
    """Make a column of texts in UTF-8."""
    kind = TextType("large_string")
    return Column(kind, [chunk_of_texts(texts, kind)])


def texts_of_column(column: Column) -> list[bytes | None]:
    """Return the texts of a column."""
    return [text for chunk in InputColumn(column) for text in texts_of_rows(chunk)]


# --- casing -----------------------------------------------------------------------------------

# Rows are cased in blocks of about so many bytes, or fewer, so that all threads get some.
_BLOCK_BYTES = 1 << 18

# Arrow's letter for a 64-bit floating-point number.
_DOUBLE = "g"


#: Cases a block of lines, with the lines of its source and of its links, or None; several threads
#: call it at once.
CasesLines = Callable[[bytes, bytes | None, bytes | None], bytes]


class Column:
    """A column for libraries that read Arrow: pyarrow, polars, pandas, DuckDB, nanoarrow, datasets.

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
        """The type of its rows."""
        return "double" if self._kind == _DOUBLE else str(self._kind)

    @property
    def null_count(self) -> int:
        """The number of rows that are null."""
        return sum(chunk.null_count for chunk in self._chunks)

    def to_pylist(self) -> list[str | float | None]:
        """Return the rows as objects."""
        rows: list[str | float | None] = []
        if self._kind == _DOUBLE:
            for made in self._chunks:
                assert made.numbers is not None
                rows += [None if number != number else number for number in made.numbers.tolist()]
            return rows
        for chunk in InputColumn(self):
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


def truecase_column(
    truecaser: Truecaser,
    column: object,
    casing: Casing,
    threads: int,
    *,
    source: object,
    alignment: object,
    confidence: bool,
) -> Column | CasedColumn:
    """Do `Truecaser.column`, by a casing that the model can follow."""
    from truecase.evaluation._posteriors import line_confidences
    from truecase.truecaser.document import case_documents

    if not isinstance(threads, int) or threads < 1:
        raise ValueError(f"threads {threads!r}: expected a whole number, 1 or more")
    if alignment is not None and source is None:
        raise ValueError("an alignment needs its source")
    in_documents = casing.context == "document"
    if in_documents and source is not None:
        raise DocumentError("context document: sources are of lines")

    def case(block: bytes, sources: bytes | None, links: bytes | None) -> bytes:
        if in_documents:
            return case_documents(lambda part: truecaser._case_part(part, casing), block)
        return truecaser._case_part(block, casing, **with_source(block, sources, links))

    def confidences(
        block: bytes, sources: bytes | None, links: bytes | None
    ) -> npt.NDArray[np.float64]:
        of_source = with_source(block, sources, links)
        return line_confidences(truecaser._compiled, block, casing, **of_source)

    text, sure = case_column(
        column,
        case,
        confidences if confidence else None,
        source=source,
        alignment=alignment,
        threads=threads,
        n_feeds=2 if in_documents else 1,
    )
    return text if sure is None else CasedColumn(text, sure)


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
    """Case a column by functions of lines; returns texts, and confidences if asked for.

    Parameters
    ----------
    case : CasesLines
    confidences : callable, optional
        Has the parameters of `case`; returns the probability of each line's least certain word.
    n_feeds : int
        Line feeds between rows: 2 where a blank line is to end a document.
    """
    given = InputColumn(column)
    caser = _Caser(case, confidences, threads, n_feeds)
    parallel = [
        _ParallelColumn(other, name)
        for other, name in ((source, "source"), (alignment, "alignment"))
        if other is not None
    ]
    chunks, numbers = [], []
    for chunk in given:
        made, sure = _cased_chunk(chunk, caser, parallel)
        chunks.append(made)
        numbers.append(sure)
    for one in parallel:
        one.check_end()
    kind = given.type
    if kind.name == "null" or (kind.index_type and parallel):
        kind = TextType("string" if kind.name == "null" else kind.name)
    text = Column(kind, chunks)
    if confidences is None:
        return text, None
    return text, Column(_DOUBLE, [sure for sure in numbers if sure is not None])


class _Caser(NamedTuple):
    """Functions and settings that case blocks."""

    case: CasesLines
    confidences: Callable[..., npt.NDArray[np.float64]] | None
    threads: int
    n_feeds: int


class _ParallelColumn:
    """Reads a column whose rows belong to those of the column of text."""

    def __init__(self, column: object, name: str) -> None:
        self.name = name
        self._given = InputColumn(column, name)
        if self._given.type.index_type:
            raise ColumnError(f"{name}: expected text, found {self._given.type}")
        self._chunks = iter(self._given)
        self._chunk: InputChunk | None = None
        self._row = 0
        self._n_rows = 0

    def rows(self) -> tuple[InputChunk, int]:
        """Return the next row: its chunk, and its number there."""
        while self._chunk is None or self._row == self._chunk.length:
            chunk = next(self._chunks, None)
            if chunk is None:
                raise ColumnError(f"{self.name}: there are {self._n_rows:,} rows, and more texts")
            self._chunk, self._row = chunk, 0
        return self._chunk, self._row

    def n_left(self) -> int:
        """Return how many rows are left in the chunk."""
        chunk, row = self.rows()
        return chunk.length - row

    def advance(self, n: int) -> None:
        self._row += n
        self._n_rows += n

    def check_end(self) -> None:
        """Raise ColumnError if there are more rows than texts."""
        left = 0 if self._chunk is None else self._chunk.length - self._row
        left += sum(chunk.length for chunk in self._chunks)
        if left:
            raise ColumnError(
                f"{self.name}: there are {self._n_rows + left:,} rows, and {self._n_rows:,} texts"
            )


class _Task(NamedTuple):
    """Rows to be cased together."""

    chunk: InputChunk
    begin: int
    end: int
    parallel: list[tuple[str, InputChunk, int]]


def _cased_chunk(
    chunk: InputChunk, caser: _Caser, parallel: list[_ParallelColumn]
) -> tuple[ArrowChunk, ArrowChunk | None]:
    if chunk.type.name == "null":
        return _of_nulls(chunk.length, caser)
    if chunk.dictionary is not None:
        if parallel:
            raise ColumnError(
                f"column: each row of {chunk.type} would need its own source: cast it to "
                f"{chunk.type.name}"
            )
        return _of_dictionary(chunk, caser)
    writer = TextWriter(chunk, "column")
    sure = []
    n_threads, size = _shares(chunk, caser.threads)
    tasks = _tasks(chunk, parallel, size)
    for task, (block, numbers) in _done(tasks, caser, n_threads):
        writer.write(block, task.end, caser.n_feeds)
        if numbers is not None:
            sure.append(numbers)
    made = writer.finish()
    if caser.confidences is None:
        return made, None
    return made, chunk_of_numbers(np.concatenate([np.empty(0), *sure]), chunk.nulls())


def _decoded(chunk: InputChunk) -> list[str | None]:
    return [None if text is None else text.decode("utf-8") for text in texts_of_rows(chunk)]


def _done(
    tasks: Iterable[_Task], caser: _Caser, threads: int
) -> Iterator[tuple[_Task, tuple[bytes, npt.NDArray[np.float64] | None]]]:
    return ordered_map(lambda task: (task, _case(task, caser)), tasks, threads)


def _shares(chunk: InputChunk, threads: int) -> tuple[int, int]:
    """Number of threads for a chunk, and about how many bytes each gets at a time."""
    if threads == 1 or (n_bytes := chunk.n_bytes()) <= ONE_THREAD_BYTES:
        return 1, _BLOCK_BYTES
    return threads, min(_BLOCK_BYTES, bytes_for_a_thread(n_bytes, threads))


def _tasks(chunk: InputChunk, parallel: list[_ParallelColumn], n_bytes: int) -> Iterator[_Task]:
    begin = 0
    while begin < chunk.length:
        end = last_row(chunk, begin, n_bytes)
        # A task reads one chunk of each parallel column.
        end = min([end, *(begin + one.n_left() for one in parallel)])
        yield _Task(chunk, begin, end, [(one.name, *one.rows()) for one in parallel])
        for one in parallel:
            one.advance(end - begin)
        begin = end


def _case(task: _Task, caser: _Caser) -> tuple[bytes, npt.NDArray[np.float64] | None]:
    """Case some rows; runs in any thread."""
    chunk, begin, end, parallel = task
    lines = lines_of_rows(chunk, begin, end, caser.n_feeds)
    _check_utf8(lines, "column", task, caser.n_feeds)
    others: dict[str, bytes | None] = {"source": None, "alignment": None}
    for name, other, row in parallel:
        parallel_lines = source_lines(chunk, begin, end, other, row)
        _check_utf8(parallel_lines, name, task, 1)
        others[name] = parallel_lines
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
    """Raise ColumnError if a block is not UTF-8."""
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
    """Rows that are all null, as a chunk of string."""
    nothing, starts = np.zeros(length // 8 + 1, np.uint8), np.zeros(4 * (length + 1), np.uint8)
    made = chunk_of_buffers(length, length, [nothing, starts, b""])
    if caser.confidences is None:
        return made, None
    return made, chunk_of_numbers(np.zeros(length), np.ones(length, np.bool_))


def _of_dictionary(chunk: InputChunk, caser: _Caser) -> tuple[ArrowChunk, ArrowChunk | None]:
    """Case each text of the dictionary once; rows are numbers of these."""
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
    """Least confidence of the lines of each row; NaN for a row without lines, which is null."""
    by_row = np.full(len(counts), np.nan)
    with_lines = counts > 0
    if with_lines.any():
        ends = np.cumsum(counts[with_lines])
        by_row[with_lines] = np.minimum.reduceat(sure, ends - counts[with_lines])
    return by_row
