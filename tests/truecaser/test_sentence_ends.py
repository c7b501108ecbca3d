"""Where the sentences of a line end, against the plain twin."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from parts import compiled
from reference import sentences as twin
from truecase_testing import segment, sentences

SPACE_BEFORE = 1
LINES = """
Mr. Smith saw the sea.
Yes. We saw Mr. Hill at No. 5.
The men of Yahoo! told us of the sea.
No. 7 is at the sea, said Mr. Smith.
We told Yahoo! of No. 3, and Mr. Hill of No. 4.
The hill is at the sea, approx. 5 miles off.
The men saw approx. 7 of us.
"""
NAMES = {"mr", "yahoo", "no"}
WORDS = ["we", "saw", "Smith", "mr", "Mr", "Yahoo", "no", "approx", "5"]
MARKS = [".", "?", "!", '"', "'", ")", "(", ",", "..."]


@pytest.fixture(scope="module")
def model(train_model):
    return compiled(train_model((LINES * 4).encode(), preset="unigram", min_count=1))


@given(
    st.lists(
        st.tuples(st.sampled_from(WORDS + MARKS), st.sampled_from(["", " "])), max_size=16
    ).map(lambda parts: "".join(text + space for text, space in parts))
)
@example('"why?" she said. "no." (really?) mr. smith')
@example("yahoo! no. 5 ? no. we saw mr. smith.")
@example("approx. 5. approx! we saw approx. we")
@example("we.... we")
@example("? ! . . . we saw")
@example("we saw (why?) the sea. (no?) we saw (no!) ) mr (? ) smith")
def test_like_the_twin(model, line):
    tokens = [
        (token.surface.decode(), bool(token.flags & SPACE_BEFORE))
        for token in segment(line.encode())
    ]
    wanted, first = [], 0
    while first < len(tokens):
        last = twin.sentence_end(tokens, first, NAMES | {"approx"}, NAMES)
        wanted.append((first, last))
        first = last
    assert [found[:2] for found in sentences(model, line.encode())] == wanted
