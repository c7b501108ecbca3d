"""What the fuzzer begins with, and what it has found worth keeping, through its harnesses."""

import warnings
from pathlib import Path

import pytest

HARNESSES = Path(__file__).parents[2] / "fuzz" / "harnesses"
NAMES = sorted(path.stem for path in HARNESSES.glob("[a-z]*.py"))


@pytest.mark.parametrize("name", NAMES)
def test_inputs_are_cased_or_refused(fuzz, name):
    harness = fuzz("harnesses").harness(name)
    inputs = [*harness.seeds(), *fuzz("kept").kept_inputs(name)]
    assert inputs
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for data in inputs:
            assert len(data) <= harness.MAX_LENGTH
            harness.check(data)


@pytest.mark.parametrize(
    ("before", "after"),
    [("a b", "a c"), ("a b", "a  b"), ("a\n", "a"), ("ss", "ß"), ("é", "e"), ("a", "")],
)
def test_what_is_more_than_case_is_noticed(fuzz, before, after):
    with pytest.raises(AssertionError):
        fuzz("judge").only_case(before.encode(), after.encode())


def test_what_is_case_alone_is_none(fuzz):
    for before, after in (("odos ος", "ODOS ΟΣ"), ("ǆ i̇", "ǅ İ"[:1] + " i̇"), ("straße", "STRAẞE")):
        fuzz("judge").only_case(before.encode(), after.encode())
    fuzz("judge").only_case(b"a\xff\xc3", b"A\xff\xc3")


def test_messages_of_several_lines_are_noticed(fuzz):
    for message in ("", "a\nb", "\x1b[0m", "a\u2028b"):
        with pytest.raises(AssertionError):
            fuzz("judge").one_line(ValueError(message))
    fuzz("judge").one_line(ValueError("file: line 3: a word"))


def test_kept_inputs_are_the_shortest(fuzz, tmp_path, monkeypatch):
    kept = fuzz("kept")
    monkeypatch.setattr(kept, "CORPUS", tmp_path)
    assert kept.kept_inputs("text") == []
    assert kept.keep("text", [b"abcdef" * 20, b"b", b"", b"a", b"a"], 40) == 3
    assert kept.kept_inputs("text") == [b"", b"a", b"b"]
