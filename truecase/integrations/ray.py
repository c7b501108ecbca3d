"""Ray Data: a callable for ``Dataset.map_batches``, as an object for tasks or a class for actors.

Ray is not imported: input and output are pyarrow's tables. Workers need the same version of this
package, and load a model once per process.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from truecase.base.argument_types import check_arguments
from truecase.integrations.arrow_batches import CaseBatch, sent, truecaser_of
from truecase.options import StrPath
from truecase.truecaser import Truecaser

if TYPE_CHECKING:
    import pyarrow as pa
    from typing_extensions import Unpack

    from truecase.options import CasingOptions


class TruecaseBatch:
    """Cases columns of text: ``ds.map_batches(TruecaseBatch("text"), batch_format="pyarrow")``.

    Cased columns replace the columns of text; all others stay.

    Parameters
    ----------
    columns : str or sequence of str
    model : Truecaser or path-like, optional
        The name of an installed model (``en`` by default; ``auto`` for each row's own), a path
        that the driver and all workers have, or a truecaser, which is pickled.
    source, alignment : str, optional
        Names of other columns: the sentences that the texts are translations of, and the links of
        each row.
    confidence : bool
        Add a column ``NAME_confidence`` for each cased one: the probability of the row's least
        certain word.
    **casing
        As for `Truecaser.with_casing`.

    Raises
    ------
    TruecaseError, ValueError, OSError
        The model cannot be loaded, or an option is unknown.
    """

    def __init__(
        self,
        columns: str | Sequence[str],
        model: Truecaser | StrPath | None = None,
        source: str | None = None,
        alignment: str | None = None,
        *,
        confidence: bool = False,
        **casing: Unpack[CasingOptions],
    ) -> None:
        check_arguments(TruecaseBatch.__init__, locals())
        names = (columns,) if isinstance(columns, str) else tuple(columns)
        truecaser = truecaser_of(model, **casing)
        self._case = CaseBatch(truecaser, names, source, alignment, confidence)

    def __call__(self, batch: pa.Table) -> pa.Table:
        """Case a batch.

        Raises
        ------
        WrongTypeError
            `batch` is not a table: map_batches was called without ``batch_format="pyarrow"``.
        ColumnError
            A column is missing, or does not hold text.
        """
        return self._case(batch)

    def __reduce__(self) -> tuple[Any, ...]:
        # A worker gets the function first; without the package it can say so.
        return sent(self._case), ()
