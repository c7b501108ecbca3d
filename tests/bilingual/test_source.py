"""Words and tokens of a source line, and the phrase of a target token."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from reference import translation as twin
from truecase_testing import source_line

from truecase.kernels._lexicon import summarise_forms as describe

RAW, SPACES = 1, 0
AN, OTHER = 4, 4

PIECES = st.sampled_from(
    [
        b"Cliquez",
        b",",
        b" ",
        b"  ",
        b"\t",
        b"\x0b",
        b"\x0c",
        b"\r",
        b"\0",
        "\u00a0".encode(),
        "\u3000".encode(),
        b"l'option",
        b"/HOME/DOC.",
        b"...",
        b"\xff",
        "«".encode(),
        b"OK",
        b"3",
    ]
)
LINES = st.lists(PIECES, max_size=12).map(b"".join)


def describe_tokens(tokens):
    blob = b"".join(tokens)
    offsets = np.cumsum([0, *map(len, tokens)]).astype(np.int64)
    return describe(blob, offsets, False)


def are_words(tokens):
    _, _, _, tag, word_class, _ = describe_tokens(tokens)
    return [t != AN or c != OTHER for t, c in zip(tag, word_class, strict=True)]


def spans(line, tokens):
    found, p = [], 0
    for token in tokens:
        p = line.index(token, p)
        found.append((p, p + len(token)))
        p += len(token)
    return found


@given(LINES, st.sampled_from([RAW, SPACES]))
@example("\u00a0ok \u00a0 «\u00a0x".encode(), RAW)
@example(b"a\x0bb c\0d \x0c \x0b", SPACES)
def test_tokens_belong_to_the_word_in_which_they_start(line, segmentation):
    tokens, first_token, _, _ = source_line(line, segmentation, False)
    assert first_token == twin.first_tokens(line, spans(line, tokens))


@given(LINES, st.lists(st.integers(-2, 14), max_size=5).map(sorted), st.booleans())
def test_phrase_is_that_of_the_twin(line, words, of_words):
    line = line.replace(b"\0", b"")  # `describe` takes it for white space
    tokens, first_token, _, phrase = source_line(line, RAW, False, words, of_words)
    kinds = are_words(tokens)
    assert phrase == twin.phrase(first_token, kinds, words, of_words)
    whole = source_line(line, RAW, False, None, of_words)[3]
    assert whole == twin.phrase(first_token, kinds, range(len(first_token) - 1), of_words)


def test_marks_go_with_marks():
    line = b"Cliquez, sur OK."
    assert source_line(line, RAW, False, [0, 2], True)[3] == [0, 3]
    assert source_line(line, RAW, False, [0, 2], False)[3] == [1, 4]
    assert source_line(b"- !", RAW, False, [0, 1], True)[3] == [0, 1]


def test_forms_are_those_of_the_text():
    line = "Cliquez OK iPhone «".encode()
    tokens, _, forms, _ = source_line(line, RAW, False)
    assert forms == describe_tokens(tokens)[1].tolist()


@pytest.mark.parametrize("n", [0, 1, 256, 257, 10_000])
def test_a_long_line_is_seen_around_the_place(n):
    line = b"a " * n
    for place in (0, n // 2, max(n - 1, 0)):
        phrase = source_line(line, RAW, False, None, True, place, max(n, 1))[3]
        assert len(phrase) == min(n, 256)
        assert n == 0 or phrase[0] <= place <= phrase[-1]
