"""Says which file could not be written when a disk is full."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator

_FULL = (errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC))


@contextlib.contextmanager
def naming_full_disk(path: str | os.PathLike[str]) -> Iterator[None]:
    """An error of a full disk inside the block is about this file, unless it names another.

    Parameters
    ----------
    path : path-like

    Raises
    ------
    OSError
        The same, with the name.
    """
    try:
        yield
    except OSError as error:
        if error.errno not in _FULL or error.filename is not None:
            raise
        raise OSError(error.errno, error.strerror, os.fspath(path)) from None


@contextlib.contextmanager
def naming_temporary_file() -> Iterator[None]:
    """An error of a full disk inside the block is about a temporary file, which has no name.

    Raises
    ------
    OSError
        The same, with the folder and with what to do.
    """
    try:
        yield
    except OSError as error:
        if error.errno not in _FULL or error.filename is not None:
            raise
        import tempfile  # a tenth of the time that the command takes to start

        raise OSError(
            error.errno,
            f"{error.strerror}; the environment variable TMPDIR can name a folder with more room",
            f"temporary file in {tempfile.gettempdir()}",
        ) from None
