"""Parquet and Arrow IPC: row group by row group, or batch by batch, written as they were found."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import pairwise, takewhile
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from truecase.base.progress import Progress
from truecase.base.read import STDIN, display_name, open_bytes
from truecase.errors import TableError, TableOptionError
from truecase.formats import words_of
from truecase.formats.rows import BadRow, CasedRows, by_sound_rows, missing_column, sound_languages
from truecase.formats.tables import ITEMS, ColumnJob, Path, Sink, TableJob, parse_path, write_path
from truecase.truecaser import Truecaser
from truecase.truecaser.column import CasedColumn, missing_languages
from truecase.truecaser.multilingual import MultilingualTruecaser

_Array = Any
_Batch = Any
_Schema = Any


class Place(NamedTuple):
    """A column's name, the table's column with it, the steps to its texts, and their type."""

    name: str
    number: int
    steps: Path
    kind: Any


class _Job(NamedTuple):
    """A `ColumnJob` whose columns have been found."""

    place: Place
    source: Place | None
    alignment: Place | None
    confidence: str | None
    language: Place | None


class ArrowColumns:
    """Cases columns of the batches of one schema; `schema` is that of the cased batches."""

    def __init__(
        self,
        name: str,
        schema: _Schema,
        job: TableJob,
        truecaser: Truecaser | MultilingualTruecaser,
    ) -> None:
        self._name = name
        self._given = schema
        self._truecaser = truecaser
        self._threads = job.threads
        self._suffix = job.suffix
        self._jobs = [self._job(one) for one in job.columns]
        self.schema = self._new_schema()
        # Columns of the table whose texts change, and those that are added.
        in_place = self._jobs if self._suffix is None else ()
        self.cased_in_place = {schema.names[one.place.number] for one in in_place}
        self.new_columns = self.schema.names[len(schema.names) :]

    def _job(self, job: ColumnJob) -> _Job:
        place = self._place(job.column)
        job.check_lists(lambda column: ITEMS in self._place(column).steps)
        if place.steps and self._suffix is not None:
            raise TableOptionError(f"suffix: {job.column} is within another column")
        source, alignment, language = (
            None if other is None else self._place(other)
            for other in (job.source, job.alignment, job.language)
        )
        if (source or language) is not None and pa.types.is_dictionary(place.kind):
            raise TableError(
                f"{self._name}: column {job.column} is a dictionary, whose texts are cased once "
                f"for all rows: it takes no {'language' if source is None else 'source'}"
            )
        return _Job(place, source, alignment, job.confidence, language)

    def _place(self, column: str) -> Place:
        """Find a column of text."""
        names = self._given.names
        if names.count(column) > 1:
            raise TableError(f"{self._name}: there are {names.count(column)} columns {column}")
        name, *steps = (column,) if column in names else parse_path(column)
        kind = None
        if names.count(name) == 1:
            kind = _type_at(self._given.field(name).type, tuple(steps))
        if kind is None:
            raise missing_column(self._name, column, list(_text_paths(self._given)))
        if not _is_text(kind):
            hint = ""
            if _is_list(kind):
                hint = f"; {column}[] leads to its items"
            elif pa.types.is_struct(kind) and kind.num_fields:
                hint = f"; {column}.{kind.field(0).name} is a field of it"
            elif pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
                hint = ": cast it to string"
            raise TableError(f"{self._name}: column {column}: expected text, found {kind}{hint}")
        if not _can_be_plain(kind):
            raise TableError(
                f"{self._name}: column {column}: pyarrow {pa.__version__} does not support {kind}: "
                "install a newer version"
            )
        return Place(column, names.index(name), tuple(steps), kind)

    def _new_schema(self) -> _Schema:
        schema = self._given
        for job in self._jobs:
            fields = []
            if self._suffix is not None:
                field = self._given.field(job.place.number)
                fields.append(field.with_name(field.name + self._suffix))
            if job.confidence is not None:
                fields.append(pa.field(job.confidence, pa.float64()))
            for field in fields:
                if field.name in schema.names:
                    raise TableError(f"{self._name}: there is a column {field.name} already")
                schema = schema.append(field)
        return schema

    def case(self, batch: _Batch, first_row: int, count_words: bool) -> CasedRows:
        """Case the columns of a batch, whose first row has a number in the file."""
        bad: dict[int, BadRow] = {}
        cased = [self._case_job(batch, job, first_row, bad) for job in self._jobs]
        is_bad = np.zeros(batch.num_rows, np.bool_)
        is_bad[list(bad)] = True
        columns = list(batch.columns)
        n_changed = n_words = 0
        for job, (given, rows, made, sure) in zip(self._jobs, cased, strict=True):
            # A row is cased completely, or not at all.
            texts = _taken_back(given, made, is_bad[rows]) if bad else made
            before = _plain_texts(given)
            n_changed += pc.sum(pc.not_equal(before, _plain_texts(texts))).as_py() or 0
            if count_words:
                n_words += pc.sum(pc.count_substring(before, " ")).as_py() or 0
                n_words += pc.count(before).as_py()
            if self._suffix is None:
                # Another field of the same column may have been cased before.
                at = job.place.number
                columns[at] = _with_texts(columns[at], job.place.steps, texts)
            else:
                columns.append(texts)
            if job.confidence is not None:
                columns.append(pc.if_else(pa.array(is_bad), None, sure))
        return CasedRows(
            pa.RecordBatch.from_arrays(columns, schema=self.schema),
            batch.num_rows,
            n_changed,
            n_words,
            [bad[row] for row in sorted(bad)],
        )

    def _case_job(
        self, batch: _Batch, job: _Job, first_row: int, bad: dict[int, BadRow]
    ) -> tuple[_Array, npt.NDArray[np.int64], _Array, _Array]:
        """The texts of a column, the row of each, the cased texts, and how sure the model is.

        Texts of rows that it adds to `bad` stay.
        """
        given, rows = _texts_at(batch.column(job.place.number), job.place.steps)

        def add_bad(i: int, column: str, why: str) -> None:
            row = int(rows[i])
            bad.setdefault(row, BadRow(first_row + row, None, f"{column}: {why}"))

        def beside(place: Place) -> _Array:
            return _plain_texts(_texts_at(batch.column(place.number), place.steps)[0])

        others = (job.source, job.alignment, job.language)
        columns = [given, *(None if place is None else beside(place) for place in others)]
        if job.language is not None:
            column = job.language.name
            names = [name or "" for name in columns[-1].take(pa.array(rows)).to_pylist()]
            missing = partial(missing_languages, self._truecaser)
            names = sound_languages(names, missing, lambda i, why: add_bad(i, column, why))
            columns[-1] = pa.array(names, pa.string())

        def case(begin: int, end: int) -> tuple[_Array, _Array]:
            texts, source, alignment, language = (
                None if column is None else column.slice(begin, end - begin) for column in columns
            )
            cased = self._truecaser.column(  # type: ignore[call-overload]
                texts,
                self._threads,
                source=source,
                alignment=alignment,
                language=language,
                confidence=job.confidence is not None,
            )
            if isinstance(cased, CasedColumn):
                return pa.array(cased.text), pa.array(cased.confidence)
            return pa.array(cased), None

        n = len(given)
        if n == 0 or pa.types.is_null(given.type):
            return given, rows, given, pa.nulls(n, pa.float64())
        name = job.place.name
        # The texts of a dictionary are those of all rows.
        is_dictionary = pa.types.is_dictionary(given.type)
        made, sure = [], []
        for begin, _, found in by_sound_rows(case, 0, n, cut=not is_dictionary):
            if isinstance(found, str) and is_dictionary:
                raise TableError(f"{self._name}: column {name}: its dictionary: {found}")
            if isinstance(found, str):
                add_bad(begin, name, found)
                made.append(given.slice(begin, 1))
                sure.append(pa.nulls(1, pa.float64()))
            else:
                made.append(found[0])
                sure.append(found[1])
        return given, rows, _joined(made), None if job.confidence is None else _joined(sure)


def _joined(arrays: list[_Array]) -> _Array:
    return arrays[0] if len(arrays) == 1 else pa.concat_arrays(arrays)


def _taken_back(before: _Array, after: _Array, is_bad: npt.NDArray[np.bool_]) -> _Array:
    """The texts `after`, but those of bad rows as they were."""
    cuts = (np.flatnonzero(np.diff(is_bad)) + 1).tolist()
    return _joined(
        [
            (before if is_bad[begin] else after).slice(begin, end - begin)
            for begin, end in pairwise([0, *cuts, len(before)])
        ]
    )


# --- types ------------------------------------------------------------------------------------


def _is_text(kind: Any) -> bool:
    if pa.types.is_dictionary(kind):
        return not pa.types.is_null(kind.value_type) and _is_text(kind.value_type)
    types = pa.types
    checks = (types.is_string, types.is_large_string, types.is_string_view, types.is_null)
    return any(check(kind) for check in checks)


def _is_list(kind: Any) -> bool:
    return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind))


def _type_at(kind: Any, steps: Path) -> Any:
    """The type that steps lead to; None if there are no such steps."""
    for step in steps:
        if step is ITEMS and _is_list(kind):
            kind = kind.value_type
        elif step is not ITEMS and pa.types.is_struct(kind) and kind.get_field_index(step) >= 0:
            kind = kind.field(step).type
        else:
            return None
    return kind


def _text_paths(schema: _Schema) -> Iterator[str]:
    """The paths of all texts."""
    for field in schema:
        for path in _paths_of(field.type, (field.name,)):
            # A name at the top is taken as it is.
            yield field.name if len(path) == 1 else write_path(path)


def _paths_of(kind: Any, path: Path) -> Iterator[Path]:
    if _is_text(kind):
        yield path
    elif _is_list(kind):
        yield from _paths_of(kind.value_type, (*path, ITEMS))
    elif pa.types.is_struct(kind):
        for i in range(kind.num_fields):
            yield from _paths_of(kind.field(i).type, (*path, kind.field(i).name))


def _can_be_plain(kind: Any) -> bool:
    """Whether this pyarrow can cast such strings to plain strings and back."""
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    try:
        # Not pa.array([], …), which would import pandas.
        pa.nulls(0, _plain(kind)).cast(kind).cast(_plain(kind))
    except pa.ArrowNotImplementedError:
        return False
    return True


def _plain(kind: Any) -> Any:
    return pa.large_string() if pa.types.is_string_view(kind) else kind


# --- texts ------------------------------------------------------------------------------------


def _texts_at(array: _Array, steps: Path) -> tuple[_Array, npt.NDArray[np.int64]]:
    """All texts of an array, and the row of each."""
    rows = np.arange(len(array))
    for step in steps:
        if step is ITEMS:
            offsets = array.offsets.to_numpy()
            rows = np.repeat(rows, np.diff(offsets))
            array = array.values.slice(offsets[0], offsets[-1] - offsets[0])
        else:
            array = pc.struct_field(array, [step])
    return array, rows


def _with_texts(array: _Array, steps: Path, texts: _Array) -> _Array:
    """The array with other texts."""
    if not steps:
        return texts
    mask = array.is_null() if array.null_count else None
    if steps[0] is ITEMS:
        offsets = array.offsets
        first, last = offsets[0].as_py(), offsets[-1].as_py()
        values = _with_texts(array.values.slice(first, last - first), steps[1:], texts)
        return type(array).from_arrays(
            pc.subtract(offsets, offsets[0]), values, type=array.type, mask=mask
        )
    fields = [array.type.field(i) for i in range(array.type.num_fields)]
    children = [array.field(i) for i in range(len(fields))]
    wanted = array.type.get_field_index(steps[0])
    children[wanted] = _with_texts(children[wanted], steps[1:], texts)
    return pa.StructArray.from_arrays(children, fields=fields, mask=mask)


def _plain_texts(array: _Array) -> _Array:
    """The texts as plain strings: pyarrow can do little with views and dictionaries of views."""
    if pa.types.is_dictionary(array.type):
        texts = array.dictionary.cast(_plain(array.type.value_type))
        return pa.DictionaryArray.from_arrays(array.indices, texts).dictionary_decode()
    return array.cast(pa.string() if pa.types.is_null(array.type) else _plain(array.type))


# Where the header of a page of version 2 differs from version 1: its type, in Thrift's compact
# protocol.
_PAGE_OF_VERSION_2 = b"\x15\x06"

_ENCODINGS = words_of("encodings")


class _Part(NamedTuple):
    """A row group, or a batch: its batches, its size in the file, about, and its own metadata."""

    batches: list[Any]
    n_bytes: int
    metadata: Any = None


class _File(NamedTuple):
    """A table that is read."""

    schema: Any
    parts: Callable[[], Iterator[_Part]]
    # Makes a writer for an output, after the first part was read.
    writer: Callable[[Any, ArrowColumns], Any]
    # Writes, with a writer, the batches that were cased of a part.
    write: Callable[[Any, list[Any], _Part], None]


def cased_arrow(
    path: str,
    sink: Sink,
    job: TableJob,
    truecaser: Truecaser | MultilingualTruecaser,
    progress: Progress | None,
) -> Generator[CasedRows, None, None]:
    """Case the rows of a file of Parquet or Arrow IPC; each is written after it was yielded.

    Parameters are those of `case_table_into`. Raises TableError if the file is broken, or in
    another format, or lacks a column.
    """
    name = path if job.format == "parquet" else display_name(path)
    is_shown = progress is not None and progress.is_shown
    with ExitStack() as stack:
        with _reading(name, job):
            file = _OPEN[job.format](path, stack, job)
        columns = ArrowColumns(name, file.schema, job, truecaser)
        out = _Output(sink)
        stack.callback(out.abandon)
        writer = None
        first_row = 1
        try:
            for part in file.parts():
                made = []
                for batch in part.batches:
                    rows = columns.case(batch, first_row, is_shown)
                    first_row += rows.n_rows
                    yield rows
                    made.append(rows.data)
                writer = writer or file.writer(out, columns)
                file.write(writer, made, part)
                if progress is not None:
                    progress.add_bytes(part.n_bytes)
            (writer or file.writer(out, columns)).close()
        except pa.ArrowException as error:
            title = job.kind.title
            raise TableError(f"{name}: cannot be written again as {title}: {error}") from None


@contextmanager
def _reading(name: str, job: TableJob, place: str = "") -> Iterator[None]:
    """Raise errors of pyarrow as a TableError of one line, those of the system with the name."""
    try:
        yield
    except (pa.ArrowException, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise OSError(error.errno, os.strerror(error.errno), name) from None
        what = " ".join(str(error).split())
        raise TableError(f"{name}: {place}cannot be read as {job.kind.title}: {what}") from None


class _Output(io.RawIOBase):
    """A file for pyarrow's writers, on an output that need not seek."""

    def __init__(self, sink: Sink) -> None:
        self._sink: Sink | None = sink
        self._position = 0

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def write(self, data: Any, /) -> int:
        view = memoryview(data)
        if self._sink is not None:
            self._sink.write(view)
        self._position += view.nbytes
        return view.nbytes

    def abandon(self) -> None:
        """Write nothing any more: a writer that is deleted would end half a file properly."""
        self._sink = None


