"""Case Arrow columns of text: rows are read in place, and several threads case blocks of them.

Also columns of Python's texts, and texts of columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from io import BytesIO
from itertools import chain, groupby, islice
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from truecase.base.argument_types import check_arguments
from truecase.base.threads import ONE_THREAD_BYTES, bytes_for_a_thread, ordered_map
from truecase.errors import ColumnError, DocumentError
from truecase.kernels.text import primary
from truecase.model.embedded import language_code, missing_model, model_of_language
from truecase.truecaser import Truecaser
from truecase.truecaser import _column as arrow
from truecase.truecaser._column import ArrowChunk, InputChunk, InputColumn
from truecase.truecaser.arguments import source_lines as with_source
from truecase.truecaser.arrow_types import TextType

_DOUBLE = TextType("double")


class Column:
    """A column for libraries that read Arrow: pyarrow, polars, pandas, DuckDB, nanoarrow, datasets.

    It offers ``__arrow_c_stream__``, and, if it is in one piece, ``__arrow_c_array__``.

    Attributes
    ----------
    type : str
        ``string``, ``large_string``, ``string_view``, a dictionary of these, or ``double``.
    null_count : int
    """

    def __init__(self, kind: TextType, chunks: list[ArrowChunk]) -> None:
        self._kind = kind
        self._chunks = chunks

    def __repr__(self) -> str:
        return f"<Column: {len(self):,} rows of {self.type}, {self.null_count:,} null>"

    def __len__(self) -> int:
        return sum(chunk.length for chunk in self._chunks)

    @property
    def type(self) -> str:
        """The type of its rows."""
        return str(self._kind)

    @property
    def null_count(self) -> int:
        """The number of rows that are null."""
        return sum(chunk.null_count for chunk in self._chunks)

    def to_pylist(self) -> list[str | float | None]:
        """Return the rows as objects."""
        if self._kind != _DOUBLE:
            return [*_rows_of(InputColumn(self))]
        numbers = chain(*(made.buffers[1].view(np.float64).tolist() for made in self._chunks))
        return [None if number != number else number for number in numbers]

    def __iter__(self) -> Iterator[str | float | None]:
        return iter(self.to_pylist())

    def __array__(self, dtype: object = None, copy: bool | None = None) -> npt.NDArray[np.generic]:
        return np.array(self.to_pylist(), dtype or object)  # type: ignore[call-overload, no-any-return]

    def __arrow_c_schema__(self) -> object:
        return arrow.schema_capsule(self._kind)

    def __getattr__(self, name: str) -> Any:
        """Offer ``__arrow_c_array__`` for a single chunk: libraries prefer it to the stream."""
        if name != "__arrow_c_array__":
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        if len(self._chunks) != 1:
            raise AttributeError(
                f"the column is in {len(self._chunks)} chunks, as the one that it was made of: "
                "take it as a stream (__arrow_c_stream__)"
            )
        return self._array_capsules

    def _array_capsules(self, requested_schema: object = None) -> tuple[object, object]:
        return arrow.array_capsules(self._kind, self._chunks[0])

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return arrow.stream_capsule(self._kind, self._chunks)


def _rows_of(column: InputColumn) -> Iterator[str | None]:
    """Yield the rows of a column, which may be a dictionary, as objects."""
    for chunk in column:
        if chunk.dictionary is None:
            yield from _decoded(chunk)
            continue
        texts = [*_decoded(chunk.dictionary), None]
        places, nulls = chunk.numbers().astype(np.int64), chunk.nulls()
        if nulls is not None:
            places[nulls] = len(texts) - 1
        yield from (texts[place] for place in places.tolist())


def _decoded(chunk: InputChunk) -> list[str | None]:
    return [None if text is None else text.decode("utf-8") for text in arrow.texts_of_rows(chunk)]


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


# --- writing ----------------------------------------------------------------------------------

# The most bytes that offsets of 32 bits and views reach.
_MAX_BYTES = (1 << 31) - 1


class _TextWriter:
    """Collects the texts of a chunk, in the layout of their type."""

    def __init__(self, kind: TextType, length: int) -> None:
        self._kind = kind.name
        self._row = 0
        # Of views several, each below 2 GiB.
        self._buffers = [BytesIO()]
        is_view = self._kind == "string_view"
        dtype = np.int64 if self._kind == "large_string" else np.int32
        self._places: npt.NDArray[Any] = np.zeros((length, 4) if is_view else length + 1, dtype)

    def add(self, texts: bytes | memoryview, ends: npt.NDArray[np.int64]) -> None:
        """Add texts, which stand one after the other, by their ends.

        Raises
        ------
        ColumnError
            The texts have become too many bytes for the type of the column.
        """
        begin, end = self._row, self._row + len(ends)
        out = self._buffers[-1]
        if self._kind == "string_view":
            if out.tell() + len(texts) > _MAX_BYTES:
                out = BytesIO()
                self._buffers.append(out)
            views = self._places[begin:end]
            texts = arrow.views_of_texts(texts, ends, views, len(self._buffers) - 1, out.tell())
        else:
            self._places[begin + 1 : end + 1] = ends + out.tell()
        out.write(texts)
        self._row = end
        if out.tell() > _MAX_BYTES and self._kind != "large_string":
            raise ColumnError(
                f"column: the cased texts of a chunk are 2 GiB or more, too many for {self._kind}: "
                "cast the column to large_string, or cut it in chunks"
            )

    def finish(self, nulls: npt.NDArray[np.bool_] | None) -> ArrowChunk:
        """Make the chunk; call it once."""
        buffers: list[object] = [self._places.reshape(-1).view(np.uint8)]
        buffers += [buffer.getvalue() for buffer in self._buffers]
        if self._kind == "string_view":
            sizes = [buffer.tell() for buffer in self._buffers]
            buffers.append(np.array(sizes, np.int64).view(np.uint8))
        return ArrowChunk(self._row, buffers, nulls)


def _chunk_of_texts(texts: list[bytes | None], kind: TextType) -> ArrowChunk:
    whole = [text or b"" for text in texts]
    writer = _TextWriter(kind, len(texts))
    writer.add(b"".join(whole), np.cumsum([len(text) for text in whole], dtype=np.int64))
    return writer.finish(np.array([text is None for text in texts], np.bool_))


def _distinct(
    texts: ArrowChunk, kind: TextType, numbers: npt.NDArray[np.integer]
) -> tuple[ArrowChunk, npt.NDArray[np.integer]]:
    """Make a dictionary's texts distinct, as readers of Arrow expect, and renumber its rows."""
    found: dict[bytes | None, int] = {}
    places = [found.setdefault(text, len(found)) for text in texts_of_column(Column(kind, [texts]))]
    if len(found) == len(places):
        return texts, numbers
    renumbered = np.array(places, np.int64)[numbers].astype(numbers.dtype)
    return _chunk_of_texts(list(found), kind), renumbered


