"""Parquet and Arrow IPC: row group by row group, or batch by batch, written as they were found."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from truecase.base.progress import Progress
from truecase.base.read import STDIN, display_name, open_bytes
from truecase.errors import TableError
from truecase.formats.arrow_columns import ArrowColumns
from truecase.formats.rows import CasedRows
from truecase.formats.tables import Sink, TableJob
from truecase.truecaser import Truecaser

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
    path: str, sink: Sink, job: TableJob, truecaser: Truecaser, progress: Progress | None
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
    kept = []
    for one in getattr(group, "sorting_columns", ()):
        if chunks[one.column_index].path_in_schema.split(".")[0] in columns.cased_in_place:
            break
        kept.append(one)
    return kept


def _open_ipc(path: str, stack: ExitStack, job: TableJob) -> _File:
    raw: Any = open_bytes(path) if path == STDIN else open(path, "rb", buffering=0)  # noqa: SIM115
    source = stack.enter_context(_IpcFile(stack.enter_context(raw)))
    head = source.peek(len(_FILE_MARK))
    is_file = head.startswith(_FILE_MARK)
    if is_file and path == STDIN:
        raise TableError(
            "standard input: an Arrow IPC file has its end first: give its name, or a stream"
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
        elif pa.types.is_list(array.type) or pa.types.is_large_list(array.type):
            _check(array.values)
