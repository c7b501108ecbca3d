"""One sense per document: what a text says of a word counts elsewhere in it."""

import io
import math
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recipes import trained

from truecase import Truecaser, name_list
from truecase.cli import main
from truecase.errors import CasingError, DocumentError
from truecase.truecaser import one_sense
from truecase.truecaser.one_sense import (
    WEIGHTS,
    WINDOW,
    Evidence,
    apply_changes,
    changes,
    read_words,
    windows,
)

# A bill is a name after "called" and none after "a"; elsewhere there is nothing to tell it by.
TEXT = (
    "he is called Bill by us .\n" * 60
    + "it is a bill of the house .\n" * 60
    + "we know bill now .\n" * 20
    + "we know Bill now .\n" * 19
).encode()
DOCUMENT = ["he is called bill by us .", "we know bill now .", "he is called bill by us ."]


@pytest.fixture(scope="module")
def model():
    return trained(TEXT, "ngram", min_count=1)


def test_a_name_elsewhere_makes_one_of_a_doubtful_word(model):
    by_lines = model.batch(DOCUMENT)
    assert by_lines[1] == "We know bill now ."
    assert model.document(DOCUMENT, context="line", one_sense=True)[1] == "We know Bill now ."
    # Without a word of it elsewhere, nothing changes.
    assert model.document(DOCUMENT[1:2], context="line", one_sense=True) == [by_lines[1]]


def test_documents_do_not_speak_for_each_other(model):
    lines = [*DOCUMENT, "===", DOCUMENT[1]]
    cased = model.document(lines, context="line", one_sense=True, separator="===")
    assert cased[1] == "We know Bill now ." and cased[-1] == "We know bill now ."


def test_a_separator_stays_as_it_is(model):
    lines = [*DOCUMENT, "end of it", *DOCUMENT]
    for context in ("line", "document"):
        cased = model.document(lines, context=context, one_sense=True, separator="end of it")
        assert cased[3] == "end of it"


def test_a_list_counts_more_than_the_document(model):
    named = model.with_names(name_list(["!BILL"]))
    cased = named.document(DOCUMENT, context="line", one_sense=True)
    assert [line.split()[2] for line in cased] == ["called", "BILL", "called"]


def table(*rows):
    return "".join(f"0\t1\t{row}\n" if row else "\n" for row in rows)


def test_which_forms_are_evident():
    seen = {"common": 100_000, "rare": 3}
    evidence = Evidence(
        table(
            "First\tIU\t1.000000",  # a first word says nothing
            "Paris\tIU\t0.990000",
            "common\tAL\t1.000000",  # common in lower case
            "rare\tAL\t0.950000",
            "Doubt\tIU\t0.790000",
            ".\tAN\t1.000000",
            "Second\tIU\t1.000000",
            "NATO\tAU\t0.800000",
            "",
            "Third\tIU\t1.000000",
            "Split\tIU\t1.000000",
            "split\tAL\t1.000000",
            "",
        ),
        lambda word: seen.get(word, 0),
    )
    assert evidence.forms() == ["NATO", "Paris", "rare"]


def rows(*words):
    """A table of lines, of words that stand side by side with a space between them."""
    written = ""
    for line in words:
        start = 0
        for word, tag, posterior in line:
            written += f"{start}\t{start + len(word)}\t{word}\t{tag}\t{posterior:f}\n"
            start += len(word) + 1
        written += "\n"
    return written


FIRST = rows(
    [("We", "IU", 1), ("met", "AL", 1), ("Bill", "IU", 0.97), (".", "AN", 1)],
    [("Now", "IU", 1), ("bill", "AL", 0.6), ("left", "AL", 0.9), (".", "AN", 1)],
)
SECOND = FIRST.replace("bill\tAL", "Bill\tIU")


def test_what_speaks_for_a_change():
    evidence = Evidence(FIRST, lambda word: 19)
    (change,) = changes(evidence, read_words(SECOND))
    assert (change.line, change.word, change.kind, change.second.text) == (1, 1, "raised", "Bill")
    log_odds = math.log(0.6 / 0.4) / 3
    expected = {
        "places_of_second": math.log(2),
        "seen": math.log(20) / 5,
        "distance": math.log(2) / 3,
        "first_log_odds": log_odds,
        "second_log_odds": log_odds,
        # First words have capitals in any case.
        "capital_before_in_second": 1,
        "capitals": 10 * (3 / 6 - 0.15),
        "share": 0.5,
        "constant": 1,
        "capital_before": 1,
    }
    names = WEIGHTS["raised"]
    assert change.features == pytest.approx({name: expected.get(name, 0) for name in names})


