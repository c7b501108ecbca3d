"""Light stand-ins for the modules `logging` and `dataclasses`.

Each of the two takes as long to import as a model takes to load.
"""

from __future__ import annotations

import sys
from typing import Any, ClassVar, Literal

_PACKAGE = __name__.partition(".")[0]


def imported(name: str) -> Any:
    """Return a module that somebody has imported completely; otherwise None.

    A module that another thread is importing is in `sys.modules`, but lacks most of its names.
    """
    module = sys.modules.get(name)
    # The interpreter marks incomplete modules so.
    if getattr(getattr(module, "__spec__", None), "_initializing", False):
        return None
    return module


def log(level: Literal["debug", "info"], module: str, message: str) -> None:
    """Log a message for a module if `logging` has been imported; nobody listens otherwise."""
    logging = imported("logging")
    if logging is None:
        return
    package = logging.getLogger(_PACKAGE)
    if not package.handlers:
        package.addHandler(logging.NullHandler())
    getattr(logging.getLogger(module), level)("%s", message)


class Record:
    """An immutable object that is compared and shown by its fields, like a frozen dataclass.

    A subclass names its fields in `FIELDS`. Its ``__init__`` takes them by these names and passes
    them to `_set`.
    """

    FIELDS: ClassVar[tuple[str, ...]] = ()

    def _set(self, **values: object) -> None:
        self.__dict__.update(values)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{name} of a {type(self).__name__} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{name} of a {type(self).__name__} cannot be deleted")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self.fields() == other.fields()

    def __hash__(self) -> int:
        return hash(tuple(self.fields().values()))

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={value!r}" for name, value in self.fields().items())
        return f"{type(self).__name__}({shown})"

    def fields(self) -> dict[str, Any]:
        """The fields' values by name."""
        return {name: getattr(self, name) for name in self.FIELDS}
