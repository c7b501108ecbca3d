"""Columns of text in Arrow's batches, also within structs and lists."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from truecase.errors import TableError, TableOptionError
from truecase.formats.rows import (
    ROW_ERRORS,
    BadRow,
    CasedRows,
    by_sound_rows,
    missing_column,
    reason_of,
)
from truecase.formats.tables import ITEMS, ColumnJob, Path, TableJob, parse_path, write_path
from truecase.truecaser import Truecaser
from truecase.truecaser.column import CasedColumn

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


class ArrowColumns:
    """Cases columns of the batches of one schema; `schema` is that of the cased batches."""

    def __init__(self, name: str, schema: _Schema, job: TableJob, truecaser: Truecaser) -> None:
        self._name = name
        self._given = schema
        self._truecaser = truecaser
        self._threads = job.threads
        self._suffix = job.suffix
        self._jobs = [self._job(one) for one in job.columns]
        self.schema = self._new_schema()

    @property
    def cased_in_place(self) -> set[str]:
        """Columns of the table whose texts change."""
        if self._suffix is not None:
            return set()
        return {self._given.names[one.place.number] for one in self._jobs}

    @property
    def new_columns(self) -> list[str]:
        """Names of the columns that are added."""
        return list(self.schema.names[len(self._given.names) :])

    def _job(self, job: ColumnJob) -> _Job:
        place = self._place(job.column)
        if ITEMS in place.steps:
            for what, given in (("source", job.source), ("confidence", job.confidence)):
                if given is not None:
                    raise TableOptionError(
                        f"{what}-column: {job.column} has any number of texts in a row"
                    )
        if place.steps and self._suffix is not None:
            raise TableOptionError(f"suffix: {job.column} is within another column")
        source, alignment = (
            None if other is None else self._place(other) for other in (job.source, job.alignment)
        )
        for what, other in (("source", source), ("alignment", alignment)):
            if other is not None and ITEMS in other.steps:
                raise TableOptionError(f"{what}-column: {other.name} is a list")
        if source is not None and pa.types.is_dictionary(place.kind):
            raise TableError(
                f"{self._name}: column {job.column} is a dictionary, whose texts are cased once "
                "for all rows: it takes no source"
            )
        return _Job(place, source, alignment, job.confidence)

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
                f"{self._name}: column {column}: this pyarrow, {pa.__version__}, can do little "
                f"with {kind}: take a newer one"
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
        columns = [given]
        for place in (job.source, job.alignment):
            if place is None:
                columns.append(None)
            else:
                texts, _ = _texts_at(batch.column(place.number), place.steps)
                columns.append(_plain_texts(texts))

        def case(begin: int, end: int) -> tuple[_Array, _Array]:
            texts, source, alignment = (
                None if column is None else column.slice(begin, end - begin) for column in columns
            )
            cased = self._truecaser.column(  # type: ignore[call-overload]
                texts,
                self._threads,
                source=source,
                alignment=alignment,
                confidence=job.confidence is not None,
            )
            if isinstance(cased, CasedColumn):
                return pa.array(cased.text), pa.array(cased.confidence)
            return pa.array(cased), None

        n = len(given)
        if n == 0 or pa.types.is_null(given.type):
            return given, rows, given, pa.nulls(n, pa.float64())
        if pa.types.is_dictionary(given.type):
            # Its texts are those of all rows.
            try:
                return given, rows, *case(0, n)
            except ROW_ERRORS as error:
                raise TableError(
                    f"{self._name}: column {job.place.name}: its dictionary: {reason_of(error)}"
                ) from None
        made, sure = [], []
        for begin, _, found in by_sound_rows(case, 0, n):
            if isinstance(found, str):
                row = int(rows[begin])
                bad.setdefault(row, BadRow(first_row + row, None, f"{job.place.name}: {found}"))
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
