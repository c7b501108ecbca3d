"""Parquet: row group by row group, written as it was found to be written."""

from __future__ import annotations

import io
import os
import struct
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any, BinaryIO, Protocol

import pyarrow as pa
import pyarrow.parquet as pq

from truecase.files.progress import Progress
from truecase.files.read import STDIN, display_name, open_bytes
from truecase.formats.arrow_columns import ArrowColumns
from truecase.formats.errors import BadRows, TableError
from truecase.formats.rows import ColumnCaser
from truecase.formats.tables import TableJob, TableSummary

# Where the header of a page of the second version differs from one of the first: its type, in
# Thrift's compact protocol.
_PAGE_OF_VERSION_2 = b"\x15\x06"

# Encodings that a writer takes by column; the others it chooses itself.
_ENCODINGS = (
    "DELTA_BINARY_PACKED",
    "DELTA_BYTE_ARRAY",
    "DELTA_LENGTH_BYTE_ARRAY",
    "BYTE_STREAM_SPLIT",
)


def case_parquet(
    path: str,
    sink: Sink,
    job: TableJob,
    caser: ColumnCaser,
    summary: TableSummary,
    progress: Progress | None = None,
) -> None:
    """Write a file with its columns cased.

    Parameters
    ----------
    path : str
    sink : Sink
    job : TableJob
    caser : ColumnCaser
    summary : TableSummary
    progress : Progress, optional
        Told of bytes, rows and words.

    Raises
    ------
    TableError
        The file is broken, or not of Parquet, or its columns are not what is asked for.
    """
    with open(path, "rb"):
        pass  # errors of the system in the system's words
    try:
        file = pq.ParquetFile(path, pre_buffer=False)
    except (pa.ArrowException, OSError) as error:
        raise _unreadable(path, error) from None
    with file:
        columns = ArrowColumns(path, file.schema_arrow, job, caser)
        bad = BadRows(path, job.skip_bad)
        options = _writer_options(path, file.metadata, columns)
        out = ArrowSink(sink)
        try:
            writer = pq.ParquetWriter(out, columns.schema, **options)
            for group in range(file.num_row_groups):
                try:
                    table = file.read_row_group(group, use_threads=job.threads > 1)
                except (pa.ArrowException, OSError) as error:
                    raise _unreadable(path, error, f"row group {group + 1}: ") from None
                made = columns.case(
                    table, summary.n_rows + 1, progress is not None and progress.is_shown
                )
                for row in made.bad:
                    bad.add(row)
                writer.write_table(made.table, row_group_size=max(table.num_rows, 1))
                summary.add(table.num_rows, made.n_changed, bad)
                if progress is not None:
                    found = file.metadata.row_group(group)
                    progress.add_bytes(
                        sum(found.column(i).total_compressed_size for i in range(found.num_columns))
                    )
                    progress.add_rows(table.num_rows)
                    progress.add_words(made.n_words)
            writer.close()
        except pa.ArrowException as error:
            raise TableError(f"{path}: cannot be written again as Parquet: {error}") from None
        finally:
            out.abandon()


def _unreadable(path: str, error: Exception, place: str = "") -> Exception:
    if isinstance(error, OSError) and error.errno is not None:
        return OSError(error.errno, os.strerror(error.errno), path)
    what = " ".join(str(error).split())
    return TableError(f"{path}: {place}cannot be read as Parquet: {what}")


def _writer_options(path: str, metadata: Any, columns: ArrowColumns) -> dict[str, Any]:
    """How the file was written, as far as it tells."""
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
    options["compression"] = {
        chunk.path_in_schema: "NONE" if chunk.compression == "UNCOMPRESSED" else chunk.compression
        for chunk in chunks
    }
    with_dictionary = [chunk.path_in_schema for chunk in chunks if chunk.has_dictionary_page]
    with_statistics = [chunk.path_in_schema for chunk in chunks if chunk.is_stats_set]
    usual = chunks[0].compression
    for name in columns.new_columns:
        options["compression"][name] = "NONE" if usual == "UNCOMPRESSED" else usual
        with_statistics.append(name)
    options["use_dictionary"] = with_dictionary or False
    options["write_statistics"] = with_statistics or False
    encodings = {
        chunk.path_in_schema: encoding
        for chunk in chunks
        for encoding in _ENCODINGS
        if encoding in chunk.encodings and not chunk.has_dictionary_page
    }
    if encodings:
        options["column_encoding"] = encodings
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


