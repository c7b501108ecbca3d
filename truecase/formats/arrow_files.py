"""Parquet and Arrow IPC: row group by row group, or batch by batch, written as they were found."""

from __future__ import annotations

import io
import os
import struct
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any, BinaryIO, NamedTuple, Protocol

import pyarrow as pa
import pyarrow.parquet as pq

from truecase.base.progress import Progress
from truecase.base.read import STDIN, display_name, open_bytes
from truecase.errors import TableError
from truecase.formats.arrow_columns import ArrowColumns
from truecase.formats.errors import BadRows
from truecase.formats.rows import ColumnCaser
from truecase.formats.tables import Sink, TableJob, TableSummary

# Where the header of a page of version 2 differs from version 1: its type, in Thrift's compact
# protocol.
_PAGE_OF_VERSION_2 = b"\x15\x06"

# Encodings that a writer takes by column; it chooses the others itself.
_ENCODINGS = (
    "DELTA_BINARY_PACKED",
    "DELTA_BYTE_ARRAY",
    "DELTA_LENGTH_BYTE_ARRAY",
    "BYTE_STREAM_SPLIT",
)


class _Part(NamedTuple):
    """A row group or batch: its rows, its size in the file, about, and its own metadata."""

    table: Any
    n_bytes: int
    metadata: Any = None


class _File(NamedTuple):
    """A table that is read."""

    schema: Any
    parts: Callable[[], Iterator[_Part]]
    # Makes a writer for an output.
    writer: Callable[[Any, ArrowColumns], Any]
    # Writes, with a writer, a table that was cased from a part.
    write: Callable[[Any, Any, _Part], None]


def case_arrow(
    path: str,
    sink: Sink,
    job: TableJob,
    caser: ColumnCaser,
    summary: TableSummary,
    progress: Progress | None = None,
) -> None:
    """Write a file of Parquet or Arrow IPC with its columns cased, and count in `summary`.

    The other parameters are those of `case_table_into`. Raises TableError if the file is broken,
    or in another format, or lacks a column.
    """
    name = path if job.format == "parquet" else display_name(path)
    is_shown = progress is not None and progress.is_shown
    with ExitStack() as stack:
        try:
            file = _OPEN[job.format](path, stack, job)
        except (pa.ArrowException, OSError) as error:
            raise _unreadable(name, job, error) from None
        columns = ArrowColumns(name, file.schema, job, caser)
        bad = BadRows(name, job.skip_bad)
        out = _Output(sink)
        try:
            writer = file.writer(out, columns)
            for part in file.parts():
                made = columns.case(part.table, summary.n_rows + 1, is_shown)
                for row in made.bad:
                    bad.add(row)
                file.write(writer, made.table, part)
                summary.add(part.table.num_rows, made.n_changed, bad)
                if progress is not None:
                    progress.add_bytes(part.n_bytes)
                    progress.add_rows(part.table.num_rows)
                    progress.add_words(made.n_words)
            writer.close()
        except pa.ArrowException as error:
            title = job.kind.title
            raise TableError(f"{name}: cannot be written again as {title}: {error}") from None
        finally:
            out.abandon()


