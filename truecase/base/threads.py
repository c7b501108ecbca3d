"""Ordered work in several threads, and objects that one thread at a time may use."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

#: A text of at most so many bytes is cased in the calling thread: others would hardly have begun.
ONE_THREAD_BYTES = 1 << 15

# With smaller blocks, the cost of handing them over shows.
_LEAST_BYTES = 1 << 14


def bytes_for_a_thread(n_bytes: int, threads: int) -> int:
    """Block size in bytes: a quarter of each thread's share, at least 16 KiB."""
    return max(_LEAST_BYTES, n_bytes // (4 * threads))


def ordered_map(
    function: Callable[[Item], Result],
    items: Iterable[Item],
    threads: int = 1,
    *,
    eager: bool = False,
) -> Iterator[Result]:
    """Apply a function to every item in several threads; the results come in the items' order.

    A bounded number of items is under way. When the generator ends or is closed, no thread works
    for it any more. A map inside `function` runs in the thread that calls it.

    Parameters
    ----------
    function : callable
        Should release the GIL.
    items : iterable
    threads : int
        How many items are worked on at a time; with 1, in the calling thread. Fewer if the system
        gives no more threads.
    eager : bool
        Consume `items` in a thread of its own unless `threads` is 1. A result then comes as soon
        as it and those before it are ready, while the next item is still awaited. Otherwise the
        calling thread consumes the items, a few ahead of the results.

    Yields
    ------
    object
        The result of an item.

    Raises
    ------
    BaseException
        The first one that `function` or `items` raises, in the order of the items.
    """
    if threads <= 1:
        yield from map(function, items)
        return
    # The module `threading` costs time that one thread does not need.
    from truecase.base.pool import map_in_pool

    yield from map_in_pool(function, items, threads, eager)


class OneThread:
    """A context that one thread at a time can enter; any other gets an error.

    Waiting instead would hide a mistake: the result would depend on which thread came first.

    Parameters
    ----------
    name : str
        The object's name in messages.

    Raises
    ------
    RuntimeError
        A thread is inside, possibly the same one.
    """

    __slots__ = ("_lock", "_name")

    def __init__(self, name: str) -> None:
        import threading

        self._name = name
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            raise RuntimeError(f"this {self._name} is at work in another thread")

    def __exit__(self, *unused: object) -> None:
        self._lock.release()
