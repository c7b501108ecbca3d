"""One pool of daemon threads for the whole process, and ordered work in them.

A thread of the pool is handed one call at a time, and waits for the next one when that is done. One
is started when a call comes and none is free, so that no call ever waits for another; where the
system refuses a thread, the work is done by those that there are, at the least by the caller's.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from queue import SimpleQueue
from typing import Any, Generic, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def map_in_pool(
    function: Callable[[Item], Result], items: Iterable[Item], threads: int, eager: bool
) -> Iterator[Result]:
    """What `truecase.base.threads.ordered_map` does in more than one thread."""
    if getattr(_here, "maps", False):
        yield from map(function, items)
        return
    work = _Work(function, threads)
    tasks = (work.begin(item) for item in items)
    under_way = run_ahead(tasks, 2 * threads) if eager else _begun_ahead(tasks, 2 * threads)
    try:
        for task in under_way:
            yield task.result()
    finally:
        under_way.close()
        work.end()


def run_ahead(items: Iterable[Item], n_ahead: int) -> Generator[Item, None, None]:
    """The same items, consumed some ahead in a thread of its own.

    Parameters
    ----------
    items : iterable
        Consumed in the calling thread if the system gives no other. When the generator is
        closed, the thread ends after the item that it awaits: a read from a terminal cannot be
        called off.
    n_ahead : int
        How many items are held at the most.

    Yields
    ------
    object
        An item.

    Raises
    ------
    BaseException
        What `items` raised, after the items before.
    """
    held: SimpleQueue[_Held[Item]] = SimpleQueue()
    room = threading.Semaphore(n_ahead)
    is_closed = False
    process = os.getpid()

    def feed() -> None:
        error: BaseException | None = None
        try:
            for item in items:
                room.acquire()
                if is_closed:
                    return
                held.put(_Held(item))
        except BaseException as raised:
            error = raised
        held.put(_End(error))

    if _start(_Call(feed)) is None:
        yield from items
        return
    try:
        while not isinstance(got := held.get(), _End):
            room.release()
            yield got.item
        if got.error is not None:
            raise got.error
    finally:
        is_closed = True
        # In a fork's copy, the parent's thread may have held the lock in there, for ever.
        if process == os.getpid():
            room.release()


def _begun_ahead(tasks: Iterable[Item], n_ahead: int) -> Generator[Item, None, None]:
    """The same items, consumed some ahead in the calling thread."""
    ahead: deque[Item] = deque()
    error: BaseException | None = None
    try:
        for task in tasks:
            ahead.append(task)
            if len(ahead) > n_ahead:
                yield ahead.popleft()
    except Exception as raised:
        error = raised
    while ahead:
        yield ahead.popleft()
    if error is not None:
        raise error


class _Held(Generic[Item]):
    """An item on its way out of a thread."""

    def __init__(self, item: Item) -> None:
        self.item = item


class _End(_Held[Item]):
    """That there are no more items, and the exception, if one was the reason."""

    def __init__(self, error: BaseException | None) -> None:
        self.error = error


class _Task(Generic[Item, Result]):
    """The function of one item."""

    def __init__(self, function: Callable[[Item], Result], item: Item) -> None:
        self._function: Callable[[Item], Result] | None = function
        self._item: Item | None = item
        self._result: Result | None = None
        self._error: BaseException | None = None
        self._done: threading.Lock | None = None

    def to_be_run(self) -> None:
        """Leave it to another thread; `result` then waits for that."""
        self._done = threading.Lock()
        self._done.acquire()

    def run(self) -> None:
        assert self._done is not None
        assert self._function is not None
        try:
            self._result = self._function(self._item)  # type: ignore[arg-type]
        except BaseException as error:
            self._error = error
        # Without a GIL, an object that another thread lets go of stays until the thread that made
        # it wakes up; what it holds need not.
        self._item = self._function = None
        self._done.release()

    def result(self) -> Result:
        if self._done is None:
            assert self._function is not None
            return self._function(self._item)  # type: ignore[arg-type]
        self._done.acquire()
        error, self._error = self._error, None
        if error is not None:
            raise error
        result, self._result = self._result, None
        return result  # type: ignore[return-value]


class _Work(Generic[Item, Result]):
    """The tasks of one map, and the threads that it has taken from the pool."""

    def __init__(self, function: Callable[[Item], Result], threads: int) -> None:
        self._function: Callable[[Item], Result] | None = function
        self._n_wanted = threads
        self._tasks: SimpleQueue[_Task[Item, Result] | None] = SimpleQueue()
        self._calls: list[_Call] = []
        self._is_ended = False
        self._lock = threading.Lock()
        self._process = os.getpid()

    def begin(self, item: Item) -> _Task[Item, Result]:
        """A task that a thread of the pool will run, or `result` if there is none."""
        with self._lock:
            if self._is_ended:
                return _Task(_nothing_of, item)
            assert self._function is not None
            task = _Task(self._function, item)
            if len(self._calls) < self._n_wanted:
                call = _start(_Call(self._run_tasks))
                if call is None:
                    self._n_wanted = len(self._calls)
                else:
                    self._calls.append(call)
            if self._calls:
                task.to_be_run()
                self._tasks.put(task)
        return task

    def _run_tasks(self) -> None:
        _here.maps = True
        try:
            while (task := self._tasks.get()) is not None and not self._is_ended:
                task.run()
                del task  # and with it, the result
        finally:
            _here.maps = False

    def end(self) -> None:
        """Give the threads back when each has done the task that it is at."""
        if self._process != os.getpid():
            return  # a fork's copy: the threads are the parent's, and the lock may be, too
        with self._lock:
            self._is_ended = True
            # Calls hold this work: it is let go here, or what `function` holds would stay until
            # the next collection of circles, gigabytes in training.
            calls, self._calls = self._calls, []
        for _ in calls:
            self._tasks.put(None)
        for call in calls:
            call.wait()
        self._function = None


class _Call:
    """A function without arguments that raises nothing, for a thread of the pool."""

    def __init__(self, function: Callable[[], None]) -> None:
        self.run = function
        self._done = threading.Lock()
        self._done.acquire()

    def finish(self) -> None:
        self.run = _nothing  # as with tasks: a pool thread may have made this
        self._done.release()

    def wait(self) -> None:
        self._done.acquire()


def _nothing() -> None:
    pass


def _nothing_of(item: object) -> Any:
    """Of an item that came when nobody asked for its result any more."""
    return None


class _Worker:
    """A thread of the pool."""

    def __init__(self) -> None:
        self._given: SimpleQueue[_Call] = SimpleQueue()
        # Daemons, since one may wait for a terminal for ever.
        threading.Thread(target=self._work, name="truecase-worker", daemon=True).start()

    def give(self, call: _Call) -> None:
        self._given.put(call)

    def _work(self) -> None:
        while True:
            call = self._given.get()
            call.run()
            # First free, then done: the next map finds all threads of the one before.
            _free.append(self)
            call.finish()
            del call


_here = threading.local()
_free: list[_Worker] = []


def _start(call: _Call) -> _Call | None:
    """Have a thread of the pool make a call; None if there is none, and the system gives none."""
    try:
        worker = _free.pop()
    except IndexError:
        try:
            worker = _Worker()
        except (RuntimeError, MemoryError):
            return None
    worker.give(call)
    return call


# A fork copies the list, but none of the threads.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_free.clear)
