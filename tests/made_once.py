"""What is costly to make, made by the first worker of pytest-xdist that asks, used by all."""

import os
import time
from collections.abc import Callable
from pathlib import Path

_SECONDS = 300


def made_once(factory, name: str, make: Callable[[Path], object]) -> Path:
    """Path of a file that `make` writes, once in a run of the tests.

    Parameters
    ----------
    factory : pytest.TempPathFactory
    name : str
        Of the file; whatever has this name must be the same thing.
    make : callable
        Gets a path, and writes there.

    Raises
    ------
    TimeoutError
        The worker that makes it has died or takes longer than five minutes.
    """
    base = factory.getbasetemp()
    # A worker's own folder lies in that of the run.
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "made_once"
    folder.mkdir(exist_ok=True)
    path, taken, failed = (folder / f"{name}{end}" for end in ("", ".taken", ".failed"))
    try:
        taken.mkdir()
    except FileExistsError:
        _wait_for(path, failed)
        return path
    part = folder / f"{name}.part"
    try:
        make(part)
    except BaseException as error:
        failed.write_text(repr(error), encoding="utf-8")
        raise
    part.replace(path)
    return path


def _wait_for(path: Path, failed: Path) -> None:
    end = time.monotonic() + _SECONDS
    while not path.exists():
        if failed.exists():
            raise RuntimeError(f"{path.name} could not be made: {failed.read_text('utf-8')}")
        if time.monotonic() > end:
            raise TimeoutError(f"{path.name} was not made in {_SECONDS} seconds")
        time.sleep(0.05)
