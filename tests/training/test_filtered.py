"""What filters leave out, no preset learns from; a line is filtered once, with its source."""

import numpy as np
import pytest
from parts import arrays_of, metadata_of
from recipes import recipe
from small_bitext import bitext
from small_model import training_text

from truecase.alignment.lines import AlignedLines, Phrases
from truecase.rules.styles import TitleWeights
from truecase.training.recipe import PRESETS, Filters
from truecase.training.text_filter import TextFilter
from truecase.training.train import train
from truecase.truecaser import Truecaser

pytestmark = pytest.mark.filterwarnings("ignore:Kneser-Ney")

SMALL = {"crf-neural": {"folds": 2, "epochs": 1}, "bilingual-neural": {"folds": 2, "epochs": 1}}

# What is left of these by a filter is again something that it takes out.
TWICE = b"so he said <<b>i>that<<b>/i> it was new\n"
JUNK = b"BREAKING NEWS FROM ALL THE OFFICES\n"
TITLE = b"Report of the Small Committee on Railways\n"


def spoiled(text):
    """The lines of a text with others among them that are to be left out or cleaned."""
    lines = []
    for number, line in enumerate(text.splitlines(keepends=True)):
        lines.append(line)
        lines += [[], [TWICE], [JUNK], [TITLE]][number % 4]
    return b"".join(lines)


def spoiled_bitext(lines):
    target, source = spoiled(lines.target), spoiled(lines.source)
    words, out = iter(lines.phrases.to_lines()), []
    for line in target.splitlines(keepends=True):
        known = line in (TWICE, JUNK, TITLE)
        out.append([[i] for i in range(len(line.split()))] if known else next(words))
    return AlignedLines(target, source, Phrases.from_lines(out))


def blocks_of(preset):
    if PRESETS[preset].source is not None:
        return list(spoiled_bitext(bitext(500, seed=5)).parts(9_000))
    text = spoiled(training_text(900, seed=3).encode())
    middle = text.index(b"\n", len(text) // 2) + 1
    return [text[:middle], text[middle:]]


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize(
    "filters",
    [
        {"clean": True},
        {"clean": True, "titles": "drop", "title_detector": True},
        {"titles": "drop", "title_patterns": ("^so ",)},
    ],
)
def test_a_filtered_text_is_as_good_as_one_without_those_lines(preset, filters):
    blocks, options = blocks_of(preset), SMALL.get(preset, {})
    model = Truecaser(train(lambda: blocks, recipe(preset, **options, **filters)).model)
    text_filter = TextFilter(Filters(**filters))
    left = list(text_filter(blocks))
    plain = Truecaser(train(lambda: left, recipe(preset, **options)).model)
    assert set(arrays_of(model)) - set(arrays_of(plain)) == (
        {"titles/weights"} if "title_detector" in filters else set()
    )
    for name, array in arrays_of(plain).items():
        np.testing.assert_array_equal(arrays_of(model)[name], array, err_msg=name)
    corpus = metadata_of(model)["notes"]["corpus"]
    assert corpus == {**metadata_of(plain)["notes"]["corpus"], **text_filter.left_out}
    assert sum(text_filter.left_out.values()) > 0
    if "title_detector" in filters:
        learnt = TitleWeights.of(text_filter.detector).arrays["weights"]
        np.testing.assert_array_equal(arrays_of(model)["titles/weights"], learnt)


def test_tags_leave_the_words_of_a_line_aligned():
    lines = AlignedLines(
        b"<b>Press</b> OK<br/>now <hr /> .\nALL OF THIS IN CAPITALS\nwhat is left\n",
        b"Appuyez OK maintenant .\nTOUT EN CAPITALES\nce qui reste\n",
        Phrases.from_lines([[[0], [1, 2], [], [], [3]], [[0], [1], [1], [2], [2]], 3]),
    )
    (cleaned,) = TextFilter(Filters(clean=True))([lines])
    assert cleaned.target == b" Press OK now .\nwhat is left\n"
    assert cleaned.source == b"Appuyez OK maintenant .\nce qui reste\n"
    # `OK<br/>now` was one word, and is two.
    assert cleaned.phrases.to_lines() == [[[0], [1, 2], [1, 2], [3]], 3]
    cleaned.check()


def test_lines_without_phrases_are_filtered_as_well():
    lines = AlignedLines(b"ALL OF THIS IN CAPITALS\n<i>left</i>", b"TOUT\nreste")
    (cleaned,) = TextFilter(Filters(clean=True))([lines])
    assert (cleaned.target.split(), cleaned.source) == ([b"left"], b"reste\n")
    assert cleaned.phrases is None
