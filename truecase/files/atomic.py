"""Files that appear whole or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from collections.abc import Iterator
from typing import IO, Any

_NEW_FILE = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0)


@contextlib.contextmanager
def atomic_write(
    path: str | os.PathLike[str], mode: str = "wb", **open_options: Any
) -> Iterator[IO[Any]]:
    """Open a file for writing that takes its name only when it is complete.

    The data goes to a temporary file in the same folder. When the block ends it is
    flushed to the device and renamed to `path`, in one step that replaces what was
    there; when the block raises (Ctrl-C included) it is deleted and `path` is as before.

    A path that exists and is no regular file (a device, a named pipe) is written directly.

    Parameters
    ----------
    path : path
        Where the file shall be. A symbolic link is followed, so that the link survives.
    mode : {"wb", "w"}
        As for `open`.
    **open_options
        Passed on to `open`, such as ``encoding``.

    Yields
    ------
    file object
        Open for writing.
    """
    if mode not in ("w", "wb"):
        raise ValueError(f"mode {mode!r}: expected 'w' or 'wb'")
    target = os.path.realpath(os.fspath(path))
    permissions = None
    with contextlib.suppress(FileNotFoundError):
        # Of the path itself: /dev/stdout may lead to a pipe, which has no name of its own.
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode):
            with open(path, mode, **open_options) as file:
                yield file
            return
        permissions = stat.S_IMODE(status.st_mode)
    folder, name = os.path.split(target)
    # The name is known before the file is there: Ctrl-C may come between the two.
    temporary = os.path.join(folder, f".{name}.{secrets.token_hex(8)}.part")
    try:
        try:
            descriptor = os.open(temporary, _NEW_FILE, 0o600)
        except OSError as error:
            # The error names the temporary file, which the user has never heard of.
            raise type(error)(error.errno, error.strerror, os.fspath(path)) from None
        with os.fdopen(descriptor, mode, **open_options) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if permissions is None:
            # It was private so far; a new file gets what `open` would have given it.
            mask = os.umask(0)
            os.umask(mask)
            permissions = 0o666 & ~mask
        if os.name == "posix":
            os.chmod(temporary, permissions)
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        raise
