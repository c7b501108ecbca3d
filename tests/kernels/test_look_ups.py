"""Look-ups are counted as they are made."""

import pytest
from parts import compiled
from truecase_measure import count_look_ups
from truecase_testing import look_at_sparse

from truecase.kernels.text import TAGS
from truecase.truecaser import Truecaser

LINES = [
    b"in oslo , a bill costs 3.50 euros ; in accra it is free .",
    b"the post is in washington and not in peru .",
    b"breaking news from london",
    b"unheardofword kxqzt and ahmed took the post to cork .",
]
TEXT = b"\n".join(LINES) + b"\n"


@pytest.fixture(scope="module")
def sparse(sparse_model_file):
    """A model of sparse features."""
    return compiled(Truecaser.load(sparse_model_file))


@pytest.fixture(scope="module")
def counted(sparse):
    return count_look_ups(sparse, TEXT)


def test_sparse_look_ups_are_those_of_the_features(sparse, counted):
    seen = [word for line in LINES for word in look_at_sparse(sparse, line) if "tags" in word]
    assert counted["with_choice"] == len(seen)
    for tag in ("IU", "AU"):
        wanted = sum(len(word["hashes"]) for word in seen if TAGS.index(tag) in word["tags"])
        assert counted["tables"][f"sparse {tag}"]["look_ups"] == wanted
    assert counted["tables"]["sparse IU"]["look_ups"] > 0
    rows = counted["hidden_fields"] * len(seen)
    assert counted["tables"]["hidden rows"]["look_ups"] == rows > 0


def test_rare_words_have_more_templates(sparse, counted):
    seen = [word for line in LINES for word in look_at_sparse(sparse, line) if "tags" in word]
    lengths = {counted["templates"], counted["templates_of_rare"]}
    assert {len(word["hashes"]) for word in seen} == lengths
    rare = sum(len(word["hashes"]) == counted["templates_of_rare"] for word in seen)
    assert counted["rare"] == rare > 0


def test_lexicon(counted):
    assert counted["tokens"] == sum(len(line.split()) for line in LINES)
    assert counted["sentences"] == len(LINES)
    tables = counted["tables"]
    assert tables["lexicon"]["look_ups"] == counted["tokens"]
    # Three words are unknown: training leaves out lines in capitals.
    assert tables["form records"]["look_ups"] == counted["tokens"] - 3


def test_words_without_a_choice_have_no_ngrams(sparse):
    counted = count_look_ups(sparse, b"2009 , 17 ; 2010\n")
    assert counted["with_choice"] == counted["edges"] == 0
    assert counted["tables"]["2-grams"]["look_ups"] == 0
    assert counted["tables"]["3-grams"]["look_ups"] == 0


def test_ngrams_are_no_more_than_edges(counted):
    tables = counted["tables"]
    assert 0 < tables["3-grams"]["look_ups"] <= counted["edges"]
    assert tables["3-grams"]["look_ups"] < tables["2-grams"]["look_ups"]


def test_a_cache_that_holds_all_fetches_each_line_once(sparse):
    large = (1 << 30, 1024)
    counted = count_look_ups(sparse, TEXT * 3, large, large)
    for table in counted["tables"].values():
        assert table["from_memory"] == table["from_third"]
        # A table's first line may have been read with the end of another one.
        assert table["distinct"] - 1 <= table["from_memory"] <= table["distinct"]
        assert table["look_ups"] <= table["lines"]
        assert 64 * (table["distinct"] - 2) <= table["bytes"]


def test_a_smaller_cache_fetches_more(sparse):
    small = count_look_ups(sparse, TEXT * 3, (4096, 4), (1 << 16, 8))["tables"]
    large = count_look_ups(sparse, TEXT * 3)["tables"]
    for name, table in small.items():
        assert table["look_ups"] == large[name]["look_ups"]
        assert large[name]["from_third"] <= table["from_third"] <= table["lines"]
        assert large[name]["from_memory"] <= table["from_memory"] <= table["from_third"]
    assert small["sparse IU"]["from_third"] > large["sparse IU"]["from_third"]


@pytest.mark.parametrize("decode_with", ["ngram", "unigram"])
def test_what_a_model_has_not_is_not_counted(sparse_model_file, decode_with):
    model = compiled(Truecaser.load(sparse_model_file, decode_with=decode_with))
    tables = count_look_ups(model, TEXT)["tables"]
    assert set(tables) == {"lexicon", "form records"} | (
        {"2-grams", "3-grams"} if decode_with == "ngram" else set()
    )


def test_nothing_to_count(sparse):
    with pytest.raises(ValueError, match="empty"):
        count_look_ups(sparse, b"")
    with pytest.raises(ValueError, match="cache"):
        count_look_ups(sparse, TEXT, (0, 8))
