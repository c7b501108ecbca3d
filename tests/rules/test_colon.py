"""House style after a colon: a capital, or the case that a word has inside a sentence."""

import copy
import pickle

import pytest
from examples import examples
from hypothesis import example, given
from hypothesis import strategies as st
from parts import compiled
from reference import colon as twin
from reference.segment import segment
from reference.starts import Sentence
from truecase_testing import sentences

from truecase.kernels._spans import find_spans
from truecase.truecaser import Truecaser

PIECES = (
    "he had one wish to go the answer iphone london nasa note 10:30 3 x http://a.b/c: "
    "o'neill u.s. don't a)"
).split()
MARKS = [":", ": ", " : ", ': "', ": “", ": (", ":\"'(`", ". ", "? ", ", ", '" ', " = ", "("]
LINES = st.lists(
    st.one_of(st.sampled_from([f" {word}" for word in PIECES]), st.sampled_from(MARKS)), max_size=14
).map(lambda pieces: "".join(pieces).strip())


@pytest.fixture(scope="module")
def truecasers():
    return {
        style: Truecaser.load(after_colon=style) for style in ("as-learned", "capital", "lower")
    }


def looked_at(model, data):
    """The sentences of a line, and which of its pieces are in no text."""
    pieces, spans = segment(data), find_spans(data)
    held = [any(s.start < p.end and p.start < s.end for s in spans) for p in pieces]
    found = sentences(compiled(model), data, start_always=True)
    return [Sentence(data, pieces, first, end) for first, end, _ in found], pieces, held


@given(LINES)
@example('she said: "we are leaving." he had one wish: to go')
@example("note: the answer is simple: (go)")
@example("( had a) http://a.b/c: had")
@examples(300)
def test_capitals_are_those_of_the_twin(truecasers, line):
    data = line.encode()
    wanted = bytearray(truecasers["as-learned"].case_block(data))
    for sentence in looked_at(truecasers["as-learned"], data)[0]:
        for i in range(sentence.first, sentence.end):
            piece, held = sentence.pieces[i], looked_at(truecasers["as-learned"], data)[2]
            word = bytes(wanted[piece.start : piece.end]).decode()
            if twin.is_introduced(sentence, i, held) and word == word.lower() and not held[i]:
                wanted[piece.start : piece.end] = (word[0].upper() + word[1:]).encode()
    assert truecasers["capital"].case_block(data) == bytes(wanted)


@given(LINES)
@example('she said: "we are leaving." he had one wish: to go')
@example("he he: .  he")
@examples(300)
def test_lower_is_as_behind_a_comma(truecasers, line):
    data = line.encode()
    found, pieces, held = looked_at(truecasers["as-learned"], data)
    given_commas = bytearray(data)
    for sentence in found:
        for i in range(sentence.first + 1, sentence.end):
            if twin.introduces(sentence, i, held):
                given_commas[pieces[i].start : pieces[i].end] = b","
    commas = bytes(given_commas)
    others, pieces_there, _ = looked_at(truecasers["as-learned"], commas)
    if [p.start for p in pieces_there] != [p.start for p in pieces] or (
        [(s.first, s.end) for s in others] != [(s.first, s.end) for s in found]
    ):
        return  # a comma is part of what a colon is not part of, or no sentence ends behind it
    cased = bytearray(truecasers["as-learned"].case_block(commas))
    for before, (at, byte) in zip(commas, enumerate(data), strict=True):
        if before != byte:
            cased[at] = byte
    assert truecasers["lower"].case_block(data) == bytes(cased)


@pytest.mark.parametrize(
    ("line", "learned", "capital", "lower"),
    [
        ("he had one wish: to go.", "to", "To", "to"),
        ("he says: the end is near.", "The", "The", "the"),
        ("he named two cities: london and paris.", "London", "London", "London"),
        ("he owned one thing: iphone cases.", "iPhone", "iPhone", "iPhone"),
        ("he works for one agency: nasa.", "NASA", "NASA", "NASA"),
        ("we meet there at 10:30 in rome.", "10:30", "10:30", "10:30"),
        ("step 1: open the box.", "Open", "Open", "Open"),
        ("warning: this is hot.", "This", "This", "This"),
    ],
)
def test_what_a_colon_introduces(truecasers, line, learned, capital, lower):
    outputs = [truecasers[style](line) for style in ("as-learned", "capital", "lower")]
    for output, word in zip(outputs, (learned, capital, lower), strict=True):
        assert f" {word}" in output.replace('"', "")
        assert output.lower() == line


def test_the_first_word_and_names_stay(truecasers):
    for truecaser in truecasers.values():
        assert truecaser("the u.s. has two friends: france and spain.") == (
            "The U.S. has two friends: France and Spain."
        )


def test_given_case_counts(truecasers):
    line = "He had one wish: to eat at NASA."
    assert truecasers["capital"](line, input_case="auto") == line
    assert truecasers["capital"](line, input_case="keep") == line.replace(": to", ": To")


def test_it_is_kept(truecasers):
    line = "he had one wish: to go."
    wanted = truecasers["capital"](line)
    for same in (
        copy.copy(truecasers["capital"]),
        copy.deepcopy(truecasers["capital"]),
        pickle.loads(pickle.dumps(truecasers["capital"])),
        truecasers["capital"].with_names([]),
    ):
        assert same.casing.after_colon == "capital"
        assert same(line) == wanted
    assert truecasers["capital"].batch([line]) == [wanted]
    assert truecasers["capital"].explain(line).output == wanted
    words = truecasers["capital"].posteriors(line)[0]
    assert [w.text for w in words] == [w.text for w in truecasers["capital"].tags(line)[0]]
    assert "To" in [w.text for w in words]


def test_another_word_is_refused():
    with pytest.raises(ValueError, match="after_colon 'upper': expected one of"):
        Truecaser.load(after_colon="upper")
