"""Progress of long work over files: bytes read, time left, words per second."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from types import TracebackType
from typing import Any

# Seconds between two updates of the words per second.
_UPDATE_INTERVAL = 0.2


def total_size(paths: Sequence[str | os.PathLike[str]]) -> int | None:
    """Size of all files together, or None if one of them is a pipe, a device or missing."""
    total = 0
    for path in paths:
        if not os.path.isfile(path):
            return None
        total += os.path.getsize(path)
    return total


class Progress:
    """A progress bar on stderr, which is silent unless that is a terminal.

    Parameters
    ----------
    total_bytes : int, optional
        Bytes that will be read (compressed, where the files are), from which the time left
        is estimated.
    label : str
        What is being done.
    enabled : bool, optional
        Show it, or not, whatever stderr is.

    Notes
    -----
    `add_bytes` and `add_words` may be called from different threads.
    """

    def __init__(
        self, total_bytes: int | None = None, label: str = "", enabled: bool | None = None
    ) -> None:
        self.n_bytes = 0
        self.n_words = 0
        self._bar: Any = None
        self._start = time.monotonic()
        self._next_update = 0.0
        if enabled is None:
            enabled = sys.stderr is not None and sys.stderr.isatty()
        if enabled:
            from tqdm import tqdm

            self._bar = tqdm(
                total=total_bytes,
                desc=label or None,
                unit="B",
                unit_scale=True,
                dynamic_ncols=True,
                file=sys.stderr,
            )

    @property
    def is_shown(self) -> bool:
        """Whether anybody sees it: words need not be counted for nobody."""
        return self._bar is not None

    @classmethod
    def for_files(
        cls, paths: Sequence[str | os.PathLike[str]], label: str = "", enabled: bool | None = None
    ) -> Progress:
        """Progress of reading these files once."""
        return cls(total_size(paths), label, enabled)

    def add_bytes(self, n_bytes: int) -> None:
        """Count bytes that were read from the files."""
        self.n_bytes += n_bytes
        if self._bar is not None:
            self._bar.update(n_bytes)

    def add_words(self, n_words: int) -> None:
        """Count words that were worked on."""
        self.n_words += n_words
        if self._bar is None:
            return
        now = time.monotonic()
        if now >= self._next_update:
            self._next_update = now + _UPDATE_INTERVAL
            self._show_rate(now)

    def _show_rate(self, now: float) -> None:
        rate = self.n_words / max(now - self._start, 1e-3)
        self._bar.set_postfix_str(f"{rate / 1e6:.2f}M words/s", refresh=False)

    def phase(self, label: str) -> None:
        """Say what is being done now."""
        if self._bar is not None:
            self._bar.set_description_str(label)

    def close(self) -> None:
        """Leave the bar as it is and go to the next line."""
        if self._bar is not None:
            if self.n_words:
                self._show_rate(time.monotonic())
            self._bar.close()
            self._bar = None

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
