"""Temporary files of processes that were killed: known by their names, and held by nobody.

What is being written is locked, and a lock ends with its process, however that ends.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import re
import time
from collections.abc import Callable
from typing import Any

# Not on Windows, where an open file cannot be deleted.
_fcntl: Any = importlib.import_module("fcntl") if os.name == "posix" else None

_TOKEN_BYTES = 8
_LEFT_SECONDS = 24 * 60 * 60

#: Whether the system has locks that end with their process.
HAS_LOCKS = _fcntl is not None


def temporary_name(before: str, after: str = "") -> str:
    """A name that nothing has."""
    return f"{before}{os.urandom(_TOKEN_BYTES).hex()}{after}"


def hold(descriptor: int) -> bool:
    """Mark an open file or folder as in use, as long as one of its descriptors lasts.

    False if somebody has taken it for a leftover before it was marked. True also where the system
    has no such marks.
    """
    return _lock(descriptor) is not False and os.fstat(descriptor).st_nlink > 0


def delete_leftovers(
    folder: str, before: str, after: str, delete: Callable[[str], object], flags: int = os.O_RDWR
) -> None:
    """Delete what has a name as `temporary_name` makes it, and is held by nobody.

    Parameters
    ----------
    folder : str
        To look into.
    before, after : str
        Of the names.
    delete : callable
        Gets a path.
    flags : int
        To open one of them with.
    """
    token = rf"[0-9a-f]{{{2 * _TOKEN_BYTES}}}"
    pattern = re.compile(f"{re.escape(before)}{token}{re.escape(after)}")
    with contextlib.suppress(OSError):
        for entry in os.listdir(folder):
            if pattern.fullmatch(entry) is not None:
                with contextlib.suppress(OSError):
                    _delete_leftover(os.path.join(folder, entry), delete, flags)


def _delete_leftover(path: str, delete: Callable[[str], object], flags: int) -> None:
    if _fcntl is None:
        # One that is being written cannot be deleted there; it may be about to be renamed.
        if time.time() - os.stat(path).st_mtime > _LEFT_SECONDS:
            delete(path)
        return
    descriptor = os.open(path, flags | os.O_NOFOLLOW)
    try:
        if _lock(descriptor):
            delete(path)
    finally:
        os.close(descriptor)


def _lock(descriptor: int) -> bool | None:
    """Mark a file; False if it is marked already, None if it cannot be told."""
    if _fcntl is None:
        return None
    try:
        _fcntl.flock(descriptor, _fcntl.LOCK_EX | _fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True
