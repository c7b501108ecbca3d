"""Documents: sentences that run over line ends, from Python and the command line."""

import io
import sys
import textwrap

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from reference import line_ends as twin
from small_model import training_text

from truecase import Truecaser
from truecase.cli import main
from truecase.errors import CasingError
from truecase.truecaser import document
from truecase.truecaser.line_ends import line_ends_inside

WRAPPED = """\
the ferry from lyon to cork was late again on monday. mary
took the train, and dr. chen of the royal hospital in oslo
was there before noon, he said.
a short line of its own
the bridge is in peru, said ahmed, and not in washington or
in accra.
- one thing is that the line that follows it is a part of
  it
- another thing
"""


def test_a_filled_text_shows_where_paragraphs_end():
    inside = line_ends_inside(WRAPPED.encode())
    assert inside.tolist() == [True, True, False, False, True, False, True, False, False]


@pytest.mark.parametrize(
    "line",
    [
        "- what?",
        "* one",
        "• one",
        "– no",
        "1. one",
        "(2) two",
        "a) one",
        "iii) three",
        "1.2 scope",
        "§ 5",
        "john: hello",
        "dr. smith: hello",
        "speaker 1: hello",
        "[music]",
        "> quoted",
        ">> next speaker",
        "♪ la la",
        "# title",
    ],
)
def test_lines_that_begin_something(line):
    assert not line_ends_inside(f"and so it went\n{line}\n".encode())[0]


@pytest.mark.parametrize(
    "line",
    [
        "-year plan",
        "a man",
        "i am",
        "1,000 people",
        "3 people",
        "it is so: yes",
        "(and so on)",
        "x",
    ],
)
def test_lines_that_go_on(line):
    assert line_ends_inside(f"and so it went\n{line}\n".encode())[0]


@given(
    st.lists(
        st.lists(
            st.sampled_from(["a", "of", "bridge", "washington", "said:", "left.", "*"]), max_size=9
        ).map(" ".join),
        max_size=14,
    ).map("\n".join)
)
@example("")
@example("\n\n")
@example(WRAPPED.replace("-", "=").replace("= ", ""))
def test_line_ends_are_those_of_the_twin(text):
    assert line_ends_inside(text.encode()).tolist() == twin.line_ends_inside(
        text, lambda line: line.startswith("* "), lambda line: line.split()[0] == "said:"
    )


def test_a_word_before_a_colon_is_no_speaker_where_lines_are_filled():
    text = """\
the director of the film about the ferry to the north
said: "it was late again on monday, and the ferry to lyon
was in time, as it is each morning of the year in lyon."
mary: that is so
"""
    inside = line_ends_inside(text.encode()).tolist()
    assert inside == [True, True, False, False]
    assert line_ends_inside(b"the bridge\nmary: that is so\n").tolist() == [False, False]


def test_wide_letters_count_once():
    text = "ééééééééé ééééééééé éééééééééé\nzzzz zzzzzzzzz zzzzzzzzzz zzzzz\n" * 3
    assert line_ends_inside(text.encode())[:-1].all()


def test_a_wrapped_paragraph_is_cased_as_it_is_on_one_line(model):
    words = training_text(60).lower().replace(" .", ".").split()
    paragraph = " ".join(words)
    lines = textwrap.wrap(paragraph, 40, break_long_words=False, break_on_hyphens=False)
    assert "\n".join(model.document(lines)).split() == model(paragraph).split()


def test_line_by_line_each_is_a_sentence(model):
    assert model.document(["the bridge is in", "lyon ."]) == ["The bridge is in", "Lyon ."]
    assert model.document(["the bridge is", "", "in lyon ."]) == ["The bridge is", "", "In Lyon ."]


@given(
    st.lists(st.text("aiİIßǅz .!?\r\t-:é中\x0b\x85\u2028", max_size=20), max_size=12),
    st.sampled_from([None, "-", "z"]),
)
def test_only_case_changes(model, lines, separator):
    cased = model.document(lines, separator=separator)
    assert len(cased) == len(lines)
    for given_line, line in zip(lines, cased, strict=True):
        assert line.lower().replace("i̇", "i") == given_line.lower().replace("i̇", "i")


