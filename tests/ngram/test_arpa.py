import gzip
import math
import os
import re
import shutil
import struct
import subprocess
import sys
import threading

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from ngram_models import validate

from truecase.errors import ArpaError, ReadError
from truecase.ngram import arpa
from truecase.ngram._words import format_lines
from truecase.ngram.arpa import is_sorted, read_arpa, write_arpa
from truecase.ngram.table import NgramModel
from truecase.ngram.vocabulary import Vocabulary

SMALL = """
\\data\\
ngram 1=5
ngram 2=3

\\1-grams:
-1.5\t<unk>\t0
0\t<s>\t-0.25
-0.75\t</s>\t0
-0.5\tHello\t-0.125
-1\tworld\t-0.5

\\2-grams:
-0.1\t<s> Hello
-0.2\tHello world
-0.3\tworld </s>

\\end\\
""".lstrip()


def read_text(tmp_path, text, name="m.arpa"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_arpa(path)


def as_dictionaries(vocabulary, model):
    surfaces = list(vocabulary)
    out = []
    for k in range(1, model.order + 1):
        backoff = model.log10_backoff[k - 1] if k < model.order else [None] * model.n_ngrams[k - 1]
        rows = zip(model.words[k - 1].tolist(), model.log10_prob[k - 1], backoff, strict=True)
        out.append({b" ".join(surfaces[word] for word in row): (p, b) for row, p, b in rows})
    return out


def f32(number):
    return float(np.float32(number))


def format_number(number):
    """A number as ARPA files have it, before a word without letters."""
    out = np.zeros(256, np.uint8)
    _, n_bytes = format_lines(
        np.zeros((1, 1), np.uint32), np.array([number], np.float32), None, np.zeros(0, np.uint8),
        np.zeros(2, np.int64), 0, out,
    )  # fmt: skip
    return out[:n_bytes].tobytes().decode().removesuffix("\t\n")


def test_reads_what_is_there(tmp_path):
    vocabulary, model = read_text(tmp_path, SMALL)
    validate(model, len(vocabulary))
    assert list(vocabulary) == [b"<unk>", b"<s>", b"</s>", b"Hello", b"world"]
    assert model.n_ngrams == [5, 3]
    unigrams, bigrams = as_dictionaries(vocabulary, model)
    assert unigrams[b"Hello"] == (-0.5, -0.125)
    assert unigrams[b"<s>"] == (0, -0.25)
    assert bigrams == {
        b"<s> Hello": (f32(-0.1), None),
        b"Hello world": (f32(-0.2), None),
        b"world </s>": (f32(-0.3), None),
    }


@pytest.mark.parametrize("name", ["m.arpa", "m.arpa.gz"])
def test_written_and_read_again(tmp_path, name):
    vocabulary, model = read_text(tmp_path, SMALL)
    path = tmp_path / f"out-{name}"
    write_arpa(path, vocabulary, model)
    data = path.read_bytes()
    assert (data[:2] == b"\x1f\x8b") == name.endswith(".gz")
    again_vocabulary, again = read_arpa(path)
    assert list(again_vocabulary) == list(vocabulary)
    for a, b in zip(
        again.log10_prob + again.log10_backoff, model.log10_prob + model.log10_backoff, strict=True
    ):
        assert a.tobytes() == b.tobytes()
    write_arpa(path, vocabulary, model)
    assert path.read_bytes() == data


def test_what_is_written(tmp_path):
    vocabulary, model = read_text(tmp_path, SMALL)
    write_arpa(tmp_path / "out", vocabulary, model)
    assert (tmp_path / "out").read_text() == SMALL


# Numbers that take an exponent, where the locale has a comma.
IN_GERMAN = """
import locale
import sys
from pathlib import Path
from truecase.ngram.arpa import read_arpa, write_arpa

locale.setlocale(locale.LC_ALL, "de_DE.UTF-8")
assert locale.localeconv()["decimal_point"] == ","
write_arpa(sys.argv[2], *read_arpa(sys.argv[1]))
assert Path(sys.argv[1]).read_bytes() == Path(sys.argv[2]).read_bytes()
"""


def test_numbers_have_points_in_every_locale(tmp_path):
    if shutil.which("localedef") is None:
        pytest.skip("no program that makes locales")
    made = ["localedef", "-i", "de_DE", "-f", "UTF-8", tmp_path / "de_DE.UTF-8"]
    if subprocess.run(made, capture_output=True).returncode:
        pytest.skip("no definition of the locale")
    (tmp_path / "in").write_text(SMALL.replace("-0.25", "-1.50000005e-07"))
    command = [sys.executable, "-c", IN_GERMAN, tmp_path / "in", tmp_path / "out"]
    subprocess.run(command, check=True, env={**os.environ, "LOCPATH": str(tmp_path)})


def test_any_order_of_lines(tmp_path):
    """Other programs sort differently; ids follow the unigrams."""
    head, tail = SMALL.split("\\2-grams:\n")
    lines = tail.split("\n\n")[0].split("\n")
    shuffled = head + "\\2-grams:\n" + "\n".join(reversed(lines)) + "\n\n\\end\\\n"
    vocabulary, model = read_text(tmp_path, shuffled)
    validate(model, len(vocabulary))
    assert as_dictionaries(vocabulary, model) == as_dictionaries(*read_text(tmp_path, SMALL))


def test_habits_of_other_programs(tmp_path):
    text = (
        "\n# made by hand\n\n\\data\\\nngram  1 = 5\nngram 2=2\nngram 3=1\n\n\n\\1-grams:\n"
        "-99 <s> -0.5\n-1e0\t</s>\n-inf\tno\t-.25\n  -0.5 yes \n-2\t<UNK>\n\n"
        "\\2-grams:\n-1e30 <s> yes -0\n-1\t<s>\tno\t-1e38\n\n"
        "\\3-grams:\n-1.0E-1 <s> yes <UNK>\n\n\\end\\\n"
    ).replace("\n", "\r\n")
    vocabulary, model = read_text(tmp_path, text)
    validate(model, len(vocabulary))
    unigrams, bigrams, trigrams = as_dictionaries(vocabulary, model)
    assert unigrams == {
        b"<unk>": (-2, 0),
        b"<s>": (-99, -0.5),
        b"</s>": (-1, 0),
        b"no": (-99, -0.25),
        b"yes": (-0.5, 0),
    }
    assert bigrams == {b"<s> yes": (-99, 0), b"<s> no": (-1, -99)}
    assert trigrams == {b"<s> yes <unk>": (f32(-0.1), None)}


@pytest.mark.parametrize("words", ["a <unk> <UNK> b", "a <UNK> b <unk>", "<UNK> <unk> a b"])
def test_beside_unk_its_upper_case_is_a_word(tmp_path, words):
    """In any order: SRILM sorts ``<UNK>`` before ``<unk>``."""
    header = "\\data\\\nngram 1=4\nngram 2=1\n\n\\1-grams:\n"
    lines = "".join(f"-{words.index(word)}.5 {word}\n" for word in words.split())
    read = read_text(tmp_path, f"{header}{lines}\n\\2-grams:\n-1 <UNK> <unk>\n\n\\end\\\n")
    unigrams, bigrams = as_dictionaries(*read)
    for word in words.split():
        assert unigrams[word.encode()] == (-words.index(word) - 0.5, 0)
    assert bigrams == {b"<UNK> <unk>": (-1, None)}


def test_unk_in_upper_case_is_refused_twice(tmp_path):
    text = "\\data\\\nngram 1=2\n\n\\1-grams:\n-1 <UNK>\n-2 <UNK>\n\n\\end\\\n"
    with pytest.raises(ArpaError, match="6: this word is among the unigrams already"):
        read_text(tmp_path, text)


def test_special_words_that_are_missing_are_added(tmp_path):
    text = "\\data\\\nngram 1=1\nngram 2=0\n\n\\1-grams:\n-0.5\tword\n\n\\2-grams:\n\n\\end\\\n"
    vocabulary, model = read_text(tmp_path, text)
    validate(model, len(vocabulary))
    assert model.n_ngrams == [4, 0]
    assert model.log10_prob[0].tolist() == [-99, -99, -99, -0.5]


@pytest.mark.parametrize(
    "old, new, message",
    [
        ("\\data\\", "data", r"no \\data\\"),
        ("ngram 1=5\n", "", "2: expected the number of 1-grams"),
        ("ngram 1=5\nngram 2=3\n", "", "expected 'ngram 1=…'"),
        ("ngram 2=3", "ngram 3=3", "3: expected the number of 2-grams, found 'ngram 3=3'"),
        ("ngram 1=5", "ngram 1=4", "10: expected .2-grams: after the 4 1-grams of the header"),
        ("ngram 1=5", "ngram 1=6", "12: expected 6 1-grams, found '.*2-grams:' after 5"),
        ("ngram 2=3", "ngram 2=2", "15: expected .end. after the 2 2-grams"),
        ("ngram 2=3", "ngram 2=4", "17: expected 4 2-grams, found '.*end.*' after 3"),
        ("ngram 2=3", "ngram 2=999999999999", "17: expected 999999999999 2-grams"),
        ("\\2-grams:", "\\3-grams:", "12: expected .2-grams:, found '.*3-grams:'"),
        ("-0.2\t", "minus\t", "14: expected a log10 probability .* 'minus\\\\tHello world'"),
        ("-0.2\t", "0x12\t", "14: expected a log10 probability"),
        ("-0.2\t", "nan\t", "14: expected a log10 probability"),
        ("-0.2\t", "-0,2\t", "14: expected a log10 probability"),
        ("-0.2\t", "-2e-1\0x\t", "14: expected a log10 probability"),
        ("-0.2\t", "0.5\t", "14: a probability above 1"),
        ("Hello world", "Hello", "14: fewer than 2 words"),
        ("Hello world", "Hello moon", "14: a word that is not among the unigrams: .*moon"),
        ("Hello world", "Hello world 0 0", "14: more fields"),
        ("Hello world", "Hello world there", "14: after 2 words, expected a backoff"),
        ("Hello world", "Hello world -0.5", "14: a backoff in the highest order"),
        ("Hello world", "<s> Hello", "the 2-gram '<s> Hello' occurs twice"),
        ("\tworld\t", "\tHello\t", "10: this word is among the unigrams already"),
        ("\t</s>\t", "\t<s>\t", "8: this word is among the unigrams already"),
        ("\tworld\t", "\tworld\t1e6", "10: after 1 words, expected a backoff"),
        ("\\end\\\n", "", "16: the file ends where .end. was expected"),
        ("\\end\\\n", "-0.3\tworld Hello\n", "17: expected .end. after the 3 2-grams"),
    ],
)
def test_broken_files(tmp_path, old, new, message):
    assert SMALL.count(old) >= 1
    with pytest.raises(ArpaError, match=message) as caught:
        read_text(tmp_path, SMALL.replace(old, new, 1))
    assert str(tmp_path / "m.arpa") in str(caught.value)
    assert "\n" not in str(caught.value)


def test_files_cut_off_anywhere(tmp_path):
    for n_bytes in range(len(SMALL) - 1):
        with pytest.raises(ArpaError, match=r"m\.arpa"):
            read_text(tmp_path, SMALL[:n_bytes])
    read_text(tmp_path, SMALL[:-1])


def test_gzip_cut_off_anywhere(tmp_path):
    data = gzip.compress(SMALL.encode(), mtime=0)
    for n_bytes in range(2, len(data)):
        with pytest.raises((ArpaError, ValueError), match=r"m\.arpa\.gz"):
            read_text(tmp_path, data[:n_bytes], "m.arpa.gz")


@given(data=st.binary(max_size=200), at=st.integers(0, len(SMALL)))
def test_any_bytes_end_in_an_error_or_a_valid_model(tmp_path_factory, data, at):
    path = tmp_path_factory.getbasetemp() / f"{threading.get_ident()} any.arpa"
    path.write_bytes(SMALL[:at].encode() + data + SMALL[at + len(data) :].encode())
    try:
        vocabulary, model = read_arpa(path)
    except (ArpaError, ReadError) as error:
        message = str(error)
    else:
        validate(model, len(vocabulary))
        return
    assert "any.arpa" in message


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
@example(-1e-7)
@example(-0.12499999)
@example(16777216.0)
@example(-99.0)
@example(-9.99999999)
@example(3.4028234663852886e38)
@example(1e-45)
def test_numbers_come_back(number):
    number = f32(number)
    text = format_number(number)
    assert np.float32(text) == np.float32(number)
    assert len(text) < 32


@given(st.floats(-8, -(2**-10), width=32))
def test_numbers_are_short(number):
    text = format_number(number)
    assert re.fullmatch(r"-\d(\.\d*[1-9])?", text)
    assert len(text) <= len(f"{number:.9g}") + 4


def test_numbers_are_the_shortest_where_lmplz_writes_them():
    exponents = struct.unpack("<200f", np.linspace(-7, -0.01, 200).astype("<f4").tobytes())
    for number in exponents:
        assert len(format_number(number)) <= len(str(np.float32(number)))


@given(order=st.integers(1, 5), bits=st.integers(2, 32), data=st.data())
def test_is_sorted(order, bits, data):
    ids = st.one_of(st.integers(0, 3), st.integers(0, 2**bits - 1))
    rows = data.draw(st.lists(st.lists(ids, min_size=order, max_size=order), max_size=30))
    words = np.array(rows, dtype=np.uint32).reshape(-1, order)
    ordered = words[np.lexsort(words.T[::-1])]
    assert ordered.tolist() == sorted(rows)
    assert is_sorted(ordered) == (len({tuple(row) for row in rows}) == len(rows))


def test_words_longer_than_a_buffer(tmp_path):
    long = b"x" * 3_000_000
    vocabulary = Vocabulary.from_surfaces([b"<unk>", b"<s>", b"</s>", long])
    model = NgramModel(
        [np.arange(4, dtype=np.uint32)[:, None], np.array([[3, 3]], dtype=np.uint32)],
        [np.full(4, math.log10(0.25), dtype=np.float32), np.zeros(1, dtype=np.float32)],
        [np.zeros(4, dtype=np.float32)],
    )
    write_arpa(tmp_path / "out", vocabulary, model)
    again, read = read_arpa(tmp_path / "out")
    assert again.surface(3) == long
    assert read.words[1].tolist() == [[3, 3]]


@pytest.mark.parametrize("n_bytes", [1, 40, 100])
def test_a_line_that_does_not_end(tmp_path, monkeypatch, n_bytes):
    """It is not read as a whole, wherever blocks end."""
    monkeypatch.setattr(arpa, "BLOCK_BYTES", n_bytes)
    monkeypatch.setattr(arpa, "MAX_LINE_BYTES", 100)
    with pytest.raises(ArpaError, match=r"m\.arpa: line 10: a line that does not end$"):
        read_text(tmp_path, SMALL.replace("world", "w" * 200, 1))


def test_ids_outside_the_vocabulary_are_not_written(tmp_path):
    vocabulary, model = read_text(tmp_path, SMALL)
    model.words[1][2, 1] = 7
    with pytest.raises(ValueError, match="word id 7 in a vocabulary of 5 words"):
        write_arpa(tmp_path / "out", vocabulary, model)
    with pytest.raises(ValueError, match="2-grams: word id 7 of 5 words"):
        validate(model, len(vocabulary))
    assert not (tmp_path / "out").exists()
