"""What is to be done to a table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from truecase.options import Context, InputCase, SentenceStart, Style
from truecase.tables.errors import TableOptionError

#: Formats by the name of their option, and their names for people.
FORMATS = {
    "parquet": "Parquet",
    "arrow": "Arrow IPC",
    "jsonl": "JSON lines",
    "csv": "CSV",
    "tsv": "TSV",
}
BINARY = ("parquet", "arrow")
DELIMITED = ("csv", "tsv")


class ColumnJob(NamedTuple):
    """A column of text, and what belongs to it.

    Attributes
    ----------
    column : str
        Its name or path.
    source, alignment, confidence : str or None
        The columns of the sentences that its rows are translations of, of their alignments, and
        the new one of the probability of each row's least certain word.
    """

    column: str
    source: str | None = None
    alignment: str | None = None
    confidence: str | None = None


@dataclass(frozen=True)
class Casing:
    """How texts are cased; see `truecase.Truecaser.column`."""

    input_case: InputCase = "ignore"
    style: Style = "sentence"
    sentence_start: SentenceStart = "always"
    context: Context = "line"


@dataclass(frozen=True)
class TableJob:
    """What is to be done to a table; `truecase.case_table` tells what the options mean.

    Raises
    ------
    TableOptionError
        Some do not go together.
    """

    format: str
    columns: tuple[ColumnJob, ...]
    casing: Casing = Casing()
    suffix: str | None = None
    encoding: str | None = None
    delimiter: str | None = None
    has_header: bool = True
    has_quotes: bool = True
    skip_bad: bool = False
    threads: int = 1

    def __post_init__(self) -> None:
        if self.format not in FORMATS:
            raise TableOptionError(f"format {self.format!r}: expected one of {', '.join(FORMATS)}")
        if not isinstance(self.threads, int) or self.threads < 1:
            raise TableOptionError(f"threads {self.threads!r}: expected a whole number, 1 or more")
        kind = FORMATS[self.format]
        if self.format in BINARY:
            if self.encoding is not None:
                raise TableOptionError(f"encoding: {kind} is always in UTF-8")
        else:
            if self.suffix is not None:
                raise TableOptionError(f"suffix: {kind} gets no new columns, only its texts change")
            if any(job.confidence for job in self.columns):
                raise TableOptionError(
                    f"confidence-column: {kind} gets no new columns, only its texts change"
                )
        if self.format not in DELIMITED:
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
                raise TableOptionError(f"delimiter {given!r}: expected one character of ASCII")
        if self.suffix == "":
            raise TableOptionError("suffix: is empty; without it, columns are cased in place")
        if self.casing.context == "document" and any(job.source for job in self.columns):
            raise TableOptionError("context document: sources are of lines")


def column_jobs(
    columns: Iterable[str],
    sources: Iterable[str] = (),
    alignments: Iterable[str] = (),
    confidences: Iterable[str] = (),
) -> tuple[ColumnJob, ...]:
    """Columns with those that belong to them, the first to the first and so on.

    Raises
    ------
    TableOptionError
        There are not as many, or one is named twice.
    """
    names = tuple(columns)
    if not names:
        raise TableOptionError("column: expected the name of at least one column")
    if len(set(names)) != len(names):
        raise TableOptionError("column: one is named twice")
    others = []
    for what, given in (
        ("source", sources),
        ("alignment", alignments),
        ("confidence", confidences),
    ):
        found = tuple(given)
        if found and len(found) != len(names):
            raise TableOptionError(
                f"{what}-column: expected one for each column, {len(names)}, found {len(found)}"
            )
        others.append(found or (None,) * len(names))
    if others[1][0] is not None and others[0][0] is None:
        raise TableOptionError("alignment-column: an alignment needs its source, source-column")
    if len(set(others[2])) != len(names) and others[2][0] is not None:
        raise TableOptionError("confidence-column: one is named twice")
    for name in others[0]:
        if name in names:
            raise TableOptionError(f"source-column: {name} is the column that is to be cased")
    return tuple(ColumnJob(*four) for four in zip(names, *others, strict=True))
