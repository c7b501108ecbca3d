"""Ray Data: a callable for ``Dataset.map_batches``, as an object for tasks or a class for actors.

Ray is not imported: what goes in and comes out are pyarrow's tables. Workers need the same version
of this package, and load a model once per process.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from truecase.integrations.arrow_batches import CaseBatch, truecaser_of
from truecase.integrations.shipping import sent
from truecase.options import StrPath
from truecase.truecaser import Truecaser

if TYPE_CHECKING:
    import pyarrow as pa
    from typing_extensions import Unpack

    from truecase.options import CasingOptions


class TruecaseBatch:
    """Cases columns of text: ``ds.map_batches(TruecaseBatch("text"), batch_format="pyarrow")``.

    The columns are cased in their places, and all others stay as they were.

    Parameters
    ----------
    columns : str or sequence of str
    model : Truecaser or path-like, optional
        The name of an embedded model (``en`` by default), a path that the driver and all workers
        have, or a truecaser, which is sent as `pickle` does it.
    source, alignment : str, optional
        Columns beside the one of text: the sentences that the texts are translations of, and the
        links of each row.
    confidence : bool
        Add a column for each that is cased, ``NAME_confidence``: the probability of the row's
        least certain word.
    **casing
        As for `Truecaser.with_casing`.

    Raises
    ------
    TruecaseError, ValueError, OSError
        The model cannot be loaded, or an option is none.
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
        names = (columns,) if isinstance(columns, str) else tuple(columns)
        truecaser = truecaser_of(model, **casing)
        self._case = CaseBatch(truecaser, names, source, alignment, confidence)

    def __call__(self, batch: pa.Table) -> pa.Table:
        """The batch, cased.

        Raises
        ------
        WrongTypeError
            It is no table: map_batches was called without ``batch_format="pyarrow"``.
        ColumnError
            There is no such column, or it is not one of text.
        """
        return self._case(batch)

    def __reduce__(self) -> tuple[Any, ...]:
        # A worker gets the function first, so that one without the package can say so.
        return sent(self._case), ()
