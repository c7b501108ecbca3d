"""Objects with memory of their own: a second thread is refused, and none is made twice."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from parts import compiled
from raw_arrow import column_of_texts
from small_model import training_text

from truecase.alignment.lines import Phrases
from truecase.base.threads import OneThread
from truecase.kernels._maps import SlotPacker
from truecase.kernels._segment import count_words
from truecase.ngram._count import NgramBlock
from truecase.ngram._words import ArpaWords
from truecase.rules._lines import TitleDetector
from truecase.training._dense_objective import TrainingLattices
from truecase.training._translation_counts import PairCounter
from truecase.truecaser import Truecaser
from truecase.truecaser._column import InputColumn, stream_capsule

pytestmark = pytest.mark.usefixtures("switching_often")


def in_threads(use, n_times=24):
    """What a function gives in four threads; None where its object was at work in another."""

    def attempt(number):
        try:
            return use(number)
        except RuntimeError as error:
            if "another thread" not in str(error):
                raise
            return None

    with ThreadPoolExecutor(4) as pool:
        return list(pool.map(attempt, range(n_times)))


def test_the_second_to_come_is_refused():
    alone = OneThread("thing")
    with alone:
        with pytest.raises(RuntimeError, match="this thing is at work in another thread"), alone:
            pass
        # It was not let in, so it does not let others in when it leaves.
        with pytest.raises(RuntimeError, match="another thread"), alone:
            pass
    with alone:
        pass


def test_pairs_are_counted_by_one_thread_at_a_time():
    counter = PairCounter(0, False, False)
    n = 20_000

    def add(number):
        text = b"".join(b"w%d_%d\n" % (number, i) for i in range(n))
        counter.add(text, text, Phrases.from_lines([[[0]]] * n))
        return n

    added = sum(done or 0 for done in in_threads(add))
    assert added
    pair, count = counter.pairs()
    assert len(pair) == added and count.sum() == added


def test_words_of_arpa_files_are_read_by_one_thread_at_a_time():
    words = ArpaWords()
    n = 50_000

    def parse(number):
        block = b"".join(b"-1\tw%d_%d\n" % (number, i) for i in range(n))
        rows = np.zeros((n, 1), np.uint32)
        prob, backoff = np.zeros(n, np.float32), np.zeros(n, np.float32)
        return words.parse_lines(block, 0, False, rows, prob, backoff, 0)[2]

    read = sum(done or 0 for done in in_threads(parse))
    assert read
    assert len(words) == 3 + read == len(words.vocabulary())


def test_n_grams_are_sorted_by_one_thread_at_a_time():
    block = NgramBlock(2, 20, 1 << 16)
    ids = np.arange(3, 1 << 16, dtype=np.uint32)

    def add(number):
        if number % 2:
            return int(block.flush()[1].sum())
        before = 0 if number % 4 else 10
        return -block.add_ids(len(ids) - 1000 - before, ids, 1 << 20)

    in_threads(add, 400)
    keys, _ = block.flush()
    assert (keys[1:] > keys[:-1]).all()


def test_n_grams_with_counts_are_given_out_once():
    block = NgramBlock(1, 20, 1 << 16, counted=True)
    n = 1 << 12
    keys, ids = np.arange(3, n + 3, dtype=np.uint64), np.arange(n + 3, dtype=np.uint32)
    ones = np.ones(n, np.uint32)

    def add_or_take(number):
        if number % 2:
            return -int(block.flush()[1].sum())
        return block.add_renumbered(0, keys, ones, 1, 20, ids)

    left = sum(done or 0 for done in in_threads(add_or_take, 2_000))
    assert left == block.flush()[1].sum()


def test_tables_are_packed_by_one_thread_at_a_time():
    n, n_times = 20_000, 24
    hashes = np.random.default_rng(7).integers(0, 1 << 63, n * n_times).astype(np.uint64)
    payloads = np.ones(n, np.uint64)
    packer = SlotPacker(n * n_times, 16, 8, 255, 0.8)

    def add(number):
        part = hashes[number * n : (number + 1) * n]
        packer.add(part, payloads)
        return part

    added = [part for part in in_threads(add, n_times) if part is not None]
    assert added
    assert all(packer.n_probes(part, payloads) for part in added)


class Offered:
    """A column of numbers of texts, in many chunks."""

    def __init__(self, column, times):
        self._kind, self._chunks = column._kind, column._chunks * times

    def __arrow_c_stream__(self, requested_schema=None):
        return stream_capsule(self._kind, self._chunks)


@pytest.fixture(scope="module")
def column(model_file):
    texts = training_text(2_000, seed=4).splitlines()
    return Truecaser.load(model_file).column(column_of_texts(texts))


def test_a_stream_is_read_by_one_thread_at_a_time(column):
    n_chunks = 3_000
    given = InputColumn(Offered(column, n_chunks))

    def read(number):
        n = 0
        while True:
            try:
                for chunk in given:
                    n += chunk.length
                return n
            except RuntimeError as error:
                if "another thread" not in str(error):
                    raise

    assert sum(in_threads(read, 4)) == n_chunks * len(column)


def test_what_is_made_stays_as_it_is(model_file, crf_model_file):
    """``__init__`` can be called again: it has nothing to do."""
    model, other = Truecaser.load(model_file).model, Truecaser.load(crf_model_file).model
    text = training_text(50, seed=9).lower().encode()
    kernels = compiled(Truecaser(model))
    before = kernels.case_block(text)
    assert compiled(Truecaser(other)).case_block(text) != before
    kernels.__init__(other)
    assert kernels.case_block(text) == before
    counter = PairCounter(0, False, False)
    counter.__init__(1, True, True)
    lattices = TrainingLattices(compiled(Truecaser(other)), text)
    sizes = lattices.sizes
    lattices.__init__(compiled(Truecaser(other)), text[: len(text) // 2])
    assert lattices.sizes == sizes
    assert len(count_words(text)) == text.count(b"\n")


def test_a_detector_that_learns_detects_as_before():
    lines = ["A Guide to the Harbour", "The boat came in late.", "Notes on Ropes"] * 30_000
    block = "\n".join(lines).encode()
    asked = b"a guide to the harbour\nthe boat came in late .\nropes of ships\n" * 50
    detector = TitleDetector()
    before = detector.detect(asked).tolist()
    found = []
    with ThreadPoolExecutor(1) as pool:
        learning = pool.submit(detector.learn, block)
        while not (found and learning.done()):
            found.append(detector.detect(asked).tolist())
    after = detector.detect(asked).tolist()
    assert before != after
    assert all(kinds in (before, after) for kinds in found)