def _unreadable(name: str, job: TableJob, error: Exception, place: str = "") -> Exception:
    if isinstance(error, OSError) and error.errno is not None:
        return OSError(error.errno, os.strerror(error.errno), name)
    what = " ".join(str(error).split())
    return TableError(f"{name}: {place}cannot be read as {job.kind.title}: {what}")


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
            try:
                table = file.read_row_group(group, use_threads=job.threads > 1)
            except (pa.ArrowException, OSError) as error:
                raise _unreadable(path, job, error, f"row group {group + 1}: ") from None
            found = file.metadata.row_group(group)
            sizes = (found.column(i).total_compressed_size for i in range(found.num_columns))
            yield _Part(table, sum(sizes))

    return _File(
        file.schema_arrow,
        groups,
        lambda out, columns: pq.ParquetWriter(
            out, columns.schema, **_parquet_options(path, file.metadata, columns)
        ),
        lambda writer, table, part: writer.write_table(
            table, row_group_size=max(part.table.num_rows, 1)
        ),
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
    cased = {columns.schema.names[index] for index in columns.cased_in_place}
    kept = []
    for one in getattr(group, "sorting_columns", ()):
        if chunks[one.column_index].path_in_schema.split(".")[0] in cased:
            break
        kept.append(one)
    return kept


def _open_ipc(path: str, stack: ExitStack, job: TableJob) -> _File:
    reader, is_file, options = _ipc_reader(path, stack)
    # About: nothing says where in a file a batch ends.
    n_bytes = os.path.getsize(path) // max(reader.num_record_batches, 1) if is_file else 0
    more = {}
    if is_file and getattr(reader, "metadata", None):
        more["metadata"] = reader.metadata
    new_writer = pa.ipc.new_file if is_file else pa.ipc.new_stream

    def batches() -> Iterator[_Part]:
        for batch, metadata in _ipc_batches(display_name(path), reader, is_file, job):
            yield _Part(pa.Table.from_batches([batch]), n_bytes or batch.nbytes, metadata)

    return _File(
        reader.schema,
        batches,
        lambda out, columns: new_writer(out, columns.schema, options=options, **more),
        lambda writer, table, part: writer.write_batch(
            _only_batch(table), custom_metadata=part.metadata
        ),
    )


_OPEN = {"parquet": _open_parquet, "arrow": _open_ipc}


def _ipc_reader(path: str, stack: ExitStack) -> tuple[Any, bool, Any]:
    """A reader, whether it reads a file, and how the batches were written."""
    if path == STDIN:
        raw = stack.enter_context(open_bytes(path))
        head = raw.read(len(_FILE_MARK))
        if head.startswith(_FILE_MARK[:6]):
            raise TableError(
                "standard input: an Arrow IPC file has its end first: give its name, or a stream"
            )
        held = _Replayed(head, raw)
        codec = _compression_of(held)
        held.rewind()
        reader = pa.ipc.open_stream(pa.PythonFile(held, mode="r"))
        return reader, False, pa.ipc.IpcWriteOptions(compression=codec)
    raw = stack.enter_context(open(path, "rb"))  # noqa: SIM115
    head = raw.read(len(_FILE_MARK))
    if head.startswith(b"FEA1"):
        raise TableError(f"{path}: is Feather of version 1, which only pyarrow's feather reads")
    is_file = head.startswith(_FILE_MARK[:6])
    raw.seek(len(_FILE_MARK) if is_file else 0)
    options = pa.ipc.IpcWriteOptions(compression=_compression_of(raw))
    source = stack.enter_context(pa.OSFile(path))
    return (pa.ipc.open_file if is_file else pa.ipc.open_stream)(source), is_file, options


def _ipc_batches(name: str, reader: Any, is_file: bool, job: TableJob) -> Iterator[tuple[Any, Any]]:
    """Batches, with the metadata of each."""
    n = 0
    while True:
        try:
            if is_file:
                if n == reader.num_record_batches:
                    return
                found = reader.get_batch_with_custom_metadata(n)
            else:
                found = reader.read_next_batch_with_custom_metadata()
        except StopIteration:
            return
        except (pa.ArrowException, OSError) as error:
            raise _unreadable(name, job, error, f"batch {n + 1}: ") from None
        n += 1
        # pyarrow has not checked yet that offsets stay within the batch.
        for field, array in zip(found.batch.schema, found.batch.columns, strict=True):
            try:
                _check(array)
            except pa.ArrowInvalid as error:
                place = f"batch {n}: column {field.name} "
                raise _unreadable(name, job, error, place) from None
        yield found.batch, found.custom_metadata


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
        elif pa.types.is_list(array.type) or pa.types.is_large_list(array.type):
            _check(array.values)


def _only_batch(table: Any) -> Any:
    """The one batch of a table."""
    batches = table.combine_chunks().to_batches()
    if batches:
        return batches[0]
    empty = [pa.nulls(0, field.type) for field in table.schema]
    return pa.RecordBatch.from_arrays(empty, schema=table.schema)


class _Replayed(io.RawIOBase):
    """A stream whose beginning can be read twice."""

    def __init__(self, head: bytes, file: BinaryIO) -> None:
        self._file = file
        self._held = head
        self._position = 0
        self._is_kept = True

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        wanted = len(buffer)
        held = self._held[self._position : self._position + wanted]
        if len(held) < wanted:
            more = self._file.read(wanted - len(held))
            if self._is_kept:
                self._held += more
            held += more
        self._position += len(held)
        buffer[: len(held)] = held
        return len(held)

    def rewind(self) -> None:
        """Begin again; what is read from now on is not kept."""
        self._position = 0
        self._is_kept = False


# The compression of an Arrow IPC stream, which pyarrow does not report. Apache Arrow, "Arrow
# Columnar Format", section "Encapsulated message format": messages are FlatBuffers, whose tables
# hold the offset of each field.

# A file begins with this, before its stream.
_FILE_MARK = b"ARROW1\0\0"
_CONTINUATION = 0xFFFFFFFF
_MAX_METADATA = 1 << 28
_DICTIONARY_BATCH, _RECORD_BATCH = 2, 3
_CODECS = {0: "lz4", 1: "zstd"}
# Numbers of fields: of a message, of a batch, of a dictionary's batch, of its compression.
_HEADER_TYPE, _HEADER = 1, 2
_COMPRESSION = 3
_DATA = 1
_CODEC = 0


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes | None: ...


def _compression_of(file: _Readable) -> str | None:
    """The compression of the first batch, ``lz4`` or ``zstd``; reads up to the batch's head."""
    try:
        while True:
            head = file.read(8) or b""
            mark, size = struct.unpack("<Ii", head)
            if mark != _CONTINUATION or not 0 < size < _MAX_METADATA:
                return None
            message = file.read(size) or b""
            table = _table_at(message, 0)
            kind = _byte(message, table, _HEADER_TYPE)
            if kind in (_DICTIONARY_BATCH, _RECORD_BATCH):
                batch = _inner(message, table, _HEADER)
                if kind == _DICTIONARY_BATCH:
                    batch = _inner(message, batch, _DATA)
                compression = _inner(message, batch, _COMPRESSION)
                if compression is None:
                    return None
                return _CODECS.get(_byte(message, compression, _CODEC))
    except (struct.error, IndexError):
        return None  # the reader of the stream says what is wrong


def _table_at(data: bytes, position: int) -> int:
    return position + int(struct.unpack_from("<I", data, position)[0])


def _place(data: bytes, table: int, field: int) -> int | None:
    """Where a field is; None if it is left out."""
    listed = table - int(struct.unpack_from("<i", data, table)[0])
    size = int(struct.unpack_from("<H", data, listed)[0])
    at = 4 + 2 * field
    if at + 2 > size:
        return None
    offset = int(struct.unpack_from("<H", data, listed + at)[0])
    return table + offset if offset else None


def _inner(data: bytes, table: int | None, field: int) -> int | None:
    """The table in a field; None if either is left out."""
    place = None if table is None else _place(data, table, field)
    return None if place is None else _table_at(data, place)


def _byte(data: bytes, table: int, field: int) -> int:
    place = _place(data, table, field)
    return 0 if place is None else data[place]
