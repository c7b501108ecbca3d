"""Files that appear whole or not at all."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from typing import IO, Any

from truecase.files.full_disk import naming_full_disk
from truecase.files.leftovers import HAS_LOCKS, delete_leftovers, hold, temporary_name

_AFTER = ".part"
_NEW_FILE = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0)


@contextlib.contextmanager
def atomic_write(
    path: str | os.PathLike[str], mode: str = "wb", **open_options: Any
) -> Iterator[IO[Any]]:
    """Open a file for writing that takes its name only when it is complete.

    The data goes to a temporary file in the same folder. When the block ends it is
    flushed to the device and renamed to `path`, in one step that replaces what was
    there; when the block raises (Ctrl-C included) it is deleted and `path` is as before.
    What a process that was killed has left of the same file is deleted, too.

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

    Raises
    ------
    OSError
        The file cannot be written; the message names it.
    """
    if mode not in ("w", "wb"):
        raise ValueError(f"mode {mode!r}: expected 'w' or 'wb'")
    target = os.path.realpath(os.fspath(path))
    permissions = None
    with contextlib.suppress(FileNotFoundError):
        # Of the path itself: /dev/stdout may lead to a pipe, which has no name of its own.
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode):
            with naming_full_disk(path), open(path, mode, **open_options) as file:
                yield file
            return
        permissions = stat.S_IMODE(status.st_mode)
    folder, name = os.path.split(target)
    delete_leftovers(folder, f".{name}.", _AFTER, os.unlink)
    with contextlib.ExitStack() as stack:
        temporary, descriptor = _create(folder, name, path, permissions, stack)
        with naming_full_disk(path), os.fdopen(descriptor, mode, **open_options) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if permissions is not None and os.name == "posix":
            os.chmod(temporary, permissions)
        os.replace(temporary, target)


def _create(
    folder: str,
    name: str,
    path: str | os.PathLike[str],
    permissions: int | None,
    stack: contextlib.ExitStack,
) -> tuple[str, int]:
    """A new file, its path and descriptor; locked, and deleted, as long as the stack stands."""
    while True:
        # The name is known before the file is there: Ctrl-C may come between the two.
        temporary = os.path.join(folder, temporary_name(f".{name}.", _AFTER))
        stack.callback(_delete, temporary)
        try:
            # A new file has the permissions that `open` would have given it; what takes the
            # place of another is private until it has that one's.
            descriptor = os.open(temporary, _NEW_FILE, 0o666 if permissions is None else 0o600)
        except OSError as error:
            # The error names the temporary file, which the user has never heard of.
            raise type(error)(error.errno, error.strerror, os.fspath(path)) from None
        if not HAS_LOCKS:
            return temporary, descriptor
        # Until it has its name: a lock lasts as long as one of its descriptors.
        held = os.dup(descriptor)
        stack.callback(os.close, held)
        if hold(held):
            return temporary, descriptor
        os.close(descriptor)


def _delete(path: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)
