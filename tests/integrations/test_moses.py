"""What the scripts of Moses' truecaser do. Expected lines are what the scripts print."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from truecase.errors import WrongTypeError
from truecase.integrations.moses import Detruecase, Truecase, headlines_of, train
from truecase.rules.moses import MosesModel

MODEL = MosesModel(
    [
        (101.0, [(b"the", 90.0), (b"The", 10.0)]),
        (9.0, [(b"harbour", 5.0), (b"Harbour", 4.0)]),
        (7.0, [(b"Anna", 7.0)]),
    ]
)


@pytest.mark.parametrize(
    ("line", "written", "speech"),
    [
        (
            "THE Harbour of ANNA . Harbour",
            "the Harbour of Anna . harbour",
            "the harbour of Anna . harbour",
        ),
        ("x  THE\tX \xa0 the\r", "x the X the", "x the x the"),
        (
            '" ( The ! &quot; HARBOUR Zorb',
            '" ( the ! &quot; harbour Zorb',
            '" ( the ! &quot; harbour zorb',
        ),
        # A tag stands right behind the word before it.
        (
            "<b> The </b> ANNA|NN .|x The |The",
            "<b> the</b> Anna|NN .|x the |The",
            "<b> the</b> Anna|NN .|x the |the",
        ),
        ("a <b c>", "a<b c>", "a<b c>"),
        # A factor that is a tag
        ("x|<b>|NN The", "x|<b>| NN The", "x|<b>| nn the"),
        ("a<b 1 < 2 THE", "a <b 1 < 2 the", "a <b 1 < 2 the"),
        ("ΟΔΟΣ", "ΟΔΟΣ", "οδοσ"),
        ("", "", ""),
    ],
)
def test_truecase(line, written, speech):
    assert Truecase(MODEL).line(line) == written
    assert Truecase(MODEL, asr=True).line(line) == speech


def test_bytes_that_are_no_text_stay():
    assert Truecase(MODEL)(b"\xff THE\n\n\x00 ANNA") == b"\xff the\n\n\x00 Anna\n"
    assert Truecase(MODEL)(b"") == b""


def test_train():
    text = b'The cat saw Anna . The cat left\n" The end " The\n<b> Solo </b>\nlow start\n'
    assert _counts(train([text])) == {
        "cat": ("cat", 2, {"cat": 2}),
        "saw": ("saw", 1, {"saw": 1}),
        "anna": ("Anna", 1, {"Anna": 1}),
        "left": ("left", 1, {"left": 1}),
        "end": ("end", 1, {"end": 1}),
        "the": ("The", 1, {"The": 1}),
        "start": ("start", 1, {"start": 1}),
    }
    more = _counts(train([text], possibly_use_first_token=True))
    assert more["solo"] == ("Solo", 0.1, {"Solo": 0.1})
    assert more["low"] == ("low", 1, {"low": 1})
    assert more["the"] == ("The", 1, {"The": 1})


def test_tenths_add_up_exactly():
    model = train([b"Solo\n" * 3], possibly_use_first_token=True)
    assert list(model.lines()) == [b"Solo (0.3/0.3)\n"]


def test_blocks_are_one_text():
    assert list(train([b"a b\n", b"a B\na B\n"])) == list(train([b"a b\na B\na B\n"]))


def test_detruecase():
    detruecase = Detruecase([False, True])
    assert detruecase(b'the cat . " it left \xff\n') == b'The cat . " It left \xff\n'
    assert detruecase(b"rates of the bank\nrates  of\n") == b"Rates of the Bank\nRates of\n"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Truecase(5), "model: expected MosesModel, found int"),
        (lambda: Truecase(MosesModel([])).line(b"a"), "line: expected a str, found bytes"),
        (lambda: Detruecase(5), "headlines: expected a list, found int"),
        (lambda: Detruecase().line(None), "line: expected a str, found NoneType"),
    ],
)
def test_wrong_types(call, message):
    with pytest.raises(WrongTypeError, match=message):
        call()


def test_headlines():
    lines = [b"<hl>\n", b"<seg id=1> a\n", b"</hl>\n", b"<p>\n", b"<seg id=2> b\n"]
    assert list(headlines_of(lines)) == [True, False]


def test_many_brackets_take_no_longer_than_words():
    line = "<" * 20_000 + "a"
    assert Truecase(MODEL).line(line) == line


@given(st.text(alphabet='aThe <>."\t\xa0éÉ!'))
def test_words_stay(line):
    out = Truecase(MODEL).line(line)
    assert "".join(out.split()).lower() == "".join(line.split()).lower()


def _counts(model):
    return {
        forms[0][0].decode().lower(): (
            forms[0][0].decode(),
            total,
            {form.decode(): count for form, count in forms},
        )
        for total, forms in model
    }
