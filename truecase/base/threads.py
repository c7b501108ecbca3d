"""Ordered work in several threads, a guard of objects for one thread, and optional modules."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

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

    When the generator ends or is closed, no thread works for it any more. A map inside `function`
    runs in the thread that calls it.

    Parameters
    ----------
    function : callable
        Should release the GIL.
    items : iterable
    threads : int
        Items worked on at a time; with 1, in the calling thread. Fewer if the system refuses
        threads.
    eager : bool
        Consume `items` in a thread of its own unless `threads` is 1. A result then comes as soon as
        it and those before it are ready, while the next item is still awaited. Otherwise the
        calling thread consumes the items, a few ahead of the results.

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
    """A context for one thread at a time; another thread gets a RuntimeError, which says `name`.

    Waiting instead would hide a mistake: the result would depend on which thread came first.
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


def imported(name: str) -> Any:
    """Return a module if it is completely imported, or None.

    For optional modules that are slow to import. While another thread imports a module, it is in
    `sys.modules`, but lacks most of its names.
    """
    module = sys.modules.get(name)
    # The interpreter marks incomplete modules so.
    if getattr(getattr(module, "__spec__", None), "_initializing", False):
        return None
    return module
