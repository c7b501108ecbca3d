"""Words of English speech: fillers, short forms without their apostrophe, spelled letters."""

import pytest
from examples import examples
from hypothesis import example, given
from hypothesis import strategies as st
from reference import spoken as twin
from reference.spans import held
from truecase_testing import segment, spoken_cases

from truecase.model.names import name_list
from truecase.truecaser import Truecaser

WORDS = [
    *"um gonna theyll uh er youd five ten zero com org not sorry like be tell also".split(),
    *"im id ill dot a b i p m e g s going sing 5 é card mm-hmm , . \" ' ( ) -".split(),
]
LINES = st.lists(st.sampled_from([*WORDS, " ", " ", " "]), min_size=1, max_size=12).flatmap(
    lambda pieces: st.sampled_from(["".join(pieces), " ".join(pieces)])
)


SPELLED = "f y i the ferry is late"


@given(LINES)
@example("so .um is a name")
@example("um.um,")
@examples(400)
def test_rule_is_that_of_its_twin(line):
    data = line.encode()
    pieces = segment(data)
    tokens = [(piece.surface.decode(), bool(piece.flags & 1)) for piece in pieces]
    states = [state for state, _ in held(data, pieces)]
    for i, (state, favoured) in enumerate(zip(states, spoken_cases(data), strict=True)):
        assert favoured == (("AN", 0.0) if state else twin.favoured(tokens, i))


@pytest.mark.parametrize(
    ("line", "cased"),
    [
        ("so um we went there", "So um we went there"),
        ("and uh he was late", "And uh he was late"),
        ("we met and erm then we left", "We met and erm then we left"),
        ("um", "Um"),
        ("hmm", "Hmm"),
        ("mm-hmm yeah", "Mm-hmm yeah"),
        ("f y i the ferry is late", "F Y I the ferry is late"),
        ("we lived in the u s for a year", "We lived in the U S for a year"),
        ("write to jane at gmail dot com", "Write to Jane at Gmail dot com"),
        ("five five five", "Five five five"),
        ("twenty twenty two", "Twenty twenty two"),
        ("i think im going home", "I think Im going home"),
        ("then id like to go", "Then Id like to go"),
        ("we need your id card for that", "We need your ID card for that"),
        ("then ill be there", "Then Ill be there"),
        ("he fell ill last week", "He fell ill last week"),
        ("they said theyll come", "They said theyll come"),
        ("hes my friend", "Hes my friend"),
        ("um. well, uh, i mean, erm, yes.", "Um. Well, uh, I mean, erm, yes."),
    ],
)
def test_speech(english, line, cased):
    assert english(line) == cased


def test_words_with_upper_case_stay_where_they_are_to(english):
    assert english("the UM campus", input_case="keep") == "The UM campus"


def test_a_list_of_names_counts_more(english):
    named = english.with_names(name_list(["!UM"]))
    assert named("so um we went there") == "So UM we went there"


def test_sentence_start_learned_has_no_rules(english):
    assert english(SPELLED, sentence_start="learned") != english(SPELLED)


def test_other_languages_have_no_such_rule(english):
    model = english.model
    lithuanian = model.replace(text=model.text.replace(language="lt"))
    assert Truecaser(lithuanian)(SPELLED) != english(SPELLED)


def test_explanation_tells_what_the_rule_adds(english):
    word = english.explain("so um we went").words[1]
    chosen = word.candidates[word.chosen]
    assert chosen.text == "um"
    assert {c.feature: c.product for c in chosen.contributions}["spoken"] >= twin.SURE
