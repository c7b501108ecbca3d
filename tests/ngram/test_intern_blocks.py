"""Blocks read by several threads give the same ids and words as one after the other."""

import random

import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from truecase.ngram._words import Interner
from truecase.ngram.estimate import intern_blocks
from truecase.ngram.vocabulary import FIRST_WORD, IdStream


def ids_in_plain_python(blocks):
    ids, words = [], {b"<unk>": 0, b"<s>": 1, b"</s>": 2}
    for block in blocks:
        for line in block.splitlines():
            for word in line.split():
                if word not in (b"<unk>", b"<s>", b"</s>"):
                    ids.append(words.setdefault(word, len(words)))
            ids.append(2)
    return ids, list(words)


def interned(blocks, threads, on_disk=False):
    stream = IdStream(on_disk)
    vocabulary = intern_blocks(iter(blocks), "space", "", stream, threads)
    ids = [word for chunk in stream.chunks() for word in chunk.tolist()]
    return ids, list(vocabulary), stream.n_lines


@pytest.mark.parametrize("threads", [1, 2, 3])
@examples(20)
@given(seed=st.integers(0, 2**32), n_blocks=st.integers(0, 30), n_words=st.integers(1, 300))
def test_ids_are_given_in_the_order_of_the_text(threads, seed, n_blocks, n_words):
    rng = random.Random(seed)
    words = [b"w%d" % i for i in range(n_words)] + [b"<s>", b"</s>"]
    blocks = [
        b"".join(
            b" ".join(rng.choices(words, k=rng.randrange(6))) + b"\n"
            for _ in range(rng.randrange(1, 9))
        )
        for _ in range(n_blocks)
    ]
    ids, surfaces = ids_in_plain_python(blocks)
    assert interned(blocks, threads) == (ids, surfaces, ids.count(2))


def test_ids_go_to_a_file_as_well():
    blocks = [b"a b\n", b"", b"b c\n\n", b"c a"]
    assert interned(blocks, 2, on_disk=True) == interned(blocks, 1)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_block_that_cannot_be_read_is_reported(threads):
    def blocks():
        yield b"a\n"
        raise OSError("no such file")

    with pytest.raises(OSError, match="no such file"):
        intern_blocks(blocks(), "space", "", IdStream(), threads)


def test_the_words_from_an_id_on():
    interner = Interner()
    interner.ids(b"one two three\n")
    assert list(interner.vocabulary()) == [b"<unk>", b"<s>", b"</s>", b"one", b"two", b"three"]
    assert list(interner.vocabulary(4))[FIRST_WORD:] == [b"two", b"three"]
    assert list(interner.vocabulary(6)) == [b"<unk>", b"<s>", b"</s>"]
    for first in (2, 7):
        with pytest.raises(ValueError, match="first id"):
            interner.vocabulary(first)
