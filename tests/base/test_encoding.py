"""Texts in any encoding come as UTF-8 and go back as they were."""

import codecs
import encodings.aliases
import sys
import tracemalloc
from types import SimpleNamespace

import pytest
from examples import examples
from hypothesis import example, given
from hypothesis import strategies as st

from truecase.base.encoding import (
    FileEncoding,
    TextDecoder,
    TextEncoder,
    check_encoding,
    likely_encoding,
)
from truecase.base.read import open_text, read_blocks, read_pieces, read_whole
from truecase.errors import ReadError

FRENCH = "Où est l'été à Montréal ? Là-bas, près du café, très tôt.\r\nÇa dépend de l'élève.\n" * 20
RUSSIAN = "Анна поехала в Москву, потому что была весна.\nОна любила Невский проспект.\n" * 10
MARKS = {
    "utf-8": codecs.BOM_UTF8,
    "utf-16-le": codecs.BOM_UTF16_LE,
    "utf-16-be": codecs.BOM_UTF16_BE,
    "utf-32-le": codecs.BOM_UTF32_LE,
    "utf-32-be": codecs.BOM_UTF32_BE,
}


def pieces_of(data, sizes):
    """The data cut at these sizes, over and over."""
    start = 0
    while start < len(data):
        size = sizes[0]
        sizes = [*sizes[1:], size]
        yield data[start : start + size]
        start += size


def decoded(data, encoding=None, sizes=(1 << 18,), found=None):
    decoder = TextDecoder("a.txt", encoding, found)
    parts = [decoder.decode(piece) for piece in pieces_of(data, list(sizes))]
    return b"".join([*parts, decoder.finish()])


def encoded(text, found, sizes=(1 << 18,)):
    encoder = TextEncoder(found)
    parts = [bytes(encoder.encode(piece)) for piece in pieces_of(text, list(sizes))]
    return b"".join([*parts, encoder.encode(b"", True)])


sizes = st.lists(st.integers(1, 9), min_size=1, max_size=5)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


@given(texts, st.sampled_from([*MARKS, "latin-1", "cp1252", "shift_jis", "gb18030"]), sizes, sizes)
@example("\ufeff", "utf-16-le", [1], [1])
@example("", "utf-32-be", [1], [1])
def test_there_and_back_again(text, codec, cuts, more_cuts):
    data = text.encode(codec, "ignore")
    text = data.decode(codec)
    marked = codec in MARKS and not text.startswith("\ufeff")
    for mark in {b"", MARKS.get(codec, b"") if marked else b""}:
        found = FileEncoding()
        try:
            utf8 = decoded(mark + data, codec, cuts, found)
        except ReadError as error:
            # Of some characters these have two codes, of which only one comes back.
            may_fail = codec in ("shift_jis", "gb18030")
            if may_fail and "cannot be kept byte for byte" in str(error):
                continue
            raise
        assert utf8 == text.removeprefix("\ufeff" if codec in MARKS else "").encode()
        assert encoded(utf8, found, more_cuts) == mark + data


@pytest.mark.parametrize("codec", MARKS)
@pytest.mark.parametrize("sizes", [[1], [3], [1000]])
def test_byte_order_marks_are_recognised_and_kept(codec, sizes):
    data = MARKS[codec] + FRENCH.encode(codec)
    for wanted in {None, codec, codec.removesuffix("-le").removesuffix("-be")}:
        found = FileEncoding()
        assert decoded(data, wanted, sizes, found) == FRENCH.encode()
        assert (found.codec, found.mark) == (codec, MARKS[codec])
        assert encoded(FRENCH.encode(), found) == data


def test_nothing_but_a_mark_or_half_of_one():
    for mark in MARKS.values():
        found = FileEncoding()
        assert decoded(mark, None, [1], found) == b""
        assert encoded(b"", found) == mark
    for data in (b"", b"\xef", b"\xef\xbb", b"\xff", b"\0", b"\0\0\xfe"):
        assert decoded(data, None, [1]) == data


