"""Outputs of commands: files that appear whole, compressed by their suffix, or standard output."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator, Sequence
from typing import IO, Any

from truecase.base.compression import check_compression, check_is_plain, suffix_of, write_file
from truecase.base.encoding import FileEncoding, TextEncoder
from truecase.errors import OutputError

STDOUT = "-"

# What a terminal obeys, and names of files may hold; lines and tables stay.
_CONTROLS = {code: f"\\x{code:02x}" for code in (*range(9), *range(11, 32), *range(127, 160))}


def complain(lines: str) -> None:
    """Write whole lines to standard error, and control characters as escapes."""
    if sys.stderr is not None:
        sys.stderr.write(lines.translate(_CONTROLS))


class Sink:
    """An output of bytes whose errors name it.

    With `found`, it takes UTF-8 and writes it in the encoding that was found in another text.
    """

    def __init__(self, file: IO[Any], name: str, found: FileEncoding | None = None) -> None:
        self._file = file
        self._name = name
        self._encoder = None if found is None else TextEncoder(found)

    def write(self, data: bytes | memoryview, /, is_last: bool = False) -> None:
        """Write all bytes."""
        if self._encoder is not None:
            data = self._encoder.encode(data, is_last)
        with naming_errors(self._name):
            self._file.write(data)

    def flush(self) -> None:
        """Pass on the bytes that were written, unless they are compressed."""
        # An early flush would not make a compressed file readable.
        if suffix_of(self._name) is None:
            with naming_errors(self._name):
                self._file.flush()


@contextlib.contextmanager
def naming_errors(name: str) -> Iterator[None]:
    """Put the name of an output into errors of the system inside the block."""
    try:
        yield
    except OSError as error:
        # Without a number, the error is one of this package, which has its own message.
        if isinstance(error, BrokenPipeError) or error.errno is None:
            raise
        raise OutputError(error.errno, error.strerror, error.filename or name) from None


def _is_stdout(path: str) -> bool:
    return path in (STDOUT, "/dev/stdout")


def is_special(path: str) -> bool:
    """Whether a path leads to a device or pipe."""
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)


def check_output(path: str, inputs: Sequence[str | None] = ()) -> None:
    """Check before long work that a file can be written at its end; ``-`` is standard output.

    Raises
    ------
    OutputError
        The path is one of `inputs`, a folder, or in a folder that is missing or read-only.
    CompressionError
        A package for the suffix is missing.
    """
    if _is_stdout(path):
        return
    check_compression(path)
    if is_special(path):
        return
    if os.path.isdir(path):
        raise OutputError(f"{path}: is a folder, expected a file")
    folder = os.path.dirname(os.path.realpath(path))
    if not os.path.isdir(folder):
        raise OutputError(f"{path}: there is no folder {folder}")
    if not os.access(folder, os.W_OK):
        raise OutputError(f"{path}: the folder {folder} cannot be written")
    for name in inputs:
        if name and os.path.exists(path) and os.path.exists(name) and os.path.samefile(name, path):
            raise OutputError(f"{path}: is also read: give the output another name")


def output_path(path: str, inputs: Sequence[str | None] = ()) -> str:
    """Check an output as `check_output` does, and return its path; ``-`` is standard output."""
    check_output(path, inputs)
    if path != STDOUT:
        return path
    if not os.path.exists("/dev/stdout"):
        raise OutputError("standard output: closed, or without a path here: name a file")
    return "/dev/stdout"


def check_model_output(path: str, inputs: Sequence[str | None] = ()) -> None:
    """Check the path of a model or of counts, which is not a stream and cannot be compressed."""
    if path == STDOUT:
        raise OutputError("-: this goes to a file, not to standard output: give it a name")
    check_is_plain(path)
    check_output(path, inputs)


@contextlib.contextmanager
def open_output(path: str, found: FileEncoding | None = None) -> Iterator[Sink]:
    """Open an output for bytes.

    Parameters
    ----------
    path : str
        ``-`` for standard output. A device or pipe is written to directly. A file appears whole
        when the block ends, or not at all; .gz, .xz, .bz2 or .zst at its end compresses it.
    found : FileEncoding, optional
        The encoding of the output; UTF-8 is written to the sink in any case.
    """
    name = "standard output" if _is_stdout(path) else path
    with _open_bytes(path) as file:
        sink = Sink(file, name, found)
        yield sink
        if found is not None:
            sink.write(b"", is_last=True)
        if _is_stdout(path):
            sink.flush()


@contextlib.contextmanager
def _open_bytes(path: str) -> Iterator[IO[Any]]:
    if _is_stdout(path):
        if sys.stdout is None:
            raise OutputError("standard output: closed")
        sys.stdout.flush()
        yield sys.stdout.buffer
    else:
        check_output(path)
        with naming_errors(path), write_file(path) as packed:
            yield packed


def save_model(model: Any, path: str) -> None:
    """Save a model; an error names its file."""
    with naming_errors(path):
        model.save(path)


def write_text(path: str, text: str) -> None:
    """Write a text as UTF-8 to a file or standard output."""
    with open_output(path) as sink:
        sink.write(text.encode("utf-8", "surrogateescape"))


def write_json(value: Any) -> None:
    """Write a value as indented JSON to standard output."""
    import json

    write_text("-", json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def flush_stdout() -> None:
    """Write out what is held back, while errors can still be shown."""
    if sys.stdout is not None and not sys.stdout.closed:
        with naming_errors("standard output"):
            sys.stdout.flush()


def abandon_stdout() -> None:
    """Send the rest of standard output to the null device, as the interpreter flushes it again."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        descriptor = os.open(os.devnull, os.O_WRONLY)
        os.dup2(descriptor, sys.stdout.fileno())
        os.close(descriptor)
