"""Moses truecase models: format, and truecasing with them."""

import gzip
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from truecase.errors import ReadError
from truecase.rules.moses import MosesModel, MosesTruecaser, read_moses_model

MODEL = (
    b"the (90/101) The (10) THE (1)\n"
    b"harbour (5/9) Harbour (4)\n"
    b"Anna (7/7)\n"
    b"iPhone (2/3) IPHONE (1)\n"
    b"us (4/7) US (3)\n"
    b"Stra\xc3\x9fe (1/1)\n"
    b"odd (0.30000000000000004/1.3) Odd (1)\n"
    b"(a) (2/2)\n"
)


@pytest.fixture
def model_file(tmp_path):
    path = tmp_path / "truecase-model.en"
    path.write_bytes(MODEL)
    return path


@pytest.fixture
def truecaser(model_file):
    return MosesTruecaser(MosesModel.read(model_file))


def test_read_and_written_is_the_same(model_file, tmp_path):
    model = MosesModel.read(model_file)
    model.write(tmp_path / "copy")
    assert (tmp_path / "copy").read_bytes() == MODEL
    assert len(model) == 8
    assert next(iter(model)) == (101, [(b"the", 90), (b"The", 10), (b"THE", 1)])


def test_compressed_model(tmp_path):
    path = tmp_path / "model.gz"
    path.write_bytes(gzip.compress(MODEL))
    assert b"".join(MosesModel.read(path).lines()) == MODEL
    assert b"".join(read_moses_model(path).lines()) == MODEL


def test_what_is_no_model(tmp_path):
    path = tmp_path / "x"
    for content in (b"", b"just a text\n", b"{}", b"\x40\0\0\0\0\0\0\0{}", b"word (7)\n"):
        path.write_bytes(content)
        assert read_moses_model(path) is None


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"the (1/1) The", "line 2: expected pairs"),
        (b"the (one/1)", "line 2: .*expected a count"),
        (b"the 1/1", "line 2: 1/1: expected a count"),
        (b"the (1e999/1)", "line 2: the count 1e999 is beyond 9007199254740992"),
        (b"the (1/1e999)", "line 2: the count 1e999 is beyond"),
        (b"the (1/1) The (1e308)", "line 2: the count 1e308 is beyond"),
        (b"the (" + b"9" * 9_000 + b"/1)", r"line 2: the count 9{37}\.\.\. is beyond"),
    ],
)
def test_broken_line_is_named(tmp_path, line, message):
    path = tmp_path / "model.en"
    path.write_bytes(b"a (1/1)\n" + line + b"\n")
    with pytest.raises(ReadError, match=message) as caught:
        MosesModel.read(path)
    assert "model.en" in str(caught.value)


def test_ignore_takes_best_forms_and_lowercases_others(truecaser):
    assert truecaser.case_block(b"THE ANNA Unknown IPHONE") == b"the Anna unknown iPhone"


def test_text(truecaser):
    assert truecaser("THE ANNA \ud800 é") == "the Anna \ud800 é"


def test_keep_changes_first_words_and_unseen_forms(truecaser):
    text = b"The Harbour in the US . THE Anna hArbour iphone Foo"
    expected = b"the Harbour in the US . the Anna harbour iPhone Foo"
    assert truecaser.case_block(text, input_case="keep") == expected


def test_all_takes_best_forms_everywhere(truecaser):
    text = b"Foo The Harbour US anna"
    assert truecaser.case_block(text, input_case="all") == b"Foo the harbour us Anna"


def test_auto_goes_by_line(truecaser):
    text = b"THE HARBOUR FOO\nThe Harbour Foo\nthe anna foo\n"
    expected = b"the harbour foo\nthe Harbour Foo\nthe Anna foo\n"
    assert truecaser.case_block(text, input_case="auto") == expected


def test_quotes_and_brackets_delay_the_first_word(truecaser):
    for mark in (b'"', b"'", b"(", b"[", b"&quot;", b"&apos;", b"&#91;"):
        text = b"x . " + mark + b" The Harbour"
        expected = b"x . " + mark + b" the Harbour"
        assert truecaser.case_block(text, input_case="keep") == expected


