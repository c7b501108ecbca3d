"""`Record`: an object whose fields cannot change, as a frozen dataclass is.

The module `dataclasses` takes longer to import than a model takes to load.
"""

from __future__ import annotations

from typing import Any, ClassVar


class Record:
    """Fields that are set once, by which records are compared and shown.

    A subclass names them in `FIELDS`; its ``__init__`` takes them by these names and hands them to
    `_set`.
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
        """Values by name."""
        return {name: getattr(self, name) for name in self.FIELDS}
