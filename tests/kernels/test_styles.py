"""Titles, upper case, and the style that each line asks for."""

import pytest
from examples import examples
from hypothesis import assume, example, given
from hypothesis import strategies as st
from parts import arrays_of, metadata_of, of_arrays
from recipes import trained
from reference.casing import fold as fold_character
from reference.casing import upper as upper_character
from reference.portage import long_words as plain_long_words
from reference.portage import title as plain_title
from truecaser_text import HARBOUR_LINES

import truecase
from truecase.errors import CasingError, ModelError, StyleError
from truecase.kernels._spans import find_spans
from truecase.rules._lines import StyleWriter, TitleDetector
from truecase.rules.language import rules_of
from truecase.rules.styles import N_WEIGHTS, TITLE_GUIDES, Styler, TitleWeights, words_inside
from truecase.truecaser import Truecaser

SMALL_WORDS = TITLE_GUIDES["title"].small_words
SMALL = [word.encode() for word in SMALL_WORDS]
LOWER = " ".join(map(str, rules_of("en")["titles"].values())).split()
JOINED = [word.encode() for word in LOWER]
INSIDE = words_inside("en")
WITHIN = [word.encode() for word in INSIDE]

PIECES = [
    "anna", "Port", "ELLIS", "o'brien", "iPhone", "don't", "does n't", "the", "of", "A", "'s",
    "state-of-the-art", "well-known", "Jean-luc", "a-b", "to-do", "l'homme", " ", "  ", "\t", "\r",
    "\n", ".", "! ", ":", " : ", "--", "—", "(", '"', "ǆ", "ΣΑΣ", "straße", "İ", "ı", "ſ", "ﬁ",
    "日本", "1984", "3rd", "http://A.b/C", "x@Y.z", "e.g.", "\u0301", "\x00", "ა", "up‑to‑date",
    "(", " [", " - ", " in ", " a ", "minor", " major", " flat ", "feat.", "non-ASCII", "U.S.-led",
    "20-year-old", "pre-9/11", "-1/2", "/2-a", " 7 ", "x86-64-bit",
    " van ", " Anna", " km", "/", ", ", " up", " and", " or ",
]  # fmt: skip
TEXTS = st.one_of(st.lists(st.sampled_from(PIECES), max_size=30).map("".join), st.text(max_size=60))


def fold(text):
    return "".join(map(fold_character, text))


@pytest.fixture(scope="module")
def model():
    titles = ["Guide to the Northern Harbours", "Report of the Committee on Railways"] * 20
    text = "\n".join([*HARBOUR_LINES, *titles]).encode()
    return trained(text, min_count=1, title_detector=True)


@pytest.mark.parametrize(
    "cased, expected",
    [
        ("The history of the European Union", "The History of the European Union"),
        ("A guide to NASA: an introduction", "A Guide to NASA: An Introduction"),
        ("What is it for?", "What Is It For?"),
        ("The state-of-the-art e-mail", "The State-of-the-Art E-Mail"),
        ("Follow-up visits", "Follow-Up Visits"),
        ("He didn't see the dog's tail", "He Didn't See the Dog's Tail"),
        ("he did n't see the dog 's tail", "He Did n't See the Dog 's Tail"),
        ("My iPhone and I", "My iPhone and I"),
        ("The day -- and the night", "The Day -- And the Night"),
        ("What? a dog!", "What? A Dog!"),
        ("See http://a.b/c for more, e.g. the 3rd", "See http://a.b/c for More, e.g. the 3rd"),
        ("From here to eternity", "From Here to Eternity"),
        (
            "A non-ASCII name in the US-led DNA-based test",
            "A Non-ASCII Name in the US-Led DNA-Based Test",
        ),
        ("U.S.-backed and un-American acts", "U.S.-Backed and Un-American Acts"),
        ("dual-RNA--guided", "Dual-RNA--Guided"),
        ("A 20-year-old plan of the mid-1990s", "A 20-Year-Old Plan of the Mid-1990s"),
        ("Life in a post-9/11 world", "Life in a Post-9/11 World"),
        ("Two in a canoe (to speak of no dog)", "Two in a Canoe (To Speak of No Dog)"),
        ("The day - the night [of the owl]", "The Day - The Night [Of the Owl]"),
        ("The shop(s) of the town", "The Shop(s) of the Town"),
        ("Sonata in a minor for violin", "Sonata in A Minor for Violin"),
        ("Rondo in a flat major", "Rondo in A Flat Major"),
        ("Suite No. 2 in b minor", "Suite No. 2 in B Minor"),
        ("In a minor role", "In a Minor Role"),
        ("Custody of a minor", "Custody of a Minor"),
        ("Blue night (feat. Anna)", "Blue Night (feat. Anna)"),
        ("How it began in 1950", "How It Began in 1950"),
        ("The way to 2030", "The Way to 2030"),
        ("What is it made of", "What Is It Made Of"),
        ("Letters to R. Green, Esq., to the end", "Letters to R. Green, Esq., to the End"),
        ("The Brown Inc. of Maine", "The Brown Inc. of Maine"),
        ("The life of Piet van der Meer", "The Life of Piet van der Meer"),
        ("The red van in Maine", "The Red Van in Maine"),
        ("A walk of 7 km at 5 km/h", "A Walk of 7 km at 5 km/h"),
        ("Planks of 2 x 4 for 3 hrs", "Planks of 2 x 4 for 3 hrs"),
        ("Sign in or call in", "Sign In or Call In"),
        ("On and off the road", "On and Off the Road"),
        ("What we know so far of rock 'n' roll", "What We Know So Far of Rock 'n' Roll"),
        ("Small yet strong", "Small Yet Strong"),
        ("How E. coli spread", "How E. coli Spread"),
        ("Boats in and on the sea", "Boats in and on the Sea"),
        ("An on/off switch and a red/blue line", "An On/Off Switch and a Red/Blue Line"),
        ("What it is for: notes", "What It Is For: Notes"),
        ("Sign in, sign out", "Sign In, Sign Out"),
        ("Of, by and for dogs", "Of, by and for Dogs"),
        ("", ""),
        ("12 : 30", "12 : 30"),
    ],
)
def test_titles(cased, expected):
    writer = StyleWriter("raw", "", SMALL, JOINED, inside=WITHIN)
    assert writer.title(cased.encode()).decode() == expected


