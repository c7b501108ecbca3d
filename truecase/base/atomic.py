"""Atomic writing of files, and temporary files that are deleted with their process.

A temporary file is locked while its process lives. One without a lock was left behind by a process
that was killed; the next process that works in the same folder deletes it.
"""

from __future__ import annotations

import contextlib
import errno
import importlib
import os
import re
import stat
import time
from collections.abc import Callable, Iterator
from typing import IO, Any

from truecase.options import StrPath

# Not on Windows, where an open file cannot be deleted.
_fcntl: Any = importlib.import_module("fcntl") if os.name == "posix" else None

_FULL = (errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC))

_TOKEN_BYTES = 8
_OLD_SECONDS = 24 * 60 * 60

# Characters of a file's name in that of its part: names have 255 bytes at most.
_PART, _SHOWN = ".part", 50
_NEW_FILE = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0)
_SCRATCH = "truecase-"
_FOLDER = getattr(os, "O_DIRECTORY", 0)
# By its own name, an open file would be replaced; opened again, it would be cut short.
_OPENED = re.compile(r"/dev/(stdout|stderr|fd/(\d+))")
_STREAMS = {"stdout": 1, "stderr": 2}


@contextlib.contextmanager
def errors_for(path: StrPath | None) -> Iterator[None]:
    """Name the file in an error about a full disk, unless the error names one already.

    `path` is None for a temporary file; the message then names the folder and says what to do.
    """
    try:
        yield
    except OSError as error:
        if error.errno not in _FULL or error.filename is not None:
            raise
        if path is not None:
            raise OSError(error.errno, error.strerror, os.fspath(path)) from None
        import tempfile  # a tenth of the time that the command takes to start

        raise OSError(
            error.errno,
            f"{error.strerror}; the environment variable TMPDIR can name a folder with more room",
            f"temporary file in {tempfile.gettempdir()}",
        ) from None


@contextlib.contextmanager
def atomic_write(path: StrPath, mode: str = "wb", **open_options: Any) -> Iterator[IO[Any]]:
    """Open a file for writing that takes its name only when it is complete.

    The data goes to a temporary file in the same folder. When the block ends, the file is flushed
    to the device and renamed to `path`, which replaces the old file in one step. When the block
    raises, also by Ctrl-C, the temporary file is deleted and `path` is unchanged. A symbolic link
    is followed and survives. A path that exists and is not a regular file (a device, a named pipe),
    and that of an open file (``/dev/stdout``), are written directly.

    `mode` is ``wb`` or ``w``, the options are those of `open`. OSError names the file.
    """
    if mode not in ("w", "wb"):
        raise ValueError(f"mode {mode!r}: expected 'w' or 'wb'")
    if not os.fspath(path):  # `realpath` would take it for the current folder
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
    target = os.path.realpath(os.fspath(path))
    status = None
    with contextlib.suppress(FileNotFoundError):
        # Of the path itself: /dev/stdout may lead to a pipe, which has no name of its own.
        status = os.stat(path)
    opened = _OPENED.fullmatch(os.fspath(path))
    if status is not None and (opened is not None or not stat.S_ISREG(status.st_mode)):
        to: StrPath | int = path
        if opened is not None:
            to = os.dup(_STREAMS.get(opened[1]) or int(opened[2]))
        with errors_for(path), open(to, mode, **open_options) as file:
            yield file
        return
    permissions = None if status is None else stat.S_IMODE(status.st_mode)
    folder, name = os.path.split(target)
    _delete_leftovers(folder, f".{name[:_SHOWN]}.", _PART, os.unlink, os.O_RDWR)
    with contextlib.ExitStack() as stack:
        temporary, descriptor = _create_file(folder, name, path, permissions, stack)
        with errors_for(path), os.fdopen(descriptor, mode, **open_options) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if permissions is not None and os.name == "posix":
            os.chmod(temporary, permissions)
        os.replace(temporary, target)


@contextlib.contextmanager
def scratch_folder() -> Iterator[str]:
    """Create a temporary folder, yield its path, and delete it when the block ends."""
    import shutil
    import tempfile

    place = tempfile.gettempdir()
    _delete_leftovers(place, _SCRATCH, "", shutil.rmtree, os.O_RDONLY | _FOLDER)
    with contextlib.ExitStack() as stack:
        while True:
            # The name is known before the folder exists: Ctrl-C may come between the two.
            path = os.path.join(place, temporary_name(_SCRATCH))
            stack.callback(shutil.rmtree, path, ignore_errors=True)
            os.mkdir(path, 0o700)
            if _fcntl is None:
                break
            with contextlib.suppress(FileNotFoundError):
                descriptor = os.open(path, os.O_RDONLY | _FOLDER)
                stack.callback(os.close, descriptor)
                if _hold(descriptor):
                    break
        yield path


def temporary_name(before: str, after: str = "") -> str:
    """Return an unused name between a prefix and a suffix."""
    return f"{before}{os.urandom(_TOKEN_BYTES).hex()}{after}"


def _create_file(
    folder: str, name: str, path: StrPath, permissions: int | None, stack: contextlib.ExitStack
) -> tuple[str, int]:
    """Create a temporary file that `stack` unlocks and deletes; return path and descriptor."""
    while True:
        # The name is known before the file exists: Ctrl-C may come between the two.
        temporary = os.path.join(folder, temporary_name(f".{name[:_SHOWN]}.", _PART))
        stack.callback(_delete, temporary)
        try:
            # A new file has the permissions that `open` would have given it; one that replaces
            # another is private until it has the old one's permissions.
            descriptor = os.open(temporary, _NEW_FILE, 0o666 if permissions is None else 0o600)
        except OSError as error:
            # The error names the temporary file, which the user does not know.
            raise type(error)(error.errno, error.strerror, os.fspath(path)) from None
        if _fcntl is None:
            return temporary, descriptor
        # Until it has its name: a lock lasts as long as one of its descriptors.
        held = os.dup(descriptor)
        stack.callback(os.close, held)
        if _hold(held):
            return temporary, descriptor
        os.close(descriptor)


def _delete(path: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)


def _hold(descriptor: int) -> bool:
    """Lock an open file or folder as long as one of its descriptors lasts.

    False if another process has deleted it as a leftover. True if the file system has no locks.
    """
    return _lock(descriptor) is not False and os.fstat(descriptor).st_nlink > 0


def _delete_leftovers(
    folder: str, before: str, after: str, delete: Callable[[str], object], flags: int
) -> None:
    """Delete entries with a `temporary_name` that no process holds; `flags` open one."""
    token = rf"[0-9a-f]{{{2 * _TOKEN_BYTES}}}"
    pattern = re.compile(f"{re.escape(before)}{token}{re.escape(after)}")
    with contextlib.suppress(OSError):
        for entry in os.listdir(folder):
            if pattern.fullmatch(entry) is not None:
                with contextlib.suppress(OSError):
                    _delete_leftover(os.path.join(folder, entry), delete, flags)


def _delete_leftover(path: str, delete: Callable[[str], object], flags: int) -> None:
    if _fcntl is None:
        # Windows does not delete a file that is being written; one may be about to be renamed.
        if time.time() - os.stat(path).st_mtime > _OLD_SECONDS:
            delete(path)
        return
    descriptor = os.open(path, flags | os.O_NOFOLLOW)
    try:
        if _lock(descriptor):
            delete(path)
    finally:
        os.close(descriptor)


def _lock(descriptor: int) -> bool | None:
    """Lock a file; False if another process has locked it, None if there are no locks."""
    if _fcntl is None:
        return None
    try:
        _fcntl.flock(descriptor, _fcntl.LOCK_EX | _fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True
