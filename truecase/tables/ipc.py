"""Arrow IPC, files and streams: batch by batch, compressed as they were."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any, BinaryIO

import pyarrow as pa

from truecase.base.progress import Progress
from truecase.base.read import STDIN, display_name, open_bytes
from truecase.errors import TableError
from truecase.tables.arrow_columns import ArrowColumns
from truecase.tables.arrow_sink import ArrowSink, Sink
from truecase.tables.caser import ColumnCaser
from truecase.tables.errors import BadRows
from truecase.tables.ipc_head import FILE_MARK, compression_of
from truecase.tables.job import TableJob
from truecase.tables.summary import TableSummary

_FEATHER_1 = b"FEA1"


def case_ipc(
    path: str,
    sink: Sink,
    job: TableJob,
    caser: ColumnCaser,
    summary: TableSummary,
    progress: Progress | None = None,
) -> None:
    """Write a file or stream with its columns cased; see `truecase.tables.parquet.case_parquet`."""
    name = display_name(path)
    with ExitStack() as stack:
        try:
            reader, is_file, options = _open(path, stack)
        except (pa.ArrowException, OSError) as error:
            raise _unreadable(name, error) from None
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
            raise _unreadable(name, error, f"batch {n + 1}: ") from None
        n += 1
        # Nobody has looked yet whether offsets and the like lead outside of the batch.
        for field, array in zip(found.batch.schema, found.batch.columns, strict=True):
            try:
                _check(array)
            except pa.ArrowInvalid as error:
                raise _unreadable(name, error, f"batch {n}: column {field.name} ") from None
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


def _unreadable(name: str, error: Exception, place: str = "") -> Exception:
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
