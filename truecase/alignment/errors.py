"""Alignments that do not fit their lines: errors, or lines that are passed over and counted."""

from __future__ import annotations

import warnings


class SkippedLines:
    """Lines whose alignment was bad and is done without: how many, and what the first was.

    Attributes
    ----------
    n_skipped : int
        Number of lines.
    first : str
        The message about the first of them.
    """

    def __init__(self) -> None:
        self.n_skipped = 0
        self.first = ""

    def add(self, n_lines: int, message: str) -> None:
        """Count lines; `message` is about the first of them."""
        if not self.n_skipped:
            self.first = message
        self.n_skipped += n_lines

    def report(self, stacklevel: int = 2) -> None:
        """Warn of them all at once, if there were any."""
        if self.n_skipped:
            lines = "line" if self.n_skipped == 1 else "lines"
            warnings.warn(
                f"{self.n_skipped} {lines} with bad alignments taken as not aligned; the first: "
                f"{self.first}",
                stacklevel=stacklevel + 1,
            )
