"""Choices and pieces taken from the front of a fuzzer's bytes, so that its changes stay small."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")


class Draw:
    """Takes bytes from the front; behind the end there are zeros.

    Parameters
    ----------
    data : bytes
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def byte(self) -> int:
        """The next byte."""
        at = self._at
        self._at += 1
        return self._data[at] if at < len(self._data) else 0

    def number(self, n_bytes: int = 2) -> int:
        """A whole number of so many bytes."""
        return int.from_bytes(bytes(self.byte() for _ in range(n_bytes)), "little")

    def choice(self, items: Sequence[Item]) -> Item:
        """One of at most 256 items."""
        return items[self.byte() % len(items)]

    def flag(self) -> bool:
        """Yes or no."""
        return self.byte() % 2 == 1

    def bytes(self, n: int) -> bytes:
        """At most so many bytes, as they are."""
        taken = self._data[self._at : self._at + n]
        self._at += n
        return taken

    def rest(self) -> bytes:
        """All that is left."""
        taken = self._data[self._at :]
        self._at = len(self._data)
        return taken