def _open_parquet(path: str, stack: ExitStack, job: TableJob) -> _File:
    with open(path, "rb"):
        pass  # errors of the system in the system's words
    file = stack.enter_context(pq.ParquetFile(path, pre_buffer=False))

    def groups() -> Iterator[_Part]:
        for group in range(file.num_row_groups):
            with _reading(path, job, f"row group {group + 1}: "):
                table = file.read_row_group(group, use_threads=job.threads > 1)
            found = file.metadata.row_group(group)
            sizes = (found.column(i).total_compressed_size for i in range(found.num_columns))
            yield _Part(table.to_batches(), sum(sizes))

    def write(writer: Any, batches: list[Any], part: _Part) -> None:
        table = pa.Table.from_batches(batches, writer.schema)
        writer.write_table(table, row_group_size=max(table.num_rows, 1))

    return _File(
        file.schema_arrow,
        groups,
        lambda out, columns: pq.ParquetWriter(
            out, columns.schema, **_parquet_options(path, file.metadata, columns)
        ),
        write,
    )


def _parquet_options(path: str, metadata: Any, columns: ArrowColumns) -> dict[str, Any]:
    """How the file was written, as far as it says."""
    schema = columns.schema
    has_nanoseconds = any("[ns" in str(field.type) for field in schema)
    options: dict[str, Any] = {
        "version": "1.0" if metadata.format_version == "1.0" and not has_nanoseconds else "2.6",
        "store_schema": b"ARROW:schema" in (metadata.metadata or {}),
        # By the names that the file has, compliant or not.
        "use_compliant_nested_type": False,
    }
    if not metadata.num_row_groups or not metadata.num_columns:
        return options
    group = metadata.row_group(0)
    chunks = [group.column(i) for i in range(group.num_columns)]
    options.update(_column_options(chunks, columns.new_columns))
    if any(chunk.physical_type == "INT96" for chunk in chunks):
        options["use_deprecated_int96_timestamps"] = True
    if any(getattr(chunk, "has_offset_index", False) for chunk in chunks):
        options["write_page_index"] = True
    with open(path, "rb") as file:
        file.seek(chunks[0].data_page_offset)
        if file.read(len(_PAGE_OF_VERSION_2)) == _PAGE_OF_VERSION_2:
            options["data_page_version"] = "2.0"
    sorting = _sorting(group, chunks, columns)
    if sorting:
        options["sorting_columns"] = sorting
    return options