def test_markup_and_factors_are_left_alone(truecaser):
    text = b'<b class="THE">THE</b> THE|DT|THE | THE< 1 < THE > THE'
    expected = b'<b class="THE">the</b> the|DT|THE | THE< 1 < the > the'
    assert truecaser.case_block(text, input_case="all") == expected


def test_unknown_rule(truecaser):
    with pytest.raises(ValueError, match="sometimes"):
        truecaser.case_block(b"", input_case="sometimes")


def test_training_count(truecaser):
    assert truecaser.training_count("THE") == 101
    assert truecaser.training_count("nowhere") == 0


def test_turkish():
    model = MosesModel([(3.0, [("İstanbul".encode(), 3.0)])])
    truecaser = MosesTruecaser(model, "tr")
    assert truecaser.case_block("istanbul IŞIK".encode()).decode() == "İstanbul ışık"


def test_threads_give_the_same(truecaser):
    text = b"".join(b"THE line %d of the harbour ANNA\n" % i for i in range(30_000))
    assert truecaser.case_block(text, threads=4) == truecaser.case_block(text)


PIECES = st.sampled_from(
    ["the", "The", "ANNA", "iphone", "Foo", " ", "  ", "\t", "\n", "\r\n", "\r", ".", '"', "<b>"]
    + ["<", ">", "|", "é", "É", "ß", "İ", "\u2028", "\0", "&quot;", "strasse", "STRAßE"]
)


@given(st.lists(PIECES), st.binary(max_size=6), st.sampled_from(["ignore", "keep", "all", "auto"]))
def test_only_case_changes(pieces, garbage, rule):
    truecaser = MosesTruecaser(MosesModel([(1.0, [(b"Anna", 1.0)]), (1.0, [(b"the", 1.0)])]))
    text = "".join(pieces).encode() + garbage + b"the end"
    out = truecaser.case_block(text, input_case=rule)
    assert len(re.findall(b"\n", out)) == len(re.findall(b"\n", text))
    fold = [b.decode("utf-8", "surrogateescape").lower() for b in (text, out)]
    assert fold[0] == fold[1]


# What sacremoses 0.2.0 makes of these lines with MODEL: by default, with use_known, with is_asr.
SACREMOSES = [
    (
        "THE Harbour of us : Us and ANNA .",
        "the harbour of us : us and Anna .",
        "the Harbour of us : us and Anna .",
        "the harbour of us : us and Anna .",
    ),
    (
        '" ( The Iphone ! &quot; HARBOUR Zorb',
        '" ( the iPhone ! &quot; harbour Zorb',
        '" ( the iPhone ! &quot; harbour Zorb',
        '" ( the iPhone ! &quot; harbour zorb',
    ),
    (
        "<b> The </b> IPHONE|NN US|x The |US",
        "<b> the </b> iPhone|NN us|x the |US",
        "<b> the </b> IPHONE|NN US|x The |US",
        "<b> the </b> iPhone|NN us|x the |US",
    ),
]


@pytest.mark.parametrize(("given", "default", "use_known", "is_asr"), SACREMOSES)
def test_lines_come_out_as_of_sacremoses(truecaser, given, default, use_known, is_asr):
    for rule, expected in (("all", default), ("keep", use_known), ("ignore", is_asr)):
        assert truecaser(given, rule) == expected


def test_the_command_line_has_the_default_of_sacremoses(model_file, tmp_path, capsysbinary):
    from truecase.cli import main

    (tmp_path / "in.txt").write_text("THE Zorb IPHONE\n")
    for flags, expected in (
        ([], b"the Zorb iPhone\n"),
        (["--input-case", "keep"], b"the Zorb IPHONE\n"),
        (["--input-case", "ignore"], b"the zorb iPhone\n"),
    ):
        assert main(["-m", str(model_file), "-i", str(tmp_path / "in.txt"), *flags]) == 0
        assert capsysbinary.readouterr().out == expected
