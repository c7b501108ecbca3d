"""Where commands write to: files that appear whole, or standard output."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from typing import IO, Any, Protocol

from truecase.files.atomic import atomic_write

STDOUT = "-"


class OutputError(OSError):
    """Standard output, or a file named on the command line, cannot be written."""


class Sink(Protocol):
    """What takes the output."""

    def write(self, data: bytes | memoryview, /) -> object:
        """Write all bytes."""

    def flush(self) -> None:
        """Let the reader have what was written."""


class _Named:
    """A binary file whose errors say what it is."""

    def __init__(self, file: IO[Any], name: str) -> None:
        self._file = file
        self._name = name

    def write(self, data: bytes | memoryview, /) -> None:
        with naming_errors(self._name):
            self._file.write(data)

    def flush(self) -> None:
        with naming_errors(self._name):
            self._file.flush()


@contextlib.contextmanager
def naming_errors(name: str) -> Iterator[None]:
    """Errors of the system inside the block are about this output."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(error.errno, error.strerror, error.filename or name) from None


def _is_stdout(path: str) -> bool:
    return path in (STDOUT, "/dev/stdout")


def _is_special(path: str) -> bool:
    """Whether the path exists and is neither file nor folder: a device, a pipe."""
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)


def check_output(path: str) -> None:
    """Find out before long work whether a file can be written at its end.

    Raises
    ------
    OutputError
        The path is a folder, or in one that is missing or may not be written.
    """
    if _is_stdout(path) or _is_special(path):
        return
    if os.path.isdir(path):
        raise OutputError(f"{path}: is a folder, expected a file")
    folder = os.path.dirname(os.path.realpath(path))
    if not os.path.isdir(folder):
        raise OutputError(f"{path}: there is no folder {folder}")
    if not os.access(folder, os.W_OK):
        raise OutputError(f"{path}: the folder {folder} cannot be written")


@contextlib.contextmanager
def open_output(path: str) -> Iterator[Sink]:
    """Open an output for bytes.

    Parameters
    ----------
    path : str
        ``-`` for standard output. A device or pipe is written as it is. A file appears when
        the block ends, whole, or not at all.
    """
    if _is_stdout(path):
        if sys.stdout is None:
            raise OutputError("standard output: closed")
        sys.stdout.flush()
        sink = _Named(sys.stdout.buffer, "standard output")
        yield sink
        sink.flush()
    elif _is_special(path):
        with naming_errors(path), open(path, "wb") as file:
            yield _Named(file, path)
    else:
        check_output(path)
        with naming_errors(path), atomic_write(path) as file:
            yield _Named(file, path)


def write_text(path: str, text: str) -> None:
    """Write a text as UTF-8 to a file or standard output."""
    with open_output(path) as sink:
        sink.write(text.encode("utf-8", "surrogateescape"))


def flush_stdout() -> None:
    """Write out what is still held back, while errors can be told."""
    if sys.stdout is not None and not sys.stdout.closed:
        with naming_errors("standard output"):
            sys.stdout.flush()


def abandon_stdout() -> None:
    """Send the rest of standard output to the null device: the interpreter flushes it again."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        descriptor = os.open(os.devnull, os.O_WRONLY)
        os.dup2(descriptor, sys.stdout.fileno())
        os.close(descriptor)
