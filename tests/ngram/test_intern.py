from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st
from truecase_testing import segment

from truecase.ngram._words import Interner
from truecase.ngram.vocabulary import IdStream, Vocabulary


def interned(blocks, **options):
    interner = Interner(**options)
    for block in blocks:
        interner.add_block(block)
    ids = [word_id for chunk in interner.stream.chunks() for word_id in chunk.tolist()]
    return interner, ids


def plain_lines(text):
    """Words of each line as lmplz sees them; a last line needs no line feed."""
    lines = text.split(b"\n")
    if not lines[-1]:
        lines.pop()
    for separator in b"\t\r\0":
        lines = [line.replace(bytes([separator]), b" ") for line in lines]
    return [[word for word in line.split(b" ") if word] for line in lines]


def check(interner, ids, lines):
    surfaces = [b"<unk>", b"<s>", b"</s>"]
    expected = []
    for line in lines:
        for word in line:
            if word in surfaces[:3]:
                continue
            if word not in surfaces:
                surfaces.append(word)
            expected.append(surfaces.index(word))
        expected.append(2)
    assert ids == expected
    assert list(interner.vocabulary()) == surfaces
    assert interner.stream.n_lines == len(lines)
    assert len(interner) == len(surfaces)


words = st.one_of(
    st.sampled_from([b"a", b"b", b"the", b"<s>", b"</s>", b"<unk>", b"<UNK>", b"\v", b"a\x01"]),
    st.binary(max_size=60),
    st.text(max_size=30).map(str.encode),
    # Around the 24 bytes that are kept in the table itself.
    st.integers(20, 28).map(lambda n: b"x" * n),
    st.integers(20, 60).map(lambda n: b"y" * 24 + b"z" * (n - 20)),
)
separators = st.sampled_from([b" ", b"  ", b"\t", b"\n", b"\r\n", b"\n\n", b"\0", b" \n"])


@given(parts=st.lists(st.tuples(words, separators), max_size=60), last=words)
def test_space_equals_a_plain_split(parts, last):
    text = b"".join(word + separator for word, separator in parts) + last
    check(*interned([text], segmentation="space"), plain_lines(text))


@given(parts=st.lists(st.tuples(words, separators), max_size=30))
def test_raw_equals_segment(parts):
    text = b"".join(word + separator for word, separator in parts)
    lines = text.split(b"\n")
    if not lines[-1]:
        lines.pop()
    tokens = [[token.surface for token in segment(line)] for line in lines]
    check(*interned([text], segmentation="raw"), tokens)


def test_blocks_make_no_difference():
    lines = [f"line {i} of {i % 7} and some {i * i} words\n".encode() for i in range(500)]
    one, ids = interned([b"".join(lines)])
    many, same_ids = interned(lines)
    assert ids == same_ids
    assert list(one.vocabulary()) == list(many.vocabulary())


def test_many_words():
    """The table grows several times."""
    names = [b"w%d" % (i * 7919 % 100_003) for i in range(50_000)]
    names += [b"a-long-word-beyond-the-slot-%d" % i for i in range(20_000)]
    interner, ids = interned([b" ".join(names) + b"\n"] * 2)
    line = [*range(3, 70_003), 2]
    assert ids == line + line
    assert interner.vocabulary().surface(70_002) == names[-1]


def test_special_words_of_the_corpus_are_skipped_and_counted():
    interner, ids = interned([b"a <s> b </s>\n<unk>\n"])
    assert ids == [3, 4, 2, 2]
    assert interner.n_skipped == 3


@pytest.mark.parametrize(
    "text, ids", [(b"", []), (b"\n", [2]), (b"a", [3, 2]), (b"a\n", [3, 2]), (b" ", [2])]
)
def test_small_texts(text, ids):
    assert interned([text])[1] == ids
    assert interned([text], segmentation="raw")[1] == ids


def test_a_line_of_ten_thousand_words():
    assert len(interned([b"word " * 10_000])[1]) == 10_001


def test_marks_stand_for_what_they_mean():
    vocabulary = interned([b"`` It 's (here) '' -LRB- \xe2\x80\x99s\n"], segmentation="raw")[0]
    assert b"``" not in list(vocabulary.vocabulary())


def test_stream_on_disk():
    interner, ids = interned([b"a b\n", b"b c\n"], stream=IdStream(on_disk=True))
    assert ids == [3, 4, 2, 4, 5, 2]
    assert (len(interner.stream), interner.stream.n_words) == (6, 4)


def test_unknown_segmentation():
    with pytest.raises(ValueError, match="segmentation 'words'"):
        Interner("words")


def test_vocabulary_checks_its_offsets():
    vocabulary = Vocabulary.from_surfaces([b"<unk>", b"<s>", b"</s>", b"", b"word"])
    assert vocabulary.surface(3) == b""
    assert vocabulary.surface(4) == b"word"
    with pytest.raises(IndexError, match="word id 5: the vocabulary has 5 words"):
        vocabulary.surface(5)
    with pytest.raises(ValueError, match="offsets"):
        Vocabulary(vocabulary.blob, vocabulary.offsets[:-1])
    with pytest.raises(ValueError, match="offsets"):
        Vocabulary(vocabulary.blob, vocabulary.offsets[::-1])


def test_one_thread_at_a_time():
    """The other thread is refused, whatever the two manage to do."""
    interner = Interner()
    block = b" ".join(b"w%d" % i for i in range(200_000)) + b"\n"

    def add():
        try:
            interner.add_block(block)
        except RuntimeError as error:
            return str(error)
        return ""

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: add(), range(8)))
    n_added = answers.count("")
    assert n_added >= 1
    assert len(interner.stream) == n_added * 200_001
    assert all("another thread" in answer for answer in answers if answer)
