"""The names of the index's package: its parameters, and what they do with our model."""

import inspect

import pytest
from hypothesis import given
from hypothesis import strategies as st

import truecase
from truecase import Truecaser
from truecase.integrations import TrueCaser, get_true_case

UNSEEN = "zorblatt"


@pytest.fixture(scope="module")
def caser():
    return TrueCaser()


def test_the_signatures(caser):
    assert str(inspect.signature(TrueCaser)).startswith("(dist_file_path")
    for function in (get_true_case, caser.get_true_case):
        parameters = inspect.signature(function).parameters
        assert list(parameters) == ["sentence", "out_of_vocabulary_token_option"]
        assert parameters["out_of_vocabulary_token_option"].default == "title"


@pytest.mark.parametrize(
    ("option", "out"),
    [
        ("title", "She met Zorblatt-Qux of New York.\nZorblatt waved"),
        ("lower", "She met zorblatt-qux of New York.\nzorblatt waved"),
        ("as-is", "She met ZORBLATT-qux of New York.\nzorBLatt waved"),
    ],
)
def test_words_that_training_did_not_see(option, out):
    assert Truecaser.load().training_count(UNSEEN) == 0
    text = "she met ZORBLATT-qux of new york.\nzorBLatt waved"
    assert get_true_case(text, option) == out


def test_addresses_and_code_are_no_words():
    text = "see http://Foo.Bar/zorblattX or zorBlattIt() at 5 p.m."
    assert get_true_case(text, "lower") == truecase.truecase(text)


@given(st.lists(st.sampled_from(["the", "NEW", "york", "zorblatt", "a b", "x\ny", "", ".", "é"])))
def test_tokens_stay_as_many(caser, tokens):
    cased = caser.get_true_case_from_tokens(tokens)
    assert [token.lower() for token in cased] == [token.lower() for token in tokens]
    if not any("\n" in token for token in tokens):
        assert " ".join(cased) == caser.get_true_case(" ".join(tokens))


@given(st.text())
def test_any_text_keeps_all_but_case(caser, text):
    cased = caser.get_true_case(text, "as-is")
    assert len(cased) == len(text)
    assert [c.lower() for c in cased if c.isascii()] == [c.lower() for c in text if c.isascii()]


def test_mistakes_are_one_sentence(caser, tmp_path):
    with pytest.raises(ValueError, match="'upper': expected 'title', 'lower' or 'as-is'"):
        caser.get_true_case("a", "upper")
    with pytest.raises(TypeError, match="expected a str, found NoneType"):
        caser.get_true_case(None)
    with pytest.raises(TypeError, match="expected a list of str, found one str"):
        caser.get_true_case_from_tokens("a b")
    with pytest.raises(TypeError, match=r"tokens\[1\]: expected a str, found int"):
        caser.get_true_case_from_tokens(["a", 1])
    (tmp_path / "english.dist").write_bytes(b"\x80\x04pickled")
    with pytest.raises(truecase.ModelError, match=r"english\.dist"):
        TrueCaser(tmp_path / "english.dist")
