"""One pool of daemon threads for the whole process, and ordered work in them.

A thread of the pool runs one call at a time and then waits for the next. If no thread is free, the
pool starts one, so that no call waits for another. If the system refuses or memory is nearly used
up, the existing threads do the work, at least the caller's. Where memory runs out, the caller's
does what is left, alone.
"""

from __future__ import annotations

import mmap
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
    """Do the work of `truecase.base.threads.ordered_map` in more than one thread."""
    if getattr(_here, "maps", False):
        yield from map(function, items)
        return
    try:
        work = _Work(function, threads)
    except OSError:  # There is too little memory even for the caller's reserve.
        yield from map(function, items)
        return
    tasks = (work.begin(item) for item in items)
    under_way = run_ahead(tasks, 2 * threads) if eager else _begun_ahead(tasks, 2 * threads)
    try:
        for task in under_way:
            yield work.result(task)
    finally:
        under_way.close()
        work.end()


def run_ahead(items: Iterable[Item], n_ahead: int) -> Generator[Item, None, None]:
    """Yield the items, consumed ahead in a thread of its own.

    Parameters
    ----------
    items : iterable
        Consumed in the calling thread if the system refuses another. When the generator is closed,
        the thread ends after the item that it awaits: a read from a terminal cannot be cancelled.
    n_ahead : int
        The most items held at a time.

    Raises
    ------
    BaseException
        The exception of `items`, after the items before it.
    """
    # Items, and at their end the exception that ended them, or None; whether it is the end.
    held: SimpleQueue[tuple[Any, bool]] = SimpleQueue()
    room = threading.Semaphore(n_ahead)
    is_closed = False
    process = os.getpid()

    def feed(_: None) -> None:
        error: BaseException | None = None
        try:
            for item in items:
                room.acquire()
                if is_closed:
                    return
                held.put((item, False))
        except BaseException as raised:
            error = raised
        held.put((error, True))

    if not _start(_Task(feed)):
        yield from items
        return
    try:
        while True:
            got, is_end = held.get()
            if is_end:
                break
            room.release()
            yield got
        if got is not None:
            raise got
    finally:
        is_closed = True
        # After a fork, a thread of the parent may hold the lock inside for ever.
        if process == os.getpid():
            room.release()


def _begun_ahead(tasks: Iterable[Item], n_ahead: int) -> Generator[Item, None, None]:
    """Yield the items, consumed ahead in the calling thread."""
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


class _Task(Generic[Item, Result]):
    """A call that a pool thread makes: of a map's function for one item, any other, or none."""

    def __init__(self, function: Callable[[Any], Result] | None, item: Item | None = None) -> None:
        self._function = function
        self._item = item
        self._result: Result | None = None
        self._error: BaseException | None = None
        self._done: threading.Lock | None = None
        self.worker: _Worker | None = None
        self.is_last = False  # of its worker

    def to_be_run(self) -> None:
        """Leave the task to another thread, for which `wait` waits."""
        self._done = threading.Lock()
        self._done.acquire()

    def run(self) -> bool:
        """Call the function, unless there is too little memory; whether there was enough."""
        assert self._function is not None
        try:
            self._result = self._function(self._item)
        except MemoryError:
            return False
        except BaseException as error:
            self._error = error
        # Without a GIL, an object that another thread drops stays until the thread that made it
        # wakes up; its references need not.
        self._item = self._function = None
        return True

    def finish(self) -> None:
        assert self._done is not None
        self._done.release()

    def wait(self) -> bool:
        """Wait until another thread is done with the task; whether it was run."""
        if self._done is not None:
            self._done.acquire()
        if self.is_last and self.worker is not None:
            self.worker.join()
        return self._function is None

    def result(self) -> Result:
        if self._function is not None:
            return self._function(self._item)
        error, self._error = self._error, None
        if error is not None:
            raise error
        result, self._result = self._result, None
        return result  # type: ignore[return-value]


