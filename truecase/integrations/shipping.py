"""Send an object from a driver to the workers of a cluster; each process there makes it once.

Spark and Ray pickle functions by cloudpickle: a function of a module by its name, so that a worker
without the package could not report that in a sentence; a function within a function by value.
Such a function carries the object.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar, cast

from truecase._installation import __version__
from truecase.model.pickling import check_package

_T = TypeVar("_T")

# A job has few models, but a process of a worker may serve many jobs.
_N_HELD = 8


def sent(thing: _T) -> Callable[[], _T]:
    """Pickle an object, and make a function that returns it on a worker.

    cloudpickle can send the function, pickle cannot. Called on a worker, it raises ImportError if
    the package is missing, and ModelError if it has another version.
    """
    package, data = __version__, pickle.dumps(thing)

    def receive() -> _T:
        try:
            from truecase.integrations.shipping import received
        except ImportError as error:
            import sys

            raise ImportError(
                f"a worker lacks truecase {package}: install the wheel of truecase-crf {package} "
                f"on all workers, for {sys.executable} ({error})"
            ) from None
        return received(package, data)  # type: ignore[return-value]

    return receive


def received(package: str, data: bytes) -> object:
    """Return the object that was sent, the same one each time in this process.

    Raises
    ------
    ModelError
        Another version of the package sent it, or the worker's model differs from the driver's.
    OSError
        The file of its model is missing on the worker.
    """
    check_package(package)
    return _made(data)


@lru_cache(maxsize=_N_HELD)
def _made(data: bytes) -> object:
    return cast(object, pickle.loads(data))
