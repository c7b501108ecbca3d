"""What was done to a table."""

from __future__ import annotations

from dataclasses import dataclass

from truecase.tables.errors import BadRows


@dataclass
class TableSummary:
    """What was done to a table.

    Attributes
    ----------
    format : str
        For people.
    n_rows : int
    n_changed : int
        Texts that changed.
    n_bad : int
        Rows that were left as they are, since they cannot be cased.
    first_bad : str
        The first of them, and the reason.
    """

    format: str
    n_rows: int = 0
    n_changed: int = 0
    n_bad: int = 0
    first_bad: str = ""

    def add(self, n_rows: int, n_changed: int, bad: BadRows) -> None:
        """Add some rows; `bad` has counted all bad ones so far."""
        self.n_rows += n_rows
        self.n_changed += n_changed
        self.n_bad = bad.n_rows
        self.first_bad = "" if bad.first is None else str(bad.first)
