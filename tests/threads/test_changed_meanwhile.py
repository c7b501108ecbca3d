"""What another thread changes while it is read: an exception, or what one of its states gives."""

import threading

import numpy as np
import pytest
from mark_models import punctuating
from recipes import trained
from small_bitext import bitext
from small_model import training_text

from truecase.alignment.lines import Phrases
from truecase.alignment.link_formats import format_pharaoh
from truecase.kernels._punctuation_network import read_words
from truecase.kernels._segment import count_words, has_as_many_lines
from truecase.model.names import scan_names
from truecase.training._translation_counts import PairCounter
from truecase.truecaser import Truecaser

#: The same bytes and words, in one line and in a line for each.
WORDS = b"ann was in rome " * 2_000
AS_LINES = WORDS.replace(b" ", b"\n")
#: Large enough for a thread of its own for each part; bytes that are case by themselves.
TEXT = training_text(7_000, seed=12).lower().encode("ascii", "ignore")


pytestmark = pytest.mark.usefixtures("switching_often")


def while_it_changes(change, read, n_times=12):
    """What is read, or the errors of it, while another thread changes it all the time."""
    done, found = threading.Event(), []

    def go_on_changing():
        while not done.is_set():
            change()

    other = threading.Thread(target=go_on_changing)
    other.start()
    try:
        for _ in range(n_times):
            try:
                found.append(read())
            except (ValueError, RuntimeError, IndexError) as error:
                found.append(error)
    finally:
        done.set()
        other.join()
    return found


def flips(buffer, *states):
    """Writes one state after the other into a buffer of their length."""

    def change():
        for state in states:
            buffer[:] = state

    return change


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("kind", ["bytearray", "array"])
def test_blocks(model, kind, threads):
    # A word may be read half before and half after the change; bytes are neither lost nor made up.
    given = TEXT * (1 if threads == 1 else 3)
    block = bytearray(given)
    written = np.frombuffer(block, np.uint8) if kind == "array" else memoryview(block)
    change = flips(written, *(np.frombuffer(text, np.uint8) for text in (given, given.upper())))
    for cased in while_it_changes(change, lambda: model.case_block(written, threads)):
        assert cased.lower() == given


@pytest.mark.parametrize("style", ["title", "upper"])
def test_blocks_in_another_style(model, style):
    block = bytearray(TEXT)
    change = flips(block, TEXT, TEXT.upper())
    for cased in while_it_changes(change, lambda: model.case_block(block, style=style)):
        assert cased.lower() == TEXT


@pytest.mark.parametrize("read", ["table_block", "training_counts"])
def test_blocks_that_are_described(model, read):
    block = bytearray(AS_LINES)
    change = flips(block, WORDS, AS_LINES)
    assert len(while_it_changes(change, lambda: getattr(model, read)(block), 4)) == 4


def test_blocks_that_get_longer(model):
    """Whoever reads a bytearray has its length locked meanwhile."""
    block = bytearray(AS_LINES)

    def change():
        try:
            if len(block) == len(AS_LINES):
                block.extend(b"rome\n")
            else:
                del block[-5:]
        except BufferError:
            pass

    for cased in while_it_changes(change, lambda: model.case_block(block)):
        assert cased.lower() in (AS_LINES, AS_LINES + b"rome\n")


