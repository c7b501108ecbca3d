"""What comes out for text, end to end, from a model trained on stories written for it."""

import random
from typing import get_args

import pytest
from examples import examples
from hypothesis import assume, example, given
from hypothesis import strategies as st
from reference.casing import fold as fold_character
from reference.casing import is_cased, lower, title, upper

from truecase.kernels._spans import find_spans
from truecase.options import InputCase
from truecase.truecaser import Truecaser


def fold(text):
    return "".join(map(fold_character, text))


STORY = "anna berg wrote to mr. holm of the northern railway company ."


def test_names_and_first_words_are_capitalised(harbour):
    assert harbour(STORY) == "Anna Berg wrote to Mr. Holm of the Northern Railway Company ."


def test_context_decides(harbour):
    assert harbour("the ambassador of the us waited for us") == (
        "The ambassador of the US waited for us"
    )


def test_mixed_forms_come_from_the_lexicon(harbour):
    assert harbour("an iphone does not find peter o'brien in port ellis") == (
        "An iPhone does not find Peter O'Brien in Port Ellis"
    )


def test_later_sentences_of_a_line_begin_upper(harbour):
    assert harbour("mr. holm kept the letter. he had never been to the north! nobody laughed.") == (
        "Mr. Holm kept the letter. He had never been to the north! Nobody laughed."
    )


def test_quotation_marks_and_numbers_before_the_first_word(harbour):
    assert harbour('"the town is small"').startswith('"The')
    assert harbour("(the harbour)").startswith("(The")
    assert harbour("1987 was the year") == "1987 was the year"


@pytest.mark.parametrize("preset", ["unigram", "ngram"])
@pytest.mark.parametrize("smartcase", [False, True])
@pytest.mark.parametrize("candidates", ["pruned", "full"])
def test_every_preset_learns_its_training_text(train_model, preset, smartcase, candidates):
    share = {"min_share": 0.0} if candidates == "pruned" else {}
    model = train_model(preset=preset, smartcase=smartcase, candidates=candidates, **share)
    from truecaser_text import HARBOUR_LINES

    evaluation = model.evaluate(HARBOUR_LINES)
    assert evaluation.accuracy > (0.96 if preset == "unigram" else 0.98)
    assert evaluation.f1 > (0.92 if preset == "unigram" else 0.96)


@pytest.mark.parametrize("order", [1, 2, 3, 4, 5])
def test_every_order_decodes(train_model, order):
    assert train_model(order=order)(STORY).startswith("Anna Berg wrote to Mr")


def test_tokenised_text_gets_what_natural_text_gets(harbour):
    natural = harbour("peter o'brien didn't believe that the company's ships were nasa's.")
    tokenised = harbour("peter o'brien did n't believe that the company 's ships were nasa 's .")
    assert tokenised.replace(" n't", "n't").replace(" 's", "'s").replace(" .", ".") == natural
    assert "O'Brien" in natural and "NASA's" in natural


def test_unknown_words_follow_their_class(train_model):
    names = ["Ardvark", "Belcombe", "Crumhorn", "Dunnock", "Eelgrass", "Fennimore", "Gannet"]
    things = ["soap", "rope", "glue", "paint", "salt", "tin", "wool"]
    lines = [
        f"We told Mr. {name} to buy some {thing}."
        for name, thing in zip(names, things, strict=True)
    ]
    model = train_model("\n".join(lines).encode(), min_count=2)
    assert model("we told mr. quillfeather to buy some tar.") == (
        "We told Mr. Quillfeather to buy some tar."
    )
    assert model.training_count("gannet") == 0


def test_turkish_has_two_letters_i(train_model):
    text = "\n".join(["İstanbul ve Isparta büyük şehirler.", "Ali İstanbul ve Isparta gördü."] * 4)
    model = train_model(text.encode(), language="tr")
    assert model("istanbul ve ısparta") == "İstanbul ve Isparta"
    assert model("İSTANBUL VE ISPARTA") == "İstanbul ve Isparta"
    assert model.model.text.casing == "turkic"