def _column_options(chunks: list[Any], new_columns: list[str]) -> dict[str, Any]:
    """How each column was written; new columns are compressed as the first one."""
    codecs = {
        chunk.path_in_schema: "NONE" if chunk.compression == "UNCOMPRESSED" else chunk.compression
        for chunk in chunks
    }
    usual = codecs[chunks[0].path_in_schema]
    with_dictionary = [chunk.path_in_schema for chunk in chunks if chunk.has_dictionary_page]
    with_statistics = [chunk.path_in_schema for chunk in chunks if chunk.is_stats_set]
    encodings = {
        chunk.path_in_schema: encoding
        for chunk in chunks
        for encoding in _ENCODINGS
        if encoding in chunk.encodings and not chunk.has_dictionary_page
    }
    options = {
        "compression": {**codecs, **dict.fromkeys(new_columns, usual)},
        "use_dictionary": with_dictionary or False,
        "write_statistics": with_statistics + new_columns or False,
    }
    return {**options, "column_encoding": encodings} if encodings else options


def _sorting(group: Any, chunks: list[Any], columns: ArrowColumns) -> list[Any]:
    """The order of the rows, as far as casing cannot have changed it."""

    def stays(one: Any) -> bool:
        name, *_ = chunks[one.column_index].path_in_schema.split(".")
        return name not in columns.cased_in_place

    return list(takewhile(stays, getattr(group, "sorting_columns", ())))


