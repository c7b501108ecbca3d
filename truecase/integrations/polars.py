"""polars: a namespace of expressions and of series, ``pl.col("text").truecase.case()``."""

from __future__ import annotations

from truecase.errors import TruecaseError
from truecase.integrations.arrow_batches import CasesColumns, PathLike, truecaser_of
from truecase.options import Context, InputCase, SentenceStart, Style

try:
    import polars as pl
except ImportError:
    raise TruecaseError("polars is not installed (pip install polars)") from None


@pl.api.register_expr_namespace("truecase")
class TruecaseExpr:
    """What an expression of text can be asked for."""

    def __init__(self, expression: pl.Expr) -> None:
        self._expression = expression

    def case(
        self,
        model: CasesColumns | PathLike | None = None,
        *,
        source: pl.Expr | str | None = None,
        threads: int = 1,
        input_case: InputCase = "ignore",
        style: Style | None = None,
        sentence_start: SentenceStart = "always",
        context: Context = "line",
    ) -> pl.Expr:
        """The texts, cased; see `truecase.Truecaser.column`.

        Parameters
        ----------
        model : Truecaser or path-like, optional
            A truecaser, the path of a model, or the name of an embedded one; ``en`` by default.
        source : Expr or str, optional
            An expression, or the name of a column: the sentences that these are translations of.
        threads, input_case, style, sentence_start, context
            As for `Truecaser.column`.
        """
        truecaser = truecaser_of(model)

        def case(texts: pl.Series, sources: pl.Series | None = None) -> pl.Series:
            column = truecaser.column(
                texts,
                threads,
                input_case,
                style,
                source=sources,
                sentence_start=sentence_start,
                context=context,
            )
            return _series(texts, column)

        if source is None:
            return self._expression.map_batches(
                case, return_dtype=pl.self_dtype(), is_elementwise=True
            )
        beside = pl.col(source) if isinstance(source, str) else source
        return pl.map_batches(
            [self._expression, beside], lambda both: case(*both), return_dtype=pl.String
        )


@pl.api.register_series_namespace("truecase")
class TruecaseSeries:
    """What a series of text can be asked for."""

    def __init__(self, series: pl.Series) -> None:
        self._series = series

    def case(self, model: CasesColumns | PathLike | None = None, threads: int = 1) -> pl.Series:
        """The texts, cased; see `truecase.Truecaser.column`.

        Parameters
        ----------
        model : Truecaser or path-like, optional
            As for expressions.
        threads : int
        """
        truecaser = truecaser_of(model)
        return _series(self._series, truecaser.column(self._series, threads))


def _series(given: pl.Series, column: object) -> pl.Series:
    return pl.Series(given.name, column, dtype=given.dtype)
