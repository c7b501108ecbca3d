"""polars: methods of expressions and series, such as ``pl.col("text").truecase.case()``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from truecase.errors import ColumnError, TruecaseError
from truecase.integrations.arrow_batches import truecaser_of
from truecase.options import StrPath
from truecase.truecaser import Truecaser

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truecase.options import CasingOptions


try:
    import polars as pl
except ImportError:
    raise TruecaseError("polars is not installed (pip install polars)") from None


@pl.api.register_expr_namespace("truecase")
class TruecaseExpr:
    """Methods of expressions of text."""

    def __init__(self, expression: pl.Expr) -> None:
        self._expression = expression

    def case(
        self,
        model: Truecaser | StrPath | None = None,
        *,
        source: pl.Expr | str | None = None,
        threads: int = 1,
        **casing: Unpack[CasingOptions],
    ) -> pl.Expr:
        """Case the texts; see `truecase.Truecaser.column`.

        Parameters
        ----------
        model : Truecaser or path-like, optional
            A truecaser, the path of a model, or the name of an embedded one; ``en`` by default.
        **casing
            As for `Truecaser.with_casing`.
        source : Expr or str, optional
            An expression, or the name of a column: the sentences that these are translations of.
        threads : int
        """
        truecaser = truecaser_of(model, **casing)

        def case(texts: pl.Series, sources: pl.Series | None = None) -> pl.Series:
            return _cased(truecaser, texts, threads, sources)

        if source is None:
            return self._expression.map_batches(
                case, return_dtype=pl.self_dtype(), is_elementwise=True
            )
        sources = pl.col(source) if isinstance(source, str) else source
        return pl.map_batches(
            [self._expression, sources], lambda both: case(*both), return_dtype=pl.String
        )


@pl.api.register_series_namespace("truecase")
class TruecaseSeries:
    """Methods of series of text."""

    def __init__(self, series: pl.Series) -> None:
        self._series = series

    def case(self, model: Truecaser | StrPath | None = None, threads: int = 1) -> pl.Series:
        """Case the texts; parameters are those of `TruecaseExpr.case`."""
        return _cased(truecaser_of(model), self._series, threads)


def _cased(
    truecaser: Truecaser, texts: pl.Series, threads: int, sources: pl.Series | None = None
) -> pl.Series:
    if texts.dtype == pl.Null:
        return texts
    if texts.dtype == pl.Enum:
        raise ColumnError(
            f"column {texts.name!r}: an Enum has no other texts than its own: cast it to String"
        )
    if sources is not None:
        # The case of a category may differ by row.
        texts, sources = (
            one.cast(pl.String) if one.dtype == pl.Categorical else one for one in (texts, sources)
        )
    column = truecaser.column(texts, threads, source=sources)
    return pl.Series(texts.name, column, dtype=texts.dtype)
