"""Work in threads: order, promptness, errors, ends, and too few threads."""

import gc
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
import weakref

import pytest

from truecase.base.pool import run_ahead
from truecase.base.threads import ordered_map

EAGER = pytest.mark.parametrize("eager", [False, True])


def run(script, *arguments):
    """What a script prints that runs in a process, and so with a pool, of its own."""
    found = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script), *arguments],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert found.returncode == 0, found.stderr
    return found.stdout


@EAGER
@pytest.mark.parametrize("threads", [-1, 1, 2, 5])
def test_order(threads, eager):
    def slow_at_first(number):
        time.sleep(0.001 * (number % 3))
        return number * 2

    results = ordered_map(slow_at_first, range(100), threads, eager=eager)
    assert list(results) == [number * 2 for number in range(100)]


@EAGER
@pytest.mark.parametrize("n_items", range(4))
def test_few_items(n_items, eager):
    assert list(ordered_map(str, range(n_items), 3, eager=eager)) == list("012"[:n_items])


@EAGER
def test_as_many_at_a_time_as_there_are_threads(eager):
    all_there = threading.Barrier(3)
    n_working, most = 0, 0
    lock = threading.Lock()

    def work(number):
        nonlocal n_working, most
        with lock:
            n_working += 1
            most = max(most, n_working)
        if number < 3:
            all_there.wait(60)
        time.sleep(0.002)
        with lock:
            n_working -= 1

    # the pool has more threads than the map wants
    list(ordered_map(lambda number: time.sleep(0.01), range(6), 6))
    list(ordered_map(work, range(30), 3, eager=eager))
    assert most == 3


def test_result_comes_while_the_next_item_is_awaited():
    more = threading.Event()

    def blocks():
        yield b"first"
        assert more.wait(60)
        yield b"second"

    results = ordered_map(bytes.upper, blocks(), 3, eager=True)
    assert next(results) == b"FIRST"
    more.set()
    assert list(results) == [b"SECOND"]


def test_items_are_consumed_in_the_calling_thread():
    def items():
        yield threading.get_ident()

    assert list(ordered_map(int, items(), 3)) == [threading.get_ident()]
    assert list(ordered_map(int, items(), 3, eager=True)) != [threading.get_ident()]


@EAGER
@pytest.mark.parametrize("threads", [1, 3])
def test_errors_come_in_order(threads, eager):
    def blocks():
        yield b"fine"
        yield b"bad"
        raise OSError("the disk is gone")

    def function(block):
        if block == b"bad":
            raise ValueError("a bad block")
        return block

    results = ordered_map(function, blocks(), threads, eager=eager)
    assert next(results) == b"fine"
    with pytest.raises(ValueError, match="a bad block"):
        next(results)
    results = ordered_map(lambda block: block, blocks(), threads, eager=eager)
    assert [next(results), next(results)] == [b"fine", b"bad"]
    with pytest.raises(OSError, match="the disk is gone"):
        next(results)


@EAGER
def test_exit_in_a_thread_is_raised_by_the_map(eager):
    def leave(number):
        raise SystemExit(number)

    with pytest.raises(SystemExit, match="3"):
        list(ordered_map(leave, [3, 4], 2, eager=eager))
    assert list(ordered_map(abs, [-1, -2], 2)) == [1, 2]


@EAGER
def test_bounded_number_under_way(eager):
    taken = []

    def items():
        for number in range(1000):
            taken.append(number)
            yield number

    results = ordered_map(abs, items(), 2, eager=eager)
    next(results)
    time.sleep(0.2)
    assert len(taken) < 10
    results.close()


@EAGER
def test_closed_early_leaves_nothing_running(eager):
    begun, ended = [], []
    is_closed = threading.Event()

    def items():
        try:
            yield from range(1000)
        finally:
            is_closed.set()

    def work(number):
        begun.append(number)
        time.sleep(0.01)
        ended.append(number)

    results = ordered_map(work, items(), 3, eager=eager)
    next(results)
    results.close()
    assert sorted(begun) == sorted(ended)
    n_begun = len(begun)
    del results
    assert is_closed.wait(60)
    time.sleep(0.05)
    assert len(begun) == n_begun < 20


def test_ahead():
    assert list(run_ahead(range(100), 3)) == list(range(100))
    taken = []
    ahead = run_ahead((taken.append(number) or number for number in range(100)), 3)
    assert next(ahead) == 0
    time.sleep(0.1)
    assert len(taken) <= 6
    ahead.close()

    def fails():
        yield 1
        raise OSError("the disk is gone")

    ahead = run_ahead(fails(), 3)
    assert next(ahead) == 1
    with pytest.raises(OSError, match="the disk is gone"):
        next(ahead)


@EAGER
def test_within_a_thread_of_the_pool_the_same_thread_works(eager):
    def inner(number):
        return threading.get_ident(), number

    def outer(number):
        there = list(ordered_map(inner, range(number, number + 3), 4, eager=eager))
        assert {thread for thread, _ in there} == {threading.get_ident()}
        return [value for _, value in there]

    assert list(ordered_map(outer, range(20), 2)) == [[n, n + 1, n + 2] for n in range(20)]
    # a thread that was in the pool is no worse for it
    assert len({thread for thread, _ in ordered_map(inner, range(8), 2)}) <= 2


