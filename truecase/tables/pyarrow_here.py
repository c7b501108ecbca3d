"""pyarrow, if it is installed."""

from __future__ import annotations

from typing import Any

from truecase.errors import TableError


def import_pyarrow(kind: str) -> Any:
    """The module.

    Parameters
    ----------
    kind : str
        What is to be read, for people.

    Raises
    ------
    TableError
        It is not installed.
    """
    try:
        import pyarrow
    except ModuleNotFoundError:
        raise TableError(f"{kind} needs pyarrow: pip install 'truecase-crf[columns]'") from None
    return pyarrow
