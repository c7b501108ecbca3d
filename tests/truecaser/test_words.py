"""Tags and posteriors: the same words, where they stand in the text, in every style."""

import commands
import pytest
from calibrations import sums_to_one
from hypothesis import example, given
from hypothesis import strategies as st
from parts import compiled

from truecase import Truecaser
from truecase.evaluation._posteriors import word_posteriors
from truecase.kernels._unicode import fold
from truecase.kernels._unicode import tag as tag_of

LINES = [
    "vitamin c.\nfoo",
    "she moved to new york. i saw mr. smith\n\nhe waved\n",
    "état d'urgence : l’été à montréal\nÇa va, İstanbul?",
    "the state-of-the-art u.s. bill, 😀 naïve\tIPHONE  x²",
    "visit https://www.Example.com/Path?Q=1 or call getUserName() at 5 p.m. in london",
]
TEXTS = st.text(st.sampled_from("abcdeTHEi İıßéµǆﬁ.-'’ \t\n\r/:@#1😀\ud800\x00")) | st.text()


@pytest.fixture(scope="module")
def bilingual():
    return Truecaser.load("fr-en")


def check(text, words, cased):
    """Words cover all of the text but white space, and are what the cased text has there."""
    covered = ["\n" if character == "\n" else " " for character in text]
    n_lines = text.count("\n") + (not text.endswith("\n") and bool(text))
    assert len(words) == n_lines
    end = 0
    for line, row in enumerate(words):
        for word in row:
            assert end <= word.start < word.end <= len(text)
            assert text[: word.start].count("\n") == line
            assert fold(text[word.start : word.end]) == fold(word.text)
            assert cased[word.start : word.end] == word.text
            end = word.end
            covered[word.start : end] = text[word.start : end]
    for here, there in zip(covered, text, strict=True):
        # What is left out is white space or a control character.
        assert here == there or not there.isprintable() or there.isspace()


@given(TEXTS)
@example("vitamin c.\nfoo")
@example("\ud800a é\x00b\n\n")
def test_spans_of_any_text(english, text):
    tags, posteriors = english.tags(text), english.posteriors(text)
    check(text, tags, english(text))
    assert [[word[:4] for word in line] for line in posteriors] == tags


@pytest.mark.parametrize("style", ["sentence", "title", "upper", "title-ap"])
@pytest.mark.parametrize("input_case", ["ignore", "keep", "auto"])
def test_every_style_and_case_of_the_input(english, style, input_case):
    for text in LINES:
        options = {"style": style, "input_case": input_case}
        tags = english.tags(text, **options)
        check(text, tags, english(text, **options))
        posteriors = english.posteriors(text, **options)
        assert [[word[:4] for word in line] for line in posteriors] == tags
        for word in (word for line in posteriors for word in line):
            assert word.candidates[0] == word[2:5]
            assert sums_to_one(word, 1e-5)
            assert len({c.text for c in word.candidates}) == len(word.candidates)
            assert word.tag == tag_of(word.text)
            if style == "upper":
                assert word.posterior == pytest.approx(1.0, abs=1e-5)


def test_a_capital_by_style_is_as_sure_as_both_forms(english):
    text = "of all the may bills"
    (plain,) = english.posteriors(text)
    (titled,) = english.posteriors(text, style="title")
    for before, after in zip(plain, titled, strict=True):
        forms = {c.text: c.posterior for c in before.candidates}
        if after.text != "the":
            alike = forms.get(after.text, 0) + forms.get(after.text.lower(), 0)
            assert after.posterior == pytest.approx(alike, abs=1e-6)


def test_a_truecaser_has_its_own_style():
    upper = Truecaser.load(style="upper")
    assert [word.text for word in upper.tags("us bill")[0]] == ["US", "BILL"]


@pytest.mark.parametrize("alignment", [None, "0-0 1-1 2-2\n0-0"])
def test_with_a_source(bilingual, alignment):
    text, source = "click ok bill\nmay", "Cliquez OK Bill\nMay"
    options = {"source": source, "alignment": alignment}
    tags = bilingual.tags(text, **options)
    check(text, tags, bilingual(text, **options))
    assert [[w[:4] for w in line] for line in bilingual.posteriors(text, **options)] == tags
    with pytest.raises(ValueError, match="there are 2 lines, but 1 of their source"):
        bilingual.tags(text, source="Cliquez")
    with pytest.raises(ValueError, match="needs its source"):
        bilingual.posteriors(text, alignment="0-0")