@given(st.binary(max_size=60))
@example(b"\xff\nthe\n\xe2\x80\n")
@example(b"the\0bridge\nof\n")
def test_bytes_that_are_no_text_stay(model, block):
    cased = document.case_documents(model.case_block, block)
    assert cased.count(b"\n") == block.count(b"\n")
    assert len(cased) == len(block) or not block.isascii()


@given(st.lists(st.sampled_from(["a b.", "c", "", "  ", "---", "d e?"]), max_size=40), st.data())
def test_documents_do_not_depend_on_blocks(lines, data):
    text = "".join(f"{line}\n" for line in lines).encode()
    cut = sorted(data.draw(st.lists(st.sampled_from(range(len(lines) + 1)), max_size=5)))
    ends = [0, *(sum(len(line) + 1 for line in lines[:n]) for n in cut), len(text)]
    pieces = [text[a:b] for a, b in zip(ends, ends[1:], strict=False) if a < b]
    found = list(document.document_blocks(pieces, b"---"))
    assert b"".join(found) == text
    for block in found[:-1]:
        assert block.splitlines()[-1].strip() in (b"", b"---")


def test_a_document_without_end_is_cut_in_the_same_places(model, monkeypatch):
    monkeypatch.setattr(document, "LONGEST", 500)
    lines = ("the bridge of lyon\nis in cork.\n" * 100).encode().splitlines(keepends=True)
    whole = list(document.document_blocks([b"".join(lines)]))
    by_line = list(document.document_blocks(lines))
    cuts = {sum(map(len, by_line[:n])) for n in range(len(by_line) + 1)}
    assert len(by_line) > 5 and all(part.endswith(b".\n") for part in by_line)
    assert {sum(map(len, whole[:n])) for n in range(len(whole) + 1)} <= cuts
    text = b"".join(lines)
    assert [document.case_documents(model.case_block, part) for part in by_line]
    assert b"".join(by_line) == text


def run(monkeypatch, capsysbinary, args, text):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
    status = main(args)
    return status, capsysbinary.readouterr()


@pytest.mark.parametrize("more", [[], ["-j", "2"], ["--line-buffered"]])
def test_the_command_line_and_python_give_the_same(monkeypatch, capsysbinary, model_file, more):
    text = WRAPPED + "\n===\nthe bridge of\nmary\n===\nof lyon\n\r\nin cork\r\n"
    args = ["-m", str(model_file), "--context", "document", "--document-separator", "===", *more]
    status, got = run(monkeypatch, capsysbinary, args, text.encode())
    lines = text.split("\n")[:-1]
    expected = Truecaser.load(model_file).document(lines, separator="===")
    assert (status, got.out.decode()) == (0, "".join(f"{line}\n" for line in expected))


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--document-separator", "x"], "only --context document has documents"),
        (["--context", "document", "--tags"], "does not go together with --tags"),
        (["--context", "document", "--style", "upper"], "--context: has no effect"),
        (["--context", "document", "--document-separator", " "], "expected the text of one line"),
    ],
)
def test_wrong_options(monkeypatch, capsysbinary, args, message):
    status, got = run(monkeypatch, capsysbinary, args, b"x\n")
    assert status in (1, 2) and message in got.err.decode()


def test_wrong_arguments(model):
    with pytest.raises(ValueError, match=r"lines\[1\]: has a line feed"):
        model.document(["a", "b\nc"])
    with pytest.raises(document.DocumentError, match="expected the text of one line"):
        model.document(["a"], separator="")
    with pytest.raises(TypeError, match="lines: expected a list of str, found one str"):
        model.document("a")
    with pytest.raises(document.DocumentError, match="context line: use batch"):
        model.document(["a"], context="line")
    with pytest.raises(CasingError, match="context 'page': expected one of line, document"):
        model.document(["a"], context="page")
