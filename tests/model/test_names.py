"""What lists of names do: sure, likely and forced names, in any model, kept in its file."""

import pytest
from recipes import trained

from truecase import Truecaser, name_list
from truecase.errors import NamesError, TruecaseError, WrongTypeError

# The fruit three times as often as the company, and each among words of its own.
TEXT = (
    "we ate an apple in the garden .\n" * 150
    + "they said that Apple sold it in May .\n" * 50
    + "he may go to the new bridge on Monday .\n" * 150
    + "it is a new deal of the house .\n" * 100
).encode()


@pytest.fixture(scope="module", params=["unigram", "ngram", "crf", "portage"])
def model(request):
    return trained(TEXT, request.param, min_count=1)


@pytest.fixture(scope="module")
def ngram():
    return trained(TEXT, "ngram", min_count=1)


def test_a_name_that_is_no_word_is_right_in_every_model(model):
    named = model.with_names(name_list(["BioNTech", "van der Zee"]))
    assert named("in may biontech sold it to mr. van der zee .").split()[2] == "BioNTech"
    assert "van der Zee" in named("it is of van der zee .")


def test_the_context_of_a_common_word_decides(ngram):
    named = ngram.with_names(name_list(["Apple"]))
    assert "an apple in" in named("we ate an apple in the garden .")
    assert "that Apple sold" in named("they said that apple sold it in may .")


def test_a_listed_common_word_is_favoured(ngram):
    line = "he said an apple is new ."
    plain, named = ngram, ngram.with_names(name_list(["Apple"]))

    def posterior(model):
        words = model.posteriors(line)[0]
        word = next(word for word in words if word.text.lower() == "apple")
        return {c.text: c.posterior for c in word.candidates}["Apple"]

    assert posterior(named) > posterior(plain)


def test_a_plural_that_training_never_saw_is_sure(ngram):
    named = ngram.with_names(name_list(["ApPle", "May"]))
    assert named("we ate apples in the garden .") == "We ate ApPles in the garden ."


def test_an_exclamation_mark_forces(model):
    named = model.with_names(name_list(["!Apple", "!npm"]))
    assert named("we ate an apple in the garden .") == "We ate an Apple in the garden ."
    # Not even a sentence's start raises it.
    assert named("npm is new . npm may go .").startswith("npm is new . npm")


def test_a_phrase_is_taken_whole_or_not_at_all(ngram):
    named = ngram.with_names(name_list(["The New Deal of the House"]))
    for start in ("it is", "they said", "he may go to", "in"):
        cased = named(f"{start} the new deal of the house .")
        assert ("The New Deal of the House" in cased) != ("the new deal of the house" in cased)


def test_names_of_a_first_word(model):
    named = model.with_names(name_list(["iFixit", "BioNTech"]))
    assert named("ifixit sold it .") == "iFixit sold it ."
    assert named("biontech sold it .") == "BioNTech sold it ."


def test_words_in_upper_case_are_left_alone_where_they_are_to_be_kept(ngram):
    named = ngram.with_names(name_list(["BioNTech"]))
    assert "BIONTECH sold biontech".split()[0] in named("it is BIONTECH of biontech .", "keep")
    assert named("it is BIONTECH of biontech .", "keep").split()[4] == "BioNTech"


def test_of_two_the_later_counts(ngram):
    assert "XyZ" in ngram.with_names(name_list(["XYZ", "XyZ"]))("it is xyz .")
    first = ngram.with_names(name_list(["XYZ"]))
    assert "XyZ" in first.with_names(name_list(["XyZ"]))("it is xyz .")


def test_names_are_kept_in_the_model(ngram, tmp_path):
    named = ngram.with_names(name_list(["BioNTech", "!npm"]))
    path = tmp_path / "named.truecase"
    named.save(path)
    loaded = Truecaser.load(path)
    assert loaded.model.names is not None
    assert [loaded.model.names[i] for i in range(2)] == ["BioNTech", "!npm"]
    assert loaded("npm is of biontech .") == "npm is of BioNTech ."
    assert loaded.model.info()["names"]["names"] == 2
    assert loaded.model.only("unigram").names is loaded.model.names


def test_explain_tells_of_the_list(ngram):
    named = ngram.with_names(name_list(["Apple", "BioNTech"]))
    explanation = named.explain("biontech said an apple")
    words = explanation.sentences[0].words
    assert [c.is_listed for c in words[0].candidates] == [True]
    listed = {c.text: c for c in words[3].candidates}["Apple"]
    assert listed.is_listed
    bonus = [c.product for c in listed.contributions if c.feature == "names_list"]
    assert bonus and bonus[0] > 0
    assert listed.score == pytest.approx(sum(c.product for c in listed.contributions))
    assert not {c.text: c for c in words[3].candidates}["apple"].is_listed


def test_tags_and_posteriors_know_of_it(ngram):
    named = ngram.with_names(name_list(["BioNTech"]))
    word = named.posteriors("it is biontech .")[0][2]
    assert (word.text, word.posterior) == ("BioNTech", 1.0)
    assert named.tags("it is biontech .")[0][2].tag == "MX"


@pytest.mark.parametrize(
    ("names", "error", "message"),
    [
        ("OpenAI", WrongTypeError, "names: expected a list of str, found one str"),
        (["OpenAI", 3], WrongTypeError, r"names\[1\]: expected a str, found int"),
        (["a\nb"], NamesError, r"names\[0\]: 'a\\nb' has a line end"),
        (["Ok", "a\0b"], NamesError, r"names\[1\]: it has a control character"),
        (["x" * 5001], NamesError, r"names\[0\]: it has more than 1000 bytes"),
        (["!"], NamesError, r"names\[0\]: there is no name after the !"),
        (["Ok", "\ud800"], NamesError, r"names\[1\]: it is no UTF-8"),
    ],
)
def test_what_is_no_name(names, error, message):
    with pytest.raises(error, match=f"^{message}") as refused:
        name_list(names)
    assert isinstance(refused.value, TruecaseError)


def test_names_without_case_have_no_effect_and_are_told():
    with pytest.warns(UserWarning, match=r"2 entries have no letter that has case.*names\[0\]"):
        assert len(name_list(["123", "東京", "3M"])) == 1


def test_a_damaged_list_is_refused(ngram):
    from truecase.errors import ModelError
    from truecase.kernels._names import NameList

    good = name_list(["OpenAI", "npm"]).arrays
    for name, change in (
        ("starts", lambda a: a + 1),
        ("starts", lambda a: a[::-1].copy()),
        ("starts", lambda a: a[:-1]),
        ("text", lambda a: a[:-1]),
        ("text", lambda a: a | 1),
        ("forced", lambda a: a[:-1]),
        ("forced", lambda a: a.astype("int32")),
    ):
        with pytest.raises(ModelError):
            NameList({**good, name: change(good[name])})
    for bonus in (0, None, [1.0], {"lower": "x"}):
        with pytest.raises(ModelError, match=r"the setting names\.bonus"):
            NameList(good, {"bonus": bonus})
