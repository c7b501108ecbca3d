"""Kinds of lines against a plain twin, the detector, and what training text is rid of."""

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from parts import arrays_of, metadata_of
from recipes import trained
from reference.portage import is_mostly_upper, line_kind
from small_model import random_block

from truecase.errors import StyleError, TrainingError
from truecase.rules._lines import BODY, TITLE, UNCLEAR, TitleDetector
from truecase.rules.styles import N_WEIGHTS
from truecase.training.recipe import Filters
from truecase.training.text_filter import TextFilter

BODY_LINES = [
    "the committee said that it had not yet read the report .",
    "He told us that the weather was getting worse every year .",
    "they were walking along the river when it began to rain .",
    "She said the meeting was over and went back to the house .",
]
TITLE_LINES = [
    "Report of the Standing Committee on Agriculture",
    "Weather Forecast for the Coming Week",
    "Guide to Walking Along Northern Rivers",
    "Meeting Minutes and Annual Report",
]
MIXED = "\n".join((BODY_LINES + TITLE_LINES) * 30) + "\n"

PIECES = [
    "the", "Report", "of", "COMMITTEE", "committee", "NASA", "state-of-the-art", "Über", "ǅ", "I",
    "don't", "'s", "10kV", "U.S.", "http://A.b/C", ".", "?", ":", ",", "日本", "\t", "’Tis", "‐",
]  # fmt: skip
LINES = st.one_of(st.lists(st.sampled_from(PIECES), max_size=12).map(" ".join), st.text())


def whole_lines(lines):
    return "".join(line.replace("\n", " ") + "\n" for line in lines).encode(
        "utf-8", "surrogatepass"
    )


@examples(100)
@given(lines=st.lists(LINES, max_size=6), segmentation=st.sampled_from(["raw", "space"]))
def test_kinds_are_those_of_the_twin(lines, segmentation):
    block = whole_lines(lines)
    kinds, junk = TitleDetector(segmentation).look(block)
    expected = block.split(b"\n")[:-1]
    assert list(kinds) == [line_kind(line, segmentation) for line in expected]
    assert list(junk) == [is_mostly_upper(line, segmentation) for line in expected]


@pytest.mark.parametrize(
    "line, kind",
    [
        ("Report of the Standing Committee on Agriculture", TITLE),
        ("the committee said it had read the report .", BODY),
        ("John met Mary in the garden behind the station .", BODY),
        ("TABLE OF CONTENTS AND FIGURES", TITLE),
        ("Introduction", UNCLEAR), ("", UNCLEAR), ("12.5 % of it", UNCLEAR),
        ("Ann Lee of Green River met Senator Frank Hill.", BODY),
        ('Ann Lee and Frank Hill wrote "Green River Songs."', BODY),
        ("Who Wrote Green River Songs?", TITLE),
    ],
)  # fmt: skip
def test_examples_of_kinds(line, kind):
    assert list(TitleDetector().look(line.encode() + b"\n")[0]) == [kind]


@pytest.fixture(scope="module")
def detector():
    detector = TitleDetector()
    detector.learn(MIXED.encode())
    return detector


class TestDetector:
    def test_it_tells_titles_by_their_form(self, detector):
        assert detector.detect("\n".join(TITLE_LINES).lower().encode()).all()
        assert not detector.detect("\n".join(BODY_LINES).lower().encode()).any()
        unseen = b"minutes of the northern committee\nhe said that it was raining ."
        assert list(detector.detect(unseen)) == [1, 0]

    @examples(100)
    @given(text=LINES)
    def test_case_takes_no_part(self, detector, text):
        from truecase.kernels._unicode import lower

        lowered = lower(text)
        assert list(detector.detect(lowered.encode("utf-8", "surrogatepass"))) == list(
            detector.detect(text.encode("utf-8", "surrogatepass"))
        )

    @examples(100)
    @given(data=st.binary(max_size=80))
    def test_any_bytes_have_an_entry_per_line(self, detector, data):
        n = data.count(b"\n") + (len(data) > 0 and not data.endswith(b"\n"))
        assert len(detector.detect(data)) == n
        kinds, junk = detector.look(data)
        assert len(kinds) == len(junk) == n
        assert not detector.detect(b"\n\n").any()

    def test_the_same_text_gives_the_same_weights(self, detector):
        other = TitleDetector()
        other.learn(MIXED.encode())
        assert (other.weights == detector.weights).all()
        again = TitleDetector(weights=detector.weights)
        assert list(again.detect(MIXED.encode())) == list(detector.detect(MIXED.encode()))

    def test_lines_of_any_length_are_learnt_from(self):
        detector = TitleDetector()
        for seed in range(3):
            detector.learn(random_block(20_000, seed))
        detector.learn(b"word " * 100_000 + b"\n")
        assert np.isfinite(detector.weights).all()

    @pytest.mark.parametrize(
        "weights",
        [np.zeros(3, np.float32), np.full(N_WEIGHTS, np.nan, np.float32), np.zeros((2, N_WEIGHTS))],
    )
    def test_damaged_weights_are_refused(self, weights):
        with pytest.raises(ValueError, match="weights"):
            TitleDetector(weights=weights)


