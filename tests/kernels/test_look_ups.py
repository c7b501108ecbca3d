"""Look-ups are counted as they are made."""

import pytest
from parts import compiled
from truecase_measure import count_look_ups

from truecase.truecaser import Truecaser

LINES = [
    b"in oslo , a bill costs 3.50 euros ; in accra it is free .",
    b"the post is in washington and not in peru .",
    b"breaking news from london",
    b"unheardofword kxqzt and ahmed took the post to cork .",
]
TEXT = b"\n".join(LINES) + b"\n"


@pytest.fixture(scope="module")
def ngram(model_file):
    return compiled(Truecaser.load(model_file))


@pytest.fixture(scope="module")
def counted(ngram):
    return count_look_ups(ngram, TEXT)


def test_lexicon(counted):
    assert counted["tokens"] == sum(len(line.split()) for line in LINES)
    assert counted["sentences"] == len(LINES)
    tables = counted["tables"]
    assert tables["lexicon"]["look_ups"] == counted["tokens"]
    # Three words are unknown: training leaves out lines in capitals.
    assert tables["form records"]["look_ups"] == counted["tokens"] - 3


def test_words_without_a_choice_have_no_ngrams(ngram):
    counted = count_look_ups(ngram, b"2009 , 17 ; 2010\n")
    assert counted["with_choice"] == counted["edges"] == 0
    for table in ("2-grams", "heads of 2-grams", "3-grams", "heads of 3-grams"):
        assert counted["tables"][table]["look_ups"] == 0


def test_ngrams_are_no_more_than_edges(counted):
    tables = counted["tables"]
    assert 0 < tables["heads of 3-grams"]["look_ups"] <= counted["edges"]
    assert tables["heads of 3-grams"]["look_ups"] < tables["heads of 2-grams"]["look_ups"]


def test_slots_are_read_where_a_head_is_that_of_the_ngram(counted):
    for ngrams in ("2-grams", "3-grams"):
        slots, heads = counted["tables"][ngrams], counted["tables"][f"heads of {ngrams}"]
        assert 0 < slots["look_ups"] < heads["look_ups"]
        assert heads["lines"] < 1.3 * heads["look_ups"]


def test_a_cache_that_holds_all_fetches_each_line_once(ngram):
    large = (1 << 30, 1024)
    counted = count_look_ups(ngram, TEXT * 3, large, large)
    for table in counted["tables"].values():
        assert table["from_memory"] == table["from_third"]
        # A table's first line may have been read with the end of another one.
        assert table["distinct"] - 1 <= table["from_memory"] <= table["distinct"]
        assert table["look_ups"] <= table["lines"]
        assert 64 * (table["distinct"] - 2) <= table["bytes"]


def test_a_smaller_cache_fetches_more(ngram):
    small = count_look_ups(ngram, TEXT * 3, (512, 2), (4096, 4))["tables"]
    large = count_look_ups(ngram, TEXT * 3)["tables"]
    for name, table in small.items():
        assert table["look_ups"] == large[name]["look_ups"]
        assert large[name]["from_third"] <= table["from_third"] <= table["lines"]
        assert large[name]["from_memory"] <= table["from_memory"] <= table["from_third"]
    assert any(small[name]["from_third"] > large[name]["from_third"] for name in small)


@pytest.mark.parametrize("decode_with", ["ngram", "unigram"])
def test_what_a_model_has_not_is_not_counted(model_file, decode_with):
    model = compiled(Truecaser.load(model_file, decode_with=decode_with))
    tables = count_look_ups(model, TEXT)["tables"]
    assert set(tables) == {"lexicon", "form records"} | (
        {"2-grams", "heads of 2-grams", "3-grams", "heads of 3-grams"}
        if decode_with == "ngram"
        else set()
    )


def test_nothing_to_count(ngram):
    with pytest.raises(ValueError, match="empty"):
        count_look_ups(ngram, b"")
    with pytest.raises(ValueError, match="cache"):
        count_look_ups(ngram, TEXT, (0, 8))