def column_of_texts(texts: list[bytes | None]) -> Column:
    """Make a column of texts in UTF-8."""
    kind = TextType("large_string")
    return Column(kind, [_chunk_of_texts(texts, kind)])


def texts_of_column(column: Column) -> list[bytes | None]:
    """Return the texts of a column."""
    return [text for chunk in InputColumn(column) for text in arrow.texts_of_rows(chunk)]


# --- languages of rows ------------------------------------------------------------------------


@lru_cache(maxsize=32)
def _of_language(name: str) -> Truecaser | None:
    """Load the installed model of a language, by its tag or name; None if there is none."""
    code = language_code(name)
    found = model_of_language(name if primary(name) == code else code)
    return None if found is None else Truecaser.load(found)


def missing_languages(truecaser: object, names: Iterable[str]) -> dict[str, str]:
    """Say, by the names of rows' languages, which models are not installed."""
    return {
        name: missing_model(language_code(name))
        for name in names
        if not _is_own(truecaser, name) and _of_language(name) is None
    }


def _is_own(truecaser: object, name: str) -> bool:
    """Whether the truecaser itself cases rows of a language, or without one."""
    code = language_code(name)
    own = truecaser.model.text.language if isinstance(truecaser, Truecaser) else ""
    return not code or code == primary(own)


#: Chooses the truecasers of rows by their texts.
OfTexts = Callable[[list[str]], list[Truecaser]]


class _Casers:
    """Chooses the truecaser of each row: by the name of its language, or else by its text."""

    def __init__(
        self, truecaser: Truecaser, of_texts: OfTexts | None, names: list[str | None] | None
    ) -> None:
        self._truecaser = truecaser
        self._of_texts = of_texts
        self.names = names
        # Words of offices are English.
        how = {**truecaser.casing._asdict(), "offices": "as-learned"}
        own = None if of_texts else truecaser
        known = {name for name in names or () if name}
        for what in missing_languages(own, known).values():
            raise ColumnError(f"language: {what}")
        self._others = {
            name: other.with_casing(**how)
            for name in known
            if not _is_own(own, name) and (other := _of_language(name))
        }

    def runs(self, chunk: InputChunk, begin: int) -> Iterator[tuple[Truecaser, int]]:
        """Yield the truecaser and the end of each run of rows of a chunk.

        `begin` is the row of the column that the chunk begins with.
        """
        names = self.names
        if self._of_texts is None and names is None:
            yield self._truecaser, chunk.length
            return
        casers = [self._truecaser] * chunk.length
        if self._of_texts is not None:
            texts = arrow.texts_of_rows(chunk)
            casers = self._of_texts([(text or b"").decode("utf-8", "replace") for text in texts])
        for row, name in enumerate(names[begin : begin + chunk.length] if names else ()):
            casers[row] = self._others.get(name or "", casers[row])
        for caser, rows in groupby(range(chunk.length), casers.__getitem__):
            yield caser, list(rows)[-1] + 1


