"""Files of counts: ZIP archives, so that they tell of themselves and each part has its checksum."""

from __future__ import annotations

import contextlib
import errno
import os
import struct
import zipfile
import zlib
from collections.abc import Iterator
from io import BytesIO
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from truecase.counts.about import About
from truecase.counts.errors import CountsError
from truecase.errors import TruecaseError
from truecase.files.atomic import atomic_write
from truecase.modelfile.byte_order import little_endian

ABOUT = "about.json"

# The same counts are the same bytes, whenever they were written.
_NO_DATE = (1980, 1, 1, 0, 0, 0)
_LEVEL = 1

_START = b"PK"

# What a file says of itself are a dozen short lines.
_MOST_ABOUT = 1 << 16

# What zipfile raises where an archive is not as it should be.
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,
    OverflowError,
    ValueError,
)


class CountsWriter:
    """Writes the members of a file of counts."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive

    def write(self, member: str, data: bytes) -> None:
        """Write a whole member, compressed."""
        info = zipfile.ZipInfo(member, _NO_DATE)
        self._archive.writestr(info, data, zipfile.ZIP_DEFLATED, _LEVEL)

    @contextlib.contextmanager
    def open(self, member: str) -> Iterator[IO[bytes]]:
        """Write a member piece by piece, as it is."""
        info = zipfile.ZipInfo(member, _NO_DATE)
        with self._archive.open(info, "w", force_zip64=True) as file:
            yield file


@contextlib.contextmanager
def create(path: str | os.PathLike[str]) -> Iterator[CountsWriter]:
    """A file of counts to be written, which appears whole or not at all."""
    with atomic_write(path) as file, zipfile.ZipFile(file, "w") as archive:
        yield CountsWriter(archive)


def is_counts(path: str | os.PathLike[str]) -> bool:
    """Whether a file begins like a file of counts."""
    with open(path, "rb") as file:
        return file.read(len(_START)) == _START


class CountsReader:
    """Reads a file of counts.

    Parameters
    ----------
    path : path or BytesIO
        A file, not a stream: its table of contents is at its end. Or what is in one.

    Attributes
    ----------
    name : str
    about : About

    Raises
    ------
    OSError
        The file cannot be opened.
    CountsError
        It is no file of counts, or damaged, or cut short, or of another version.
    """

    def __init__(self, path: str | os.PathLike[str] | BytesIO) -> None:
        if isinstance(path, BytesIO):
            self.name, start = "counts", path.getvalue()[: len(_START)]
        else:
            self.name = os.fspath(path)
            with open(path, "rb") as file:
                start = file.read(len(_START))
        if start != _START:
            raise CountsError(
                f"{self.name}: no file of counts; make one with `truecase train count`"
            )
        try:
            self._archive = zipfile.ZipFile(path)
        except _DAMAGE:
            raise CountsError(f"{self.name}: cut short or damaged: its end is missing") from None
        try:
            self.about = About.from_json(self.read(ABOUT, _MOST_ABOUT), self.name)
        except BaseException:
            self.close()
            raise

    def read(self, member: str, most: int | None = None) -> bytes:
        """A whole member; of one that has more than `most` bytes, no more of it is unpacked.

        Raises
        ------
        CountsError
            It is damaged, or longer than that.
        """
        with self.open(member) as file, self.naming_damage():
            # A byte more than that, so that the end is seen, and with it the checksum.
            data = file.read(-1 if most is None else most + 1)
        if most is not None and len(data) > most:
            raise _other_length(self.name, member)
        return data

    @contextlib.contextmanager
    def open(self, member: str) -> Iterator[IO[bytes]]:
        """A member, to be read piece by piece; its end tells whether all of it is as written."""
        try:
            file = self._archive.open(member)
        except OSError as error:
            # A place that no file has; anything else is no damage.
            if error.errno != errno.EINVAL:
                raise
            raise CountsError(f"{self.name}: damaged: no place for its part {member}") from None
        except (KeyError, RuntimeError, *_DAMAGE):
            if member == ABOUT:
                raise CountsError(f"{self.name}: no file of counts, but another archive") from None
            raise CountsError(f"{self.name}: damaged: its part {member} is missing") from None
        with file:
            yield file

    @contextlib.contextmanager
    def naming_damage(self) -> Iterator[None]:
        """Turn the errors of reading a damaged file into one that names it."""
        try:
            yield
        except TruecaseError:
            raise
        except ValueError as error:
            raise CountsError(f"{self.name}: damaged: {error}") from None
        except _DAMAGE:
            raise CountsError(f"{self.name}: damaged: a checksum does not fit") from None

    def verify(self) -> None:
        """Compare all checksums.

        Raises
        ------
        CountsError
            One does not fit.
        """
        with self.naming_damage():
            damaged = self._archive.testzip()
        if damaged is not None:
            raise CountsError(f"{self.name}: damaged: the checksum of {damaged} does not fit")

    def close(self) -> None:
        """Close the file."""
        self._archive.close()

    def __enter__(self) -> CountsReader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def little(values: npt.NDArray[Any]) -> bytes:
    """Numbers as files have them."""
    return little_endian(values).tobytes()


def numbers(file: CountsReader, member: str, dtype: Any, n: int | None = None) -> npt.NDArray[Any]:
    """A member that holds `n` numbers, or any number of them."""
    kind = np.dtype(dtype).newbyteorder("<")
    size = None if n is None else n * kind.itemsize
    data = file.read(member, size)
    if len(data) % kind.itemsize or (size is not None and len(data) != size):
        raise _other_length(file.name, member)
    return np.frombuffer(data, kind).astype(dtype)


def _other_length(name: str, member: str) -> CountsError:
    return CountsError(f"{name}: damaged: its part {member} has another length")
