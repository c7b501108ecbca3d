"""What the package logs: shown where its user sets logging up, and nowhere else.

The module `logging` takes as long to import as a model takes to load. Who has not imported it sees
nothing of what is logged, so it is not imported here either.
"""

from typing import Literal

from truecase.runtime.imported import imported

_PACKAGE = __name__.partition(".")[0]


def log(level: Literal["debug", "info"], module: str, message: str) -> None:
    """Tell the logger of a module something, if anybody may be listening."""
    logging = imported("logging")
    if logging is None:
        return
    package = logging.getLogger(_PACKAGE)
    if not package.handlers:
        package.addHandler(logging.NullHandler())
    getattr(logging.getLogger(module), level)("%s", message)
