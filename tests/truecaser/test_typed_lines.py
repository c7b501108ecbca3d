"""Lines that a person types first: greetings, questions, names of today, quotes, lists."""

from pathlib import Path

import pytest

from truecase.kernels._unicode import lower
from truecase.truecaser import Truecaser

DATA = Path(__file__).parents[1] / "data"
MODELS = DATA.parents[1] / "models"
LINES = [
    line
    for line in (DATA / "typed.txt").read_text("utf-8").splitlines()
    if not line.startswith("# ")
]
LANGUAGES = {
    code: lines.splitlines()
    for code, _, lines in (
        part.partition("\n")
        for part in (DATA / "typed_languages.txt").read_text("utf-8").split("## ")[1:]
    )
}
RIGHT = [line.removeprefix("~") for line in LINES]
KNOWN = {line[1:] for line in LINES if line.startswith("~")}


@pytest.fixture(scope="module")
def wrong():
    truecaser = Truecaser.load()
    return {line for line in RIGHT if truecaser(line.lower()) != line}


def test_there_are_as_many_as_promised():
    assert len(set(RIGHT)) == len(RIGHT) >= 610


def test_no_line_is_wrong_that_was_right(wrong):
    assert wrong - KNOWN == set()


def test_lines_that_are_right_now_are_known_to_be(wrong):
    assert KNOWN - wrong == set()


@pytest.mark.skipif(not MODELS.is_dir(), reason="the tests are not in a checkout")
@pytest.mark.parametrize("language", LANGUAGES)
def test_lines_of_other_languages(language):
    """Lines that come out right from lower case, and as they are."""
    (path,) = MODELS.glob(f"{language}/*/*.truecase")
    truecaser, right = Truecaser.load(path), LANGUAGES[language]
    assert [truecaser(lower(line, language)) for line in right] == right
    assert truecaser.batch(right) == right
