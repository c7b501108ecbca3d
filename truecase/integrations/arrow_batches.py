"""Casing of pyarrow's record batches and tables, as engines hand them to functions."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, runtime_checkable

from truecase.columns.column import CasedColumn, Column
from truecase.columns.types import ColumnError
from truecase.errors import WrongTypeError
from truecase.options import Context, InputCase, SentenceStart, Style
from truecase.truecaser import Truecaser

PathLike = str | os.PathLike[str]

#: Behind the name of a column of text is the name of its column of confidences.
CONFIDENCE = "_confidence"

_Batch = TypeVar("_Batch")


@runtime_checkable
class CasesColumns(Protocol):
    """A truecaser, or what becomes one on its way to a worker."""

    def column(self, column: object, *options: Any, **more: Any) -> Column | CasedColumn:
        """As `Truecaser.column`."""


@dataclass(frozen=True)
class CaseArrays:
    """Cases columns with one model and one set of options; it pickles as its truecaser does.

    Parameters
    ----------
    truecaser : Truecaser
    input_case, style, sentence_start, context
        As for `Truecaser.column`.
    with_confidence : bool

    Raises
    ------
    TruecaseError, ValueError
        An option is none.
    """

    truecaser: CasesColumns
    input_case: InputCase = "ignore"
    style: Style | None = None
    sentence_start: SentenceStart = "always"
    context: Context = "line"
    with_confidence: bool = False

    def __call__(
        self, texts: object, source: object = None, alignment: object = None
    ) -> Column | CasedColumn:
        """The texts, cased; see `Truecaser.column`."""
        return self.truecaser.column(
            texts,
            1,
            self.input_case,
            self.style,
            source=source,
            alignment=alignment,
            sentence_start=self.sentence_start,
            context=self.context,
            confidence=self.with_confidence,
        )

    def check(self, *, with_source: bool, with_alignment: bool) -> None:
        """Case a word, so that options that are none are told before there is any text.

        Raises
        ------
        TruecaseError, ValueError
        """
        import pyarrow as pa

        word = pa.array(["a"])
        links = pa.array(["0-0"])
        self(word, word if with_source else None, links if with_alignment else None)


def truecaser_of(model: CasesColumns | PathLike | None) -> CasesColumns:
    """A truecaser as it is, or the one of a path or of the name of an embedded model.

    Raises
    ------
    WrongTypeError, ModelError, OSError
        It cannot be loaded.
    """
    return model if isinstance(model, CasesColumns) else Truecaser.load(model)


@dataclass(frozen=True)
class CaseBatch:
    """Cases columns of a record batch or of a table, in their places.

    Parameters
    ----------
    case : CaseArrays
        With confidence, each column of text gets one of numbers, at the end.
    columns : sequence of str
    source, alignment : str, optional
        Columns beside the one of text; they stay as they are.

    Raises
    ------
    TruecaseError, ValueError
        An option is none, or options do not go together.
    """

    case: CaseArrays
    columns: Sequence[str]
    source: str | None = None
    alignment: str | None = None

    def __post_init__(self) -> None:
        if not self.columns:
            raise ValueError("columns: expected one or more")
        if self.source is not None and len(self.columns) > 1:
            raise ValueError(
                f"a source goes with one column, and there are {len(self.columns)}: case the "
                "columns one after the other"
            )
        self.case.check(
            with_source=self.source is not None, with_alignment=self.alignment is not None
        )

    def confidence_columns(self) -> list[str]:
        """The names of the columns that come to the end."""
        return [name + CONFIDENCE for name in self.columns] if self.case.with_confidence else []

    def check_names(self, names: Sequence[str]) -> None:
        """Refuse a table without one of the columns, or with one that would come to its end.

        Raises
        ------
        ColumnError
        """
        for name in (*self.columns, self.source, self.alignment):
            if name is not None and name not in names:
                raise ColumnError(f"there is no column {name}: expected one of {', '.join(names)}")
        for name in self.confidence_columns():
            if name in names:
                raise ColumnError(f"there is a column {name} already, which would be written to")

    def __call__(self, batch: _Batch) -> _Batch:
        """The batch, cased.

        Raises
        ------
        WrongTypeError
            It is none.
        ColumnError, AlignmentError
            Its columns cannot be cased.
        """
        if not hasattr(batch, "schema"):
            raise WrongTypeError(
                "expected a table or a record batch of pyarrow (batch_format='pyarrow'), found "
                f"{type(batch).__name__}"
            )
        made: Any = batch
        self.check_names(made.schema.names)
        confidences = []
        for name in self.columns:
            cased = self._cased(made, name)
            place = made.schema.get_field_index(name)
            if isinstance(cased, CasedColumn):
                cased, confidence = cased
                confidences.append(_like(batch, confidence))
            text = _like(batch, cased)
            made = made.set_column(place, made.schema.field(place).with_type(text.type), text)
        for name, numbers in zip(self.confidence_columns(), confidences, strict=True):
            made = made.append_column(name, numbers)
        return made  # type: ignore[no-any-return]

    def _cased(self, batch: Any, name: str) -> Column | CasedColumn:
        beside = [
            None if other is None else batch.column(other)
            for other in (self.source, self.alignment)
        ]
        try:
            return self.case(batch.column(name), *beside)
        except ColumnError as error:
            raise ColumnError(f"column {name}: {str(error).removeprefix('column: ')}") from None


def _like(batch: object, column: Column) -> Any:
    """A column as a record batch or a table holds it."""
    import pyarrow as pa

    return pa.array(column) if isinstance(batch, pa.RecordBatch) else pa.chunked_array(column)