def _open_ipc(path: str, stack: ExitStack, job: TableJob) -> _File:
    raw: Any = open_bytes(path) if path == STDIN else open(path, "rb", buffering=0)  # noqa: SIM115
    source = stack.enter_context(_IpcFile(stack.enter_context(raw)))
    head = source.peek(len(_FILE_MARK))
    is_file = head.startswith(_FILE_MARK)
    if is_file and path == STDIN:
        raise TableError(
            "standard input: a file of Arrow IPC is read from its end: give its name, or a stream"
        )
    if head.startswith(b"FEA1"):
        raise TableError(f"{path}: is Feather of version 1, which only pyarrow's feather reads")
    reader = (pa.ipc.open_file if is_file else pa.ipc.open_stream)(pa.PythonFile(source, mode="r"))
    # About: nothing says where in a file a batch ends.
    n_bytes = os.path.getsize(path) // max(reader.num_record_batches, 1) if is_file else 0
    metadata = {"metadata": reader.metadata} if getattr(reader, "metadata", None) else {}
    new_writer = pa.ipc.new_file if is_file else pa.ipc.new_stream

    return _File(
        reader.schema,
        lambda: _ipc_batches(display_name(path), reader, n_bytes, job),
        lambda out, columns: new_writer(
            out,
            columns.schema,
            options=pa.ipc.IpcWriteOptions(compression=source.found_codec()),
            **metadata,
        ),
        lambda writer, batches, part: writer.write_batch(batches[0], custom_metadata=part.metadata),
    )


