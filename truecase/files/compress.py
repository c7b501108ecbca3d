"""Compressed files, as the suffix of their name wants it: .gz, .xz, .bz2, .zst."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from typing import IO, Any

from truecase.errors import CompressionError

#: Suffixes that promise compressed data.
SUFFIXES = (".gz", ".xz", ".bz2", ".zst")


def suffix_of(path: str | os.PathLike[str]) -> str | None:
    """The suffix by which a file is to be compressed, if any."""
    name = os.fspath(path)
    return next((suffix for suffix in SUFFIXES if name.endswith(suffix)), None)


def check_compression(path: str | os.PathLike[str]) -> None:
    """Find out before long work whether `compressed` can write this file.

    Raises
    ------
    CompressionError
        Its format needs a package that is not installed.
    """
    if suffix_of(path) == ".zst":
        _zstd_writer(os.fspath(path))


@contextlib.contextmanager
def compressed(file: IO[Any], path: str | os.PathLike[str]) -> Iterator[IO[Any]]:
    """What to write into `file`, so that it holds what the name `path` promises.

    The same data gives the same bytes: there is no name or time in them.

    Parameters
    ----------
    file : binary file
        Stays open.
    path : path-like
        Without a suffix of `SUFFIXES`, it is `file` itself that is given.

    Raises
    ------
    CompressionError
        As `check_compression`.
    """
    suffix = suffix_of(path)
    if suffix is None:
        yield file
        return
    if suffix == ".gz":
        import gzip

        writer: Any = gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=file, mtime=0)
    elif suffix == ".xz":
        import lzma

        writer = lzma.LZMAFile(file, "wb")  # noqa: SIM115
    elif suffix == ".bz2":
        import bz2

        writer = bz2.BZ2File(file, "wb")
    else:
        writer = _zstd_writer(os.fspath(path))(file)
    with writer:
        yield writer


def _zstd_writer(path: str) -> Callable[[IO[Any]], Any]:
    try:
        import zstandard
    except ModuleNotFoundError:
        pass
    else:
        return lambda file: zstandard.ZstdCompressor().stream_writer(file, closefd=False)
    try:
        from compression import zstd  # type: ignore[import-not-found,unused-ignore]
    except ModuleNotFoundError:
        raise CompressionError(
            f"{path}: writing Zstandard data needs Python 3.14 or the package zstandard "
            "(pip install zstandard)"
        ) from None
    return lambda file: zstd.ZstdFile(file, "wb")