def test_from_many_threads():
    wanted = [number * number for number in range(200)]
    wrong = []

    def use(eager):
        for _ in range(10):
            found = list(ordered_map(lambda n: n * n, range(200), 3, eager=eager))
            if found != wanted:
                wrong.append(found)

    threads = [threading.Thread(target=use, args=(number % 2 == 0,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    assert wrong == []


def test_one_pool():
    script = """
        import threading
        from truecase.base.pool import run_ahead
        from truecase.base.threads import ordered_map
        n_before = threading.active_count()
        def pair(n): return threading.get_ident(), n
        used = set()
        for turn in range(50):
            for thread, _ in ordered_map(pair, range(20), 3, eager=turn % 2 == 0):
                used.add(thread)
        print(threading.active_count() - n_before <= 5, len(used) <= 5)
        for thread in threading.enumerate():
            assert thread.daemon or thread is threading.main_thread()
    """
    assert run(script) == "True True\n"


def test_one_thread_starts_nothing():
    script = """
        import sys, threading
        import truecase
        from truecase.base.threads import ordered_map
        cased = truecase.Truecaser.load().case_block(b"she smiled .\\n", threads=1)
        print(cased, list(ordered_map(abs, [-1], 1, eager=True)), threading.active_count())
        print("concurrent.futures" in sys.modules)
    """
    assert run(script) == "b'She smiled .\\n' [1] 1\nFalse\n"


@EAGER
@pytest.mark.parametrize("n_granted", range(4))
def test_the_system_refuses_threads(n_granted, eager):
    script = """
        import sys, threading
        from truecase.base.threads import ordered_map
        eager, n_granted = sys.argv[1] == "True", int(sys.argv[2])
        start = threading.Thread.start
        def refuse(thread):
            global n_granted
            if n_granted == 0:
                raise RuntimeError("can't start new thread")
            n_granted -= 1
            start(thread)
        threading.Thread.start = refuse
        for turn in range(3):
            def items():
                yield from range(100)
                raise OSError("at the end")
            found = []
            try:
                for value in ordered_map(lambda n: n + 1, items(), 8, eager=eager):
                    found.append(value)
            except OSError:
                found.append("end")
            assert found == [*range(1, 101), "end"], found
        print(threading.active_count())
    """
    assert run(script, str(eager), str(n_granted)) == f"{1 + n_granted}\n"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs a limit of address space")
@pytest.mark.parametrize("mebibytes", [8, 32, 192, 400])
def test_little_address_space(mebibytes):
    script = """
        import resource, sys
        import truecase
        cases = truecase.Truecaser.load()
        block = b"she smiled at mr. smith in london .\\n" * 20_000
        wanted = cases.case_block(block)
        with open("/proc/self/statm") as statm:
            taken = int(statm.read().split()[0]) * resource.getpagesize()
        limit = taken + (int(sys.argv[1]) << 20)
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        print(cases.case_block(block, threads=64) == wanted)
    """
    # Stacks of 64 threads would take all of it, and leave none for their work.
    assert run(script, str(mebibytes)) == "True\n"


@EAGER
def test_where_memory_runs_out_the_caller_works_alone(eager):
    caller, others = threading.current_thread(), set()

    def work(number):
        thread = threading.current_thread()
        if thread is not caller:
            others.add(thread)
            if number > 20:
                raise MemoryError
        elif number > 20:
            assert not any(other.is_alive() for other in others)
        return number + 1

    assert list(ordered_map(work, range(100), 5, eager=eager)) == list(range(1, 101))
    assert 0 < len(others) <= 5
    # The next map has threads again.
    others.clear()
    assert list(ordered_map(work, range(20), 5, eager=eager)) == list(range(1, 21))
    assert others


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@EAGER
def test_fork(eager):
    wanted = [number + 1 for number in range(50)]
    assert list(ordered_map(lambda n: n + 1, range(50), 3)) == wanted
    half = ordered_map(lambda n: n + 1, range(50), 3, eager=eager)
    next(half)
    child = os.fork()
    if not child:
        half.close()
        found = list(ordered_map(lambda n: n + 1, range(50), 3, eager=eager))
        os._exit(0 if found == wanted and threading.active_count() > 1 else 1)
    deadline = time.monotonic() + 60
    while (ended := os.waitpid(child, os.WNOHANG))[0] == 0 and time.monotonic() < deadline:
        time.sleep(0.01)
    if ended[0] == 0:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    assert ended[0] == child
    assert os.waitstatus_to_exitcode(ended[1]) == 0
    assert list(half) == wanted[1:]


@pytest.mark.skipif(os.name == "nt", reason="a lock is not interrupted there")
@EAGER
def test_interrupt(eager):
    script = """
        import signal, sys, time
        from truecase.base.threads import ordered_map
        # a shell's background jobs are started with it ignored
        signal.signal(signal.SIGINT, signal.default_int_handler)
        def items():
            yield from range(10)
            print("waiting", flush=True)
            time.sleep(600)
        eager = sys.argv[1] == "True"
        try:
            list(ordered_map(abs, items(), 3, eager=eager))
        except KeyboardInterrupt:
            print("interrupted", flush=True)
    """
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script), str(eager)],
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout.readline() == "waiting\n"
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "interrupted\n"
        assert process.wait(30) == 0


@EAGER
@pytest.mark.parametrize("threads", [1, 3])
def test_what_the_function_holds_is_let_go(threads, eager):
    class Large:
        def length_of(self, item):
            return len(item)

    large = Large()
    is_there = weakref.ref(large)
    gc.disable()
    try:
        assert list(ordered_map(large.length_of, ["a", "bc"], threads, eager=eager)) == [1, 2]
        del large
        # A thread of the pool lets go of it right after it has said that it is done.
        for _ in range(200):
            if is_there() is None:
                break
            time.sleep(0.01)
        assert is_there() is None
    finally:
        gc.enable()