_OPEN = {"parquet": _open_parquet, "arrow": _open_ipc}

# A file begins with this, before its stream.
_FILE_MARK = b"ARROW1"

# A compressed buffer: its length, of less than 2**40 bytes, and the first bytes of a frame.
_FRAME = re.compile(rb"\0\0\0(?:(?P<lz4>\x04\x22\x4d\x18)|(?P<zstd>\x28\xb5\x2f\xfd))")


class _IpcFile(io.BufferedReader):
    """A file of Arrow IPC that finds out how its first batches are compressed.

    pyarrow does not report it.
    """

    _codec: str | None = None
    _is_sought = True

    def read(self, size: int | None = -1, /) -> bytes:
        data = super().read(size)
        if self._is_sought and self._codec is None and (found := _FRAME.search(data)):
            self._codec = found.lastgroup
        return data

    def found_codec(self) -> str | None:
        """Return ``lz4`` or ``zstd``, or None, of what was read so far."""
        self._is_sought = False
        return self._codec


def _ipc_batches(name: str, reader: Any, n_bytes: int, job: TableJob) -> Iterator[_Part]:
    """Batches, of about `n_bytes` each in a file."""
    n_batches = getattr(reader, "num_record_batches", None)
    n = 0
    while n != n_batches:
        try:
            with _reading(name, job, f"batch {n + 1}: "):
                if n_batches is None:
                    found = reader.read_next_batch_with_custom_metadata()
                else:
                    found = reader.get_batch_with_custom_metadata(n)
        except StopIteration:
            return
        n += 1
        # pyarrow has not checked yet that offsets stay within the batch.
        for field, array in zip(found.batch.schema, found.batch.columns, strict=True):
            with _reading(name, job, f"batch {n}: column {field.name} "):
                _check(array)
        yield _Part([found.batch], n_bytes or found.batch.nbytes, found.custom_metadata)


def _check(array: Any) -> None:
    """Refuse a broken array; texts that are not UTF-8 pass, and become bad rows."""
    try:
        array.validate(full=True)
    except pa.ArrowInvalid as error:
        if "UTF8" not in str(error):
            raise
        if pa.types.is_struct(array.type):
            for i in range(array.type.num_fields):
                _check(array.field(i))
        elif _is_list(array.type):
            _check(array.values)
