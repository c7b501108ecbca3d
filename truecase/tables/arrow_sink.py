"""What pyarrow writes goes to any output, also one that cannot seek."""

from __future__ import annotations

import io
from typing import Any, Protocol


class Sink(Protocol):
    """What takes the output."""

    def write(self, data: bytes | memoryview, /) -> object:
        """Write all bytes."""


class ArrowSink(io.RawIOBase):
    """A file for pyarrow's writers.

    Parameters
    ----------
    sink : Sink
    """

    def __init__(self, sink: Sink) -> None:
        self._sink: Sink | None = sink
        self._position = 0

    def writable(self) -> bool:  # noqa: D102 - as of any file
        return True

    def tell(self) -> int:  # noqa: D102
        return self._position

    def write(self, data: Any, /) -> int:  # noqa: D102
        view = memoryview(data)
        if self._sink is not None:
            self._sink.write(view)
        self._position += view.nbytes
        return view.nbytes

    def abandon(self) -> None:
        """Write nothing any more: a writer that is let go would put an end to half a file."""
        self._sink = None
