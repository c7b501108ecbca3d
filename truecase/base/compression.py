"""Compressed files: gzip, xz, bzip2 and Zstandard.

Written files are compressed as their name's suffix says; read files are recognised by their first
bytes.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Iterator
from typing import IO, Any, Protocol

from truecase.errors import CompressionError, ReadError
from truecase.options import StrPath

#: Suffixes that promise compressed data.
SUFFIXES = (".gz", ".xz", ".bz2", ".zst")


def suffix_of(path: StrPath) -> str | None:
    """Return the suffix of `SUFFIXES` that a path ends in, if any."""
    name = os.fspath(path)
    return next((suffix for suffix in SUFFIXES if name.endswith(suffix)), None)


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


class Decompressor(Protocol):
    """The common interface of the decompressors."""

    @property
    def eof(self) -> bool:
        """Whether the stream has ended."""

    @property
    def unused_data(self) -> bytes:
        """The data after its end."""

    def decompress(self, data: bytes, /) -> bytes:
        """Decompress the next data."""


def _gzip_decompressor(path: str) -> Callable[[], Decompressor]:
    import zlib

    return lambda: zlib.decompressobj(wbits=31)


def _xz_decompressor(path: str) -> Callable[[], Decompressor]:
    import lzma

    return lambda: lzma.LZMADecompressor(format=lzma.FORMAT_XZ)


def _bzip2_decompressor(path: str) -> Callable[[], Decompressor]:
    import bz2

    return bz2.BZ2Decompressor


def _zstd_decompressor(path: str) -> Callable[[], Decompressor]:
    try:
        import zstandard
    except ModuleNotFoundError:
        pass
    else:
        return lambda: zstandard.ZstdDecompressor().decompressobj()
    try:
        from compression import zstd  # type: ignore[import-not-found,unused-ignore]
    except ModuleNotFoundError:
        raise ReadError(
            f"{path}: Zstandard data needs Python 3.14 or the package zstandard "
            "(pip install zstandard)"
        ) from None
    return zstd.ZstdDecompressor  # type: ignore[no-any-return,unused-ignore]


class Format:
    """A compressed format; `padding` holds the bytes that may follow a complete stream."""

    def __init__(
        self,
        name: str,
        suffix: str,
        magic: bytes,
        decompressor: Callable[[str], Callable[[], Decompressor]],
        padding: bytes = b"",
    ) -> None:
        self.name = name
        self.suffix = suffix
        self.magic = re.compile(magic, re.DOTALL)
        self.decompressor = decompressor
        self.padding = padding


_FORMATS = (
    Format("gzip", ".gz", rb"\x1f\x8b\x08", _gzip_decompressor, b"\0"),
    Format("xz", ".xz", rb"\xfd7zXZ\0", _xz_decompressor, b"\0"),
    # The three letters alone could begin a text; the number of the first block could not.
    Format("bzip2", ".bz2", rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)", _bzip2_decompressor),
    # A frame, or a skippable frame as parallel compressors put in front.
    Format("Zstandard", ".zst", rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18", _zstd_decompressor),
)


def format_of(first: bytes) -> Format | None:
    """Return the format of data that begins with these bytes; None if they are not compressed."""
    return next((known for known in _FORMATS if known.magic.match(first)), None)


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
