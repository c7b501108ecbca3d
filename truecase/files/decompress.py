"""Compressed formats: how their data starts, and what undoes them."""

from __future__ import annotations

import bz2
import lzma
import re
import zlib
from collections.abc import Callable
from typing import Protocol

from truecase.errors import ReadError


class Decompressor(Protocol):
    """What the decompressors of the standard library and of `zstandard` have in common."""

    @property
    def eof(self) -> bool:
        """Whether the stream has ended."""

    @property
    def unused_data(self) -> bytes:
        """What came behind its end."""

    def decompress(self, data: bytes, /) -> bytes:
        """Data of what is compressed."""


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
            "(pip install 'truecase-crf[zstd]')"
        ) from None
    return zstd.ZstdDecompressor  # type: ignore[no-any-return,unused-ignore]


class Format:
    """One compressed format: how its data starts and what undoes it."""

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
        # Bytes that may fill up the space after a complete stream.
        self.padding = padding


FORMATS = (
    Format(
        "gzip", ".gz", rb"\x1f\x8b\x08", lambda path: lambda: zlib.decompressobj(wbits=31), b"\0"
    ),
    Format(
        "xz",
        ".xz",
        rb"\xfd7zXZ\0",
        lambda path: lambda: lzma.LZMADecompressor(format=lzma.FORMAT_XZ),
        b"\0",
    ),
    # The three letters alone could begin a text; the number of the first block could not.
    Format(
        "bzip2",
        ".bz2",
        rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)",
        lambda path: bz2.BZ2Decompressor,
    ),
    # A frame, or a skippable frame as parallel compressors put in front.
    Format("Zstandard", ".zst", rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18", _zstd_decompressor),
)

# zlib.error and lzma.LZMAError descend from Exception alone; bz2 raises OSError or ValueError
# and zstandard.ZstdError is known only where the package is.
ERRORS: tuple[type[Exception], ...] = (
    zlib.error,
    lzma.LZMAError,
    OSError,
    ValueError,
    EOFError,
)


def format_of(first: bytes) -> Format | None:
    """The format of data that starts with these bytes, if they are compressed."""
    return next((known for known in FORMATS if known.magic.match(first)), None)


def promised_format(path: str) -> Format | None:
    """The format that the name of a file promises."""
    return next((known for known in FORMATS if path.endswith(known.suffix)), None)
