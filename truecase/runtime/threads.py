"""Ordered work, in as many threads as are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def ordered_map(
    function: Callable[[Item], Result],
    items: Iterable[Item],
    threads: int = 1,
    *,
    eager: bool = False,
) -> Iterator[Result]:
    """Apply a function to every item in several threads; the results come in the items' order.

    A bounded number of items is under way. When the generator ends or is closed, no thread works
    for it any more. Within `function`, another map works in the thread that calls it.

    Parameters
    ----------
    function : callable
        Should do its work without the GIL.
    items : iterable
    threads : int
        How many items are worked on at a time; with 1, in the calling thread. Fewer if the system
        gives no more threads.
    eager : bool
        Consume `items` in a thread of its own unless `threads` is 1, so that a result is given as
        soon as it and those before it are there, even while the next item is still awaited.
        Otherwise items are consumed in the calling thread, a few ahead of the results.

    Yields
    ------
    object
        The function of an item.

    Raises
    ------
    BaseException
        The first one of `function` or `items`, in the order of the items.
    """
    if threads <= 1:
        yield from map(function, items)
        return
    # Who wants one thread is not to wait until threads are imported.
    from truecase.runtime.pool import map_in_pool

    yield from map_in_pool(function, items, threads, eager)
