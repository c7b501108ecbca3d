"""Models used as simpler ones."""

import pytest
from parts import metadata_of

from truecase import Truecaser

LINES = ["the iphone of mary o'brien is in london .", "breaking news from cork : nasa pays .", ""]


def test_n_grams_alone_are_an_n_gram_model(neural_model_file, crf_model_file):
    for path in (neural_model_file, crf_model_file):
        simpler = Truecaser.load(path, decode_with="ngram")
        assert simpler.model.preset == "ngram"
        assert simpler.model.first_word == "restore"
        assert simpler.model.lm.weight == 1
        assert set(metadata_of(simpler)["sections"]) == {"text", "lexicon", "lm"}
        assert simpler(LINES[0]) == "The iPhone of Mary O'Brien is in London ."


def test_an_n_gram_model_is_itself(model_file):
    whole, same = Truecaser.load(model_file), Truecaser.load(model_file, decode_with="ngram")
    assert whole.batch(LINES) == same.batch(LINES)
    assert metadata_of(same) == metadata_of(whole)


def test_the_lexicon_alone_takes_the_most_frequent_form(model_file):
    unigram = Truecaser.load(model_file, decode_with="unigram")
    assert unigram.model.preset == "unigram"
    assert unigram("mary o'brien , nasa") == "Mary O'Brien , NASA"


def test_what_a_model_cannot_be(tmp_path, model_file):
    text = tmp_path / "text.txt"
    text.write_text("Mary is in London .\n" * 20)
    path = tmp_path / "u.truecase"
    Truecaser.train([text], "unigram").save(path)
    with pytest.raises(ValueError, match=r"u\.truecase: a unigram model has no n-grams"):
        Truecaser.load(path, decode_with="ngram")
    with pytest.raises(
        ValueError, match="decode_with 'fast': expected 'whole', 'ngram' or 'unigram'"
    ):
        Truecaser.load(model_file, decode_with="fast")