class TestInputCase:
    def test_ignore_drops_the_case_of_the_input(self, harbour):
        ignoring = harbour.with_casing(input_case="ignore")
        assert ignoring(STORY.upper()) == ignoring(STORY) == ignoring(STORY.title())

    def test_lines_in_one_case_say_nothing(self, harbour):
        for line in STORY.splitlines():
            assert harbour(line.upper()) == harbour(line.lower()) == harbour(line, "ignore")

    def test_sentences_in_one_case_say_nothing_beside_others(self, harbour):
        for written in (STORY, STORY.upper()):
            assert harbour(f"The HARBOUR is HERE . {written}").endswith(f" . {harbour(STORY)}")

    def test_right_text_stays_and_slips_are_mended(self, harbour):
        assert harbour("Anna berg wrote to Mr. Holm of the Eastern railway company .") == (
            "Anna Berg wrote to Mr. Holm of the Eastern Railway Company ."
        )

    def test_keep_leaves_words_with_upper_case(self, harbour):
        text = "the HARBOUR of port Ellis and pEter"
        assert harbour(text, input_case="keep") == "The HARBOUR of Port Ellis and pEter"

    def test_keep_uses_them_as_context(self, harbour):
        assert harbour("Mr. holm and Port ellis", "keep") == "Mr. Holm and Port Ellis"

    def test_auto_recases_lines_of_one_case_and_first_words(self, harbour):
        lines = "PORT ELLIS\nport ellis\nthe port of Anna berg\nI SAW A MAP"
        assert harbour(lines, "auto") == "Port Ellis\nPort Ellis\nThe port of Anna berg\n" + (
            harbour("i saw a map")
        )

    @pytest.mark.parametrize(
        "text",
        [
            "several tools for the garden",
            "a box of Bolts for the harbour",
            "my Harbour",
            pytest.param(
                "my Account",
                marks=pytest.mark.xfail(reason="the embedded model takes account", strict=True),
            ),
            "your London office",
            "The Old Port Office",
            "CLOSED ON SUNDAYS",
            "Wait. DO NOT OPEN THE BOX. Thanks.",
            "Then you must NOT open the box, NEVER lift it, and it SHOULD stay ALL day.",
            # Commands and keys
            "docker cp",
            "aws ec2",
            "llvm-ar",
            "import-DumpTable",
        ],
    )
    def test_proofread_leaves_fragments_titles_and_capitals(self, text):
        english = Truecaser.load("en")
        assert english(text, "proofread") == text != english(text, "evidence")

    @pytest.mark.parametrize("input_case", ["evidence", "proofread"])
    def test_ranges_of_letters_and_tags_of_languages_stay(self, input_case):
        danish = "Titel (Å-A)", "Sorteer op (A-Z) of (Z-A)."
        others = "Individuals may apply to the n-m process, and pass.", "Read- and write-only files"
        english = "The color has letters a-f only.", "en-US, de-DE or any other"
        for text in (*english, *others, *danish):
            assert Truecaser.load("en")(text, input_case) == text

    def test_proofread_mends_slips(self):
        english = Truecaser.load("en")
        text = "We met in paris, not in LONDON. the boats to berlin were late"
        assert english(text, "proofread") == (
            "We met in Paris, not in London. The boats to Berlin were late"
        )

    def test_capitals_beside_a_common_word_keep_its_own(self):
        english = Truecaser.load("en")
        text = "Her book Into The Valley was sold in Dublin."
        assert english(text) == text
        assert english("Her Book about the valley was sold in Dublin.") == (
            "Her book about the valley was sold in Dublin."
        )

    @pytest.mark.parametrize(
        "title, expected",
        [
            ("The Options Are In Config_file Now", "The options are in config_file now"),
            ("See The Net.readAll Code In A File", "See the Net.readAll code in a file"),
            ("Learn How Node.js Works In Short", "Learn how Node.js works in short"),
            # With words in lower case, it is no title.
            ("Set both options of Config_file now.", "Set both options of Config_file now."),
        ],
    )
    def test_title_case_raises_identifiers(self, title, expected):
        assert Truecaser.load("en")(title) == expected

    def test_unknown_mode_is_refused(self, harbour):
        with pytest.raises(
            ValueError, match="expected one of evidence, ignore, keep, auto, proofread"
        ):
            harbour("x", "loud")


PIECES = [
    "anna", "Port", "ELLIS", "o'brien", "iphone", "don't", "l'homme", " ", "  ", "\t", "\r", "\n",
    "\r\n", ".", "! ", "? ", '"', "``", "-LRB-", "ǆ", "ΣΑΣ", "straße", "ẞ", "İ", "ı", "ſ", "ﬁ",
    "日本", "1984", "well-known", "Alpha-Tango", "http://A.b/C", "x@Y.z", "\u0301", "\x00",
    "ა", "Ა", "ǅ", "Ǆ", "ǅEP", "Ǆep", "STRAẞE", "Straẞe", "ẞa", "ßA", "ﬁrst", "ﬁRST", "µm", "µM",
]  # fmt: skip
#: Capitals of lowercase letters that have another capital.
OTHER_CAPITALS = [
    c
    for c in map(chr, range(0x110000))
    if lower(c) != c and is_cased(c) and c not in (upper(lower(c)), title(lower(c)))
]
TEXTS = st.one_of(st.lists(st.sampled_from(PIECES), max_size=30).map("".join), st.text(max_size=60))