def _sorting(group: Any, chunks: list[Any], columns: ArrowColumns) -> list[Any]:
    """The order of the rows, as far as casing cannot have changed it."""
    cased = {columns.schema.names[index] for index in columns.cased_in_place}
    kept = []
    for one in getattr(group, "sorting_columns", ()):
        if chunks[one.column_index].path_in_schema.split(".")[0] in cased:
            break
        kept.append(one)
    return kept


_FEATHER_1 = b"FEA1"


def case_ipc(
    path: str,
    sink: Sink,
    job: TableJob,
    caser: ColumnCaser,
    summary: TableSummary,
    progress: Progress | None = None,
) -> None:
    """Write a file or stream with its columns cased; see `case_parquet`."""
    name = display_name(path)
    with ExitStack() as stack:
        try:
            reader, is_file, options = _open(path, stack)
        except (pa.ArrowException, OSError) as error:
            raise _unreadable_ipc(name, error) from None
        # About: nobody tells where in a file a batch ends.
        n_bytes = os.path.getsize(path) // max(reader.num_record_batches, 1) if is_file else 0
        columns = ArrowColumns(name, reader.schema, job, caser)
        bad = BadRows(name, job.skip_bad)
        out = ArrowSink(sink)
        new_writer = pa.ipc.new_file if is_file else pa.ipc.new_stream
        more = {}
        if is_file and getattr(reader, "metadata", None):
            more["metadata"] = reader.metadata
        try:
            writer = new_writer(out, columns.schema, options=options, **more)
            for batch, metadata in _batches(name, reader, is_file):
                made = columns.case(
                    pa.Table.from_batches([batch]),
                    summary.n_rows + 1,
                    progress is not None and progress.is_shown,
                )
                for row in made.bad:
                    bad.add(row)
                writer.write_batch(_batch(made.table), custom_metadata=metadata)
                summary.add(batch.num_rows, made.n_changed, bad)
                if progress is not None:
                    progress.add_bytes(n_bytes or batch.nbytes)
                    progress.add_rows(batch.num_rows)
                    progress.add_words(made.n_words)
            writer.close()
        except pa.ArrowException as error:
            raise TableError(f"{name}: cannot be written again as Arrow IPC: {error}") from None
        finally:
            out.abandon()


def _open(path: str, stack: ExitStack) -> tuple[Any, bool, Any]:
    """A reader, whether it is of a file, and how its batches were written."""
    if path == STDIN:
        raw = stack.enter_context(open_bytes(path))
        head = raw.read(len(FILE_MARK))
        if head.startswith(FILE_MARK[:6]):
            raise TableError(
                "standard input: an Arrow IPC file has its end first: give its name, or a stream"
            )
        held = _Replayed(head, raw)
        codec = compression_of(held)
        held.rewind()
        reader = pa.ipc.open_stream(pa.PythonFile(held, mode="r"))
        return reader, False, pa.ipc.IpcWriteOptions(compression=codec)
    raw = stack.enter_context(open(path, "rb"))  # noqa: SIM115
    head = raw.read(len(FILE_MARK))
    if head.startswith(_FEATHER_1):
        raise TableError(f"{path}: is Feather of version 1, which only pyarrow's feather reads")
    is_file = head.startswith(FILE_MARK[:6])
    raw.seek(len(FILE_MARK) if is_file else 0)
    options = pa.ipc.IpcWriteOptions(compression=compression_of(raw))
    source = stack.enter_context(pa.OSFile(path))
    return (pa.ipc.open_file if is_file else pa.ipc.open_stream)(source), is_file, options


def _batches(name: str, reader: Any, is_file: bool) -> Iterator[tuple[Any, Any]]:
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
            raise _unreadable_ipc(name, error, f"batch {n + 1}: ") from None
        n += 1
        # Nobody has looked yet whether offsets and the like lead outside of the batch.
        for field, array in zip(found.batch.schema, found.batch.columns, strict=True):
            try:
                _check(array)
            except pa.ArrowInvalid as error:
                raise _unreadable_ipc(name, error, f"batch {n}: column {field.name} ") from None
        yield found.batch, found.custom_metadata


def _check(array: Any) -> None:
    """Refuse an array that is broken, but for texts that are not UTF-8: those are bad rows."""
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


def _batch(table: Any) -> Any:
    """The one batch of a table."""
    batches = table.combine_chunks().to_batches()
    if batches:
        return batches[0]
    empty = [pa.nulls(0, field.type) for field in table.schema]
    return pa.RecordBatch.from_arrays(empty, schema=table.schema)


