"""Compressed files: gzip, xz, bzip2 and Zstandard.

Written files are compressed as their name's suffix says; read files are recognised by their first
bytes.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Iterator
from typing import IO, Any

from truecase.errors import CompressionError, OutputError, ReadError
from truecase.options import StrPath


def suffix_of(path: StrPath) -> str | None:
    """Return the suffix of `SUFFIXES` that a path ends in, if any."""
    promised = promised_format(os.fspath(path))
    return None if promised is None else promised.suffix


def check_compression(path: StrPath) -> None:
    """Raise, before long work, the `CompressionError` that `compressed` would raise."""
    if suffix_of(path) == ".zst":
        _zstd_writer(os.fspath(path))


@contextlib.contextmanager
def compressed(file: IO[Any], path: StrPath) -> Iterator[IO[Any]]:
    """Open a writer that compresses into `file`, which stays open, as the suffix of `path` says.

    The same data gives the same bytes: they contain no name and no time. Without a suffix of
    `SUFFIXES`, `file` itself is the writer. CompressionError if a package is missing.
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


@contextlib.contextmanager
def write_file(path: StrPath) -> Iterator[IO[Any]]:
    """Open a file as `atomic_write` does, compressed as its name says."""
    from truecase.base.atomic import atomic_write

    check_compression(path)
    with atomic_write(path) as file, compressed(file, path) as packed:
        yield packed


def check_is_plain(path: StrPath) -> None:
    """Raise OutputError if the name of a model or of counts promises compressed data."""
    suffix = suffix_of(path)
    if suffix is not None:
        raise OutputError(f"{path}: such files are not compressed: give a name without {suffix}")


def _zstd_writer(path: str) -> Callable[[IO[Any]], Any]:
    return _zstandard(CompressionError, f"{path}: writing Zstandard data")[0]


def _zstandard(
    error: type[Exception], what: str
) -> tuple[Callable[[IO[Any]], Any], Callable[[], Any]]:
    """Find the functions that make writers and decompressors of Zstandard data."""
    try:
        import zstandard
    except ModuleNotFoundError:
        pass
    else:
        return (
            lambda file: zstandard.ZstdCompressor().stream_writer(file, closefd=False),
            lambda: zstandard.ZstdDecompressor().decompressobj(),
        )
    try:
        from compression import zstd  # type: ignore[import-not-found,unused-ignore]
    except ModuleNotFoundError:
        raise error(
            f"{what} needs Python 3.14 or the package zstandard (pip install zstandard)"
        ) from None
    return lambda file: zstd.ZstdFile(file, "wb"), zstd.ZstdDecompressor


class Format:
    """A compressed format.

    Attributes
    ----------
    name, suffix : str
    magic : bytes
        A regular expression of its first bytes.
    padding : bytes
        The bytes that may follow a complete stream.
    """

    def __init__(self, name: str, suffix: str, magic: bytes, padding: bytes = b"") -> None:
        self.name = name
        self.suffix = suffix
        self.magic = magic
        self.padding = padding

    def decompressor(self, path: str) -> Callable[[], Any]:
        """Return a function that makes a decompressor; ReadError if a package is missing."""
        if self.suffix == ".gz":
            import zlib

            return lambda: zlib.decompressobj(wbits=31)
        if self.suffix == ".xz":
            import lzma

            return lambda: lzma.LZMADecompressor(format=lzma.FORMAT_XZ)
        if self.suffix == ".bz2":
            import bz2

            return bz2.BZ2Decompressor
        return _zstandard(ReadError, f"{path}: Zstandard data")[1]


_FORMATS = (
    Format("gzip", ".gz", rb"\x1f\x8b\x08", b"\0"),
    Format("xz", ".xz", rb"\xfd7zXZ\0", b"\0"),
    # The three letters alone could begin a text; the number of the first block could not.
    Format("bzip2", ".bz2", rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)"),
    # A frame, or a skippable frame as parallel compressors put in front.
    Format("Zstandard", ".zst", rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18"),
)

#: Suffixes that promise compressed data.
SUFFIXES = tuple(known.suffix for known in _FORMATS)


def format_of(first: bytes) -> Format | None:
    """Return the format of data that begins with these bytes; None if they are not compressed."""
    return next((known for known in _FORMATS if re.match(known.magic, first, re.DOTALL)), None)


def promised_format(path: str) -> Format | None:
    """Return the format that the name of a file promises."""
    return next((known for known in _FORMATS if path.endswith(known.suffix)), None)


def is_damage(error: Exception) -> bool:
    """Whether a decompressor raises this error for damaged data."""
    import lzma
    import zlib

    # zlib.error and lzma.LZMAError descend from Exception alone; bz2 raises OSError or ValueError;
    # zstandard.ZstdError is known only where that package is installed.
    kinds = (zlib.error, lzma.LZMAError, OSError, ValueError, EOFError)
    return isinstance(error, kinds) or type(error).__name__ == "ZstdError"