@pytest.mark.parametrize(("weight", "text"), [(9.0, "Bill"), (-9.0, "bill")])
def test_weights_decide(monkeypatch, weight, text):
    weights = dict.fromkeys(WEIGHTS["raised"], 0.0) | {"constant": weight}
    monkeypatch.setattr(one_sense, "WEIGHTS", dict.fromkeys(WEIGHTS, weights))
    given_text = "we\tmet bill .\nnow bill left .\r\n"
    evidence = Evidence(FIRST, lambda word: 19)
    assert apply_changes(given_text, SECOND, evidence) == (f"We\tmet Bill .\nNow {text} left .\r\n")


def test_weights_are_those_of_the_features():
    assert list(WEIGHTS) == ["raised", "lowered", "other"]
    (change,) = changes(Evidence(FIRST, lambda word: 19), read_words(SECOND))
    assert {tuple(weights) for weights in WEIGHTS.values()} == {tuple(change.features)}


@given(st.lists(st.text("aiİIßǅz .!?\r\t-é中\x85\u2028\udcff", max_size=20), max_size=9))
def test_two_passes_change_case_alone(model, lines):
    block = "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")
    cased = model.one_sense_block(block + b"we know bill .\nhe is called bill by us .\n")
    text = cased.decode("utf-8", "surrogateescape")
    assert text.lower().replace("i\u0307", "i").split("\n")[:-3] == [
        line.lower().replace("i\u0307", "i") for line in lines
    ]


@given(
    st.lists(st.sampled_from([b"a\n", b"\n", b"=\n", b"b\r\n"]), max_size=30).map(b"".join),
    st.lists(st.integers(0, 40), max_size=4),
    st.booleans(),
)
def test_windows_do_not_depend_on_blocks(text, cuts, at_blank_lines):
    ends = [place + 1 for place in range(len(text)) if text[place] == 0x0A]
    places = [0, *sorted(ends[cut] for cut in set(cuts) if cut < len(ends)), len(text)]
    pieces = [text[a:b] for a, b in zip(places, places[1:], strict=False) if a < b]
    found = list(windows(pieces, b"=", at_blank_lines=at_blank_lines))
    assert found == list(windows([text], b"=", at_blank_lines=at_blank_lines))
    assert b"".join(found) == text


def test_windows_end():
    assert [w.count(b"\n") for w in windows([b"a\n" * 500])] == [WINDOW, WINDOW, 500 - 2 * WINDOW]
    text = b"a\n" * (WINDOW + 10) + b"\n" + b"a\n" * 3 * WINDOW
    sizes = [w.count(b"\n") for w in windows([text], at_blank_lines=True)]
    assert sizes == [WINDOW + 11, 2 * WINDOW, WINDOW]


@pytest.mark.parametrize("context", ["line", "document"])
def test_the_command_line_and_python_give_the_same(
    monkeypatch, capsysbinary, model_file, tmp_path, context
):
    lines = "the ferry of mary is in lyon\nand dr. chen is there .\n\nthe nasa of mary .\n" * 90
    expected = Truecaser.load(model_file).document(
        lines.split("\n")[:-1], context=context, one_sense=True
    )
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
    assert main(["-m", str(model_file), "--one-sense", "--context", context, "-j", "2"]) == 0
    assert capsysbinary.readouterr().out.decode() == "".join(f"{line}\n" for line in expected)


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--one-sense", "--tags"], "--one-sense does not go together with --tags"),
        (["--one-sense", "--line-buffered"], "does not go together with --line-buffered"),
        (["--one-sense", "--style", "upper"], "--one-sense: --style upper raises all letters"),
        (["--one-sense", "-m", "{moses}"], "--one-sense: models of Moses' truecaser"),
    ],
)
def test_wrong_options(monkeypatch, capsysbinary, tmp_path, args, message):
    moses = tmp_path / "moses"
    moses.write_text("the (5/6) The (1)\n")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"x\n")))
    assert main([arg.format(moses=moses) for arg in args]) in (1, 2)
    assert message in capsysbinary.readouterr().err.decode()


def test_wrong_arguments(model):
    with pytest.raises(DocumentError, match="context line: lines by themselves"):
        model.document(["a"], context="line")
    with pytest.raises(CasingError, match="context 'page': expected one of line, document"):
        model.document(["a"], context="page")
