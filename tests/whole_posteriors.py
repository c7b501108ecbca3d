"""Posteriors of a model with a cascade: those of all features, of what is cased."""

import pytest


def words_cased_otherwise(words, others, cased):
    """How many words two models choose differently; `words` are what is cased, scored alike."""
    assert [word.text for word in words] == [cased[word.start : word.end] for word in words]
    for word, other in zip(words, others, strict=True):
        of_word = {(c.text, c.tag): c.posterior for c in word.candidates}
        of_other = {(c.text, c.tag): c.posterior for c in other.candidates}
        assert of_word == pytest.approx(of_other, abs=1e-6)
    return sum(word.text != other.text for word, other in zip(words, others, strict=True))
