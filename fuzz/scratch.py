"""Files for readers that want a path, where possible in memory."""

from __future__ import annotations

import atexit
import functools
import os
import shutil
import tempfile
from pathlib import Path


@functools.cache
def folder() -> Path:
    """A folder of this process."""
    memory = Path("/dev/shm")
    made = tempfile.mkdtemp(prefix="fuzzing-", dir=memory if memory.is_dir() else None)
    atexit.register(_remove, made, os.getpid())
    return Path(made)


def _remove(path: str, process: int) -> None:
    # A process that was forked off has the same folder, and leaves it.
    if os.getpid() == process:
        shutil.rmtree(path, ignore_errors=True)


def written(name: str, data: bytes) -> Path:
    """A file of a name with these bytes in it."""
    path = folder() / name
    try:
        path.write_bytes(data)
    except FileNotFoundError:
        # Whoever tidies up memory between two inputs is no finding.
        folder().mkdir(exist_ok=True)
        path.write_bytes(data)
    return path
