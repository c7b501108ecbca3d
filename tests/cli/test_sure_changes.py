"""``--min-odds``: like Python, and what does not go together."""

import pytest

from truecase import Truecaser


@pytest.fixture(scope="module")
def english():
    return Truecaser.load()


def test_odds_in_other_commands(truecase, english):
    line = "The Board met in paris"
    sure = english.with_casing(min_odds=1000)
    assert sure(line) != english(line)
    words = truecase("--confidence", "--min-odds", "1000", text=f"{line}\n".encode())
    assert words.stdout == sure.table_block(f"{line}\n".encode(), with_posteriors=True)
    po = f'msgid "Y"\nmsgstr "{line}"\n'
    done = truecase("file", "-q", "--min-odds", "1000", text=po.encode())
    assert done.stdout.decode() == po.replace(line, sure(line))
    rows = f"text\n{line}\n".encode()
    options = ("table", "-q", "--format", "csv", "--column", "text", "--min-odds", "1000")
    assert truecase(*options, text=rows).stdout.decode().split("\n")[1] == sure(line)


@pytest.mark.parametrize("value", ["0", "0.5", "-3", "nan", "inf", "", "sure", "1e400"])
def test_wrong_odds(truecase, value):
    done = truecase(f"--min-odds={value}", text=b"x\n")
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1)
    assert b"expected a number from 1 to 1e300" in done.stderr


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        ("--min-odds 5 --style upper", 2, "--style upper raises all letters whatever it says"),
        ("--min-odds 5 --one-sense", 2, "does not go together"),
        ("--min-odds 5 --decode-with unigram", 1, "min_odds: a model without n-grams"),
        ("--min-odds 5 -m MOSES", 2, "--min-odds: Moses' truecaser knows no probabilities"),
    ],
)
def test_what_has_no_effect_is_refused(truecase, model, options, code, message):
    done = truecase(*options.replace("MOSES", model).split(), text=b"THE sea\n")
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (code, b"", 1)
    assert message in done.stderr.decode()
