"""What a driver sends to the workers of a cluster; each of their processes makes it once.

Spark and Ray pickle functions by cloudpickle: one of a module goes by its name, and on a worker
without the package nobody would be there to say so in a sentence. A function within a function
goes by value, so that is what carries everything else.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar, cast

from truecase._installation import __version__
from truecase.model.pickling import check_package

_T = TypeVar("_T")

# A job has few models, and a process of a worker may see many jobs.
_N_HELD = 8


def sent(thing: _T) -> Callable[[], _T]:
    """A function that gives the same again where it is sent to.

    Parameters
    ----------
    thing : object
        Is pickled now.

    Returns
    -------
    callable
        For cloudpickle alone; pickle cannot send it. Where it is called, it raises ImportError if
        the package is missing, and ModelError if it is another version.
    """
    package, data = __version__, pickle.dumps(thing)

    def receive() -> _T:
        try:
            from truecase.integrations.shipping import received
        except ImportError as error:
            import sys

            raise ImportError(
                f"a worker lacks truecase {package}: install the wheel of truecase-crf {package} on all "
                f"workers, for {sys.executable} ({error})"
            ) from None
        return received(package, data)  # type: ignore[return-value]

    return receive


def received(package: str, data: bytes) -> object:
    """What was sent, one and the same as long as this process has it.

    Raises
    ------
    ModelError
        Another version of the package sent it, or its model is not here as it is there.
    OSError
        The file of its model is not here.
    """
    check_package(package)
    return _made(data)


@lru_cache(maxsize=_N_HELD)
def _made(data: bytes) -> object:
    return cast(object, pickle.loads(data))
