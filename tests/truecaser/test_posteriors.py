"""Posteriors of words: sums, the best path, other presets, calibration."""

import random
from itertools import pairwise

import numpy as np
import pytest
from parts import compiled
from reference.calibration import reliability
from small_model import random_block, training_text

import truecase
from truecase.errors import WrongTypeError
from truecase.evaluation._posteriors import word_posteriors


@pytest.mark.parametrize("preset", ["ngram", "unigram", "crf"])
def test_words_and_sums(train_model, preset):
    options = {"preset": preset}
    model = train_model(training_text().encode(), **options)
    text = training_text(60, seed=4).lower()
    lines = model.posteriors(text)
    assert [[word[:4] for word in line] for line in lines] == model.tags(text)
    assert len(lines) == text.count("\n")
    for word in (word for line in lines for word in line):
        assert word.candidates[0][:2] == (word.text, word.tag)
        assert word.posterior == word.candidates[0].posterior
        assert sum(c.posterior for c in word.candidates) == pytest.approx(1.0, abs=1e-6)
        assert len({c.text for c in word.candidates}) == len(word.candidates)
        assert all(c.text.lower() == word.text.lower() for c in word.candidates)


def test_any_bytes(model):
    block = random_block(30_000, 3)
    lines = list(word_posteriors(compiled(model), block))
    assert len(lines) == block.count(b"\n") + (not block.endswith(b"\n"))
    for line in lines:
        for _, _, forms in line:
            assert all(np.isfinite(p) and 0 <= p <= 1 for _, _, p in forms)


@pytest.mark.parametrize("text", ["", "\n", "\n\n", "   ", "."])
def test_next_to_nothing(model, text):
    lines = [] if not text else [[]] * max(1, text.count("\n"))
    if text == ".":
        lines = [[(0, 1, ".", "AN")]]
    assert [[word[:4] for word in line] for line in model.posteriors(text)] == lines
    assert model.tags(text) == lines


def test_words_that_keep_their_case_are_certain(model):
    (words,) = model.posteriors("the BRIDGE", input_case="keep")
    assert words[1].text == "BRIDGE" and words[1].posterior == pytest.approx(1.0)
    with pytest.raises(ValueError, match="input_case"):
        model.posteriors("x", input_case="mixed")


def test_ten_thousand_words(model):
    text = " ".join(training_text(2000, 9).lower().split()[:10_000])
    (words,) = model.posteriors(text)
    assert [word[:4] for word in words] == model.tags(text)[0]
    assert all(np.isfinite(word.posterior) for word in words)


def test_tables_of_words(model):
    out = model.table_block(b"the bridge\n\nof london", with_posteriors=True)
    lines = out.decode().split("\n")
    assert lines[2] == lines[3] == "" and out.endswith(b"\n\n")
    assert [line.split("\t")[:4] for line in lines[:2]] == [
        ["0", "3", "The", "IU"],
        ["4", "10", "bridge", "AL"],
    ]
    assert all(0 < float(line.split("\t")[4]) <= 1 for line in lines if line)
    tags = model.table_block(b"the bridge\n\nof london").decode().split("\n")
    assert tags == [line.rpartition("\t")[0] for line in lines]


@pytest.fixture(scope="module", params=["ngram", "en"])
def truecaser(request, model):
    return model if request.param == "ngram" else truecase.Truecaser.load()


def mixed(n_lines, seed):
    """Lines with slips, a tenth of them in one case."""
    draw = random.Random(seed)
    lines = []
    for line in training_text(n_lines, seed).splitlines():
        slips = [str.lower, str.upper, str.title, *6 * [str]]
        lines.append(" ".join(draw.choice(slips)(word) for word in line.split()))
        if draw.random() < 0.1:
            lines[-1] = draw.choice([str.lower, str.upper])(lines[-1])
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("style", ["sentence", "title"])
def test_changes_are_the_words_that_differ(truecaser, style):
    text = mixed(60, 7)
    cased, changes = truecaser.changes_block(text.encode(), style=style)
    assert cased == truecaser.case_block(text.encode(), style=style)
    assert changes == truecaser.changes(text, style=style) != []
    given, came_out = (one.split("\n") for one in (text, cased.decode()))
    for number, (before, after) in enumerate(zip(given, came_out, strict=True), 1):
        found = {change.word for change in changes if change.line == number}
        words = enumerate(zip(before.split(), after.split(), strict=True), 1)
        assert found == {place for place, (a, b) in words if a != b}
    at = (
        (number, text[word.start : word.end], word.text, word.posterior)
        for number, line in enumerate(truecaser.posteriors(text, style=style), 1)
        for word in line
    )
    expected = [word for word in at if word[1] != word[2]]
    assert [(change.line, *change[2:]) for change in changes] == expected


