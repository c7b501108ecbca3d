"""Blocks in several threads: order, promptness, errors, ends."""

import threading
import time

import pytest

from truecase.runtime.threads import map_blocks


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_order(threads):
    def slow_at_first(block):
        time.sleep(0.001 * (block[0] % 3))
        return block * 2

    blocks = [bytes([i]) for i in range(100)]
    assert list(map_blocks(slow_at_first, blocks, threads)) == [block * 2 for block in blocks]


def test_result_comes_while_the_next_block_is_awaited():
    more = threading.Event()

    def blocks():
        yield b"first"
        assert more.wait(60)
        yield b"second"

    results = map_blocks(bytes.upper, blocks(), 3)
    assert next(results) == b"FIRST"
    more.set()
    assert list(results) == [b"SECOND"]


@pytest.mark.parametrize("threads", [1, 3])
def test_errors_come_in_order(threads):
    def blocks():
        yield b"fine"
        yield b"bad"
        raise OSError("the disk is gone")

    def function(block):
        if block == b"bad":
            raise ValueError("a bad block")
        return block

    results = map_blocks(function, blocks(), threads)
    assert next(results) == b"fine"
    with pytest.raises(ValueError, match="a bad block"):
        next(results)
    results = map_blocks(lambda block: block, blocks(), threads)
    assert [next(results), next(results)] == [b"fine", b"bad"]
    with pytest.raises(OSError, match="the disk is gone"):
        next(results)


def test_bounded_number_under_way():
    taken = []

    def blocks():
        for i in range(1000):
            taken.append(i)
            yield b"x"

    results = map_blocks(lambda block: block, blocks(), 2)
    next(results)
    time.sleep(0.3)
    assert len(taken) < 20
    results.close()


def test_threads_end():
    results = map_blocks(lambda block: block, iter([b"x"] * 1000), 2)
    next(results)
    results.close()
    for thread in threading.enumerate():
        if thread.name.startswith("truecase-"):
            thread.join(10)
            assert not thread.is_alive()
