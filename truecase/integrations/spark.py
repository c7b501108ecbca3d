"""Spark: an expression of columns, ``truecased("text")``, and a function of data frames.

Executors need the same version of this package, and load a model once per Python process. Errors
on an executor end the job, and the last line of what the driver says is one sentence.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from truecase.columns.column import CasedColumn, Column
from truecase.columns.types import ColumnError
from truecase.errors import ModelError, TruecaseError
from truecase.integrations.arrow_batches import CaseArrays, CaseBatch, PathLike, truecaser_of
from truecase.integrations.sent import sent
from truecase.options import Context, InputCase, SentenceStart, Style
from truecase.truecaser import Truecaser

try:
    from pyspark import SparkFiles
    from pyspark.sql import functions
    from pyspark.sql.types import DoubleType, StringType, StructField, StructType
except ImportError:
    raise TruecaseError("PySpark is not installed (pip install 'truecase-crf[spark]')") from None

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import Column as SparkColumn
    from pyspark.sql import DataFrame


class AddedFile:
    """The file of a model that each executor has by ``SparkContext.addFile``.

    Parameters
    ----------
    path : path-like
        Of the file as the driver has it; executors find it by its name without the folder.

    Raises
    ------
    ModelError, OSError
        The model cannot be read.
    """

    def __init__(self, path: PathLike) -> None:
        self._name = os.path.basename(os.fspath(path))
        self._truecaser = Truecaser.load(os.path.abspath(path))

    def column(self, column: object, *options: Any, **more: Any) -> Column | CasedColumn:
        """As `Truecaser.column`."""
        made: Column | CasedColumn = self._truecaser.column(column, *options, **more)
        return made

    def __reduce__(self) -> tuple[object, ...]:
        return _of_added_file, (self._name, _fingerprint(self._truecaser))


def _fingerprint(truecaser: Truecaser) -> str | None:
    origin = truecaser.model.origin
    return None if origin is None else origin.fingerprint


def _of_added_file(name: str, fingerprint: str | None) -> Truecaser:
    """The truecaser of a file that was added; runs on executors."""
    try:
        # Mapped: Spark alone writes there, and the processes of an executor share its memory.
        truecaser = Truecaser.load(SparkFiles.get(name), copy=False)
    except FileNotFoundError:
        raise ModelError(
            f"{name}: this executor has no file of that name: give it to all of them by "
            "SparkContext.addFile"
        ) from None
    if _fingerprint(truecaser) != fingerprint:
        raise ModelError(f"{name}: the file that executors have is another one than the driver's")
    return truecaser


def truecased(
    column: SparkColumn | str,
    model: Truecaser | AddedFile | PathLike | None = None,
    source: SparkColumn | str | None = None,
    alignment: SparkColumn | str | None = None,
    *,
    confidence: bool = False,
    input_case: InputCase = "ignore",
    style: Style | None = None,
    sentence_start: SentenceStart = "always",
    context: Context = "line",
) -> SparkColumn:
    """A column of text, cased; Spark sends to Python only the columns that are named here.

    Parameters
    ----------
    column : Column or str
    model : Truecaser, AddedFile or path-like, optional
        The name of an embedded model (``en`` by default), a path that the driver and all executors
        have, a file that was added to Spark, or a truecaser, which is sent as `pickle` does it.
    source, alignment : Column or str, optional
        The sentences that the texts are translations of, and the links of each row.
    confidence : bool
        Give a struct of ``text`` and ``confidence``, the probability of the row's least certain
        word.
    input_case, style, sentence_start, context
        As for `Truecaser.column`.

    Returns
    -------
    Column
        Of strings, or of structs.

    Raises
    ------
    TruecaseError
        PySpark is older than 4.1; `case_frame` runs on it.
    TruecaseError, ValueError, OSError
        The model cannot be loaded, or an option is none.
    """
    if not hasattr(functions, "arrow_udf"):
        raise TruecaseError("columns are cased by PySpark 4.1 and later; on 4.0 use case_frame")
    case = CaseArrays(truecaser_of(model), input_case, style, sentence_start, context, confidence)
    case.check(with_source=source is not None, with_alignment=alignment is not None)
    receive = sent(_CaseColumns(case))

    # Without annotations, which Spark would look up; its name is that of the new column.
    def truecased(texts, *beside):  # type: ignore[no-untyped-def]
        return receive()(texts, *beside)

    cased = functions.arrow_udf(
        truecased, "text string, confidence double" if confidence else "string"
    )
    return cased(*(each for each in (column, source, alignment) if each is not None))


class _CaseColumns:
    """Arrays of a batch to one array; runs on executors."""

    def __init__(self, case: CaseArrays) -> None:
        self._case = case

    def __call__(self, texts: pa.Array, *beside: pa.Array) -> pa.Array:
        import pyarrow as pa

        cased = self._case(texts, *beside)
        if not isinstance(cased, CasedColumn):
            return pa.array(cased)
        return pa.StructArray.from_arrays(
            [pa.array(cased.text), pa.array(cased.confidence)], ["text", "confidence"]
        )


def case_frame(
    frame: DataFrame,
    columns: str | Sequence[str],
    model: Truecaser | AddedFile | PathLike | None = None,
    source: str | None = None,
    alignment: str | None = None,
    *,
    confidence: bool = False,
    input_case: InputCase = "ignore",
    style: Style | None = None,
    sentence_start: SentenceStart = "always",
    context: Context = "line",
) -> DataFrame:
    """A data frame with columns of text cased in their places, and all others as they were.

    Parameters
    ----------
    frame : DataFrame
    columns : str or sequence of str
    model : Truecaser, AddedFile or path-like, optional
        As for `truecased`.
    source, alignment : str, optional
        Columns beside the one of text; they stay.
    confidence : bool
        Add a column for each that is cased, ``NAME_confidence``: the probability of the row's
        least certain word.
    input_case, style, sentence_start, context
        As for `Truecaser.column`.

    Raises
    ------
    ColumnError
        There is no such column, or it is not one of text.
    TruecaseError, ValueError, OSError
        The model cannot be loaded, or an option is none.
    """
    names = (columns,) if isinstance(columns, str) else tuple(columns)
    case = CaseArrays(truecaser_of(model), input_case, style, sentence_start, context, confidence)
    batch = CaseBatch(case, names, source, alignment)
    fields = frame.schema.fields
    batch.check_names([field.name for field in fields])
    for field in fields:
        if field.name in (*names, source, alignment) and not isinstance(field.dataType, StringType):
            raise ColumnError(
                f"column {field.name}: expected text, found {field.dataType.simpleString()}"
            )
    schema = StructType(
        [*fields, *(StructField(name, DoubleType()) for name in batch.confidence_columns())]
    )
    receive = sent(batch)

    def case_batches(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return map(receive(), batches)

    return frame.mapInArrow(case_batches, schema)