def test_changes_of_next_to_nothing(model):
    for text in ("", "\n", " \n\n", ".", "\0", "\0\n\0 \ud800"):
        assert model.changes(text) == []
    assert model.changes("x\n\n the\0 Of")[-1][:4] == (3, 2, "Of", "of")
    assert model.changes_block(b"") == (b"", [])
    with pytest.raises(WrongTypeError, match="expected a str"):
        model.changes(b"the")
    block = random_block(30_000, 4)
    cased, changes = model.changes_block(block)
    assert cased == model.case_block(block)
    lines = block.decode("utf-8", "surrogateescape").split("\n")
    assert all(change.before in lines[change.line - 1] for change in changes)


@pytest.mark.parametrize("input_case", ["ignore", "keep", "auto"])
@pytest.mark.parametrize("odds", [1.5, 20, 1e300])
def test_sure_changes(truecaser, input_case, odds):
    text = mixed(100, 11)
    sure = truecaser.with_casing(min_odds=odds, input_case=input_case)
    # The form that a word came in is among its candidates then, whatever the odds.
    lines = truecaser.posteriors(text, input_case=input_case, min_odds=1 + 1e-9)
    expected, done = [], 0
    for given, words in zip(text.splitlines(), lines, strict=True):
        says_something = not (given.islower() or given.isupper())
        for word in words:
            before = text[word.start : word.end]
            of_before = sum(c.posterior for c in word.candidates if c.text == before)
            stays = says_something and word.posterior < odds * of_before
            expected += text[done : word.start], before if stays else word.text
            done = word.end
    assert sure(text) == "".join([*expected, text[done:]])


def test_sure_changes_are_the_same_each_way(truecaser):
    text = mixed(300, 12)
    sure = truecaser.with_casing(min_odds=5)
    cased = sure(text)
    assert sure.batch(text.splitlines(), threads=3) == cased.splitlines()
    for out in (sure.case_block(text.encode(), threads=4), sure.changes_block(text.encode())[0]):
        assert out.decode() == cased
    words = [word for line in truecaser.tags(text, min_odds=5) for word in line]
    assert [word.text for word in words] == [cased[word.start : word.end] for word in words]
    changes = [
        set(truecaser.changes(text, input_case="ignore", min_odds=odds))
        for odds in (1.01, 2, 5, 50)
    ]
    for more, fewer in pairwise(changes):
        assert more > fewer
    assert truecaser.explain("THE Sea").to_dict() == sure.explain("THE Sea").to_dict()


def test_sure_changes_of_any_bytes(model):
    sure = model.with_casing(min_odds=3)
    block = random_block(30_000, 5)
    cased = sure.case_block(block)
    assert cased == sure.changes_block(block)[0]
    assert sure.case_block(b"") == b"" and sure("\0").encode() == b"\0"


def test_a_word_that_stays_keeps_its_sharp_s(model):
    text = "The STRAẞE and the sea"
    assert "STRAẞE" not in model(text)
    for caser in (model.with_casing(min_odds=1e300), model.with_casing(input_case="keep")):
        assert caser(text) == text == caser.changes_block(text.encode())[0].decode()


def test_reliability():
    bins, error = reliability([(0.95, True)] * 19 + [(0.95, False)] + [(0.55, False)] * 20)
    assert [(b.n_words, b.accuracy) for b in bins] == [(20, 0.0), (20, 0.95)]
    assert error == pytest.approx(0.275)
    assert reliability([]) == ([], 0.0)
    bins, _ = reliability([(1.0, True)])
    assert bins[0].low == 0.999
