"""Work on pieces of columns in threads, with the results in order."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def default_threads() -> int:
    """Two threads, or one where there is one processor: columns are read faster by no more."""
    return min(2, os.cpu_count() or 1)


def map_in_order(
    function: Callable[[Item], Result], items: Iterable[Item], threads: int
) -> Iterator[Result]:
    """Apply a function that works without the GIL to every item.

    Parameters
    ----------
    function : callable
    items : iterable
        Consumed in the calling thread, a few items ahead of the results.
    threads : int
        How many items are worked on at a time; with 1, in the calling thread.

    Yields
    ------
    object
        The function of an item, in the order of the items.
    """
    if threads <= 1:
        yield from map(function, items)
        return
    pool = ThreadPoolExecutor(threads, thread_name_prefix="truecase-ngram")
    pending: deque[Future[Result]] = deque()
    try:
        for item in items:
            pending.append(pool.submit(function, item))
            if len(pending) > 2 * threads:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
