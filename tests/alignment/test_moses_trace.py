"""Decoder output with phrase segmentation: text and phrases, and lines that are broken."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from truecase.alignment.lines import BadLines, SkippedLines
from truecase.alignment.moses_trace import parse_trace, read_trace
from truecase.alignment.naive_aligner import phrase_words
from truecase.errors import AlignmentError
from truecase.kernels._segment import count_words


def test_plain_trace():
    text, links = parse_trace(b"the house |0-1| is |2-2| \n\nold |0-0|", [3, 0, 1])
    assert text == b"the house is\n\nold\n"
    assert links.to_lines() == [[[0, 1], [0, 1], [2]], [], [[0]]]


def test_other_order_and_source_words_without_translation():
    text, links = parse_trace(b"b |1-1| a |0-0| |2-2| c |4-5|", [6])
    assert text == b"b a c\n"
    assert links.to_lines() == [[[1], [0], [4, 5]]]


def test_enriched_trace():
    text, links = parse_trace(
        b"the house |3-4,wa=0-0 1-1 0-1 ,total=-1.25,LM0= -3 TM0= -1 -2| is |0-0,wa=,total=-1,x=0|"
        b" small |1-2,wa=1-0| | |5-5| new town |6-7,wa=0-1,1-0|\n",
        [8],
    )
    assert text == b"the house is small | new town\n"
    assert links.to_lines() == [[[3], [3, 4], [0], [2], [5], [7], [6]]]


def test_what_is_no_range_is_a_word():
    text, _ = parse_trace(b"a|0-0| |b |x-1| house|NN |0-0|", [1])
    assert text == b"a|0-0| |b |x-1| house|NN\n"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"a |0-0| b", "no range such as |0-1| after 'b'"),
        (b"plain text", "no range such as |0-1| after 'text'"),
        (b"\xff\xff", "no range"),
        (b"a |2-1|", "the range |2-1| ends before it begins"),
        (b"a |1-2|", "the range |1-2|, but the source line has only 2 words"),
        (b"a |9999999999-0|", "999999999... is no number of a word"),
        (b"a |0-0,wa=x|", "the range |0-0|: expected links such as 0-0"),
        (b"a |0-0,wa=0|", "expected links"),
        (b"a |0-0,wa=1-0|", "the range |0-0|: the link 1-0 leads out of the phrases"),
        (b"a |0-0,wa=0-1|", "the link 0-1 leads out of the phrases"),
    ],
)
def test_bad_lines(line, message):
    block = b"ok |0-0|\n" + line + b"\nok |1-1|\n"
    with pytest.raises(AlignmentError) as caught:
        parse_trace(block, [2, 2, 2], BadLines("out.trace", 7))
    assert str(caught.value).startswith("out.trace: line 8: ")
    assert message in str(caught.value)
    skipped = SkippedLines()
    text, links = parse_trace(block, [2, 2, 2], BadLines("out.trace", 7, skipped))
    assert skipped.n_skipped == 1 and skipped.first == str(caught.value)
    lines = links.to_lines()
    assert lines[0] == [[0]] and lines[2] == [[1]]
    assert lines[1] == len(text.split(b"\n")[1].split()) > 0
    assert count_words(text).tolist() == links.words_per_line.tolist()


@pytest.mark.parametrize(("n_source", "n_target"), [(256, 3), (257, 2), (1000, 700), (5000, 4999)])
def test_words_of_a_long_phrase_have_links_like_those_of_the_naive_aligner(n_source, n_target):
    """So a phrase of a whole line takes memory for its words, not for all pairs of them."""
    _, links = parse_trace(b"a " * n_target + b"|3-%d|\n" % (n_source + 2), [n_source + 3])
    words = [phrase_words(3, n_source + 3, word, n_target) for word in range(n_target)]
    assert links.to_lines() == [list(map(list, words))]
    assert links.n_links <= 256 * n_target


def test_other_number_of_lines():
    with pytest.raises(ValueError, match="1 lines of a trace, but 2 source lines"):
        parse_trace(b"a |0-0|\n", [1, 1])


WORDS = st.lists(st.sampled_from([b"a", b"b|X", b"|", b"\xc3\xa9", b"1-1"]), min_size=1, max_size=3)
SEGMENTS = st.lists(st.tuples(WORDS, st.integers(0, 9), st.integers(0, 3)), max_size=4)


@given(st.lists(SEGMENTS, max_size=4))
def test_what_was_written_is_found(lines):
    block = b"".join(
        b"".join(b" ".join(words) + b" |%d-%d| " % (a, a + n) for words, a, n in line) + b"\n"
        for line in lines
    )
    text, links = parse_trace(block, [13] * len(lines))
    assert text.split(b"\n")[:-1] == [
        b" ".join(word for words, _, _ in line for word in words) for line in lines
    ]
    assert links.to_lines() == [
        [list(range(a, a + n + 1)) for words, a, n in line for _ in words] for line in lines
    ]
    links.check(count_words(text), np.array([13] * len(lines), np.int32))


@given(st.lists(st.sampled_from([b"|", b"0-0", b"1", b"-", b" ", b",wa=", b"a", b"\n", b"\0"])))
def test_any_line_keeps_its_words(pieces):
    block = b"".join(pieces)
    skipped = SkippedLines()
    n_lines = block.count(b"\n") + (not block.endswith(b"\n") and block != b"")
    text, links = parse_trace(block, [1] * n_lines, BadLines(skipped=skipped))
    assert text.count(b"\n") == n_lines == links.n_lines
    assert count_words(text).tolist() == links.words_per_line.tolist()


@pytest.mark.parametrize(
    "line",
    [
        b"|1-1,wa=" * 50_000,
        b"|1" * 200_000,
        b"x |0-0,wa=" + b"1-1" * 100_000 + b"|",
        b"x |0-999999999|",
    ],
)
def test_hostile_lines_end_soon(line):
    skipped = SkippedLines()
    parse_trace(line, [2], BadLines(skipped=skipped))
    assert skipped.n_skipped == 1


def test_files_side_by_side(tmp_path):
    source, trace = tmp_path / "s", tmp_path / "t"
    source.write_bytes(b"das haus\nalt\n")
    trace.write_bytes(b"the |0-0| house |1-1|\nold |0-0,wa=0-0|\n")
    (lines,) = read_trace(source, trace)
    assert (lines.source, lines.target) == (b"das haus\nalt\n", b"the house\nold\n")
    assert lines.phrases.to_lines() == [[[0], [1]], [[0]]]
    trace.write_bytes(b"the |0-0| house |1-1|\nold |0-1|\n")
    with pytest.raises(AlignmentError, match=r"t: line 2: the range .* has only 1 word$"):
        list(read_trace(source, trace))
    skipped = SkippedLines()
    (lines,) = read_trace(source, trace, skipped=skipped)
    assert lines.target == b"the house\nold\n" and lines.phrases.to_lines()[1] == 1
