"""A str, and a list of them, come out as the lines of a block do, whatever is in them."""

import threading

import pytest
from examples import examples
from hypothesis import example, given
from hypothesis import strategies as st
from small_model import training_text

from truecase import Truecaser
from truecase.errors import WrongTypeError
from truecase.truecaser._texts import lines_of_texts, parts_of_texts, texts_of_lines

PIECES = [
    *("mary", "took", "THE", "bill", "london", "I", "i", "o'neill", "U.S.", ".", "?", "ß", "ŉ"),
    *("İstanbul", "Łukasz", "ǆ", "é", "𐐨𐐩", "😀", "\ud800", "\udfff", "\ud800\udc00"),
    *("\0", "\n", "\r", "\n\n", "\x0b", "\x85", "\u2028", " ", "  ", "\t", "-", "x" * 30),
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=12).map(" ".join) | st.text(
    st.characters(codec=None), max_size=8
)
HOSTILE = ["", "\n", "\n\n", "\0", "a\n", "\na", "\ud800", "é\n\n\udc00", "the end", "", ""]


class Text(str):
    """A str of another class, whose characters lie elsewhere."""

    __slots__ = ()


@pytest.fixture(scope="module", params=["whole", "unigram"])
def model(request, neural_model_file):
    return Truecaser.load(neural_model_file, decode_with=request.param)


def by_block(model, text, *more, **options):
    data = text.encode("utf-8", "surrogatepass")
    return model.case_block(data, 1, *more, **options).decode("utf-8", "surrogatepass")


@examples(150)
@given(texts=st.lists(TEXTS, max_size=6), case=st.sampled_from(["ignore", "keep", "auto"]))
@example(texts=HOSTILE, case="ignore")
def test_texts_come_out_as_the_lines_of_a_block(model, texts, case):
    wanted = [by_block(model, text, case) for text in texts]
    assert [model(text, case) for text in texts] == wanted
    assert model.batch(texts, 1, case) == wanted
    assert model.batch(iter(texts), 2, case) == wanted
    assert model.batch([Text(text) for text in texts], 1, case) == wanted
    assert [model(Text(text), case) for text in texts] == wanted


@pytest.mark.parametrize("style", ["sentence", "title", "upper"])
@pytest.mark.parametrize("sentence_start", ["always", "learned"])
def test_styles_and_starts(model, style, sentence_start):
    texts = ["mary went to london . i saw the bill", "é\nthe end", "", "\ud800 mary", *HOSTILE]
    options = {"style": style, "sentence_start": sentence_start}
    wanted = [by_block(model, text, **options) for text in texts]
    assert [model(text, **options) for text in texts] == wanted
    assert model.batch(texts, **options) == wanted


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_many_texts_of_all_sizes(model, threads):
    lines = training_text(6_000, 8).lower().splitlines()
    texts = ["", *lines, "\n", " ".join(lines[:400]), "é " * 40_000, *HOSTILE * 9, *[""] * 30_000]
    wanted = [model(text) for text in texts]
    assert model.batch(texts, threads) == wanted
    assert model.batch(texts[::-1], threads) == wanted[::-1]


def test_a_list_stays_as_it_is(model):
    texts = ["mary took the bill", "é", "\ud800"]
    before = list(texts)
    model.batch(texts)
    assert texts == before


def test_an_empty_list(model):
    assert model.batch([]) == []
    assert model.batch([], 2) == []


@pytest.mark.parametrize("threads", [1, 2])
def test_what_is_no_text_is_named_by_its_place(model, threads):
    texts = ["mary took the bill to london"] * 9_000
    texts[7_654] = b"bytes"
    with pytest.raises(WrongTypeError, match=r"^lines\[7654\]: expected a str, found bytes$"):
        model.batch(texts, threads)


@pytest.mark.parametrize("option", ["input_case", "sentence_start", "style"])
def test_options_that_there_are_not(model, option):
    for call in (model, lambda text, **given: model.batch([text], **given)):
        with pytest.raises(ValueError, match="no such"):
            call("mary", **{option: "no such"})


def test_lines_in_many_threads_at_once(model):
    lines = [*training_text(300, 5).lower().splitlines(), *HOSTILE]
    wanted = [model(line) for line in lines]
    wrong = []

    def work(begin):
        for i in range(begin, begin + len(lines)):
            if model(lines[i % len(lines)]) != wanted[i % len(lines)]:
                wrong.append(i)

    threads = [threading.Thread(target=work, args=(40 * k,)) for k in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


@examples(100)
@given(texts=st.lists(TEXTS, max_size=20), size=st.integers(0, 60))
def test_parts_and_lines_of_texts(texts, size):
    parts = parts_of_texts(texts, size)
    assert [i for begin, end in parts for i in range(begin, end)] == list(range(len(texts)))
    made = []
    for begin, end in parts:
        assert begin < end
        assert sum(len(text) + 1 for text in texts[begin : end - 1]) < max(size, 1)
        block = lines_of_texts(texts, begin, end)
        lines = "".join(f"{text}\n" for text in texts[begin:end])
        assert block == lines.encode("utf-8", "surrogatepass")
        made += texts_of_lines(texts, begin, end, block)
    assert made == texts


@pytest.mark.parametrize("block", [b"", b"A", b"A\n", b"A\nB", b"A\nB\nC"])
def test_lines_that_are_not_those_of_the_texts(block):
    with pytest.raises(ValueError, match="more than the case"):
        texts_of_lines(["a", "b\nc"], 0, 2, block)
