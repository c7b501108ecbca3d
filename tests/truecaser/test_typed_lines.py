"""Lines that a person types first: greetings, questions, names of today, quotes, lists."""

from pathlib import Path

import pytest

from truecase.truecaser import Truecaser

LINES = [
    line
    for line in (Path(__file__).parent.parent / "data" / "typed.txt")
    .read_text("utf-8")
    .splitlines()
    if not line.startswith("# ")
]
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