def test_lists(model):
    lines = TEXT.decode().splitlines()[:2_000]
    texts = list(lines)
    wanted = dict(zip(lines, model.batch(lines), strict=True))

    def change():
        del texts[len(texts) // 2 :]
        texts.extend(lines[len(texts) :])

    for threads in (1, 2):
        for cased in while_it_changes(change, lambda threads=threads: model.batch(texts, threads)):
            assert [wanted[text.lower()] for text in cased] == cased


def test_lists_of_sources(bilingual):
    aligned = bitext(200, seed=31)
    texts = aligned.target.decode().splitlines()
    sources = aligned.source.decode().splitlines()
    given = list(sources)

    def change():
        given.pop()
        given.append(sources[-1])

    wanted = bilingual.batch(texts, source=sources)
    for cased in while_it_changes(change, lambda: bilingual.batch(texts, source=given), 40):
        assert cased == wanted or "200 texts, but" in str(cased)


def one_by_one(n_words):
    """Each word of one line is aligned with the word of its number."""
    return Phrases.from_lines([[[i] for i in range(n_words)]])


@pytest.mark.parametrize("aligned", [True, False])
def test_blocks_beside_their_source(bilingual, aligned):
    """A line that becomes many lines."""
    block, source = bytearray(WORDS), bytearray(WORDS.title())
    n_words = len(WORDS.split())
    phrases = one_by_one(n_words) if aligned else None

    def change():
        block[:] = WORDS
        source[:] = AS_LINES
        block[:] = AS_LINES
        source[:] = WORDS

    def read():
        return bilingual.case_block(block, source=source, phrases=phrases)

    for cased in while_it_changes(change, read, 60):
        if not isinstance(cased, Exception):
            assert cased.lower().split() == WORDS.split()


class Changing:
    """Phrases, and something that is done as soon as the kernels look at them."""

    def __init__(self, phrases, change):
        self._phrases, self._change = phrases, change

    def __getattr__(self, name):
        value = getattr(self._phrases, name)
        self._change(name)
        return value


def test_a_block_is_what_it_was_when_its_lines_were_counted(bilingual):
    n_words = len(WORDS.split())
    wanted = bilingual._compiled.case_block(
        WORDS, source=WORDS.title(), phrases=one_by_one(n_words)
    )
    block = bytearray(WORDS)

    def change(name):
        block[:] = AS_LINES

    phrases = Changing(one_by_one(n_words), change)
    cased = bilingual._compiled.case_block(block, source=WORDS.title(), phrases=phrases)
    assert block == AS_LINES
    assert cased == wanted


def test_phrases_are_what_they_were_when_they_were_checked(bilingual):
    n_words = len(WORDS.split())
    wanted = bilingual._compiled.case_block(
        WORDS, source=WORDS.title(), phrases=one_by_one(n_words)
    )
    phrases = one_by_one(n_words)
    arrays = [phrases.line_offsets, phrases.offsets, phrases.source_words]

    def change(name):
        # The last array that is asked for: all others have been checked.
        if name == "unaligned":
            for array in arrays:
                array[1:] = 1 << 30

    cased = bilingual._compiled.case_block(
        WORDS, source=WORDS.title(), phrases=Changing(phrases, change)
    )
    assert arrays[0][1] == 1 << 30
    assert cased == wanted


def phrases_that_change():
    """Links of `WORDS`, each word's with itself, and a function that breaks and mends them."""
    phrases = one_by_one(len(WORDS.split()))
    good = phrases.offsets.copy()
    bad = good[::-1].copy() << 20

    def change():
        phrases.offsets[:] = bad
        phrases.offsets[:] = good

    return phrases, change


def test_phrases(bilingual):
    phrases, change = phrases_that_change()

    def read():
        return bilingual.case_block(WORDS, source=WORDS.title(), phrases=phrases)

    found = while_it_changes(change, read, 40)
    assert all(isinstance(cased, ValueError) or cased.lower() == WORDS for cased in found)


def test_links_that_are_counted():
    phrases, change = phrases_that_change()
    counter = PairCounter(0, False, False)

    def read():
        counter.add(WORDS, WORDS, phrases)

    found = while_it_changes(change, read, 40)
    assert all(done is None or isinstance(done, ValueError) for done in found)


def test_links_that_are_written():
    phrases = one_by_one(len(WORDS.split()))
    good, numbers = phrases.offsets.copy(), phrases.source_words.copy()

    def change():
        phrases.source_words[:] = 1 << 30
        phrases.offsets[:] = good[::-1]
        phrases.offsets[:] = good
        phrases.source_words[:] = numbers

    for written in while_it_changes(change, lambda: format_pharaoh(phrases), 200):
        assert isinstance(written, (bytes, ValueError))


@pytest.mark.parametrize("read", [count_words, scan_names, lambda b: has_as_many_lines(b, b)])
def test_lines_that_are_counted(read):
    """Many lines where few were counted."""
    block = bytearray(WORDS)
    assert len(while_it_changes(flips(block, AS_LINES, WORDS), lambda: read(block), 200)) == 200


def test_words_that_marks_are_learned_from():
    """Words that begin where the one before them ended, so that there are too many of them."""
    words = b"a " * 50_000
    block = bytearray(words)
    change = flips(block, words, b" a" * 50_000)
    for found in while_it_changes(change, lambda: read_words(block, {".": 1}), 200):
        assert len(found[0]) <= 50_000


def test_words_that_get_marks(model):
    marked = punctuating(model)
    block = bytearray(AS_LINES)
    for done in while_it_changes(
        flips(block, WORDS, AS_LINES), lambda: marked.punctuate_block(block, marks=())
    ):
        assert done.lower().split() == WORDS.split()


def test_training_text():
    """Text that is learned from, of a list of blocks that changes."""
    block = bytearray(TEXT)
    blocks = [block, bytes(block)]
    change = flips(block, TEXT, TEXT.upper())
    for done in while_it_changes(change, lambda: trained(blocks[0], "unigram"), 2):
        assert isinstance(done, (Truecaser, ValueError))
