"""Spark: an expression of columns, ``truecased("text")``, and a function of data frames.

Executors need the same version of this package, and load a model once per Python process. Errors
on an executor end the job; the last line of the driver's message is one sentence.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from truecase.errors import ColumnError, ModelError, TruecaseError
from truecase.integrations.arrow_batches import CaseBatch, check_columns, sent, truecaser_of
from truecase.options import Casing, StrPath
from truecase.truecaser import Truecaser
from truecase.truecaser.column import CasedColumn

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import Column as SparkColumn
    from pyspark.sql import DataFrame
    from typing_extensions import Unpack

    from truecase.options import CasingOptions


try:
    from pyspark import SparkFiles
    from pyspark.sql import functions as functions
    from pyspark.sql.types import DoubleType, StringType, StructField, StructType
except ImportError:
    raise TruecaseError("PySpark is not installed (pip install pyspark pyarrow pandas)") from None


class AddedFile(Truecaser):
    """A model file that each executor has by ``SparkContext.addFile``.

    Parameters
    ----------
    path : path-like
        Its path on the driver; executors find it by its name without the folder.

    Raises
    ------
    ModelError, OSError
        The model cannot be read.
    """

    def __init__(self, path: StrPath) -> None:
        self.__dict__.update(Truecaser.load(os.path.abspath(path)).__dict__)
        self._name = os.path.basename(os.fspath(path))

    def __reduce__(self) -> tuple[object, ...]:
        return _of_added_file, (self._name, _fingerprint(self), self.casing)


def _fingerprint(truecaser: Truecaser) -> str | None:
    origin = truecaser.model.origin
    return None if origin is None else origin.fingerprint


def _of_added_file(name: str, fingerprint: str | None, casing: Casing) -> Truecaser:
    """Load the truecaser of an added file; runs on executors."""
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
    return truecaser.with_casing(**casing._asdict())


def truecased(
    column: SparkColumn | str,
    model: Truecaser | StrPath | None = None,
    source: SparkColumn | str | None = None,
    alignment: SparkColumn | str | None = None,
    *,
    confidence: bool = False,
    **casing: Unpack[CasingOptions],
) -> SparkColumn:
    """Make a column of cased text; Spark sends only the named columns to Python.

    Parameters
    ----------
    column : Column or str
    model : Truecaser, AddedFile or path-like, optional
        The name of an installed model (``en`` by default; ``auto`` for each row's own), a path
        that the driver and all executors have, a file that was added to Spark, or a truecaser,
        which is pickled.
    source, alignment : Column or str, optional
        The sentences that the texts are translations of, and the links of each row.
    confidence : bool
        Make structs of ``text`` and ``confidence``, the probability of the row's least certain
        word, instead of strings.
    **casing
        As for `Truecaser.with_casing`.

    Raises
    ------
    TruecaseError, ValueError, OSError
        PySpark is older than 4.1 (`case_frame` runs on it), the model cannot be loaded, or an
        option is unknown.
    """
    if not hasattr(functions, "arrow_udf"):
        raise TruecaseError("columns are cased by PySpark 4.1 and later; on 4.0 use case_frame")
    truecaser = truecaser_of(model, **casing)
    check_columns(truecaser, source, alignment)
    receive = sent(_CaseColumns(truecaser, confidence))

    # Without annotations, which Spark would look up; its name is that of the new column.
    def truecased(texts, *others):  # type: ignore[no-untyped-def]
        return receive()(texts, *others)

    cased = functions.arrow_udf(
        truecased, "text string, confidence double" if confidence else "string"
    )
    return cased(*(each for each in (column, source, alignment) if each is not None))


@dataclass(frozen=True)
class _CaseColumns:
    """Cases arrays of a batch; runs on executors."""

    truecaser: Truecaser
    with_confidence: bool

    def __call__(
        self, texts: pa.Array, source: pa.Array = None, alignment: pa.Array = None
    ) -> pa.Array:
        import pyarrow as pa

        cased = self.truecaser.column(  # type: ignore[call-overload]
            texts, source=source, alignment=alignment, confidence=self.with_confidence
        )
        if not isinstance(cased, CasedColumn):
            return pa.array(cased)
        return pa.StructArray.from_arrays(
            [pa.array(cased.text), pa.array(cased.confidence)], ["text", "confidence"]
        )


def check_texts(
    frame: DataFrame, names: Collection[str | None], error: type[TruecaseError]
) -> None:
    """Raise an error if one of the named columns does not hold text."""
    for field in frame.schema.fields:
        if field.name in names and not isinstance(field.dataType, StringType):
            found = field.dataType.simpleString()
            raise error(f"column {field.name}: expected text, found {found}")


def case_frame(
    frame: DataFrame,
    columns: str | Sequence[str],
    model: Truecaser | StrPath | None = None,
    source: str | None = None,
    alignment: str | None = None,
    *,
    confidence: bool = False,
    **casing: Unpack[CasingOptions],
) -> DataFrame:
    """Replace columns of a data frame by their cased texts; all others stay.

    Parameters
    ----------
    frame : DataFrame
    columns, source, alignment : str
        Names; `columns` can be several.
    model, **casing
        As for `truecased`.
    confidence : bool
        Add a column ``NAME_confidence`` for each cased one: the probability of the row's least
        certain word.

    Raises
    ------
    ColumnError
        A column is missing, or does not hold text.
    TruecaseError, ValueError, OSError
        The model cannot be loaded, or an option is unknown.
    """
    names = (columns,) if isinstance(columns, str) else tuple(columns)
    truecaser = truecaser_of(model, **casing)
    batch = CaseBatch(truecaser, names, source, alignment, confidence)
    fields = frame.schema.fields
    batch.check_names([field.name for field in fields])
    check_texts(frame, (*names, source, alignment), ColumnError)
    schema = StructType(
        [*fields, *(StructField(name, DoubleType()) for name in batch.confidence_columns())]
    )
    receive = sent(batch)
    return frame.mapInArrow(lambda batches: map(receive(), batches), schema)
