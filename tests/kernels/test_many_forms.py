"""A word has 64 candidates at the most, and there is room among them for what is no lexicon's."""

import pytest
from parts import compiled
from recipes import trained
from small_model import training_text
from truecase_testing import look_at_source

from truecase.evaluation._trace import trace_line
from truecase.training.adapt import interpolate_lm

WORD = "abcdefgh"
#: Mixed forms: with two capitals and more, and without one where a word begins.
FORMS = [
    "".join(c.upper() if mask >> i & 1 else c for i, c in enumerate(WORD))
    for mask in range(2, 255)
    if mask & (mask - 1)
]
OF_SOURCE = FORMS[-1]


def text_of(forms):
    # The first forms are the most frequent.
    lines = [f"the {form} of lyon ." for i, form in enumerate(forms) for _ in range(80 - i)]
    return ("\n".join(lines) + "\n" + training_text(100)).encode()


@pytest.fixture(scope="module", params=["ngram", "crf"])
def model(request):
    options = {"candidates": "full", "min_count": 1}
    model = trained(text_of(FORMS[:70]), request.param, **options)
    if request.param == "crf":
        more, _ = interpolate_lm(model.model, [text_of(FORMS[70:100])], b"the lyon bridge\n" * 20)
        return type(model)(more)
    return model


def surfaces(model, line, word):
    *_, sentences = trace_line(compiled(model), line.encode())
    return [c.text for c in sentences[0].words[word].word.candidates]


@pytest.mark.parametrize("line, word", [(f"the {WORD} of lyon", 1), (f"{WORD} of lyon", 0)])
def test_all_cases_are_among_64(model, line, word):
    found = surfaces(model, line, word)
    assert len(found) <= 64
    wanted = {WORD.capitalize(), WORD.upper()} | ({WORD} if word else set())
    assert wanted < set(found)
    assert FORMS[0] in found


@pytest.mark.parametrize("line, word", [(f"the {WORD} of lyon", 1), (f"{WORD} of lyon", 0)])
def test_the_source_s_form_is_one(model, line, word):
    _, words = look_at_source(compiled(model), line.encode(), f"Le {OF_SOURCE} de Lyon".encode())
    candidates = words[word].candidates
    assert len(candidates) <= 64
    assert any(c.is_of_source for c in candidates)
