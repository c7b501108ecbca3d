"""DuckDB: a function of SQL, ``SELECT truecase(text) FROM …``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from truecase.base.argument_types import check_arguments
from truecase.errors import TruecaseError, WrongTypeError
from truecase.integrations.arrow_batches import truecaser_of
from truecase.options import StrPath
from truecase.truecaser import Truecaser

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truecase.options import CasingOptions


def register(
    connection: Any,
    model: Truecaser | StrPath | None = None,
    name: str = "truecase",
    *,
    with_source: bool = False,
    threads: int = 1,
    **casing: Unpack[CasingOptions],
) -> None:
    """Register a function of SQL that cases text.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
    model, **casing
        As for `truecase.integrations.arrow_batches.truecaser_of`.
    name : str
        Of the function.
    with_source : bool
        The function has a second argument, the text that the first is a translation of.
    threads : int
        Threads of each call of the function, which gets 2,048 rows.

    Raises
    ------
    TruecaseError
        pyarrow is not installed, which DuckDB needs to pass columns to functions.
    """
    check_arguments(register, locals())
    if not hasattr(connection, "create_function"):
        raise WrongTypeError(f"connection: expected DuckDB's, found {type(connection).__name__}")
    try:
        import pyarrow as pa
    except ImportError:
        raise TruecaseError(
            "functions of DuckDB get their columns by pyarrow (pip install pyarrow)"
        ) from None
    truecaser = truecaser_of(model, **casing)

    def case(texts: object) -> Any:
        return pa.chunked_array(truecaser.column(texts, threads))

    def case_with_source(texts: object, sources: object) -> Any:
        return pa.chunked_array(truecaser.column(texts, threads, source=sources))

    connection.create_function(
        name,
        case_with_source if with_source else case,
        ["VARCHAR"] * (1 + with_source),
        "VARCHAR",
        type="arrow",
        null_handling="special",
    )