def filtered(text, **options):
    block = text.encode()
    half = block.find(b"\n", len(block) // 2) + 1
    clean = TextFilter(Filters(**options))
    return b"".join(clean([block[:half], block[half:]])).decode(), clean


class TestTextFilter:
    def test_nothing_is_changed_unless_asked_for(self):
        text = MIXED + "ALL IN CAPITALS\n<b>bold</b>\n  \nno end"
        assert filtered(text)[0] == text
        assert filtered(text, title_detector=True)[0] == text

    def test_junk_is_lines_mostly_in_upper_case_and_markup(self):
        text = 'THE BIG SALE\nIBM and <a href="x">HP</a> <br/>sold 3 < 4 > 2 things\nNASA\n'
        text += "<!-- x -->ok\n"
        cleaned, clean = filtered(text, clean=True)
        assert cleaned == "IBM and HP sold 3 < 4 > 2 things\nNASA\n ok\n"
        assert clean.left_out == {"junk_lines": 1}

    def test_body_only_and_titles_only(self):
        body, clean = filtered(MIXED, titles="drop")
        assert body == "\n".join(BODY_LINES * 30) + "\n"
        assert clean.left_out == {"title_lines": 120}
        titles, clean = filtered(MIXED, titles="only")
        assert titles == "\n".join(TITLE_LINES * 30) + "\n"
        assert clean.left_out == {"body_lines": len(BODY_LINES) * 30}

    def test_a_sentence_full_of_names_is_no_title(self):
        names = "Ann Lee of Green River met Senator Frank Hill .\n"
        text = MIXED + names * 20
        assert filtered(text, titles="drop")[0].endswith(names * 20)
        assert names not in filtered(text, titles="only")[0]

    def test_where_case_says_nothing_the_form_decides(self):
        text = MIXED + "Annual Report\nhe said so .\n"
        body = filtered(text, titles="drop")[0]
        assert "Annual" not in body.split("\n")[-2]
        assert body.endswith("he said so .\n")

    def test_a_pattern_makes_a_line_a_title(self):
        text = MIXED + "the report was read in the committee ( Reuters )\n"
        assert filtered(text, titles="drop")[0].endswith("( Reuters )\n")
        body = filtered(text, titles="drop", title_patterns=(r"\( Reuters \)$",))[0]
        assert "Reuters" not in body

    def test_a_pattern_that_is_none_is_refused(self):
        with pytest.raises(StyleError, match="title pattern '\\('"):
            Filters(titles="drop", title_patterns=("(",))

    def test_patterns_without_a_use_are_refused(self):
        with pytest.raises(TrainingError, match="title_patterns"):
            Filters(title_patterns=("x",))
        with pytest.raises(TrainingError, match=r"titles .*: expected"):
            Filters(titles="some")

    @pytest.mark.parametrize("text", ["", "\n", "one line without end", "A Title Without End Here"])
    def test_small_texts(self, text):
        for titles in ("all", "drop", "only"):
            kept = filtered(text, clean=True, titles=titles, title_detector=True)[0]
            assert kept in (text, text + "\n", "")

    def test_a_model_is_trained_on_the_lines_that_are_left(self):
        text = MIXED.encode() + b"THE END OF IT\n"
        model = trained(text, titles="drop", clean=True, min_count=1)
        corpus = metadata_of(model)["notes"]["corpus"]
        assert corpus["lines"] == 120
        assert corpus["title_lines"] == 120
        assert corpus["junk_lines"] == 1
        assert model("the committee said") == "The committee said"
        assert "titles/weights" not in arrays_of(model)
