"""Reports of work: its progress, stage by stage, and log messages."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal

from truecase.base.threads import imported
from truecase.options import StrPath

if TYPE_CHECKING:
    import threading

#: Called with the name of a step and the share of it that is done; None if that is unknown.
Report = Callable[[str, float | None], None]

# Seconds between updates of the words per second, and of the elapsed time.
_UPDATE_INTERVAL = 0.2
_TICK = 1.0

_UNKNOWN_FORMAT = "{desc}: {elapsed}"


def total_size(paths: Sequence[StrPath]) -> int | None:
    """Total size of the files; None if one is a pipe, a device or missing."""
    total = 0
    for path in paths:
        if not os.path.isfile(path):
            return None
        total += os.path.getsize(path)
    return total


def count_of(n: int, noun: str) -> str:
    """Write a number with its noun."""
    return f"{n:,} {noun}" + ("" if n == 1 else "s")


class Progress:
    """Shows the progress of work on stderr if that is a terminal or a notebook.

    A stage that reads files shows the share of bytes read, any other stage the elapsed time.
    `add_bytes`, `add_rows` and `add_words` may be called from different threads.

    Parameters
    ----------
    total_bytes : int, optional
        Bytes that a stage reads (compressed, if the files are), from which the remaining time is
        estimated.
    label : str
        Name of the first stage, which reads.
    enabled : bool, optional
        Show progress or not, whatever stderr is.
    """

    def __init__(
        self, total_bytes: int | None = None, label: str = "", enabled: bool | None = None
    ) -> None:
        self.n_bytes = 0
        self.n_words = 0
        self.n_rows = 0
        self._total_bytes = total_bytes
        self._label = label
        self._bar: Any = None
        self._reads = True
        self._words_before = 0
        self._start = time.monotonic()
        self._next_update = 0.0
        # Both exist only if progress is shown.
        self._lock: threading.RLock
        self._closed: threading.Event
        if enabled is None:
            is_notebook = "ipykernel" in sys.modules
            enabled = sys.stderr is not None and (is_notebook or sys.stderr.isatty())
        if enabled:
            import threading

            self._lock = threading.RLock()
            self._closed = threading.Event()
            self._show_reading()
            threading.Thread(target=self._tick, name="truecase-progress", daemon=True).start()

    @property
    def is_shown(self) -> bool:
        """Whether progress is drawn; otherwise words need not be counted."""
        return self._bar is not None

    @classmethod
    def for_files(
        cls, paths: Sequence[StrPath], label: str = "", enabled: bool | None = None
    ) -> Progress:
        """Show progress of work whose stages each read all of these files or none."""
        return cls(total_size(paths), label, enabled)

    def add_bytes(self, n_bytes: int) -> None:
        """Count bytes that were read from the files."""
        self.n_bytes += n_bytes
        if self._bar is None:
            return
        with self._lock:
            if not self._reads:
                # This stage reads the files, perhaps again.
                self._show_reading()
            if self._bar.total is not None and self._bar.n + n_bytes > self._bar.total:
                self._bar.total = None
            self._bar.update(n_bytes)

    def add_words(self, n_words: int) -> None:
        """Count words that were processed."""
        self.n_words += n_words
        if self._bar is None:
            return
        now = time.monotonic()
        if now >= self._next_update:
            self._next_update = now + _UPDATE_INTERVAL
            self._show_rate(now)

    def add_text(self, block: bytes) -> None:
        """Count the words of a block of text, if anybody sees it: about, by white space."""
        if self.is_shown:
            self.add_words(block.count(b" ") + block.count(b"\n"))

    def add_rows(self, n_rows: int) -> None:
        """Count rows of a table; call it before `add_words`, which shows both."""
        self.n_rows += n_rows

    def phase(self, label: str) -> None:
        """Show the current stage; a new label begins a new one."""
        if self._bar is None or label == self._label:
            return
        with self._lock:
            self._label = label
            self._show(total=None, bar_format=_UNKNOWN_FORMAT)

    def _show_reading(self) -> None:
        self._words_before = self.n_words
        self._show(total=self._total_bytes, unit="B", unit_scale=True)
        self._reads = True

    def _show(self, **options: Any) -> None:
        """Replace the bar by a new one."""
        from tqdm import tqdm

        if self._bar is not None:
            self._bar.leave = False
            self._bar.close()
        self._reads = False
        self._start = time.monotonic()
        self._bar = tqdm(
            desc=self._label or None,
            dynamic_ncols=True,
            mininterval=_UPDATE_INTERVAL,
            miniters=0,
            file=sys.stderr,
            **options,
        )

    def _show_rate(self, now: float) -> None:
        with self._lock:
            if self._bar is not None and self._reads:
                n_words = self.n_words - self._words_before
                seconds = max(now - self._start, 1e-3)
                rate = f"{n_words / seconds / 1e6:.2f}M words/s"
                if self.n_rows:
                    rate = f"{self.n_rows / seconds / 1e3:.1f}k rows/s, {rate}"
                self._bar.set_postfix_str(rate, refresh=False)

    def _tick(self) -> None:
        """Update the elapsed time where nothing else is known."""
        while not self._closed.wait(_TICK):
            with self._lock:
                if self._bar is None:
                    continue
                if self._reads and self._bar.total and self._bar.n >= self._bar.total:
                    # Everything is read, but work continues.
                    self._show(total=None, bar_format=_UNKNOWN_FORMAT)
                elif not self._reads:
                    self._bar.refresh()

    def close(self) -> None:
        """Leave the bar and begin a new line."""
        if self._bar is None:
            return
        self._closed.set()
        with self._lock:
            if self.n_words:
                self._show_rate(time.monotonic())
            self._bar.close()
            self._bar = None

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *unused: object) -> None:
        self.close()


def log(level: Literal["debug", "info"], module: str, message: str) -> None:
    """Log a message for a module.

    Does nothing before `logging`, which is slow to import, has been imported: nobody listens.
    """
    logging = imported("logging")
    if logging is None:
        return
    package = logging.getLogger(__name__.partition(".")[0])
    if not package.handlers:
        package.addHandler(logging.NullHandler())
    getattr(logging.getLogger(module), level)("%s", message)


def reporter(progress: Progress | None) -> Report:
    """Show steps, and the share of each that is done, on a progress bar; log the steps."""
    last = ""

    def report(step: str, share: float | None) -> None:
        nonlocal last
        if step != last:
            log("info", __name__, step)
            last = step
        if progress is not None:
            progress.phase(step if share is None else f"{step} {share:.0%}")

    return report
