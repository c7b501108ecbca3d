"""Counts of pairs, against counting them one by one."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import translation as twin
from truecase_testing import source_line

from truecase.alignment.lines import AlignedLines, Phrases
from truecase.kernels._lexicon import summarise_forms as describe
from truecase.training._translation_counts import PairCounter
from truecase.training.translation_tables import count_translations

AN, OTHER = 4, 4
WORDS = st.sampled_from(
    [
        b"Click",
        b"click",
        b"CLICK",
        b"OK",
        b"iPhone",
        b",",
        b"click,",
        b"don't",
        b"(OK)",
        b"3",
        "\u00a0".encode(),
        b"\xff",
    ]
)
LINES = st.lists(WORDS, max_size=6).map(b" ".join)


def make_phrases(links, n_words, unaligned):
    """`links` has, of each line, pairs of a source and a target word."""
    line_offsets, offsets, source = [0], [0], []
    for line_links, n in zip(links, n_words, strict=True):
        for word in range(n):
            source += sorted({s for s, t in line_links if t == word})
            offsets.append(len(source))
        line_offsets.append(line_offsets[-1] + n)
    return Phrases(
        line_offsets=np.array(line_offsets, np.int64),
        offsets=np.array(offsets, np.int64),
        source_words=np.array(source, np.int32),
        unaligned=np.array(unaligned, np.uint8),
    )


@st.composite
def bitexts(draw):
    lines = draw(st.lists(st.tuples(LINES, LINES, st.booleans()), max_size=5))
    bitext = []
    for source, target, unknown in lines:
        n_source, n_target = len(twin.words_of(source)), len(twin.words_of(target))
        links = []
        if n_source and n_target and not unknown:
            word = st.tuples(st.integers(0, n_source - 1), st.integers(0, n_target - 1))
            links = draw(st.lists(word, max_size=6))
        bitext.append((source, target, links, unknown))
    return bitext


def block(bitext, last_end=b"\n"):
    source = b"\n".join(line[0] for line in bitext) + (last_end if bitext else b"")
    target = b"\n".join(line[1] for line in bitext) + (last_end if bitext else b"")
    n_words = [len(twin.words_of(line[1])) for line in bitext]
    phrases = make_phrases([line[2] for line in bitext], n_words, [line[3] for line in bitext])
    return AlignedLines(target, source, phrases)


def tokens_of(line):
    tokens, first_token, _, _ = source_line(line, 1, False)
    blob = b"".join(tokens)
    offsets = np.cumsum([0, *map(len, tokens)]).astype(np.int64)
    key, form, _, tag, word_class, _ = describe(blob, offsets, False)
    words = [t != AN or c != OTHER for t, c in zip(tag, word_class, strict=True)]
    return list(zip(form.tolist(), key.tolist(), tag.tolist(), strict=True)), words, first_token


def count_plainly(bitext):
    """Cased pairs, lowercase pairs, tag pairs, linked words."""
    cased, lower, tags, n_words = Counter(), Counter(), Counter(), 0
    for source, target, links, _ in bitext:
        source_tokens, source_words, source_first = tokens_of(source)
        target_tokens, target_words, target_first = tokens_of(target)
        for word in range(len(target_first) - 1):
            aligned = [s for s, t in links if t == word]
            n_words += bool(aligned)
            for i in range(target_first[word], target_first[word + 1]):
                for k in twin.phrase(source_first, source_words, aligned, target_words[i]):
                    cased[source_tokens[k][0], target_tokens[i][0]] += 1
                    lower[source_tokens[k][1], target_tokens[i][1]] += 1
                    tags[source_tokens[k][2], target_tokens[i][2]] += 1
    return cased, lower, tags, n_words


def as_counter(pairs):
    source = pairs.source[pairs.pair_source].tolist()
    target = pairs.target[pairs.pair_target].tolist()
    return Counter(dict(zip(zip(source, target, strict=True), pairs.count.tolist(), strict=True)))


@given(bitexts(), st.integers(0, 5))
def test_counts_are_those_of_the_twin(bitext, cut):
    blocks = [block(bitext[:cut]), block(bitext[cut:])]
    counts = count_translations(blocks)
    cased, lower, tags, n_words = count_plainly(bitext)
    assert as_counter(counts.cased) == cased
    assert as_counter(counts.lower) == lower
    assert (
        Counter(
            {
                (s, t): n
                for s, t, n in zip(
                    *np.nonzero(counts.tags),
                    counts.tags[np.nonzero(counts.tags)].tolist(),
                    strict=True,
                )
            }
        )
        == tags
    )
    assert counts.n_words == n_words
    keys = counts.lower.target[counts.target_key]
    assert len(keys) == len(counts.cased.target)


@given(bitexts())
def test_blocks_and_ends_of_lines_do_not_matter(bitext):
    one = count_translations([block(bitext)])
    many = count_translations(block([line]) for line in bitext)
    for name in ("source", "target", "pair_source", "pair_target", "count"):
        np.testing.assert_array_equal(getattr(one.cased, name), getattr(many.cased, name))
        np.testing.assert_array_equal(getattr(one.lower, name), getattr(many.lower, name))
    if bitext and bitext[-1][0] and bitext[-1][1]:
        without = count_translations([block(bitext, b"")])
        np.testing.assert_array_equal(one.cased.count, without.cased.count)


def test_many_pairs():
    """Tables grow and lose nothing."""
    rng = np.random.default_rng(1)
    pairs = rng.integers(0, 3000, (40_000, 2))
    source = b"\n".join(b"f%d" % f for f, _ in pairs) + b"\n"
    target = b"\n".join(b"e%d" % e for _, e in pairs) + b"\n"
    n = len(pairs)
    phrases = make_phrases([[(0, 0)]] * n, [1] * n, [0] * n)
    counts = count_translations([AlignedLines(target, source, phrases)])
    assert sorted(counts.cased.count.tolist()) == sorted(
        Counter(map(tuple, pairs.tolist())).values()
    )
    assert counts.n_words == n


def test_turkish_source_and_target():
    phrases = make_phrases([[(0, 0)]], [1], [0])
    plain, source, target = (
        count_translations([AlignedLines(b"I\n", b"I\n", phrases)], "raw", *turkic)
        for turkic in ((False, False), (True, False), (False, True))
    )
    assert source.lower.source[0] != plain.lower.source[0]
    assert source.lower.target[0] == plain.lower.target[0]
    assert target.lower.target[0] != plain.lower.target[0]


@pytest.mark.parametrize(
    ("source", "target", "links", "n_words", "message"),
    [
        (b"a\n", b"b\n", [[(1, 0)]], [1], "line 1 of the block: its links do not fit"),
        (b"a\n", b"b c\n", [[(0, 0)]], [1], "line 1 of the block: its links do not fit"),
        (b"a\nb\n", b"b\n", [[(0, 0)]], [1], "1 lines, but 2 of their source"),
        (b"a\n", b"b\n", [[(0, 0)], []], [1, 0], "line_offsets are not 2 values"),
        (b"", b"", [[]], [0], "line_offsets are not 1 values"),
    ],
)
def test_what_does_not_fit(source, target, links, n_words, message):
    phrases = make_phrases(links, n_words, [0] * len(links))
    with pytest.raises(ValueError, match=message):
        count_translations([AlignedLines(target, source, phrases)])


def test_what_was_counted_before_an_error_stays():
    counter = PairCounter(1, False, False)
    good = make_phrases([[(0, 0)], [(5, 0)]], [1, 1], [0, 0])
    with pytest.raises(ValueError, match="line 2"):
        counter.add(b"c\nd\n", b"a\nb\n", good)
    pair, count = counter.pairs()
    assert len(pair) == 1 and count.tolist() == [1]
    assert counter.n_words == 1


def test_a_name_between_letters_without_case_is_the_name():
    def forms(source):
        counter = PairCounter(1, False, False)
        counter.add(b"iPhone\n", f"{source}\n".encode(), Phrases.from_lines([[[0]]]))
        (found, *_), _ = counter.forms()
        return set(found.tolist())

    assert forms("iPhone") < forms("我的iPhone坏了")
