"""Case pyarrow's record batches and tables, and send the functions that do it to workers."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar, cast

from truecase.base.argument_types import check_type
from truecase.base.model_file import __version__
from truecase.errors import ColumnError, WrongTypeError
from truecase.model.pickling import check_package
from truecase.options import StrPath
from truecase.truecaser import Truecaser
from truecase.truecaser.column import CasedColumn, Column
from truecase.truecaser.multilingual import MultilingualTruecaser, loaded

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truecase.options import CasingOptions


#: Ends the name of a column of confidences, behind the name of its column of text.
CONFIDENCE = "_confidence"

_Batch = TypeVar("_Batch")


def truecaser_of(model: Truecaser | StrPath | None, **casing: Unpack[CasingOptions]) -> Truecaser:
    """Make a truecaser with other options.

    Parameters
    ----------
    model : Truecaser, MultilingualTruecaser or path-like, optional
        A truecaser, the path of a model, or the name of an installed one, such as ``de``; ``auto``
        for each row's own language; ``en`` by default.
    **casing
        As for `Truecaser.with_casing`, with its errors and those of `Truecaser.load`.
    """
    truecaser: Truecaser = loaded(model)
    check_type("model", truecaser, (Truecaser, MultilingualTruecaser), "a truecaser or a path")
    return truecaser.with_casing(**casing)


def check_columns(truecaser: Truecaser, source: object, alignment: object) -> None:
    """Case a word beside columns, or None: errors about sources come before any text."""
    import pyarrow as pa

    sources = None if source is None else pa.array(["a"])
    alignments = None if alignment is None else pa.array(["0-0"])
    truecaser.column(pa.array(["a"]), source=sources, alignment=alignments)


@dataclass(frozen=True)
class CaseBatch:
    """Replaces columns of a record batch or of a table by their cased texts.

    Parameters
    ----------
    truecaser : Truecaser
    columns : sequence of str
    source, alignment : str, optional
        Names of other columns, which stay as they are.
    with_confidence : bool
        Append a column of numbers for each column of text.

    Raises
    ------
    TruecaseError, ValueError
        The options contradict each other.
    """

    truecaser: Truecaser
    columns: Sequence[str]
    source: str | None = None
    alignment: str | None = None
    with_confidence: bool = False

    def __post_init__(self) -> None:
        if not self.columns or len(set(self.columns)) < len(self.columns):
            raise ValueError("columns: expected one or more, each once")
        if self.source is not None and len(self.columns) > 1:
            raise ValueError(
                f"a source goes with one column, and there are {len(self.columns)}: case the "
                "columns one after the other"
            )
        check_columns(self.truecaser, self.source, self.alignment)

    def confidence_columns(self) -> list[str]:
        """Return the names of the new columns."""
        return [name + CONFIDENCE for name in self.columns] if self.with_confidence else []

    def check_names(self, names: Sequence[str]) -> None:
        """Raise ColumnError if a column is missing or not the only one, or a new one is there."""
        for name in (*self.columns, self.source, self.alignment):
            if name is not None and name not in names:
                raise ColumnError(f"there is no column {name}: expected one of {', '.join(names)}")
            if name is not None and list(names).count(name) > 1:
                raise ColumnError(f"several columns are called {name}: rename all but one")
        for name in self.confidence_columns():
            if name in names:
                raise ColumnError(f"there is a column {name} already, which would be written to")

    def __call__(self, batch: _Batch) -> _Batch:
        """Case a batch.

        Raises
        ------
        WrongTypeError
            `batch` is something else.
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
        source, alignment = (
            None if other is None else batch.column(other)
            for other in (self.source, self.alignment)
        )
        try:
            return self.truecaser.column(  # type: ignore[call-overload, no-any-return]
                batch.column(name),
                source=source,
                alignment=alignment,
                confidence=self.with_confidence,
            )
        except ColumnError as error:
            raise ColumnError(f"column {name}: {str(error).removeprefix('column: ')}") from None


def _like(batch: object, column: Column) -> Any:
    """Convert a column to that of a record batch or a table."""
    import pyarrow as pa

    return pa.array(column) if isinstance(batch, pa.RecordBatch) else pa.chunked_array(column)


# --- sending objects to workers ----------------------------------------------------------------

# Spark and Ray pickle functions by cloudpickle: a function of a module by its name, so that a
# worker without the package could not report that in a sentence; a function within a function by
# value. Such a function carries the object.

_T = TypeVar("_T")

# A job has few models, but a process of a worker may serve many jobs.
_N_HELD = 8


def sent(thing: _T) -> Callable[[], _T]:
    """Pickle an object, and make a function that returns it on a worker.

    cloudpickle can send the function, pickle cannot. Called on a worker, it raises ImportError if
    the package is missing, and ModelError if it has another version.
    """
    package, data = __version__, pickle.dumps(thing)

    def receive() -> _T:
        try:
            from truecase.integrations.arrow_batches import received
        except ImportError as error:
            import sys

            raise ImportError(
                f"a worker lacks truecase {package}: install the wheel of truecase-crf {package} "
                f"on all workers, for {sys.executable} ({error})"
            ) from None
        return received(package, data)  # type: ignore[return-value]

    return receive


@lru_cache(maxsize=_N_HELD)
def received(package: str, data: bytes) -> object:
    """Return the object that was sent, the same one each time in this process.

    Raises
    ------
    ModelError
        Another version of the package sent it, or the worker's model differs from the driver's.
    OSError
        The file of its model is missing on the worker.
    """
    check_package(package)
    return cast(object, pickle.loads(data))
