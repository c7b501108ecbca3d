"""A folder for temporary files that have to have names."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator

from truecase.files.leftovers import HAS_LOCKS, delete_leftovers, hold, temporary_name

_NAME = "truecase-"
_FOLDER = getattr(os, "O_DIRECTORY", 0)


@contextlib.contextmanager
def scratch_folder() -> Iterator[str]:
    """A new folder in `tempfile.gettempdir()`, deleted with all that is in it when the block ends.

    What processes that were killed have left of such is deleted, too.

    Yields
    ------
    str
        Its path.

    Raises
    ------
    OSError
        It cannot be made.
    """
    place = tempfile.gettempdir()
    delete_leftovers(place, _NAME, "", shutil.rmtree, os.O_RDONLY | _FOLDER)
    with contextlib.ExitStack() as stack:
        yield _create(place, stack)


def _create(place: str, stack: contextlib.ExitStack) -> str:
    """A folder that is held and, at the end of the stack, deleted."""
    while True:
        # The name is known before the folder is there: Ctrl-C may come between the two.
        path = os.path.join(place, temporary_name(_NAME))
        stack.callback(shutil.rmtree, path, ignore_errors=True)
        os.mkdir(path, 0o700)
        if not HAS_LOCKS:
            return path
        with contextlib.suppress(FileNotFoundError):
            descriptor = os.open(path, os.O_RDONLY | _FOLDER)
            stack.callback(os.close, descriptor)
            if hold(descriptor):
                return path
