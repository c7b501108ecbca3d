"""Tokens with the words that they belong to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import pharaoh as reference
from truecase_testing import segment

from truecase.alignment.word_aligner import split_tokens

TEXT = st.lists(
    st.sampled_from(
        [b"a", b"B", b" ", b"  ", b".", b",", b"\n", b"\t", b"\r", b"\v", b"\0", b"\xc2\xa0",
         b"\xff", b"l'", b"-", b"(", b"http://x.y/", b"\xe3\x80\x80"]
    )
).map(b"".join)  # fmt: skip


def word_at(line, position):
    """Number of the word that has a byte."""
    ends, end = [], 0
    for word in reference.words(line):
        end = line.index(word, end) + len(word)
        ends.append(end)
    return sum(end <= position for end in ends)


@given(TEXT, st.sampled_from(["raw", "space"]))
def test_tokens_and_their_words(text, segmentation):
    tokens, offsets, words = split_tokens(text, segmentation)
    lines = reference.lines_of(text)
    assert len(offsets) == len(lines) + 1
    written = tokens.split(b"\n")[:-1]
    assert len(written) == len(lines)
    for i, line in enumerate(lines):
        found = segment(line, segmentation)
        surfaces = [line[token.start : token.end] for token in found]
        table = bytes.maketrans(b"\v\f\r\t ", b"_____")
        assert written[i] == b" ".join(surface.translate(table) for surface in surfaces)
        mine = words[offsets[i] : offsets[i + 1]].tolist()
        assert len(mine) == len(found)
        # NUL separates tokens, but is part of a word; so a token's first byte tells its word,
        # unless it is white space that does not separate tokens.
        for token, word in zip(found, mine, strict=True):
            assert word == word_at(line, token.start) or line[token.start] in b"\v\f"


def test_punctuation_belongs_to_its_word():
    tokens, offsets, words = split_tokens(b'He said: "Yes, (no)."\n\nl\'homme')
    assert tokens == b'He said : " Yes , ( no ) . "\n\nl\' homme\n'
    assert offsets.tolist() == [0, 11, 11, 13]
    assert words.tolist() == [0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 3, 0, 0]


def test_nothing_and_wrong_segmentation():
    tokens, offsets, words = split_tokens(b"")
    assert (tokens, offsets.tolist(), words.tolist()) == (b"", [0], [])
    with pytest.raises(ValueError, match="segmentation"):
        split_tokens(b"a", "words")
