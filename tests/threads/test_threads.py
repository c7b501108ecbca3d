"""The result does not depend on the number of threads, nor on who else uses the model."""

import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from small_model import random_block, training_text

import truecase

# more than the size below which one thread does it all
LARGE = 700_000


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("input_case", ["ignore", "keep", "auto"])
def test_any_number_of_threads_gives_the_same_bytes(model, seed, input_case):
    block = random_block(LARGE, seed)
    one = model.case_block(block, threads=1, input_case=input_case)
    assert one.count(b"\n") == block.count(b"\n")
    for threads in (2, 3, 8):
        assert model.case_block(block, threads=threads, input_case=input_case) == one


def test_part_of_a_buffer(model):
    block = random_block(LARGE, 6)
    part = block[5:-7]
    for buffer in (memoryview(block)[5:-7], bytearray(part)):
        assert model.case_block(buffer, threads=2) == model.case_block(part)


def test_whole_block_equals_its_lines_one_by_one(model):
    block = random_block(60_000, 9)
    lines = block.split(b"\n")
    assert model.case_block(block) == b"\n".join(model.case_block(line) for line in lines)


@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n", b"\n\n\n"])
def test_end_of_the_block(model, end):
    block = random_block(LARGE, 4).rstrip(b"\r\n") + end
    one = model.case_block(block)
    assert one.endswith(end)
    assert model.case_block(block, threads=4) == one


def test_one_line_longer_than_all_blocks(model):
    block = b"mary took the iphone to london . " * 20_000
    assert model.case_block(block, threads=4) == model.case_block(block)


def test_batch_with_threads(model):
    lines = training_text(12_000, 3).lower().splitlines()
    one = model.batch(lines)
    assert len(one) == len(lines)
    assert model.batch(lines, threads=4) == one
    assert [model(line) for line in lines[:200]] == one[:200]


@pytest.mark.parametrize("buffer", [bytes, bytearray, memoryview])
def test_buffers_of_every_kind(model, buffer):
    block = random_block(LARGE, 6)
    assert model.case_block(buffer(block), threads=3) == model.case_block(block)


def test_many_threads_share_one_model(model):
    blocks = [random_block(30_000, seed) for seed in range(16)]
    wanted = [model.case_block(block) for block in blocks]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(8) as pool:
            for _ in range(4):
                assert list(pool.map(model.case_block, blocks)) == wanted
    finally:
        sys.setswitchinterval(interval)


def test_threads_that_fail_do_not_disturb_those_that_work(model):
    block = random_block(30_000, 1)
    wanted = model.case_block(block)
    wrong = []

    def work():
        for _ in range(30):
            if model.case_block(block) != wanted:
                wrong.append("other bytes")

    def fail():
        for _ in range(300):
            try:
                model.case_block(block, input_case="no such mode")
            except ValueError:
                continue
            wrong.append("no error")

    threads = [threading.Thread(target=t) for t in (work, fail, work, fail)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (ValueError, lambda m: m.case_block(b"a", input_case="no such mode")),
        (ValueError, lambda m: m.case_block(b"a", threads=0)),
        (ValueError, lambda m: m.case_block(b"a", threads=-1)),
        (TypeError, lambda m: m.case_block("a str where bytes belong")),
        (TypeError, lambda m: m.case_block(None)),
        (TypeError, lambda m: m.case_block(7)),
        (TypeError, lambda m: m.batch([b"bytes where a str belongs"])),
        (TypeError, lambda m: m.batch([None])),
        ((TypeError, AttributeError), lambda m: m(None)),
        (ValueError, lambda m: m("a", input_case="")),
    ],
)
def test_model_is_usable_after_an_exception(model, error, call):
    block = random_block(20_000, 2)
    before = model.case_block(block)
    for _ in range(3):
        with pytest.raises(error):
            call(model)
        assert model.case_block(block) == before


def test_generator_that_raises_leaves_the_model_usable(model):
    def lines():
        yield "mary is in london"
        raise RuntimeError("no more lines")

    before = model("mary is in london .")
    with pytest.raises(RuntimeError, match="no more lines"):
        model.batch(lines(), threads=2)
    assert model("mary is in london .") == before == "Mary is in London ."


def test_there_is_no_model_without_components():
    compiled = truecase.truecaser.CompiledModel
    with pytest.raises(TypeError):
        compiled.__new__(compiled)


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_forked_process_shares_the_model(model):
    block = random_block(20_000, 3)
    wanted = model.case_block(block)
    child = os.fork()
    if not child:
        os._exit(0 if model.case_block(block) == wanted else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
