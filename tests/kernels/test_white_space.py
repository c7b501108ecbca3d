"""White space in Python is that of the kernels."""

import pytest

from truecase import Truecaser
from truecase.kernels._punctuation_network import read_words
from truecase.kernels.text import is_space, words_of


def test_of_each_character_it_says_what_the_kernels_say():
    for code in [*range(0xD800), *range(0xE000, 0x10000), 0x1F600]:
        between = f"a{chr(code)}b"
        keys = read_words(between.encode(), {})[0]
        assert len(keys) == len(words_of(between)) == 1 + is_space(chr(code)), hex(code)


@pytest.mark.parametrize("text", ["well\x1cyes how are you", "\x1d so \x1e it is", "a\x1fb"])
def test_separators_of_records_are_letters_like_others_to_all_that_puts_marks(text):
    model = Truecaser.load("en")
    words = text.split(" ")
    missing = model.missing_marks([text])[0]
    assert [word for word, _ in model.mark_probabilities(text)] == words
    assert [gap.word for gap in model.explain(text, punctuate=True).gaps] == words
    marked = " ".join(
        f"{front}{word}{mark}" for word, (front, mark) in zip(words, missing, strict=True)
    )
    assert model.punctuate(text).lower() == marked