def test_utf_16_without_a_mark_has_the_order_that_its_nuls_show():
    for codec in ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"):
        found = FileEncoding()
        assert decoded(FRENCH.encode(codec), codec[:6], [7], found) == FRENCH.encode()
        assert (found.codec, found.mark) == (codec, b"")


@pytest.mark.parametrize(
    ("data", "encoding", "message"),
    [
        (b"a\nb \x81 c\n", "cp1252", "a.txt: line 2: the byte 81 is not cp1252"),
        (b"\xff", "ascii", "a.txt: line 1: the byte ff is not ascii"),
        ("a\n\nb".encode("utf-16-le") + b"\0\xd8", "utf-16-le", "a.txt: line 3: the bytes 00 d8"),
        ("a\n".encode("utf-16-le") + b"x", "utf-16", "a.txt: line 2: the byte 78 is not utf-16-le"),
        (b"\xef\xbb\xbfabc", "latin-1", "byte order mark of utf-8, but is to be read as iso8859-1"),
        (
            b"\xff\xfea\0",
            "utf-16-be",
            "byte order mark of utf-16-le, but is to be read as utf-16-be",
        ),
        (b"\x1b$B\x1b(Babc\n", "iso2022_jp", "cannot be kept byte for byte in iso2022_jp"),
    ],
)
@pytest.mark.parametrize("size", [1, 3, 1000])
def test_bytes_that_are_none_of_the_encoding(data, encoding, message, size):
    with pytest.raises(ReadError) as caught:
        decoded(data, encoding, [size], FileEncoding())
    assert message in str(caught.value)


@pytest.mark.parametrize("name", ["utf-99", "", "rot13", "base64", "a\0b", "hex"])
def test_no_encoding(name):
    with pytest.raises(ReadError, match="there is no character encoding"):
        check_encoding(name)


@pytest.mark.parametrize("codec", ["latin-1", "cp1252", "utf-16-le", "utf-16-be", "utf-32-be"])
@pytest.mark.parametrize("sizes", [[1], [100], [1 << 18]])
def test_another_encoding_is_refused_with_its_name(codec, sizes):
    with pytest.raises(ReadError, match="not UTF-8 but most likely") as caught:
        decoded(FRENCH.encode(codec), None, sizes)
    message = str(caught.value)
    likely = message.split("--encoding ")[1].split()[0]
    assert FRENCH.encode(codec).decode(likely) == FRENCH
    assert message.startswith("a.txt: line 1: ")


@pytest.mark.parametrize("codec", ["cp1251", "koi8-r", "utf-16-le", "utf-16-be"])
def test_another_script_is_refused_with_its_encoding(codec):
    with pytest.raises(ReadError) as caught:
        decoded(RUSSIAN.encode(codec))
    likely = str(caught.value).split("--encoding ")[1].split()[0]
    assert RUSSIAN.encode(codec).decode(likely) == RUSSIAN


@pytest.mark.parametrize(
    "text", ["“hello there”, he said\n", "‘hello’\n", "don’t\n", "a\nb\n“hello\n"]
)
def test_quotation_marks_of_cp1252_are_no_stray_bytes(text):
    with pytest.raises(ReadError, match=r"most likely cp1252 \(a guess\); .* --encoding cp1252 "):
        decoded(text.encode("cp1252"))
    assert decoded(text.encode("cp1252"), "cp1252", [1 << 10], FileEncoding()) == text.encode()


def test_the_rest_of_a_character_is_no_quotation_mark():
    for data in (b"\xe2\x80\x93hello", b"\x80\x93hello", b"\xe2\x80 a\x80\x94 b"):
        assert decoded(data) == data
    one = (b"x" * 100 + b"\n") * 7000 + b"\x93hello\x94\n"
    assert decoded(one, None, [1 << 16]) == one


