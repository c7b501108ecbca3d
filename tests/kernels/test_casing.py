"""Case of single code points and of words, against `str` and the plain twin."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import casing as twin
from truecase_testing import character_class, is_cased, is_without_capital
from unicode_here import (
    EVERY_POINT,
    FACTS,
    IS_THE_SAME,
    class_bits,
    facts_of_interpreter,
    other_characters,
)

from truecase.kernels import _unicode as casing
from truecase.kernels.text import is_turkic

OTHERS = other_characters()
CLASS_BITS = class_bits()
EVERY = [chr(cp) for cp in EVERY_POINT if chr(cp) not in OTHERS]
# The few that `str` gives another case; all others must stay as they are.
MAPPED = [c for c in EVERY if not c.lower() == c == c.upper() == c.title()]
TEXT = "".join(EVERY)
words = st.text(max_size=12).filter(lambda word: OTHERS.isdisjoint(word))
languages = st.sampled_from(["", "tr"])


@pytest.mark.skipif(not IS_THE_SAME, reason="the interpreter has another version of Unicode")
def test_pinned_facts_are_those_of_an_interpreter_of_the_version():
    assert FACTS.read_text(encoding="ascii") == facts_of_interpreter()


def test_tables_are_of_the_pinned_version():
    assert FACTS.read_text(encoding="ascii").split("unicode ")[1].split()[0] == (
        casing.UNICODE_VERSION
    )
    # A letter of Unicode 14 and one that came with version 16.
    assert casing.lower("\u2c2f") == "\u2c5f"
    assert casing.lower("\ua7cb") == "\ua7cb"


def differences(found, wanted):
    """Where a text of all code points was mapped otherwise."""
    if found == wanted:
        return []
    return [hex(ord(c)) for c, f, w in zip(EVERY, found, wanted, strict=True) if f != w]


@pytest.mark.parametrize("language", ["", "tr", "az"])
@pytest.mark.parametrize("name", ["lower", "fold", "upper", "title"])
def test_every_code_point_maps_like_the_twin(name, language):
    plain = getattr(twin, name)
    expected = TEXT.translate({ord(c): plain(c, language != "") for c in MAPPED})
    # A Σ after a letter and before none would be the one exception for `lower`.
    assert differences(getattr(casing, name)(TEXT, language), expected) == []


@pytest.mark.parametrize("language", ["", "tr"])
def test_cased_is_what_some_mapping_changes(language):
    cased = [c for c in EVERY if is_cased(c, language)]
    assert cased == [c for c in MAPPED if twin.is_cased(c, language != "")]


def test_lower_is_str_lower_where_that_is_one_code_point():
    expected = TEXT.translate({ord(c): c.lower() for c in MAPPED if len(c.lower()) == 1})
    assert differences(casing.lower(TEXT), expected) == []


def test_upper_is_str_upper_where_that_can_be_undone():
    for c, raised in zip(MAPPED, casing.upper("".join(MAPPED)), strict=True):
        if raised != c:
            assert raised in (c.upper(), c.title()), hex(ord(c))
            assert casing.fold(raised) == casing.fold(c), hex(ord(c))
        elif len(c.upper()) == 1 and c.upper() != c:
            assert c.upper().lower() != c, hex(ord(c))


@pytest.mark.parametrize("language", ["", "tr"])
def test_folding_undoes_every_mapping(language):
    text = "".join(MAPPED)
    folded = casing.fold(text, language)
    for mapping in (casing.lower, casing.upper, casing.title, casing.fold):
        assert casing.fold(mapping(text, language), language) == folded


def test_classes_are_those_of_unicodedata():
    for c in EVERY:
        bits = character_class(c)
        category = unicodedata.category(c)
        cased = is_cased(c)
        assert bool(bits & CLASS_BITS["CASED"]) == cased, hex(ord(c))
        assert bool(bits & CLASS_BITS["LETTER"]) == (category[0] == "L" or cased), hex(ord(c))
        assert bool(bits & CLASS_BITS["DIGIT"]) == (category[0] == "N" and not cased)
        assert bool(bits & CLASS_BITS["SPACE"]) == (c.isspace() and c not in "\x1c\x1d\x1e\x1f")
        assert bool(bits & CLASS_BITS["MARK"]) == twin.is_mark(c), hex(ord(c))


@pytest.mark.parametrize(
    "character", ["ß", "ﬁ", "ı", "ſ", "µ", "ŉ", "ΐ", "İ", "1", "日", "\u0345", "\u2028"]
)
def test_what_cannot_be_undone_stays(character):
    assert casing.upper(character) == character
    assert casing.lower(character) == character
    assert casing.title(character) == character


@pytest.mark.parametrize(
    ("lower", "title", "upper"),
    [("ǆ", "ǅ", "Ǆ"), ("ა", "ა", "Ა"), ("ᾳ", "ᾼ", "ᾼ"), ("ς", "Σ", "Σ"), ("ɐ", "Ɐ", "Ɐ")],
)
def test_title_and_upper_may_differ(lower, title, upper):
    assert casing.title(lower) == title
    assert casing.upper(lower) == upper
    assert casing.title(upper) == title


def test_dotted_and_dotless_i():
    assert casing.lower("IİIĞDIR", "tr") == "ıiığdır"
    assert casing.upper("ıiığdır", "tr") == "IİIĞDIR"
    assert casing.capitalize("istanbul", "az") == "İstanbul"
    assert casing.capitalize("istanbul") == "Istanbul"
    assert casing.tag("ı", "tr") == "AL"
    assert casing.tag("ı") == "AN"


@pytest.mark.parametrize(
    ("language", "expected"), [("tr", True), ("az-Latn", True), ("TR_tr", True), ("tru", False)]
)
def test_turkic_languages(language, expected):
    assert is_turkic(language) is expected


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("ΟΔΟΣ", "οδος"), ("ΣΑΣ", "σας"), ("Σ", "σ"), ("ΟΣ-ΟΣ", "ος-ος"), ("Σ.Σ.", "σ.σ."),
        ("ΟΣ\u0301", "ος\u0301"), ("Ο\u0301Σ", "ο\u0301ς"), ("ΟΣ1", "ος1"), ("οσ", "οσ"),
    ],
)  # fmt: skip
def test_final_sigma(word, expected):
    assert casing.lower(word) == expected


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("changes", "AL"), ("Click", "IU"), ("'Tis", "IU"), ("I", "IU"), ("A", "IU"),
        ("OK", "AU"), ("3DTV", "AU"), ("McDonald", "MX"), ("iPhone", "MX"), ("eBay", "MX"),
        (".", "AN"), ("1984", "AN"), ("日本", "AN"), ("", "AN"), ("3d", "AL"), ("3D", "IU"),
        ("ǅep", "IU"), ("ǄEP", "AU"), ("Ǆep", "MX"), ("Ǆ", "AU"), ("ანა", "AL"), ("ᲐᲜᲐ", "AU"),
        ("Ა", "AU"), ("GROß", "AU"), ("ß", "AN"), ("O'BRIEN", "AU"),
    ],
)  # fmt: skip
def test_tags(word, expected):
    assert casing.tag(word) == expected


@given(words, languages)
def test_words_like_the_twin(word, language):
    turkic = language == "tr"
    assert casing.tag(word, language) == twin.tag(word, turkic)
    assert casing.fold(word, language) == "".join(twin.fold(c, turkic) for c in word)
    lowered = "".join(twin.lowered(word, i, turkic) for i in range(len(word)))
    assert casing.lower(word, language) == lowered


@given(words, languages)
def test_only_case_changes(word, language):
    folded = casing.fold(word, language)
    for mapping in (casing.lower, casing.upper, casing.title, casing.capitalize):
        assert casing.fold(mapping(word, language), language) == folded


@pytest.mark.parametrize("language", ["", "tr"])
def test_letters_without_a_capital_like_the_twin(language):
    # A mark, the iota below, is no letter that a word begins with.
    found = [c for c in EVERY if is_without_capital(c, language) and c != "\u0345"]
    assert found == [
        c for c in MAPPED if twin.is_without_capital(c, language != "") and c != "\u0345"
    ]
    assert all(is_without_capital(c) for c in "ﬁµßẞſıŉ")
    assert not any(is_without_capital(c) for c in "aAªⅰςǆ-1中")
    assert not is_without_capital("ı", "tr")