def _unreadable_ipc(name: str, error: Exception, place: str = "") -> Exception:
    if isinstance(error, OSError) and error.errno is not None:
        return OSError(error.errno, os.strerror(error.errno), name)
    what = " ".join(str(error).split())
    return TableError(f"{name}: {place}cannot be read as Arrow IPC: {what}")


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
        """Begin again; what is read then is kept no longer."""
        self._position = 0
        self._is_kept = False


#: What a file begins with, before its stream.
FILE_MARK = b"ARROW1\0\0"

_CONTINUATION = 0xFFFFFFFF
_DICTIONARY_BATCH, _RECORD_BATCH = 2, 3
_CODECS = {0: "lz4", 1: "zstd"}

# Numbers of fields: of a message, of a batch, of a batch of a dictionary, of its compression.
_HEADER_TYPE, _HEADER, _BODY_LENGTH = 1, 2, 3
_COMPRESSION = 3
_DATA = 1
_CODEC = 0

_MAX_METADATA = 1 << 28


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes | None: ...


def compression_of(file: _Readable) -> str | None:
    """The compression of the first batch: ``lz4``, ``zstd``, or None.

    Parameters
    ----------
    file : binary file
        At the start of the stream. It is read up to the head of the first batch.
    """
    try:
        while (message := _message(file)) is not None:
            table = _table_at(message, 0)
            kind = _byte(message, table, _HEADER_TYPE)
            if kind in (_DICTIONARY_BATCH, _RECORD_BATCH):
                batch = _below(message, table, _HEADER)
                if kind == _DICTIONARY_BATCH and batch is not None:
                    batch = _below(message, batch, _DATA)
                compression = None if batch is None else _below(message, batch, _COMPRESSION)
                if compression is None:
                    return None
                return _CODECS.get(_byte(message, compression, _CODEC))
    except (struct.error, IndexError):
        pass  # whoever reads the stream tells what is wrong with it
    return None


def _message(file: _Readable) -> bytes | None:
    """The metadata of the next message, before its body; None at the end."""
    head = file.read(8) or b""
    if len(head) < 8:
        return None
    mark, size = struct.unpack("<Ii", head)
    if mark != _CONTINUATION or not 0 < size < _MAX_METADATA:
        return None
    return file.read(size)


def _table_at(data: bytes, position: int) -> int:
    return position + int(struct.unpack_from("<I", data, position)[0])


def _place(data: bytes, table: int, field: int) -> int | None:
    """Where a field stands; None if it is left out."""
    listed = table - int(struct.unpack_from("<i", data, table)[0])
    size = int(struct.unpack_from("<H", data, listed)[0])
    at = 4 + 2 * field
    if at + 2 > size:
        return None
    offset = int(struct.unpack_from("<H", data, listed + at)[0])
    return table + offset if offset else None


def _below(data: bytes, table: int, field: int) -> int | None:
    place = _place(data, table, field)
    return None if place is None else _table_at(data, place)


def _byte(data: bytes, table: int, field: int) -> int:
    place = _place(data, table, field)
    return 0 if place is None else data[place]


class Sink(Protocol):
    """What takes the output."""

    def write(self, data: bytes | memoryview, /) -> object:
        """Write all bytes."""


class ArrowSink(io.RawIOBase):
    """A file for pyarrow's writers.

    Parameters
    ----------
    sink : Sink
    """

    def __init__(self, sink: Sink) -> None:
        self._sink: Sink | None = sink
        self._position = 0

    def writable(self) -> bool:  # noqa: D102 - as of any file
        return True

    def tell(self) -> int:  # noqa: D102
        return self._position

    def write(self, data: Any, /) -> int:  # noqa: D102
        view = memoryview(data)
        if self._sink is not None:
            self._sink.write(view)
        self._position += view.nbytes
        return view.nbytes

    def abandon(self) -> None:
        """Write nothing any more: a writer that is let go would put an end to half a file."""
        self._sink = None


def import_pyarrow(kind: str) -> Any:
    """The module.

    Parameters
    ----------
    kind : str
        What is to be read, for people.

    Raises
    ------
    TableError
        It is not installed.
    """
    try:
        import pyarrow
    except ModuleNotFoundError:
        raise TableError(f"{kind} needs pyarrow: pip install 'truecase-crf[columns]'") from None
    return pyarrow
