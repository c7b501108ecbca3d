"""Formats of tables, the columns that are cased in one, their paths, and options."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import repeat
from typing import Any, NamedTuple, Protocol, TypeAlias

from truecase.base.argument_types import check_arguments
from truecase.errors import TableOptionError
from truecase.formats.format import Format
from truecase.options import DEFAULT_CASING, Casing


class Sink(Protocol):
    """An output."""

    def write(self, data: bytes | memoryview, /) -> object:
        """Write all bytes."""


class ColumnJob(NamedTuple):
    """A column of text, by name or path, and the columns that `case_table` combines with it."""

    column: str
    source: str | None = None
    alignment: str | None = None
    confidence: str | None = None
    # The column of each row's language, the same one for all columns of text.
    language: str | None = None

    def check_lists(self, is_list: Callable[[str], bool]) -> None:
        """Raise TableOptionError for a list where each row needs one text."""
        if is_list(self.column):
            for what, given in (("source", self.source), ("confidence", self.confidence)):
                if given is not None:
                    raise TableOptionError(
                        f"{what}-column: {self.column} has any number of texts in a row"
                    )
        others = {"source": self.source, "alignment": self.alignment, "language": self.language}
        for what, other in others.items():
            if other is not None and is_list(other):
                raise TableOptionError(f"{what}-column: {other} is a list")


@dataclass(frozen=True)
class TableJob:
    """How a table is cased; `truecase.case_table` describes the options.

    Raises TableOptionError if options contradict each other.
    """

    format: str
    columns: tuple[ColumnJob, ...]
    casing: Casing = DEFAULT_CASING
    suffix: str | None = None
    encoding: str | None = None
    delimiter: str | None = None
    has_header: bool = True
    has_quotes: bool = True
    skip_bad: bool = False
    threads: int = 1

    def __post_init__(self) -> None:
        if self.format not in TABLES:
            raise TableOptionError(f"format {self.format!r}: expected one of {', '.join(TABLES)}")
        check_arguments(TableJob, vars(self))
        kind = self.kind.title
        if self.kind.is_binary and self.encoding is not None:
            raise TableOptionError(f"encoding: {kind} is always in UTF-8")
        has_confidences = any(job.confidence for job in self.columns)
        if not self.kind.is_binary and (self.suffix is not None or has_confidences):
            new = "confidence-column" if self.suffix is None else "suffix"
            raise TableOptionError(f"{new}: {kind} gets no new columns, only its texts change")
        if not self.kind.delimiter:
            for name, value in (
                ("delimiter", self.delimiter is not None),
                ("no-header", not self.has_header),
                ("no-quotes", not self.has_quotes),
            ):
                if value:
                    raise TableOptionError(f"{name}: only CSV and TSV have this, not {kind}")
        if self.format == "tsv" and self.delimiter is not None:
            raise TableOptionError("delimiter: that of TSV is a tab; give the format csv")
        if self.delimiter is not None:
            given = self.delimiter
            if len(given) != 1 or not given.isascii() or given in '"\r\n\0':
                raise TableOptionError(f"delimiter {given!r}: expected one sign, such as ;")
        if self.suffix == "":
            raise TableOptionError("suffix: is empty; without it, columns are cased in place")
        if self.casing.context == "document" and any(job.source for job in self.columns):
            raise TableOptionError("context document: sources go with the context line")

    @property
    def kind(self) -> TableFormat:
        """The format's record."""
        return TABLES[self.format]


@dataclass(frozen=True)
class TableFormat(Format):
    """A format of tables."""

    # The usual character between fields; empty for a format without fields.
    delimiter: str = ""
    # Whether pyarrow reads and writes the format.
    is_binary: bool = False


_FORMATS = (
    TableFormat("parquet", "Parquet", (".parquet", ".pq"), is_binary=True),
    TableFormat("arrow", "Arrow IPC", (".arrow", ".arrows", ".feather", ".ipc"), is_binary=True),
    TableFormat("jsonl", "JSON lines", (".jsonl", ".ndjson", ".json")),
    TableFormat("csv", "CSV", (".csv",), delimiter=","),
    TableFormat("tsv", "TSV", (".tsv", ".tab"), delimiter="\t"),
)
TABLES = {known.name: known for known in _FORMATS}


def column_jobs(
    columns: Iterable[str],
    sources: Iterable[str] = (),
    alignments: Iterable[str] = (),
    confidences: Iterable[str] = (),
    *,
    language: str | None = None,
) -> tuple[ColumnJob, ...]:
    """Combine the columns with those that belong to them, in order; `language` is that of all.

    Raises TableOptionError if their numbers differ, or a name is given twice.
    """
    names = tuple(columns)
    if not names:
        raise TableOptionError("column: expected the name of at least one column")
    if len(set(names)) != len(names):
        raise TableOptionError("column: one is named twice")
    lists = {"source": sources, "alignment": alignments, "confidence": confidences}
    given = {what: tuple(others) for what, others in lists.items()}
    for what, others in given.items():
        if others and len(others) != len(names):
            raise TableOptionError(
                f"{what}-column: expected one for each column, {len(names)}, found {len(others)}"
            )
    if given["alignment"] and not given["source"]:
        raise TableOptionError("alignment-column: an alignment needs its source, source-column")
    if len(set(given["confidence"])) != len(given["confidence"]):
        raise TableOptionError("confidence-column: one is named twice")
    for name in given["source"]:
        if name in names:
            raise TableOptionError(f"source-column: {name} is the column that is to be cased")
    if language in names:
        raise TableOptionError(f"language-column: {language} is the column that is to be cased")
    beside: list[Any] = [others or repeat(None) for others in given.values()]
    return tuple(map(ColumnJob, names, *beside, repeat(language)))


#: A step into each item of a list.
ITEMS = None

#: Steps from a row to its text: the name of a member, or `ITEMS`.
Path: TypeAlias = tuple[str | None, ...]

_STEP = re.compile(r"((?:[^.\[\]\\]|\\.)+)((?:\[\])*)(?:\.(?=.)|$)")


def parse_path(text: str) -> Path:
    r"""The steps of a path: names with full stops between them, and ``[]`` behind a list.

    A backslash goes before a full stop, bracket or backslash that is part of a name. Raises
    TableOptionError if the text is not a path.
    """
    steps: list[str | None] = []
    position = 0
    while (match := _STEP.match(text, position)) is not None:
        steps.append(re.sub(r"\\(.)", r"\1", match[1]))
        steps += [ITEMS] * (len(match[2]) // 2)
        position = match.end()
    if not steps or position < len(text):
        raise TableOptionError(
            f"column: {text!r} is no path: expected names with full stops between them, such as "
            "meta.title or turns[].text; a backslash goes before a full stop that is part of a name"
        )
    return tuple(steps)


def write_path(path: Path) -> str:
    """The path as `parse_path` reads it."""
    text = ""
    for step in path:
        if step is ITEMS:
            text += "[]"
        else:
            text += ("." if text else "") + re.sub(r"([.\[\]\\])", r"\\\1", step)
    return text


@dataclass
class TableSummary:
    """The rows of a table in numbers.

    Attributes
    ----------
    format : str
        For people.
    n_rows, n_changed : int
        Rows, and texts that changed.
    n_bad : int
        Rows that could not be cased, and stay.
    first_bad : str
        The first of them, with the reason.
    """

    format: str
    n_rows: int = 0
    n_changed: int = 0
    n_bad: int = 0
    first_bad: str = ""