def test_a_model_that_looks_at_no_source(english):
    unigram = Truecaser(english.model.only("unigram"))
    for method in (unigram.tags, unigram.posteriors):
        with pytest.raises(ValueError, match="look at no source"):
            method("a", source="A")


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"style": "title"},
        {"style": "title-chicago"},
        {"input_case": "auto"},
        {"sentence_start": "learned"},
    ],
)
@pytest.mark.parametrize("kind", ["tags", "posteriors"])
def test_the_command_line_has_the_same(english, kind, options):
    text = "".join(f"{line}\n" for text in LINES for line in text.rstrip("\n").split("\n"))
    flags = [part for k, v in options.items() for part in (f"--{k.replace('_', '-')}", v)]
    flags.append("--tags" if kind == "tags" else "--confidence")
    done = commands.run(*flags, "-j", "2", text=text.encode())
    expected = ""
    for line in text.split("\n")[:-1]:
        for word in (getattr(english, kind)(line, **options) or [[]])[0]:
            fields = [*word[:4], f"{word[4]:.6f}"] if kind == "posteriors" else word
            expected += "\t".join(map(str, fields)) + "\n"
        expected += "\n"
    assert done.stdout.decode() == expected


def test_the_command_line_has_the_same_with_a_source(bilingual, tmp_path):
    (tmp_path / "s.fr").write_text("Cliquez OK Bill\nMay\n")
    arguments = ["-m", "fr-en", "--source", "s.fr", "--tags"]
    done = commands.run(*arguments, text=b"click ok bill\nmay\n", cwd=tmp_path)
    rows = done.stdout.decode().split("\n")
    words = bilingual.tags("click ok bill\nmay", source="Cliquez OK Bill\nMay")
    assert [row.split("\t")[2] for row in rows if row] == [w.text for line in words for w in line]
    assert rows[4] == "0\t3\tMay\tIU"


def test_broken_bytes_are_a_character_each(english):
    table = english.table_block(b"\xff\xe2\x82 bill\nfoo \xc3 the\n").decode("utf-8", "replace")
    spans = [tuple(map(int, row.split("\t")[:2])) for row in table.split("\n") if row]
    for line, start in ((b"\xff\xe2\x82 bill", 0), (b"foo \xc3 the", 0)):
        text = line.decode("utf-8", "surrogateescape")
        assert (text.index(text.split()[-1]), len(text)) in spans, start


def rows_of(model, block, with_posteriors):
    """The table of a block in plain Python, from its words."""
    text = block.decode("utf-8", "surrogateescape")
    found = word_posteriors(compiled(model), block, chosen_only=not with_posteriors)
    table, line_start = "", 0
    for line, shown in zip(found, text.split("\n"), strict=False):
        for start, end, ((word, tag, posterior), *_) in line:
            assert fold(text[start:end]) == fold(word)
            fields = [start - line_start, end - line_start, word, tag]
            fields += [f"{posterior:.6f}"] if with_posteriors else []
            table += "\t".join(map(str, fields)) + "\n"
        table += "\n"
        line_start += len(shown) + 1
    return table.encode("utf-8", "surrogateescape")


BLOCKS = st.lists(
    st.one_of(
        st.binary(max_size=6),
        st.text(max_size=8).map(lambda text: text.encode("utf-8", "surrogatepass")),
        st.sampled_from([b"\n", b" ", b" the may bill ", b"us. i\n", b"\xef\xbb\xbf", b"of-"]),
    ),
    max_size=12,
).map(b"".join)


@given(BLOCKS)
@example(b"")
@example(b"\n\n us\n\n")
@example(b"\xff\xe2\x82 bill\nfoo \xc3 the")
@example(b"may" + b" \xc3\xa9 us" * 70_000)
def test_tables_are_the_words_in_rows(english, block):
    for with_posteriors in (True, False):
        table = english.table_block(block, with_posteriors=with_posteriors)
        assert table == rows_of(english, block, with_posteriors)