# --- casing -----------------------------------------------------------------------------------

# Rows are cased in blocks of about so many bytes, or fewer, so that all threads get some.
_BLOCK_BYTES = 1 << 18


def truecase_column(
    truecaser: Truecaser,
    column: object,
    threads: int,
    others: dict[str, object],
    *,
    confidence: bool,
    of_texts: OfTexts | None = None,
) -> Column | CasedColumn:
    """Do `Truecaser.column` by its casing; with `of_texts`, that of `MultilingualTruecaser`.

    `others` are the columns ``source``, ``alignment`` and ``language``, or None.
    """
    language = others.pop("language")
    check_arguments(truecase_column, {"threads": threads, "confidence": confidence})
    if others["alignment"] is not None and others["source"] is None:
        raise ValueError("an alignment needs its source")
    if truecaser.casing.context == "document" and others["source"] is not None:
        raise DocumentError("context document: sources go with the context line")
    given = InputColumn(column)
    names = None if language is None else list(_rows_of(InputColumn(language, "language")))
    casers = _Casers(truecaser, of_texts, names)
    beside = {name: _texts_beside(it, name) for name, it in others.items() if it is not None}
    caser = _ChunkCaser(truecaser, casers, beside, threads, confidence)
    cased: list[tuple[ArrowChunk, _Confidences]] = []
    n_rows = 0
    for chunk in given:
        if names is not None and len(names) < n_rows + chunk.length:
            raise ColumnError(f"language: there are {len(names):,} rows, and more texts")
        cased.append(caser.case(chunk, n_rows))
        n_rows += chunk.length
    left = {name: sum(1 for _ in texts) for name, texts in beside.items()}
    left["language"] = 0 if names is None else len(names) - n_rows
    for name, n_left in left.items():
        if n_left:
            raise ColumnError(f"{name}: there are {n_rows + n_left:,} rows, and {n_rows:,} texts")
    kind = given.type
    if kind.name == "null" or (kind.index_type and beside):
        kind = TextType("string" if kind.name == "null" else kind.name)
    text = Column(kind, [chunk for chunk, _ in cased])
    if not confidence:
        return text
    chunks = [
        ArrowChunk(len(sure), [sure.view(np.uint8)], np.isnan(sure))
        for _, sure in cased
        if sure is not None
    ]
    return CasedColumn(text, Column(_DOUBLE, chunks))


def _texts_beside(column: object, name: str) -> Iterator[bytes | None]:
    """Read a column whose rows belong to those of the column of text, chunk by chunk."""
    given = InputColumn(column, name)
    if given.type.index_type:
        raise ColumnError(f"{name}: expected text, found {given.type}")
    return (text for chunk in given for text in arrow.texts_of_rows(chunk))


class _Task(NamedTuple):
    """Rows of a chunk that are cased together, and what stands beside each."""

    caser: Truecaser
    chunk: InputChunk
    begin: int
    end: int
    beside: dict[str, list[bytes | None]]


#: Confidences of rows, NaN for null; or None where nobody asks for them.
_Confidences = npt.NDArray[np.float64] | None