class _Work(Generic[Item, Result]):
    """The tasks of a map, and the threads that it took from the pool."""

    def __init__(self, function: Callable[[Item], Result], threads: int) -> None:
        self._function: Callable[[Item], Result] | None = function
        self._n_wanted = threads
        self._reserve = mmap.mmap(-1, _RESERVED_BYTES)
        self._tasks: SimpleQueue[_Task[Item, Result] | None] = SimpleQueue()
        self._calls: list[_Task[None, None]] = []
        self._is_ended = self._is_short = False
        self._lock = threading.Lock()
        self._process = os.getpid()

    def begin(self, item: Item) -> _Task[Item, Result]:
        """Create a task: a pool thread runs it; if none is available, `result` runs it."""
        with self._lock:
            if self._is_ended:
                return _Task(None)
            assert self._function is not None
            task = _Task(self._function, item)
            if len(self._calls) < self._n_wanted:
                call: _Task[None, None] = _Task(self._run_tasks)
                if _start(call):
                    self._calls.append(call)
                else:
                    self._n_wanted = len(self._calls)
            if self._calls:
                task.to_be_run()
                self._tasks.put(task)
        return task

    def _run_tasks(self, _: None) -> None:
        _here.maps = True
        try:
            while (task := self._tasks.get()) is not None and not self._is_ended:
                # What is not run here is left to the caller's thread.
                if not self._is_short and not task.run():
                    self._is_short = True
                task.finish()
                del task  # and with it, the result
        finally:
            _here.maps = False

    def result(self, task: _Task[Item, Result]) -> Result:
        if not task.wait() and self._is_short:
            self._release_threads()
        return task.result()

    def end(self) -> None:
        """Return each thread to the pool after its current task."""
        if self._process != os.getpid():
            return  # after a fork, the threads belong to the parent, and the lock may, too
        self._is_ended = True
        self._release_threads()
        self._function = None

    def _release_threads(self) -> None:
        """Begin no task in a thread any more; where memory is short, end the threads."""
        with self._lock:
            self._n_wanted = 0
            # Calls refer to this object: without breaking the cycle here, what `function` holds
            # would stay until the next garbage collection, gigabytes in training.
            calls, self._calls = self._calls, []
            self._reserve.close()
        for call in calls:
            call.is_last = self._is_short
            self._tasks.put(None)
        for call in calls:
            call.wait()


class _Worker(threading.Thread):
    """A thread of the pool."""

    def __init__(self) -> None:
        # A daemon, since it may wait for a terminal for ever.
        super().__init__(name="truecase-worker", daemon=True)
        self._given: SimpleQueue[_Task[Any, Any]] = SimpleQueue()
        self.start()

    def give(self, call: _Task[Any, Any]) -> None:
        call.worker = self
        self._given.put(call)

    def run(self) -> None:
        while True:
            call = self._given.get()
            call.run()
            if call.is_last:
                call.finish()
                return
            # Free before finished: the next map finds all threads of this one.
            _free.append(self)
            call.finish()
            del call


# A thread is started only beside so many bytes of free address space: its stack, and heaps that the
# C library gives other threads meanwhile. A thread without memory for its first steps dies before
# it says that it has begun, and `Thread.start` would wait for that for ever.
_FREE_BYTES = 1 << 27

# Kept for the caller while threads take the rest.
_RESERVED_BYTES = 1 << 24

_here = threading.local()
_free: list[_Worker] = []


def _start(call: _Task[Any, Any]) -> bool:
    """Give a call to a pool thread; False if none is free and a new one cannot be had."""
    try:
        worker = _free.pop()
    except IndexError:
        try:
            mmap.mmap(-1, _FREE_BYTES).close()
            worker = _Worker()
        except (OSError, RuntimeError, MemoryError):
            return False
    call.to_be_run()
    worker.give(call)
    return True


# A fork copies the list, but not the threads.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_free.clear)
