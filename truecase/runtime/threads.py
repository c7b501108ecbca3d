"""A function over blocks of text in several threads, results in order."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

Block = TypeVar("Block")
Result = TypeVar("Result")


def map_blocks(
    function: Callable[[Block], Result], blocks: Iterable[Block], threads: int = 1
) -> Iterator[Result]:
    """Apply a function to every block; the results come in the order of the blocks.

    A result is given as soon as it and those before it are there, even while the next
    block is still awaited. A bounded number of blocks is under way.

    Parameters
    ----------
    function : callable
        Should do its work without the GIL.
    blocks : iterable
        Bytes, or whatever `function` takes.
        Consumed in a thread of its own unless `threads` is 1.
    threads : int
        How many blocks are worked on at a time.

    Yields
    ------
    object
        The function of a block.

    Raises
    ------
    Exception
        The first one of `function` or `blocks`, in the order of the blocks.
    """
    if threads <= 1:
        yield from map(function, blocks)
        return
    results: queue.Queue[Future[Result] | BaseException | None] = queue.Queue(2 * threads)
    stopped = threading.Event()
    pool = ThreadPoolExecutor(threads, thread_name_prefix="truecase-worker")

    def put(item: Future[Result] | BaseException | None) -> None:
        while not stopped.is_set():
            try:
                results.put(item, timeout=0.1)
                return
            except queue.Full:
                pass

    def feed() -> None:
        try:
            for block in blocks:
                if stopped.is_set():
                    return
                put(pool.submit(function, block))
            put(None)
        except BaseException as error:
            put(error)

    # A daemon, because a read from a terminal cannot be called off.
    threading.Thread(target=feed, name="truecase-feeder", daemon=True).start()
    try:
        while (item := results.get()) is not None:
            if isinstance(item, BaseException):
                raise item
            yield item.result()
    finally:
        stopped.set()
        pool.shutdown(wait=False, cancel_futures=True)