class _ChunkCaser:
    """Cases chunks; several threads share the rows of each."""

    def __init__(
        self,
        truecaser: Truecaser,
        casers: _Casers,
        beside: dict[str, Iterator[bytes | None]],
        threads: int,
        with_confidence: bool,
    ) -> None:
        self._casers = casers
        self._beside = beside
        self._threads = threads
        self._with_confidence = with_confidence
        # A blank line ends a document.
        self._n_feeds = 2 if truecaser.casing.context == "document" else 1

    def case(self, chunk: InputChunk, n_before: int) -> tuple[ArrowChunk, _Confidences]:
        """Case a chunk behind `n_before` rows; returns texts, and the confidence of each."""
        if chunk.dictionary is None:
            return self._case_texts(chunk, n_before)
        if self._beside or self._casers.names is not None:
            raise ColumnError(
                f"column: each row of {chunk.type} would need its own source or language: cast it "
                f"to {chunk.type.name}"
            )
        # Each text of the dictionary is cased once; rows are numbers of these.
        texts, by_text = self._case_texts(chunk.dictionary, 0)
        given, nulls = chunk.numbers(), chunk.nulls()
        texts, numbers = _distinct(texts, chunk.dictionary.type, given)
        made = ArrowChunk(chunk.length, [numbers.view(np.uint8)], nulls, texts)
        if by_text is None:
            return made, None
        by_row = np.full(chunk.length, np.nan)
        there = np.ones(chunk.length, np.bool_) if nulls is None else ~nulls
        by_row[there] = by_text[given[there]]
        return made, by_row

    def _case_texts(self, chunk: InputChunk, n_before: int) -> tuple[ArrowChunk, _Confidences]:
        threads, size = 1, _BLOCK_BYTES
        if self._threads > 1 and (n_bytes := chunk.n_bytes()) > ONE_THREAD_BYTES:
            threads = self._threads
            size = min(size, bytes_for_a_thread(n_bytes, threads))
        writer = _TextWriter(chunk.type, chunk.length)
        sure = [np.empty(0)]
        tasks = self._tasks(chunk, n_before, size)
        for texts, ends, by_row in ordered_map(self._case_rows, tasks, threads):
            writer.add(texts, ends)
            if by_row is not None:
                sure.append(by_row)
        confidences = np.concatenate(sure) if self._with_confidence else None
        return writer.finish(chunk.nulls()), confidences

    def _tasks(self, chunk: InputChunk, n_before: int, n_bytes: int) -> Iterator[_Task]:
        begin = 0
        for caser, run_end in self._casers.runs(chunk, n_before):
            while begin < run_end:
                end = min(run_end, arrow.last_row(chunk, begin, n_bytes))
                rows = {name: [*islice(it, end - begin)] for name, it in self._beside.items()}
                for name, texts in rows.items():
                    if len(texts) < end - begin:
                        n_rows = n_before + begin + len(texts)
                        raise ColumnError(f"{name}: there are {n_rows:,} rows, and more texts")
                yield _Task(caser, chunk, begin, end, rows)
                begin = end

    def _case_rows(self, task: _Task) -> tuple[memoryview, npt.NDArray[np.int64], _Confidences]:
        """Case some rows: their texts, the ends of these, and confidences; runs in any thread."""
        from truecase.truecaser.document import case_documents

        rows = task.chunk, task.begin, task.end
        lines = arrow.lines_of_rows(*rows, self._n_feeds)
        _check_utf8(lines, "column", task, self._n_feeds)
        others = {name: _lines_beside(texts, task) for name, texts in task.beside.items()}
        for name, beside in others.items():
            _check_utf8(beside, name, task, 1)
        if "alignment" in others:
            several = np.flatnonzero(arrow.line_counts(*rows) > 1)
            if len(several):
                raise ColumnError(
                    f"row {task.begin + several[0]} of a chunk: has a line end in it, but an "
                    "alignment is for one line"
                )
        of_source = with_source(lines, others.get("source"), others.get("alignment"))
        caser = task.caser
        if caser.casing.context == "document":
            block = case_documents(partial(caser._case_part, casing=caser.casing), lines)
        else:
            block = caser._case_part(lines, caser.casing, **of_source)
        texts, ends = arrow.texts_of_lines(*rows, block, self._n_feeds)
        if not self._with_confidence:
            return texts, ends, None
        from truecase.evaluation._posteriors import line_confidences

        by_line = line_confidences(caser._compiled, lines, caser.casing, **of_source)
        return texts, ends, _by_row(by_line, arrow.line_counts(*rows, self._n_feeds))


def _lines_beside(texts: list[bytes | None], task: _Task) -> bytes:
    """Return what stands beside each line: its own line, or, if unclear, the whole text."""
    counts = arrow.line_counts(task.chunk, task.begin, task.end)
    lines: list[bytes] = []
    for n, text in zip(counts.tolist(), texts, strict=True):
        own = (text or b"").split(b"\n")
        lines += own if len(own) == n else [b" ".join(own)] * n
    return b"".join(line + b"\n" for line in lines)


def _check_utf8(block: bytes, name: str, task: _Task, n_feeds: int) -> None:
    """Raise ColumnError if a block is not UTF-8."""
    try:
        block.decode("utf-8")
    except UnicodeDecodeError as error:
        line = block.count(b"\n", 0, error.start)
        ends = np.cumsum(arrow.line_counts(task.chunk, task.begin, task.end, n_feeds))
        row = task.begin + int(np.searchsorted(ends, line, side="right"))
        raise ColumnError(f"{name}: row {row} of a chunk is not UTF-8: {error.reason}") from None


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
