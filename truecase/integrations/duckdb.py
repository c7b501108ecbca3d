"""DuckDB: a function of SQL, ``SELECT truecase(text) FROM …``."""

from __future__ import annotations

from typing import Any

from truecase.errors import TruecaseError
from truecase.integrations.arrow_batches import CasesColumns, PathLike, truecaser_of
from truecase.options import InputCase, SentenceStart, Style


def register(
    connection: Any,
    model: CasesColumns | PathLike | None = None,
    name: str = "truecase",
    *,
    with_source: bool = False,
    input_case: InputCase = "ignore",
    style: Style | None = None,
    sentence_start: SentenceStart = "always",
) -> None:
    """Make a function of SQL that cases text.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
    model : Truecaser or path-like, optional
        A truecaser, the path of a model, or the name of an embedded one; ``en`` by default.
    name : str
        Of the function.
    with_source : bool
        The function has a second argument, the text that the first is a translation of.
    input_case, style, sentence_start
        As for `Truecaser.column`.

    Raises
    ------
    TruecaseError
        pyarrow is not installed, by which DuckDB hands columns to functions.
    """
    try:
        import pyarrow as pa
    except ImportError:
        raise TruecaseError(
            "functions of DuckDB get their columns by pyarrow (pip install pyarrow)"
        ) from None
    truecaser = truecaser_of(model)

    def cased(texts: object, sources: object = None) -> object:
        return truecaser.column(
            texts, 1, input_case, style, source=sources, sentence_start=sentence_start
        )

    def case(texts: object) -> Any:
        return pa.chunked_array(cased(texts))

    def case_with_source(texts: object, sources: object) -> Any:
        return pa.chunked_array(cased(texts, sources))

    function, arguments = (case_with_source, 2) if with_source else (case, 1)
    connection.create_function(
        name,
        function,
        ["VARCHAR"] * arguments,
        "VARCHAR",
        type="arrow",
        null_handling="special",
    )
