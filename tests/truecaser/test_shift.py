"""End marks shifted in front of sentences and back, and marks taken off."""

import re

import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from truecase.cli import main
from truecase.errors import ShiftError
from truecase.rules.punctuation import shift_back, shift_marks, take_off_marks


@pytest.mark.parametrize(
    ("text", "shifted"),
    [
        ("how are you ? i am fine .", "? how are you . i am fine"),
        ("how are you? I am fine.", "￭? how are you ￭. I am fine"),
        ("yes . and so on", ". yes ￭ and so on"),
        ("no mark at all", "no mark at all"),
        ("Mr. Smith left.", "￭. Mr. Smith left"),
        ("the u.s. army won .  yes !", ". the u.s. army won  ! yes"),
        ("... and then .", "... . and then"),
        ("", ""),
        ("a .\nb ?\n", ". a\n? b\n"),
    ],
)
def test_what_is_shifted(text, shifted):
    assert shift_marks(text) == shifted
    assert shift_back(shifted) == text


TOKENS = st.sampled_from(
    "so how you? mr. u.s. Fine. . ? ! ... ?! a .b x!y “no.” ￭x x￭. é. 1. 3.5 Ende。 . .".split()
)


@examples(300)
@given(
    st.lists(
        st.tuples(TOKENS, st.sampled_from([" ", "  ", "\t", "\n", "\u3000", "\r\n"])), max_size=25
    ),
    st.sampled_from(["", " ", "\n"]),
)
def test_shifted_and_back_is_the_same(parts, lead):
    text = lead + "".join(word + space for word, space in parts)
    if any(word.startswith("￭") for word in text.split()):
        with pytest.raises(ShiftError):
            shift_marks(text)
        return
    shifted = shift_marks(text)
    assert shift_back(shifted) == text
    assert text.count("\n") == shifted.count("\n")


@examples(200)
@given(st.text(max_size=60))
def test_any_text_comes_back(text):
    if not any(word.startswith("￭") for word in text.split()):
        assert shift_back(shift_marks(text)) == text


@examples(200)
@given(st.text(max_size=60))
def test_what_is_taken_off_is_marks(text):
    came = take_off_marks(text)
    assert came.count("\n") == text.count("\n")
    assert [c for c in came if c.isalnum()] == [c for c in text if c.isalnum()]
    assert take_off_marks(came) == came


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("Well, is it 3.5 %?", "Well is it 3.5 %"),
        ("“I don't,” she said - (no).", "I don't she said no"),
        ("how are you ?\n\n- yes", "how are you\n\nyes"),
    ],
)
def test_what_is_taken_off(text, bare):
    assert take_off_marks(text) == bare


@pytest.mark.parametrize(
    ("step", "function"), [("off", take_off_marks), ("shift", shift_marks), ("back", shift_back)]
)
def test_the_command_gives_the_same_bytes(step, function, tmp_path):
    text = "Well, how are you? I am fine .\nMr. Smith , yes\n"
    (tmp_path / "a").write_text(text)
    assert main(["text", "marks", step, "-i", str(tmp_path / "a"), "-o", str(tmp_path / "b")]) == 0
    assert (tmp_path / "b").read_text() == function(text)


def test_bytes_that_are_no_text_pass(tmp_path):
    (tmp_path / "a").write_bytes(b"a \xff b .\n")
    assert (
        main(["text", "marks", "shift", "-i", str(tmp_path / "a"), "-o", str(tmp_path / "b")]) == 0
    )
    assert (tmp_path / "b").read_bytes() == b". a \xff b\n"


def test_signs_of_shifted_marks_are_named(tmp_path, capsys):
    (tmp_path / "a").write_text("a .\n￭ b\n")
    assert (
        main(["text", "marks", "shift", "-i", str(tmp_path / "a"), "-o", str(tmp_path / "b")]) == 1
    )
    error = capsys.readouterr().err
    assert re.search(r"/a: line 2: a word begins with ￭", error)
    assert not (tmp_path / "b").exists()