def test_without_the_package_that_guesses(monkeypatch):
    monkeypatch.setitem(sys.modules, "charset_normalizer", None)
    message = "this is not UTF-8, and without the package charset-normalizer nothing is known"
    with pytest.raises(ReadError, match=f"^a.txt: line 1: {message}.* --encoding NAME "):
        decoded(FRENCH.encode("latin-1"))


def test_lines_are_counted_alike_with_and_without_numpy(monkeypatch):
    data = b"nothing but ASCII here\n" * 1000 + FRENCH.encode("latin-1")
    for modules in (sys.modules, {}):
        monkeypatch.setattr("truecase.base.threads.sys", SimpleNamespace(modules=modules))
        with pytest.raises(ReadError, match=r"^a\.txt: line 1001: this is not UTF-8"):
            decoded(data, None, [1 << 12])


def test_it_is_looked_for_beyond_the_first_block():
    data = b"nothing but ASCII here\n" * 100_000 + FRENCH.encode("latin-1")
    with pytest.raises(ReadError, match=r"^a\.txt: line 100001: this is not UTF-8"):
        decoded(data, None, [1 << 16])
    data = ("d'été\n" * 1_000_000).encode() + FRENCH.encode("latin-1") * 600
    with pytest.raises(ReadError, match=r"^a\.txt: line 1000001: this is not UTF-8"):
        decoded(data, None, [1 << 16])


@pytest.mark.parametrize(
    "data",
    [
        b"montr\xe9al\n",
        b"anna \xff\xfe anna\n\xc3",
        b"a\0b\0c\n",
        b"one line\0" * 1000,
        b"\0" * 5000 + b"after a crash\n" * 3,
        FRENCH.encode() * 10 + b"\xe9\xe8\xff\x80\x81\x82\n" + FRENCH.encode(),
        FRENCH.encode()[:-40],
        (b"x" * 100 + b"\n") * 7000 + b"\xff\xff\xff\xff\xff\xff\n",
        "日本語の文章です。\n".encode() * 100 + b"\xa4\xa2\n",
    ],
)
@pytest.mark.parametrize("sizes", [[1, 2, 3], [1 << 18]])
def test_stray_bytes_and_nuls_pass(data, sizes):
    assert decoded(data, None, sizes) == data


@given(st.binary(max_size=100), sizes)
def test_utf_8_that_is_asked_for_leaves_all_bytes(data, sizes):
    assert decoded(b"a" + data, "utf-8", sizes) == b"a" + data


@examples(30)
@given(st.text(max_size=50).map(lambda text: text.encode("utf-8", "replace")), sizes)
def test_all_utf_8_passes(data, sizes):
    text = data.decode().replace("\0", "").removeprefix("\ufeff").encode() * 20
    assert decoded(text, None, sizes) == text


def test_letters_that_an_encoding_lacks_stay_as_they_were():
    found = FileEncoding()
    found.codec = "latin-1"
    assert encoded("Ÿ É Μ İ ı".encode(), found).decode("latin-1") == "ÿ É µ i I"
    found.codec = "cp437"
    assert encoded("Α Σ".encode(), found).decode("cp437") == "α Σ"


@pytest.mark.parametrize("turkic", [False, True])
def test_there_is_no_doubt_which_letter_it_was(turkic):
    """No encoding has two letters that become the same one that it lacks."""
    dotted = {"i": "İ", "ı": "I", "I": "ı", "İ": "i"} if turkic else {}
    for codec in sorted(set(encodings.aliases.aliases.values())):
        try:
            if len(bytes(range(256)).decode(codec, "ignore")) < 128:
                continue
        except (LookupError, UnicodeError, ValueError):
            continue
        letters = bytes(range(256)).decode(codec, "ignore")
        found = FileEncoding()
        found.codec = codec
        for letter in letters:
            changed = [letter.upper(), letter.lower(), letter.title(), dotted.get(letter, letter)]
            for other in changed:
                if len(other) == 1 and other not in letters and other.encode("utf-8"):
                    try:
                        expected = other.encode(codec)
                    except UnicodeError:
                        expected = letter.encode(codec)
                    assert encoded(other.encode(), found) == expected, (codec, letter)


