"""Objects that one thread at a time may use."""

from __future__ import annotations

import threading


class OneThread:
    """A context in which one thread can be at a time; any other is refused, not kept waiting.

    What would come out depended on which thread came first, so waiting would hide a mistake.

    Parameters
    ----------
    name : str
        What is used, for the message.

    Raises
    ------
    RuntimeError
        Another thread is inside, or the same one is, once more.
    """

    __slots__ = ("_lock", "_name")

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            raise RuntimeError(f"this {self._name} is at work in another thread")

    def __exit__(self, *unused: object) -> None:
        self._lock.release()