def test_escaped_brackets_are_upper_case(harbour):
    assert harbour("x -lrb- y -RRB- ; -lsb-") == "X -LRB- y -RRB- ; -LSB-"


@pytest.mark.parametrize("n", range(1, 12))
def test_rows_of_hyphens_and_dashes_stay(harbour, n):
    for row in ("-" * n, "-" * n + "—", "--—" * n, "—" + "-" * n, "‐" * n):
        for text in (row, f"{row}x{row}", f"x {row} x"):
            assert fold(harbour(text)) == fold(text)


class TestInvariants:
    @examples(150)
    @given(text=TEXTS, mode=st.sampled_from(get_args(InputCase)))
    def test_only_case_changes(self, harbour, text, mode):
        assert fold(harbour(text, mode)) == fold(text)

    @examples(100)
    @given(text=TEXTS)
    def test_the_input_s_case_is_ignored(self, harbour, text):
        # Signs that are letters too (of kelvin, ångström, ohm) and İ pass as they are.
        text = "".join(c for c in text if c not in OTHER_CAPITALS)
        # Addresses, code and markup keep theirs.
        assume(not find_spans(text.encode("utf-8", "surrogatepass")))
        lowered = "".join(map(lower, text))
        cased = harbour(text, "ignore")
        assert harbour(lowered).replace("ς", "σ") == cased.replace("ς", "σ")

    @examples(150)
    @given(text=TEXTS)
    @example("Ა ẞ ǆ Ǆ ẞ.")
    @example("? ẞA")
    @example("ǅ ა ßa ẞ")
    def test_casing_twice_is_casing_once(self, harbour, text):
        once = harbour(text, "ignore")
        assert harbour(once, "ignore") == once

    @examples(150)
    @given(data=st.binary(max_size=80))
    def test_any_bytes_come_out_with_their_line_ends(self, harbour, data):
        out = harbour.case_block(data)
        assert out.count(b"\n") == data.count(b"\n")
        assert [line.endswith(b"\r") for line in out.split(b"\n")] == [
            line.endswith(b"\r") for line in data.split(b"\n")
        ]
        decoded = data.decode("utf-8", "surrogateescape")
        assert fold(out.decode("utf-8", "surrogateescape")) == fold(decoded)

    @examples(100)
    @given(lines=st.lists(TEXTS, max_size=12), threads=st.integers(1, 4))
    def test_batch_is_line_by_line(self, harbour, lines, threads):
        assert harbour.batch(lines, threads) == [harbour(line) for line in lines]

    def test_ascii_bytes_other_than_letters_never_change(self, harbour):
        rng = random.Random(4)
        data = bytes(rng.choice(b"abc XYZ.,'\"-@/#0123\t\r\n\x00\xff") for _ in range(20_000))
        assert harbour.case_block(data).lower() == data.lower()


class TestSizes:
    @pytest.mark.parametrize("text", ["", "\n", "a", "a\n", "\n\n\n", " ", "."])
    def test_tiny_texts(self, harbour, text):
        assert harbour(text).lower() == text

    def test_a_line_of_ten_thousand_words(self, harbour):
        line = " ".join(["anna berg of port ellis"] * 2000)
        assert harbour(line).count("Anna Berg of Port Ellis") == 2000

    def test_a_line_longer_than_a_piece_keeps_every_byte(self, harbour):
        line = "in port ellis " * 80_000
        cased = harbour(line)
        assert cased.lower() == line
        assert cased.count("Port Ellis") > 79_990

    def test_a_word_longer_than_a_piece(self, harbour):
        word = "x" * 1_000_000
        assert harbour(word + " port ellis") == word.title() + " Port Ellis"

    def test_blocks_of_any_size_give_the_same(self, harbour):
        block = ("anna berg of port ellis\n" * 60_000).encode()
        whole = harbour.case_block(block)
        assert whole == harbour.case_block(block, threads=3)
        assert whole == b"Anna Berg of Port Ellis\n" * 60_000


def test_tags_and_counts(harbour):
    assert harbour.tags("us ambassador") == [[(0, 2, "US", "AU"), (3, 13, "ambassador", "AL")]]
    assert harbour.tags("an iphone .") == [
        [(0, 2, "An", "IU"), (3, 9, "iPhone", "MX"), (10, 11, ".", "AN")]
    ]
    assert harbour.training_count("HARBOUR") == harbour.training_count("harbour") >= 9
    assert harbour.training_count("zzz") == 0


def test_threads_must_be_positive(harbour):
    with pytest.raises(ValueError, match="expected 1 or more"):
        harbour.case_block(b"x", threads=0)
