"""Case features and case markup of OpenNMT's Tokenizer."""

import random

import pytest

from truecase.errors import ReadError
from truecase.integrations.opennmt import from_features, from_markup, main, to_features, to_markup


def short(markup):
    """Markup in fewer letters."""
    names = ("mrk_case_modifier_C", "mrk_begin_case_region_U", "mrk_end_case_region_U")
    for name, letter in zip(names, "CU/", strict=True):
        markup = markup.replace(f"｟{name}｠", f"<{letter}>")
    return markup


# As pyonmttok 1.38.1 writes them.
@pytest.mark.parametrize(
    "line, markup, soft",
    [
        ("Hello WORLD 12", "<C> hello <U> world </> 12", "<C> hello <U> world 12 </>"),
        ("iPhone McDonald", "i￭ <C> phone <C> mc￭ <C> donald", None),
        ("HTTPServer ABc", "<U> https￭ </> erver <U> ab￭ </> c", None),
        ("A B c", "<C> a <C> b c", "<U> a b </> c"),
        ("A c", "<C> a c", None),
        ("OLD - ÉTÉ , b", "<U> old </> - <U> été </> , b", "<U> old - été </> , b"),
        ("ΣΑΣ ßa", "<U> σασ </> ßa", None),
        ("", "", None),
    ],
)
def test_markup(line, markup, soft):
    assert short(to_markup(line)) == markup
    assert short(to_markup(line, soft_regions=True)) == (markup if soft is None else soft)
    assert from_markup(to_markup(line)) == line


def test_features():
    assert to_features("Hello WORLD iPhone a A 12 été") == (
        "hello￨C world￨U iphone￨M a￨L a￨C 12￨N été￨L"
    )
    assert from_features("hello￨C world￨U iphone￨M a￨L 12￨N") == "Hello WORLD iphone a 12"
    assert from_features("hello￨C￨NN") == "Hello￨NN"


@pytest.mark.parametrize("peer", [False, True])
def test_random_lines(peer):
    generator = random.Random(1)
    words = "hello World OLD A I iPhone McDonald HTTPServer été ÉTÉ 12 - , ΣΑΣ mRNA".split()
    lines = [" ".join(generator.choices(words, k=generator.randint(0, 7))) for _ in range(500)]
    for line in lines:
        for soft in (False, True):
            assert from_markup(to_markup(line, soft)) == line
    if not peer:
        return
    library = pytest.importorskip("pyonmttok")
    features = library.Tokenizer("space", case_feature=True)
    for soft in (False, True):
        markup = library.Tokenizer(
            "conservative", case_markup=True, joiner_annotate=True, soft_case_regions=soft
        )
        for line in lines:
            assert to_markup(line, soft) == " ".join(markup.tokenize(line)[0])
    for line in filter(None, lines):
        tokens, (cases,) = features.tokenize(line)
        pairs = zip(tokens, cases, strict=True)
        assert to_features(line) == " ".join(f"{token}￨{case}" for token, case in pairs)


@pytest.mark.parametrize(
    "function, line, message",
    [
        (to_features, "a￨b", "marks features"),
        (from_features, "hello", "expected a case after it"),
        (from_features, "hello￨X", "expected a case after it"),
        (to_markup, "i￭ phone", "is markup already, or has a joiner"),
        (from_markup, "｟mrk_end_case_region_U｠ a", "does not belong where it stands"),
        (from_markup, "｟mrk_begin_case_region_U｠ a", "nothing ends it"),
        (from_markup, "a ｟mrk_case_modifier_C｠", "nothing ends it"),
    ],
)
def test_what_is_wrong_is_said(function, line, message):
    with pytest.raises(ReadError, match=message):
        function(line)


def test_the_command(tmp_path, capfd):
    text, out = tmp_path / "in", tmp_path / "out"
    text.write_text("Hello WORLD\n\niPhone\n", encoding="utf-8")
    assert main(["to-markup", "-i", str(text), "-o", str(out)]) == 0
    assert short(out.read_text(encoding="utf-8")) == "<C> hello <U> world </>\n\ni￭ <C> phone\n"
    assert main(["from-markup", "-i", str(out)]) == 0
    assert capfd.readouterr().out == "Hello WORLD\n\niPhone\n"
    assert main(["to-features", "-i", str(text)]) == 0
    assert capfd.readouterr().out == "hello￨C world￨U\n\niphone￨M\n"
    assert main(["from-features", "-i", str(text)]) == 1
    assert "in: line 1: word 'Hello': expected a case" in capfd.readouterr().err
    assert main(["to-features", "--soft-case-regions", "-i", str(text)]) == 2
