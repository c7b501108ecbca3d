"""Alignments in Pharaoh form: every form of links, what is wrong with others, words and lines."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from reference import pharaoh as reference

from truecase.alignment.lines import BadLines, Phrases, SkippedLines
from truecase.alignment.link_formats import format_pharaoh, parse_pharaoh
from truecase.errors import AlignmentError
from truecase.kernels._segment import count_lines, count_words, find_line_end


def parse(block, n_source, n_target, **options):
    return parse_pharaoh(
        block, np.array(n_source, np.int32), np.array(n_target, np.int32), **options
    )


# --- words and lines -------------------------------------------------------------------------

TEXT = st.lists(
    st.sampled_from([b"a", b"\n", b" ", b"\t", b"\r", b"\v", b"\f", b"\0", b"\xc2\xa0", b"\x1f"])
).map(b"".join)


@given(TEXT)
def test_words_of_lines(text):
    lines = reference.lines_of(text)
    assert count_lines(text) == len(lines)
    assert count_words(text).tolist() == [len(reference.words(line)) for line in lines]


@given(TEXT, st.integers(0, 5))
def test_end_of_first_lines(text, n):
    end, found = find_line_end(text, n)
    assert found == min(n, text.count(b"\n"))
    assert text[:end] == b"".join(line + b"\n" for line in text.split(b"\n")[:found])


def test_views_of_text():
    text = b"one two\nthree\n\nfour"
    for view in (bytearray(text), memoryview(text)):
        assert count_lines(view) == 4
        assert count_words(view).tolist() == [2, 1, 0, 1]
    assert count_words(b"").tolist() == []


# --- links -----------------------------------------------------------------------------------


def test_plain_links():
    phrases = parse(b"0-0 1-2\n\n2-0 0-0 2-0", [3, 1, 3], [3, 2, 1])
    assert phrases.to_lines() == [[[0], [], [1]], [[], []], [[0, 2]]]


@pytest.mark.parametrize("sign", [b":", b"/"])
def test_probabilities(sign):
    block = b" ".join(
        b"%d-0%s%s" % (i, sign, p)
        for i, p in enumerate(
            [b"0.87", b"1", b"0", b".5", b"1.", b"5e-1", b"2.5E-05", b"1.000001", b"0.05e+1"]
        )
    )
    assert parse(block, [9], [1]).to_lines() == [[[0, 1, 2, 3, 4, 5, 6, 7, 8]]]
    assert parse(block, [9], [1], threshold=0.5).to_lines() == [[[0, 1, 3, 4, 5, 7, 8]]]
    assert parse(block, [9], [1], threshold=0.9).to_lines() == [[[1, 4, 7]]]


@pytest.mark.parametrize("threshold", [-0.1, 1.5, float("nan")])
def test_a_threshold_is_a_probability(threshold):
    with pytest.raises(AlignmentError, match=f"threshold {threshold}: expected 0 to 1"):
        parse(b"0-0", [1], [1], threshold=threshold)


def test_links_without_probability_are_certain():
    assert parse(b"0-0 1-0:0.2", [2], [1], threshold=0.9).to_lines() == [[[0]]]


def test_possible_links():
    assert parse(b"0-0 1?0 1?1:0.9", [2], [2]).to_lines() == [[[0, 1], [1]]]
    assert parse(b"0-0 1?0 1?1:0.9", [2], [2], possible=False).to_lines() == [[[0], []]]


def test_white_space_and_line_ends():
    assert parse(b"\t0-0  1-1 \r\n\r\n1-0\x0b\x0c0-1", [2, 0, 2], [2, 0, 2]).to_lines() == [
        [[0], [1]],
        [],
        [[1], [0]],
    ]


@pytest.mark.parametrize(
    ("link", "message"),
    [
        (b"5-0", "the source line has only 5 words"),
        (b"0-1", "the target line has only 1 word "),
        (b"99999999999999999999-0", "source line has only 5"),
        (b"0-4294967296", "target line has only 1"),
        (b"0", "expected source-target"),
        (b"0-", "expected source-target"),
        (b"-0", "expected source-target"),
        (b"-1-0", "expected source-target"),
        (b"0-0-0", "expected source-target"),
        (b"0_0", "expected source-target"),
        (b"0-0,", "expected source-target"),
        (b"\xff", "expected source-target"),
        (b"0-0:", "expected a probability"),
        (b"0-0:x", "expected a probability"),
        (b"0-0:0.5x", "expected a probability"),
        (b"0-0:.", "expected a probability"),
        (b"0-0:-1", "expected a probability"),
        (b"0-0:nan", "expected a probability"),
        (b"0-0:inf", "expected a probability"),
        (b"0-0:1e", "expected a probability"),
        (b"0-0:1e999", "expected a probability"),
        (b"0-0:1.5", "expected a probability"),
        (b"0-0:" + b"9" * 1000, "expected a probability"),
    ],
)
def test_bad_links(link, message):
    block = b"0-0\n0-0 " + link + b" 1-0\n0-0\n"
    with pytest.raises(AlignmentError, match=message) as caught:
        parse(block, [5, 5, 5], [1, 1, 1], bad=BadLines("x.align", 100))
    assert str(caught.value).startswith("x.align: line 101: link ")
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200
    skipped = SkippedLines()
    phrases = parse(block, [5, 5, 5], [1, 1, 1], bad=BadLines("x.align", 100, skipped))
    assert phrases.to_lines() == [[[0]], 1, [[0]]]
    assert skipped.n_skipped == 1
    assert skipped.first == str(caught.value)


def test_skipped_lines_are_counted_and_reported():
    skipped = SkippedLines()
    skipped.report()
    for first_line in (1, 4):
        parse(b"x\n0-0\n7-7", [1] * 3, [1] * 3, bad=BadLines("f", first_line, skipped))
    assert skipped.n_skipped == 4
    with pytest.warns(UserWarning, match=r"4 lines .* not aligned; the first: f: line 1: link 'x'"):
        skipped.report()


@pytest.mark.parametrize(
    ("block", "n_lines"), [(b"", 1), (b"0-0\n", 0), (b"0-0\n", 2), (b"0-0\n\n", 1), (b"0-0\n0", 1)]
)
def test_other_number_of_lines(block, n_lines):
    with pytest.raises(ValueError, match="as many lines"):
        parse(block, [1] * n_lines, [1] * n_lines)


def test_counts_that_do_not_fit():
    with pytest.raises(ValueError, match="same number of lines"):
        parse(b"\n", [1], [1, 1])
    with pytest.raises(ValueError, match="negative"):
        parse(b"\n", [-1], [1])


def test_no_lines():
    assert parse(b"", [], []).to_lines() == []


def test_long_lines():
    n = 10_000
    block = b" ".join(b"%d-%d" % (n - 1 - i, i) for i in range(n))
    assert parse(block, [n], [n]).to_lines() == [[[n - 1 - i] for i in range(n)]]
    # All in one word, backwards: what a sort by comparison of neighbours would choke on.
    block = b" ".join(b"%d-0" % (n - 1 - i) for i in range(n))
    assert parse(block, [n], [1]).to_lines() == [[list(range(n))]]


LINK = st.builds(
    lambda s, kind, t, tail: b"%d%s%d%s" % (s, kind, t, tail),
    st.integers(0, 4),
    st.sampled_from([b"-", b"-", b"-", b"?"]),
    st.integers(0, 4),
    st.sampled_from([b"", b"", b"", b":0.3", b"/0.75", b":1e-3", b":2", b":", b"x"]),
)
PIECE = st.one_of(LINK, LINK, LINK, st.sampled_from([b"0", b"-", b"\0", b"1--1"]))
LINE = st.lists(
    st.tuples(PIECE, st.sampled_from([b" ", b"  ", b"\t", b"\r"])).map(b"".join), max_size=7
).map(b"".join)
CASES = st.lists(st.tuples(LINE, st.integers(0, 5), st.integers(0, 5)), max_size=5)


@given(CASES, st.sampled_from([0.0, 0.3, 0.5]), st.booleans(), st.booleans())
@example([(b"4-0 3-0 3-0 4-1", 5, 3), (b"0-0", 1, 1)], 0.0, True, True)
def test_same_as_the_plain_twin(cases, threshold, possible, open_end):
    block = b"".join(line + b"\n" for line, _, _ in cases)
    if open_end and cases and cases[-1][0]:
        block = block[:-1]
    skipped = SkippedLines()
    n_target = [case[2] for case in cases]
    phrases = parse(
        block, [case[1] for case in cases], n_target,
        threshold=threshold, possible=possible, bad=BadLines(skipped=skipped),
    )  # fmt: skip
    expected = [reference.parse_line(*case, threshold, possible) for case in cases]
    bad = [isinstance(line, tuple) for line in expected]
    assert phrases.to_lines() == [
        n if is_bad else line for line, n, is_bad in zip(expected, n_target, bad, strict=True)
    ]
    assert skipped.n_skipped == sum(bad)
    phrases.check(np.array(n_target, np.int32), np.array([case[1] for case in cases], np.int32))


@given(st.binary(max_size=60))
def test_any_bytes(block):
    n_lines = count_lines(block)
    skipped = SkippedLines()
    phrases = parse(block, [3] * n_lines, [3] * n_lines, bad=BadLines(skipped=skipped))
    assert phrases.words_per_line.tolist() == [3] * n_lines
    assert int(phrases.unaligned.sum()) == skipped.n_skipped


# --- writing ---------------------------------------------------------------------------------


def test_writing():
    phrases = Phrases.from_lines([[[0, 12], [], [3]], 2, [], [[1]]])
    assert format_pharaoh(phrases) == b"0-0 12-0 3-2\n\n\n1-0\n"
    assert format_pharaoh(Phrases.from_lines([])) == b""


@given(st.lists(st.lists(st.lists(st.integers(0, 120), max_size=3), max_size=12), max_size=4))
def test_what_is_written_is_read_again(lines):
    phrases = Phrases.from_lines(lines)
    block = format_pharaoh(phrases)
    assert count_lines(block) == len(lines)
    again = parse(block, [121] * len(lines), phrases.words_per_line)
    assert again.to_lines() == phrases.to_lines()
