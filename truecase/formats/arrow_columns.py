"""Columns of text in Arrow's tables, also within structs and lists."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from truecase.errors import TableError, TableOptionError
from truecase.formats.errors import BadRow, missing_column
from truecase.formats.rows import ROW_ERRORS, ColumnCaser, by_sound_rows, reason_of
from truecase.formats.tables import ITEMS, ColumnJob, Path, TableJob, parse_path, write_path

_Array = Any
_Schema = Any


class Place(NamedTuple):
    """A column's name, the number of the table's column with it, and the steps to its texts."""

    name: str
    number: int
    steps: Path


class _Job(NamedTuple):
    """A `ColumnJob` whose columns have been found."""

    place: Place
    source: Place | None
    alignment: Place | None
    confidence: str | None


class CasedBatch(NamedTuple):
    """A cased table with the new schema; see `truecase.formats.rows.CasedRows`."""

    table: Any
    n_changed: int
    n_words: int
    bad: list[BadRow]


class ArrowColumns:
    """Cases columns of the tables of one schema; `schema` is that of the cased tables."""

    def __init__(self, name: str, schema: _Schema, job: TableJob, caser: ColumnCaser) -> None:
        self._name = name
        self._given = schema
        self._caser = caser
        self._suffix = job.suffix
        self._jobs = [self._job(one) for one in job.columns]
        self.schema = self._new_schema()

    @property
    def cased_in_place(self) -> set[int]:
        """Columns of the table whose texts change."""
        return set() if self._suffix is not None else {one.place.number for one in self._jobs}

    @property
    def new_columns(self) -> list[str]:
        """Names of the columns that are added."""
        return list(self.schema.names[len(self._given.names) :])

    def _job(self, job: ColumnJob) -> _Job:
        place = self._place(job.column)
        kind = self._text_type(place)
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
            if other is not None:
                self._text_type(other)
                if ITEMS in other.steps:
                    raise TableOptionError(f"{what}-column: {other.name} is a list")
        if source is not None and pa.types.is_dictionary(kind):
            raise TableError(
                f"{self._name}: column {job.column} is a dictionary, whose texts are cased once "
                "for all rows: it takes no source"
            )
        return _Job(place, source, alignment, job.confidence)

    def _place(self, column: str) -> Place:
        names = self._given.names
        if names.count(column) > 1:
            raise TableError(f"{self._name}: there are {names.count(column)} columns {column}")
        if column in names:
            return Place(column, names.index(column), ())
        path = parse_path(column)
        if path[0] in names and names.count(path[0]) == 1:
            index = names.index(path[0])
            kind = self._given.field(index).type
            for step in path[1:]:
                kind = _below(kind, step)
                if kind is None:
                    break
            else:
                return Place(column, index, path[1:])
        raise missing_column(self._name, column, list(_text_paths(self._given)))

    def _text_type(self, place: Place) -> Any:
        """The type of a column; raises an error unless the column has text."""
        kind = self._given.field(place.number).type
        for step in place.steps:
            kind = _below(kind, step)
        if not _is_text(kind):
            hint = ""
            if _is_list(kind):
                hint = f"; {place.name}[] leads to its items"
            elif pa.types.is_struct(kind):
                fields = [kind.field(i).name for i in range(kind.num_fields)]
                hint = f"; {place.name}.{fields[0]} is a field of it" if fields else ""
            elif pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
                hint = ": cast it to string"
            raise TableError(
                f"{self._name}: column {place.name}: expected text, found {kind}{hint}"
            )
        if not _can_be_plain(kind):
            raise TableError(
                f"{self._name}: column {place.name}: this pyarrow, {pa.__version__}, can do little "
                f"with {kind}: take a newer one"
            )
        return kind

    def _new_schema(self) -> _Schema:
        schema = self._given
        for job in self._jobs:
            if self._suffix is not None:
                field = self._given.field(job.place.number)
                schema = self._with(schema, field.with_name(field.name + self._suffix))
            if job.confidence is not None:
                schema = self._with(schema, pa.field(job.confidence, pa.float64()))
        return schema

    def _with(self, schema: _Schema, field: Any) -> _Schema:
        if field.name in schema.names:
            raise TableError(f"{self._name}: there is a column {field.name} already")
        return schema.append(field)

    def case(self, table: Any, first_row: int, count_words: bool) -> CasedBatch:
        """Case the columns of a table, whose first row has a number in the file."""
        bad: dict[int, BadRow] = {}
        columns = list(table.columns)
        for job in self._jobs:
            index = job.place.number
            # Another field of the same column may have been cased before.
            given = columns[index] if self._suffix is None else table.column(index)
            cased, sure = self._case_column(table, given, job, first_row, bad)
            if self._suffix is None:
                columns[index] = cased
            else:
                columns.append(cased)
            if sure is not None:
                columns.append(sure)
        made = pa.Table.from_arrays(columns, schema=self.schema)
        if bad:
            made = self._with_rows_taken_back(made, table, sorted(bad))
        n_changed = n_words = 0
        for job in self._jobs:
            given = table.column(job.place.number)
            name = self._given.field(job.place.number).name + (self._suffix or "")
            at = job.place.number if self._suffix is None else self.schema.names.index(name)
            changed, words = _counts(given, made.column(at), job.place.steps, count_words)
            n_changed += changed
            n_words += words
        return CasedBatch(made, n_changed, n_words, [bad[row] for row in sorted(bad)])

    def _case_column(
        self, table: Any, given: Any, job: _Job, first_row: int, bad: dict[int, BadRow]
    ) -> tuple[Any, Any]:
        """A cased column, and its confidence if the job asks for that."""
        beside = [
            None if other is None else _texts_of_structs(table.column(other.number), other.steps)
            for other in (job.source, job.alignment)
        ]
        chunks: list[Any] = []
        sure: list[Any] = []

        def case(begin: int, end: int) -> tuple[list[Any], list[Any]]:
            return self._case_rows(
                given.slice(begin, end - begin),
                [None if other is None else other.slice(begin, end - begin) for other in beside],
                job,
            )

        if _is_dictionary(given.type, job.place.steps):
            # Its texts are those of all rows.
            try:
                found: Iterable[Any] = [(0, table.num_rows, case(0, table.num_rows))]
            except ROW_ERRORS as error:
                raise TableError(
                    f"{self._name}: column {job.place.name}: its dictionary: {reason_of(error)}"
                ) from None
        else:
            found = by_sound_rows(case, 0, table.num_rows)
        for begin, end, made in found:
            if isinstance(made, str):
                row = BadRow(first_row + begin, None, f"{job.place.name}: {made}")
                bad.setdefault(begin, row)
                chunks += given.slice(begin, 1).chunks
                sure.append(pa.nulls(end - begin, pa.float64()))
            else:
                chunks += made[0]
                sure += made[1]
        cased = pa.chunked_array(chunks, given.type)
        if job.confidence is None:
            return cased, None
        return cased, pa.chunked_array(sure, pa.float64())

    def _case_rows(self, given: Any, beside: list[Any], job: _Job) -> tuple[list[Any], list[Any]]:
        """The cased chunks of some rows, and the chunks of their confidence."""
        chunks: list[Any] = []
        sure: list[Any] = []
        row = 0
        for chunk in given.chunks:
            others = [None if other is None else other.slice(row, len(chunk)) for other in beside]

            def case(texts: _Array, others: list[Any] = others) -> _Array:
                if pa.types.is_null(texts.type):
                    sure.append(pa.nulls(len(texts), pa.float64()))
                    return texts
                if job.confidence is None:
                    return pa.array(self._caser.column(texts, *others))
                both = self._caser.with_confidence(texts, *others)
                sure.append(pa.array(both.confidence))
                return pa.array(both.text)

            chunks.append(_mapped(chunk, job.place.steps, case))
            row += len(chunk)
        return chunks, sure

    def _with_rows_taken_back(self, made: Any, table: Any, rows: list[int]) -> Any:
        """The table with some rows as they were: a row is cased completely, or not at all."""
        parts = []
        position = 0
        for row in rows:
            parts.append(made.slice(position, row - position))
            as_it_was = list(table.slice(row, 1).columns)
            for field in list(self.schema)[len(as_it_was) :]:
                if field.type == pa.float64():
                    as_it_was.append(pa.chunked_array([pa.nulls(1, pa.float64())]))
                else:
                    index = self._given.names.index(field.name[: -len(self._suffix or "")])
                    as_it_was.append(as_it_was[index])
            parts.append(pa.Table.from_arrays(as_it_was, schema=self.schema))
            position = row + 1
        parts.append(made.slice(position))
        return pa.concat_tables(parts)


def _is_text(kind: Any) -> bool:
    if pa.types.is_dictionary(kind):
        return not pa.types.is_null(kind.value_type) and _is_text(kind.value_type)
    return bool(
        pa.types.is_string(kind)
        or pa.types.is_large_string(kind)
        or pa.types.is_string_view(kind)
        or pa.types.is_null(kind)
    )


def _is_list(kind: Any) -> bool:
    return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind))


def _is_dictionary(kind: Any, steps: Path) -> bool:
    for step in steps:
        kind = _below(kind, step)
    return bool(pa.types.is_dictionary(kind))


def _below(kind: Any, step: str | None) -> Any:
    """The type that a step leads to; None if there is no such step."""
    if step is ITEMS:
        return kind.value_type if _is_list(kind) else None
    if not pa.types.is_struct(kind):
        return None
    index = kind.get_field_index(step)
    return None if index < 0 else kind.field(index).type


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


def _mapped(array: _Array, steps: Path, case: Callable[[_Array], _Array]) -> _Array:
    """An array in which all texts are cased."""
    if not steps:
        return case(array)
    mask = array.is_null() if array.null_count else None
    if steps[0] is ITEMS:
        offsets = array.offsets
        first = offsets[0]
        values = array.values.slice(first.as_py(), offsets[-1].as_py() - first.as_py())
        return type(array).from_arrays(
            pc.subtract(offsets, first),
            _mapped(values, steps[1:], case),
            type=array.type,
            mask=mask,
        )
    wanted = array.type.get_field_index(steps[0])
    fields = [array.type.field(i) for i in range(array.type.num_fields)]
    children = [array.field(i) for i in range(len(fields))]
    children[wanted] = _mapped(children[wanted], steps[1:], case)
    return pa.StructArray.from_arrays(children, fields=fields, mask=mask)


def _texts_of_structs(column: Any, steps: Path) -> Any:
    """The texts of a source or alignment column, as plain strings."""
    if steps:
        column = pc.struct_field(column, list(steps))
    if pa.types.is_dictionary(column.type):
        return _plain_texts(column, ())
    return column.cast(pa.string()) if pa.types.is_null(column.type) else column


def _counts(given: Any, cased: Any, steps: Path, count_words: bool) -> tuple[int, int]:
    """How many texts of a column changed, and about how many words they have."""
    before, after = (_plain_texts(column, steps) for column in (given, cased))
    if pa.types.is_null(before.type):
        return 0, 0
    n_changed = pc.sum(pc.not_equal(before, after)).as_py() or 0
    n_words = 0
    if count_words:
        n_words = (pc.sum(pc.count_substring(before, " ")).as_py() or 0) + pc.count(before).as_py()
    return n_changed, n_words


def _plain_texts(column: Any, steps: Path) -> Any:
    """The texts of a column, one after the other."""
    for step in steps:
        column = pc.list_flatten(column) if step is ITEMS else pc.struct_field(column, [step])
    if pa.types.is_dictionary(column.type):
        column = pa.chunked_array(
            [_with_plain_texts(chunk).dictionary_decode() for chunk in column.chunks],
            _plain(column.type.value_type),
        )
    return column.cast(_plain(column.type))


def _with_plain_texts(array: _Array) -> _Array:
    """A dictionary array with plain strings: pyarrow cannot decode dictionaries of views."""
    texts = array.dictionary.cast(_plain(array.dictionary.type))
    return pa.DictionaryArray.from_arrays(array.indices, texts)


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