def test_readers(tmp_path):
    path = tmp_path / "in.txt"
    path.write_bytes(FRENCH.encode("latin-1"))
    marked = tmp_path / "marked.txt"
    marked.write_bytes(codecs.BOM_UTF8 + FRENCH.encode())
    for ahead in (False, True):
        assert b"".join(read_blocks([path], ahead=ahead, encoding="latin-1")) == FRENCH.encode()
        assert b"".join(read_blocks([marked, marked], ahead=ahead)) == 2 * FRENCH.encode()
        with pytest.raises(ReadError, match=r"in\.txt: line 1: this is not UTF-8"):
            list(read_blocks([marked, path], ahead=ahead))
    assert open_text(path, "latin-1").read() == FRENCH.encode()
    assert open_text(marked).read() == FRENCH.encode()


def test_memory_does_not_grow_with_the_text(tmp_path):
    path = tmp_path / "in.txt"
    path.write_bytes(("Où est l'été ?\n" * 200_000).encode("utf-16"))
    found = FileEncoding()
    encoder = TextEncoder(found)
    tracemalloc.start()
    n_bytes = 0
    for block in read_blocks([path], 1 << 18, ahead=False, found=found):
        n_bytes += len(encoder.encode(block))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert n_bytes == path.stat().st_size
    assert peak < 6 << 20 < n_bytes + (1 << 20)


def test_what_cannot_be_told():
    assert likely_encoding(b"") is None


@pytest.mark.parametrize(
    ("text", "codec", "likely"),
    [
        ("zürich und münchen sind schön. für größe übung.\n", "latin-1", "cp1252"),
        ("où êtes-vous allé cet été, à la forêt ? ça m'étonne.\n", "latin-1", "cp1252"),
        ("東京は大きい。京都\n", "shift_jis", "shift_jis"),
    ],
)
def test_the_more_usual_of_two_encodings_that_read_alike_is_named(
    text: str, codec: str, likely: str
) -> None:
    assert likely_encoding((text * 20).encode(codec)) == likely


@pytest.mark.parametrize("ahead", [False, True])
def test_a_line_without_end_is_refused(ahead, tmp_path, monkeypatch):
    """Else it fills the memory: ``-i /dev/zero``."""
    monkeypatch.setattr("truecase.base.read._LONGEST_LINE", 1 << 21)
    path = tmp_path / "a.txt"
    path.write_bytes(b"one\n" * (1 << 20) + b"two " * (1 << 20))
    with pytest.raises(ReadError, match=r"a\.txt: a line has 1 GiB or more: is it text\?$"):
        list(read_blocks([path], ahead=ahead))
    path.write_bytes(b"one\n" * (1 << 20) + b"two " * (1 << 18) + b"\n")
    assert b"".join(read_blocks([path], ahead=ahead)) == path.read_bytes()


def test_a_word_without_end_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("truecase.base.read._LONGEST_LINE", 1 << 21)
    path = tmp_path / "a.txt"
    path.write_bytes(b"two " * (1 << 20))
    assert b"".join(read_pieces(path)) == path.read_bytes()
    path.write_bytes(b"one " + b"\0" * (1 << 22))
    with pytest.raises(ReadError, match=r"a\.txt: a word has 1 GiB or more: is it text\?$"):
        list(read_pieces(path))


def test_a_file_without_end_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("truecase.base.read._LONGEST_LINE", 1 << 20)
    path = tmp_path / "a.srt"
    path.write_bytes(b"a\n" * (1 << 21))
    assert read_whole(path) == path.read_bytes()
    path.write_bytes(b"a\n" * (3 << 20))
    with pytest.raises(ReadError, match=r"a\.srt: 4 GiB or more are too much at once$"):
        read_whole(path)
