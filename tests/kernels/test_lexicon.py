"""The lexicon's arrays and counts, against plain Python."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import sentences

from truecase.ngram._count import first_words, tally_stops
from truecase.ngram.lexicon import (
    StopTally,
    build_lexicon,
    count_code,
    describe_vocabulary,
    mark_abbreviations,
    place_flags,
    sentence_beginners,
    smartcase_targets,
)
from truecase.ngram.vocabulary import FIRST_WORD

UNSPACED = sentences.ENDS | sentences.CLOSES | {","}
WORDS = ["<unk>", "<s>", "</s>", "the", "The", "THE", "hague", "Hague", "iPhone", ".", "“", "1984",
         "mr", "Mr", "McDonald", "Zed", "?", ")", "!", '"', ",", "»"]  # fmt: skip


def describe(words):
    data = [word.encode() for word in words]
    offsets = np.cumsum([0] + [len(word) for word in data])
    return describe_vocabulary(np.frombuffer(b"".join(data), np.uint8), offsets, False)


@pytest.fixture
def forms():
    return describe(WORDS)


def ids(text):
    return [WORDS.index(word) for word in text.split()]


def stream(*lines):
    return np.array([i for line in lines for i in [*ids(line), 2]], np.uint32)


def test_forms_of_a_word_share_a_key_and_differ_in_form(forms):
    the = [WORDS.index(w) for w in ("the", "The", "THE")]
    assert len(set(forms.key[the])) == 1
    assert len(set(forms.form)) == len(WORDS)
    assert list(forms.tag[the]) == [0, 1, 2]
    assert forms.upper_mask[WORDS.index("iPhone")] == 0b10


def by_word(row):
    return {word: int(n) for word, n in zip(WORDS, row, strict=True) if n}


def first_of(text, forms):
    flags = place_flags(forms)
    is_first = first_words(text, forms.key, forms.tag, forms.word_class, flags)
    return [WORDS[i] for i in text[is_first]]


def test_first_words_of_sentences(forms):
    text = stream("“ The Hague .", "1984 The Mr . McDonald .", "", "the Hague ?", "Mr . the")
    # A number before it means that "The" of the second line is not the sentence's first word.
    # As long as abbreviations are not known, their points end sentences.
    assert first_of(text, forms) == ["The", "McDonald", "the", "Mr", "the"]
    known = replace(forms, abbreviation=forms.abbreviation.copy())
    known.abbreviation[[WORDS.index("mr"), WORDS.index("Mr")]] = True
    assert first_of(text, known) == ["The", "the", "Mr"]


def stops_and_ends(lines, beginners):
    """What stands before a stop, and what a sentence ends with, in plain Python."""
    stops, ends = [], []
    for line in lines:
        for place, word in enumerate(line):
            rest = line[place + 1 :]
            if rest and rest[0] in sentences.ENDS:
                stops.append(word)
                after = next((other for other in rest[1:] if other not in sentences.CLOSES), None)
                if after is None or after in beginners:
                    ends.append(word)
    return Counter(stops), Counter(ends)


@given(st.lists(st.lists(st.sampled_from(WORDS[3:]), max_size=12), max_size=4))
def test_ends_of_sentences_like_plain_python(lines):
    data = [word.encode() for word in WORDS]
    forms = describe_vocabulary(
        np.frombuffer(b"".join(data), np.uint8), np.cumsum([0] + [len(w) for w in data]), False
    )
    beginners = ["The", "Hague"]
    begins = np.array([word in beginners for word in WORDS])
    tally = StopTally(len(WORDS))
    tally.add(stream(*map(" ".join, lines)), forms)
    counted = Counter(by_word(tally.counts[0])), Counter(by_word(tally.ends(begins)))
    assert counted == stops_and_ends(lines, beginners)


@given(st.lists(st.lists(st.sampled_from(WORDS[3:]), max_size=12), min_size=2, max_size=6))
def test_stops_of_parts_add_up(lines):
    data = [word.encode() for word in WORDS]
    forms = describe_vocabulary(
        np.frombuffer(b"".join(data), np.uint8), np.cumsum([0] + [len(w) for w in data]), False
    )
    whole, parts, joined = (StopTally(len(WORDS)) for _ in range(3))
    whole.add(stream(*map(" ".join, lines)), forms)
    for line in lines:
        parts.add(stream(" ".join(line)), forms)
    joined.counts += parts.counts
    joined.add_pairs(*parts.pairs())
    for tally in (parts, joined):
        assert (tally.counts == whole.counts).all()
        for found, wanted in zip(tally.pairs(), whole.pairs(), strict=True):
            assert (found == wanted).all()


def test_a_common_word_in_upper_case_tells_that_a_sentence_begins(forms):
    counted = {"the": 30, "The": 9, "THE": 2, "hague": 1, "Hague": 5, "mr": 2, "Mr": 2}
    for word, count in counted.items():
        forms.count[WORDS.index(word)] = count
    # THE stands among other words in capitals; as often Mr as mr is no common word.
    assert [WORDS[i] for i in np.flatnonzero(sentence_beginners(forms))] == ["The"]


@given(st.lists(st.lists(st.sampled_from(WORDS[3:]), max_size=12), max_size=4))
def test_first_words_of_sentences_like_plain_python(lines):
    data = [word.encode() for word in WORDS]
    forms = describe_vocabulary(
        np.frombuffer(b"".join(data), np.uint8), np.cumsum([0] + [len(w) for w in data]), False
    )
    for word in ("mr", "Mr", "the", "The", "THE"):
        forms.abbreviation[WORDS.index(word)] = True
    forms.count[WORDS.index("the")] = forms.count[WORDS.index("Mr")] = 9
    wanted = []
    for line in lines:
        tokens = [(word, word not in UNSPACED) for word in line]
        wanted += [line[i] for i in sentences.first_words(tokens, {"mr", "the"}, {"mr"}, {"The"})]
    assert first_of(stream(*map(" ".join, lines)), forms) == wanted


def test_smartcase_lowercases_first_words_that_are_mostly_lowercase(forms):
    text = stream(*["the the Hague", "The Hague", "Zed the"] * 3)
    flags = place_flags(forms)
    is_first = first_words(text, forms.key, forms.tag, forms.word_class, flags)
    forms.count[:] = np.bincount(text, minlength=len(WORDS))
    forms.initial_count[:] = np.bincount(text[is_first], minlength=len(WORDS))
    targets = smartcase_targets(forms)
    assert WORDS[targets[WORDS.index("The")]] == "the"
    for word in ("the", "THE", "Hague", "Zed", "iPhone", "."):
        assert WORDS[targets[WORDS.index(word)]] == word
    out = np.where(is_first, targets[text], text)
    assert [WORDS[i] for i in out] == "the the Hague </s> the Hague </s> Zed the </s>".split() * 3


def test_words_are_abbreviations_whose_stops_mostly_end_no_sentence(forms):
    tally = StopTally(len(WORDS))
    for word, *counted in [("Mr", 20, 9), ("mr", 1, 0), ("Hague", 30, 28), ("Zed", 3, 0)]:
        tally.counts[:, WORDS.index(word)] = counted
    mark_abbreviations(forms, tally)
    assert {WORDS[i] for i in np.flatnonzero(forms.abbreviation)} == {"Mr", "mr"}


def test_records_of_a_key_stand_together_the_most_frequent_first(forms):
    forms.count[:] = np.arange(len(WORDS)) + 1
    kept = np.ones(len(WORDS), bool)
    kept[:FIRST_WORD] = False
    kept[WORDS.index("hague")] = False
    codes = np.arange(len(WORDS), dtype=np.uint32)
    lexicon = build_lexicon(forms, kept, forms.count, forms.count, codes, codes + 100)
    place = {int(k): int(p) - 1 for k, p in zip(lexicon.keys, lexicon.first_record, strict=True)}
    at = place[int(forms.key[WORDS.index("the")])]
    tags = [int(record) & 3 for record in lexicon.records[at : at + 3]]
    lasts = [bool(record & 4) for record in lexicon.records[at : at + 3]]
    assert tags == [2, 1, 0] and lasts == [False, False, True]
    assert int(lexicon.records[at]) >> 8 & 0xFF == WORDS.index("THE")
    assert int(lexicon.records[at]) >> 16 & 0xFF == WORDS.index("THE") + 100
    at = place[int(forms.key[WORDS.index("iPhone")])]
    assert int(lexicon.records[at]) & 7 == 3 | 4
    assert int(lexicon.records[at + 1]) == 0b10 and int(lexicon.records[at + 2]) == 0
    assert len(place) == len({int(k) for k in forms.key[kept]})


def records_by_key(lexicon):
    """What a reader finds: each key's records, one after the other up to the last."""
    found = {}
    for key, first in zip(lexicon.keys, lexicon.first_record, strict=True):
        end = at = int(first) - 1
        while True:
            record = int(lexicon.records[end])
            end += 3 if record & 3 == 3 else 1
            if record & 4:
                break
        found[int(key)] = lexicon.records[at:end].tolist()
    return found


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=19, max_size=19))
def test_words_of_one_form_share_a_record(codes):
    forms = describe(WORDS)
    kept = np.arange(len(WORDS)) >= FIRST_WORD
    probability, backoff = np.array([(0, 0)] * FIRST_WORD + codes, np.uint32).T
    lexicon = build_lexicon(forms, kept, forms.count, forms.count, probability, backoff)
    shared = lexicon.sharing_records()
    assert records_by_key(shared) == records_by_key(lexicon)
    assert (shared.records[shared.place] == lexicon.records[lexicon.place]).all()
    single = [tuple(found) for found in records_by_key(lexicon).values() if len(found) == 1]
    assert len(shared.records) == len(lexicon.records) - len(single) + len(set(single))


@given(st.integers(0, 2**31))
def test_counts_are_kept_to_five_per_cent(count):
    code = int(count_code(np.array([count]))[0])
    assert abs(2 ** (code / 8) - 1 - count) <= 0.05 * (count + 1)


def test_ids_beyond_the_vocabulary_are_refused(forms):
    with pytest.raises(ValueError, match="not in the vocabulary"):
        first_words(np.array([99], np.uint32), forms.key, forms.tag, forms.word_class, forms.flags)
    with pytest.raises(ValueError, match="not in the vocabulary"):
        tally_stops(np.array([99], np.uint32), forms.flags, forms.flags,
                    np.zeros((2, len(WORDS)), np.int64))  # fmt: skip
