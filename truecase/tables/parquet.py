"""Parquet: row group by row group, written as it was found to be written."""

from __future__ import annotations

import os
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from truecase.base.progress import Progress
from truecase.errors import TableError
from truecase.tables.arrow_columns import ArrowColumns
from truecase.tables.arrow_sink import ArrowSink, Sink
from truecase.tables.caser import ColumnCaser
from truecase.tables.errors import BadRows
from truecase.tables.job import TableJob
from truecase.tables.summary import TableSummary

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