@examples(150)
@given(text=TEXTS, segmentation=st.sampled_from(["raw", "space"]))
def test_titles_are_those_of_the_twin(text, segmentation):
    # The twin does not spell apostrophes and dots of i in all the ways there are.
    text = text.replace("&", "").replace("İ", "").replace("\u0307", "")
    block = text.encode("utf-8", "surrogatepass")
    # Nor does it know addresses, code and markup, which keep their case.
    assume(not any(map(find_spans, block.split(b"\n"))))
    expected = b"\n".join(
        plain_title(line, SMALL_WORDS, LOWER, INSIDE, segmentation) for line in block.split(b"\n")
    )
    assert StyleWriter(segmentation, "", SMALL, JOINED, inside=WITHIN).title(block) == expected


@examples(150)
@given(text=TEXTS, segmentation=st.sampled_from(["raw", "space"]), max_kept=st.integers(1, 7))
@example(text="ıanna", segmentation="raw", max_kept=1)
def test_long_words_are_those_of_the_twin(text, segmentation, max_kept):
    text = text.replace("&", "").replace("İ", "").replace("\u0307", "")
    block = text.encode("utf-8", "surrogatepass")
    assume(not any(map(find_spans, block.split(b"\n"))))
    expected = b"\n".join(
        plain_long_words(line, max_kept, LOWER, segmentation) for line in block.split(b"\n")
    )
    writer = StyleWriter(segmentation, "", (), JOINED, False, max_kept)
    assert writer.title(block) == expected


@pytest.mark.parametrize(
    "cased, expected",
    [
        ("what happens next with the state of Rome", "what Happens next with the State of Rome"),
        ("the state-of-the-art don'ts, well's end", "the State-of-the-art Don'ts, well's end"),
        ("iPhone users: 1000kg of l'homme", "iPhone Users: 1000kg of l'Homme"),
        ("naïve élans straße cafe\u0301s", "Naïve Élans Straße Cafe\u0301s"),
        (
            "see http://a.bcdefg/c or noone@example.org",
            "see http://a.bcdefg/c or noone@example.org",
        ),
    ],
)
def test_titles_by_the_length_of_words(cased, expected):
    cased = cased.encode()
    assert Styler().apply("title-long-words", cased, cased).decode() == expected


def test_a_language_writes_its_own_capitals_of_long_words():
    text = b"ijsberen zijn groot"
    assert Styler("raw", "nl").apply("title-long-words", text, text) == b"IJsberen zijn Groot"


@pytest.mark.parametrize(
    "style, expected",
    [
        ("auto", "The Story of Rome With Pictures"),
        ("auto-ap", "The Story of Rome With Pictures"),
        ("auto-apa", "The Story of Rome With Pictures"),
        ("auto-chicago", "The Story of Rome with Pictures"),
        ("auto-every", "The Story Of Rome With Pictures"),
        ("auto-long-words", "the Story of Rome with Pictures"),
    ],
)
def test_titles_told_by_a_pattern_are_written_by_a_guide(style, expected):
    text = b"the story of Rome with pictures\nthe story of Rome with pictures."
    lines = Styler(patterns=[r"[^.]$"]).apply(style, text, text).decode().split("\n")
    assert lines == [expected, "the story of Rome with pictures."]


@pytest.mark.parametrize(
    "style, expected",
    [
        ("title", "Turn Off the Lamp From the North and See What It Is For"),
        ("title-ap", "Turn Off the Lamp From the North and See What It Is For"),
        ("title-every", "Turn Off The Lamp From The North And See What It Is For"),
        ("title-apa", "Turn off the Lamp From the North and See What It Is for"),
        ("title-chicago", "Turn Off the Lamp from the North and See What It Is For"),
    ],
)
def test_guides(style, expected):
    cased = b"Turn off the lamp from the north and see what it is for"
    assert Styler().apply(style, cased, cased).decode() == expected


