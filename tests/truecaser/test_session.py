"""Sessions: text in pieces, of which what is final stays final."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from truecase.errors import DocumentError
from truecase.truecaser.punctuation import Session

TEXT = "the ferry from lyon was late . mary took the bbc to cork . \n\nbreaking news from oslo"


def pieces_of(text, cuts):
    places = sorted({min(cut, len(text)) for cut in cuts})
    return [text[a:b] for a, b in zip([0, *places], [*places, len(text)], strict=True)]


def run(session, pieces):
    out = []
    for piece in pieces:
        final = session.push(piece)
        out.append(final)
        # What is pending is the rest of what came.
        assert len("".join(out) + session.pending) == len("".join(pieces[: len(out)]))
    return "".join(out) + session.close()


@given(
    st.lists(st.sampled_from(["the ", "bbc", " of", "\n", "\n\n", " \r\n", "."])).map("".join),
    st.lists(st.integers(0, 60), max_size=8),
    st.integers(0, 3),
)
@example(TEXT, [3, 5, 17, 30, 62, 63, 64], 2)
@example(" \n the", [1, 2], 0)
def test_only_case_changes(model, text, cuts, latency):
    out = run(model.session(latency), pieces_of(text, cuts))
    assert out.lower() == text.lower()


def test_pieces_make_no_difference_where_all_is_awaited(model):
    whole = run(model.session(50), [TEXT])
    assert run(model.session(50), list(TEXT)) == whole
    lines = model.document(TEXT.split("\n"))
    assert whole == "\n".join(lines)


@pytest.mark.parametrize("latency", [0, 1, 3])
def test_a_word_is_final_after_so_many(model, latency):
    session = model.session(latency)
    words = re.findall(r"\S+\s*", "the ferry from lyon was late . ")
    n_final = 0
    for number, word in enumerate(words, 1):
        n_final += len(session.push(word).split())
        assert n_final == max(0, number - latency)


def test_a_blank_line_ends_a_document(model):
    session = model.session(4)
    assert session.push("dr. chen is in lyon .\n\nmary ") == "Dr. Chen is in Lyon .\n\n"
    assert session.pending == "Mary "
    assert session.close() == "Mary "
    assert (session.push("dr. "), session.close()) == ("", "Dr. ")


@pytest.mark.parametrize("latency", [0, 1])
def test_a_blank_line_that_comes_in_pieces_ends_a_document(model, latency):
    out = run(model.session(latency), ["the ferry was late\n", " \r", "\nthe egg ", "is here "])
    assert out == "The ferry was late\n \r\nThe egg is here "


def test_the_start_of_what_follows_is_no_start_of_a_sentence(model):
    session = model.session(0)
    words = "the ferry of the bridge " * 60
    out = "".join(session.push(f"{word} ") for word in words.split())
    assert out.split()[0] == "The" and "The" not in out.split()[1:]


def test_wrong_latency(model):
    with pytest.raises(DocumentError, match="latency -1: expected 0 words or more"):
        model.session(-1)
    with pytest.raises(TypeError, match="latency: expected an int, found str"):
        model.session("2")
    with pytest.raises(TypeError, match="text: expected a str, found bytes"):
        model.session(2).push(b"a")


@pytest.mark.parametrize(
    "piece", ["a", "東京", "aé" * 40, "bcd" * 700 + " ", "x" * 3_000, "e " + "f" * 1_000]
)
@pytest.mark.parametrize("latency", [0, 2])
def test_text_without_white_space_is_not_cased_again_and_again(piece, latency):
    lengths = []

    def upper(line):
        lengths.append(len(line))
        return line.upper()

    pieces = [piece] * (8_000 // len(piece))
    assert run(Session(upper, latency), pieces) == "".join(pieces).upper()
    # A piece, two words to wait for, one that goes on, and the context.
    assert max(lengths) <= len(piece) + 3 * 3_000 + 4_096


def test_what_waits_before_a_long_word_becomes_final_with_it():
    session = Session(str.upper, latency=2)
    assert session.push("one two ") == ""
    assert session.push("x" * 2_000) == ""
    assert session.push("y" * 1_000) == "ONE TWO " + "X" * 1_976
    assert session.pending == "X" * 24 + "Y" * 1_000
    assert session.push(" the end ") == "X" * 24 + "Y" * 1_000 + " "
