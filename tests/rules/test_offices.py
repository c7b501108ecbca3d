"""House style for offices: as learned, with a capital, or in lower case where they stand alone."""

import copy
import pickle

import pytest
from examples import examples
from hypothesis import example, given
from hypothesis import strategies as st
from parts import compiled
from reference import offices as twin
from reference.segment import segment
from truecase_testing import sentences

from truecase.errors import ModelError
from truecase.model.names import name_list
from truecase.truecaser import Truecaser

PIECES = (
    "the president of prime minister ministers a first deputy committee on foreign relations obama "
    "secretary-general state states king queen 's france said mr. and secretary board i monday "
    "our security council court , . office to company head heads former"
).split()
LINES = st.lists(st.sampled_from(PIECES), max_size=14).map(" ".join)


@pytest.fixture(scope="module")
def truecasers():
    return {style: Truecaser.load(offices=style) for style in ("as-learned", "capital", "lower")}


def raised(word):
    return "-".join(part[:1].upper() + part[1:] for part in word.split("-"))


@pytest.mark.parametrize("style", ["capital", "lower"])
@given(line=LINES)
@example(line="the first deputy prime minister met the president of france and a secretary-general")
@example(line="mr. president , the queen 's office on the committee on foreign relations")
@examples(300)
def test_as_the_twin_has_it(truecasers, style, line):
    data = line.encode()
    learned = truecasers["as-learned"].case_block(data)
    wanted = bytearray(learned)
    pieces = segment(data)
    for first, end, initial in sentences(compiled(truecasers["as-learned"]), data, True):
        own = pieces[first:end]
        forms = [learned[p.start : p.end].decode() for p in own]
        words = [(p.surface.decode(), bool(p.flags & 1)) for p in own]
        is_upper = [form != form.lower() for form in forms]
        sentence = twin.Sentence(words, is_upper, initial)
        for piece, form, made in zip(own, forms, sentence.styles(style), strict=True):
            if made == "capital" and form == form.lower():
                form = raised(form)
            elif made == "lower" and form != form.upper():
                form = form.lower()
            wanted[piece.start : piece.end] = form.encode()
    assert truecasers[style].case_block(data) == bytes(wanted)


@pytest.mark.parametrize(
    ("line", "capital", "lower"),
    [
        (
            "the prime minister resigned.",
            "The Prime Minister resigned.",
            "The prime minister resigned.",
        ),
        (
            "today the president met president obama.",
            "Today the President met President Obama.",
            "Today the president met President Obama.",
        ),
        (
            "the secretary-general briefed the committee.",
            "The Secretary-General briefed the Committee.",
            "The secretary-general briefed the committee.",
        ),
        (
            "the committee on foreign relations met the security council.",
            "The Committee on Foreign Relations met the Security Council.",
            "The Committee on Foreign Relations met the Security Council.",
        ),
        ("mr. president, i agree.", "Mr. President, I agree.", "Mr. President, I agree."),
        (
            "it met the president of france and a president.",
            "It met the President of France and a president.",
            "It met the president of France and a president.",
        ),
        ("the state of texas sued.", "The state of Texas sued.", "The state of Texas sued."),
    ],
)
def test_what_an_editor_expects(truecasers, line, capital, lower):
    for style, wanted in (("capital", capital), ("lower", lower)):
        assert truecasers[style](line) == wanted
        assert truecasers[style].explain(line).output == wanted
        for words in (truecasers[style].posteriors(line), truecasers[style].tags(line)):
            assert "".join(w.text for w in words[0]) == wanted.replace(" ", "")


def test_probabilities_are_of_the_form_that_is_written(truecasers):
    line = "today the prime minister resigned."
    for style in ("capital", "lower"):
        word = truecasers[style].posteriors(line)[0][2]
        assert word.text == ("Prime" if style == "capital" else "prime")
        assert word.posterior > 0.9


def test_given_case_counts(truecasers):
    line = "He met the Prime minister there."
    assert truecasers["lower"](line, input_case="auto") == line
    assert truecasers["lower"](line, input_case="keep") == line
    assert truecasers["capital"](line, input_case="keep") == "He met the Prime Minister there."


def test_a_list_of_names_counts_more(truecasers):
    line = "he met the president there."
    named = truecasers["lower"].with_names(name_list(["!President"]))
    assert named(line) == "He met the President there."


def test_it_is_kept(truecasers):
    line, lower = "he met the prime minister.", truecasers["lower"]
    for same in (
        copy.copy(lower),
        copy.deepcopy(lower),
        pickle.loads(pickle.dumps(lower)),
        lower.with_names([]),
        lower.without_calibration(),
    ):
        assert same.casing.offices == "lower"
        assert same(line) == "He met the prime minister."
    assert lower.batch([line]) == ["He met the prime minister."]
    assert lower.document([line]) == ["He met the prime minister."]


def test_other_languages_and_words_are_refused(truecasers):
    english = truecasers["as-learned"].model
    german = english.replace(text=english.text.replace(language="de"))
    assert Truecaser(german).casing.offices == "as-learned"
    with pytest.raises(ModelError, match="offices 'lower': the words of offices are English"):
        Truecaser(german, offices="lower")
    with pytest.raises(ValueError, match="offices 'upper': expected one of"):
        Truecaser.load(offices="upper")
