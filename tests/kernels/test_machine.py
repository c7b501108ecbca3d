"""Loops at a machine's limits do what they say."""

import numpy as np
import pytest
from truecase_measure import follow, gather, pass_over_words

TEXT = b"The  Rain in SPAIN, mostly;\n\nfour words-of English @[`{ \xc3\x84pfel\n incomprehensible"


def hot():
    return np.ones(1 << 8, np.uint32)


@pytest.mark.parametrize("end", [b"", b"\n", b" x", b"\n\n"])
def test_words_are_counted_copied_and_looked_up(end):
    text = TEXT + end
    out = bytearray(len(text) + 9)
    n_words, found = pass_over_words(text + b"\n" + bytes(8), out, hot())
    assert n_words == len(text.split())
    # Each place between two spaces is looked up, also where there is no word.
    assert found >= n_words
    assert bytes(out[: len(text)]) == text.lower()


def test_one_word_of_all_lengths():
    for n in range(1, 40):
        out = bytearray(n + 9)
        assert pass_over_words(b"X" * n + b"\n" + bytes(8), out, hot())[0] == 1
        assert out[:n] == b"x" * n


def test_no_room():
    text = b"some words\n" + bytes(8)
    with pytest.raises(ValueError, match="room"):
        pass_over_words(text, bytearray(3), hot())
    with pytest.raises(ValueError, match="2\\*\\*n"):
        pass_over_words(text, bytearray(30), np.ones(3, np.uint32))
    with pytest.raises(ValueError, match="2\\*\\*n"):
        pass_over_words(text, bytearray(30), np.ones(0, np.uint32))
    with pytest.raises(ValueError, match="line feed"):
        pass_over_words(b"some words" + bytes(8), bytearray(30), hot())


def test_gather_reads_as_often_as_asked():
    assert gather(np.ones(8 * 64, np.uint64), 4000) == 4000


def test_gather_reads_all_lines():
    table = np.zeros(8 * 64, np.uint64)
    reached = 0
    for line in range(64):
        table[8 * line] = 1
        reached += gather(table, 4000) > 0
        table[8 * line] = 0
    assert reached == 64


def test_follow_goes_where_the_table_leads():
    table = np.zeros(8 * 5, np.uint64)
    table[::8] = [2, 4, 1, 0, 3]
    assert [follow(table, n) for n in range(6)] == [0, 2, 1, 4, 3, 0]


def test_follow_does_not_leave_the_table():
    with pytest.raises(ValueError, match="line 1 leads out"):
        follow(np.full(16, [0] * 8 + [2] * 8, np.uint64), 3)
