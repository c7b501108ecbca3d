"""Files for readers that want a path, where possible in memory."""

from __future__ import annotations

import atexit
import functools
import shutil
import tempfile
from pathlib import Path


@functools.cache
def folder() -> Path:
    """A folder of this process."""
    memory = Path("/dev/shm")
    made = tempfile.mkdtemp(prefix="truecase-fuzz-", dir=memory if memory.is_dir() else None)
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return Path(made)


def written(name: str, data: bytes) -> Path:
    """A file of a name with these bytes in it."""
    path = folder() / name
    path.write_bytes(data)
    return path