class TestTruecaser:
    def test_styles(self, model):
        text = "the harbour of port ellis"
        assert model(text, style="sentence") == model(text) == "The harbour of Port Ellis"
        assert model(text, style="title") == "The Harbour of Port Ellis"
        assert model(text, style="upper") == "THE HARBOUR OF PORT ELLIS"

    def test_the_detector_decides_line_by_line(self, model):
        lines = ["report of the northern committee", "he had never been to the north ."] * 2
        cased = ["Report of the Northern Committee", "He had never been to the north ."] * 2
        assert model.batch(lines, style="auto") == cased
        assert model.batch([line.upper() for line in lines], style="auto") == cased

    def test_a_style_of_its_own(self, model, tmp_path):
        own = of_arrays(arrays_of(model), metadata_of(model), style="title")
        text = "the harbour of port ellis"
        assert own(text) == own.batch([text])[0] == "The Harbour of Port Ellis"
        assert own(text, style="sentence") == "The harbour of Port Ellis"
        model.save(tmp_path / "m")
        loaded = Truecaser.load(tmp_path / "m", style="auto")
        assert loaded("guide to the railways") == "Guide to the Railways"

    def test_threads_do_not_matter(self, model):
        block = ("\n".join(HARBOUR_LINES).lower() + "\n").encode() * 200
        for style in ("title", "upper", "auto"):
            assert model.case_block(block, 1, style=style) == model.case_block(
                block, 3, style=style
            )

    def test_an_unknown_style_is_refused(self, model):
        with pytest.raises(CasingError, match="expected one of sentence, title, upper, auto"):
            model("x", style="loud")
        with pytest.raises(CasingError):
            of_arrays(arrays_of(model), metadata_of(model), style="loud")

    def test_without_a_detector_there_is_no_style_auto(self, model):
        plain = Truecaser(model.model.replace(titles=None))
        with pytest.raises(StyleError, match="--title-detector"):
            plain("x", style="auto")
        with pytest.raises(StyleError, match="--title-detector"):
            Truecaser(plain.model, style="auto")
        assert plain("port ellis", style="title") == "Port Ellis"

    def test_a_damaged_detector_is_refused(self, model):
        weights = arrays_of(model)["titles/weights"]
        for damaged in (weights[:-1], weights.astype("float32"), weights.reshape(2, -1)):
            arrays = {**arrays_of(model), "titles/weights": damaged}
            with pytest.raises(ModelError, match="titles/weights"):
                of_arrays(arrays, metadata_of(model), style="auto")

    def test_a_detector_is_stored_in_bytes(self):
        detector = TitleDetector()
        detector.learn(b"Report of the Committee on Railways\nhe told them about it .\n" * 50)
        stored = TitleWeights.of(detector)
        weights = stored.arrays["weights"]
        assert (weights.dtype, weights.shape) == ("uint8", (N_WEIGHTS,))
        again = stored.detector("raw", "")
        assert abs(again.weights - detector.weights).max() <= 1 / 32

    def test_the_embedded_model_knows_names_in_titles(self):
        tc = truecase.Truecaser.load()
        assert tc("the ambassador of the united states in nato", style="title") == (
            "The Ambassador of the United States in NATO"
        )
        assert truecase.truecase("new york: a guide", style="title") == "New York: A Guide"


def test_patterns_make_titles():
    styler = Styler(patterns=[r"^#", "^chapter"])
    block = b"# a dog\na dog\nchapter one: a dog"
    assert styler.apply("auto", block, block) == b"# A Dog\na dog\nChapter One: A Dog"
    with pytest.raises(StyleError, match="title pattern"):
        Styler(patterns=["["])


class TestInvariants:
    @examples(100)
    @given(text=TEXTS, style=st.sampled_from(["title", "upper", "auto"]))
    def test_only_case_changes(self, model, text, style):
        assert fold(model(text, style=style)) == fold(text)

    @examples(100)
    @given(data=st.binary(max_size=80), style=st.sampled_from(["title", "upper", "auto"]))
    def test_any_bytes_come_out_with_their_line_ends(self, model, data, style):
        out = model.case_block(data, style=style)
        assert out.count(b"\n") == data.count(b"\n")
        assert [line.endswith(b"\r") for line in out.split(b"\n")] == [
            line.endswith(b"\r") for line in data.split(b"\n")
        ]

    @examples(100)
    @given(text=st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
    def test_upper_raises_all_letters_that_can_be_lowered_again(self, model, text):
        assume(not find_spans(text.encode()))
        assert model(text, style="upper") == "".join(map(upper_character, text))

    @examples(100)
    @given(text=TEXTS)
    def test_a_title_lowers_nothing(self, model, text):
        cased, titled = model(text), model(text, style="title")
        assert len(cased) == len(titled)
        assert all(a == b or b != fold_character(b) for a, b in zip(cased, titled, strict=True))

    def test_long_lines(self, model):
        line = "the harbour of port ellis " * 20_000
        assert fold(model(line, style="title")) == fold(line)
        assert model(line, style="upper") == line.upper()
