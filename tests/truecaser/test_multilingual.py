"""Lines of several languages, told apart by small models of them."""

import itertools
import math
import pickle
import re

import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from language_texts import TEXTS, text_of
from recipes import estimated
from reference.casing import fold as fold_character

from truecase.errors import LanguagesError, ModelError, WrongTypeError
from truecase.kernels._unicode import lower, upper
from truecase.truecaser import Truecaser
from truecase.truecaser.agreed_names import with_agreed_names
from truecase.truecaser.multilingual import (
    ALPHABETS,
    LEAST_KNOWN,
    LEAST_MARGIN,
    ONE_UNKNOWN,
    OTHER_LETTER,
    LanguageIdentifier,
    MultilingualTruecaser,
    letters_of,
)

LANGUAGES = ("de", "fr", "es", "ru", "tr")
MIXED = """\
der hund lief über die straße zum markt.
12 : 30
le train de lyon arrive à paris à midi.
el tren de sevilla llega a madrid a las diez.
xyzzy qwrt
ali i̇zmir'den geldi.
он родился в 1975 г. в киеве.
london, paris, madrid
""".replace("i̇", "i")


@pytest.fixture(scope="module")
def truecasers():
    return {
        code: estimated(text_of(code), min_count=1, language=code, smartcase=True)
        for code in LANGUAGES
    }


@pytest.fixture(scope="module")
def mixed(truecasers):
    return MultilingualTruecaser(truecasers)


def fold(text):
    """Without case in whichever language: the letters i are one."""
    return re.sub("[İıi\u0307]", "i", "".join(map(fold_character, text)))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("case", ["lower", "upper", "as it is"])
def test_the_lines_of_a_text_are_told(mixed, truecasers, language, case):
    turkic = "tr" if language == "tr" else ""
    for line in TEXTS[language].splitlines():
        given = lower(line, turkic) if case == "lower" else line
        if case == "upper":
            given = truecasers[language](line, style="upper")
        assert mixed.languages_of([given]) == [language]
        assert mixed(given) == truecasers[language](given)


def test_letters_of_words_that_no_model_knows(mixed):
    told = LanguageIdentifier(dict(zip(mixed.languages, mixed._truecasers, strict=True))).identify(
        ["qxığş zzışk", "qxäüß zzäö", "ящзцй", "qxz zzk"]
    )
    assert [mixed.languages[place] for place in told.best[:3]] == ["tr", "de", "ru"]
    # None of its words is known.
    assert not told.is_sure.any()


def test_alphabets_have_their_capitals():
    for language in ALPHABETS:
        letters = letters_of(language)
        assert letters_of(f"{language}-XX") == letters
        for letter in ALPHABETS[language]:
            assert {letter, *lower(letter, language), *upper(letter, language)} - set("iIkK") <= (
                letters | set("SS")
            )
    assert letters_of("xx") is None


def test_what_does_not_decide_follows_the_line_before(mixed):
    told = mixed.languages_of(MIXED.splitlines())
    assert told == ["de", "de", "fr", "es", "es", "tr", "ru", "ru"]
    assert mixed.languages_of(["12", "xyzzy", *MIXED.splitlines()])[2:] == told
    assert mixed(MIXED).splitlines()[2:4] == [
        "Le train de Lyon arrive à Paris à midi.",
        "El tren de Sevilla llega a Madrid a las diez.",
    ]


def has_other_letter(word, language):
    letters = ALPHABETS.get(language)
    return letters is not None and any(
        not ("A" <= c <= "Z" or "a" <= c <= "z" or c in letters or c in letters.upper())
        for c in word
    )


def plain(truecasers, line):
    """The place of the likeliest language of a line, and whether its words decide it."""
    words = re.findall(r"[^\W\d_]+", line)
    scores, known = [], []
    for language, truecaser in truecasers.items():
        unknown = ONE_UNKNOWN * sum(
            math.exp(x) for x in truecaser.model.lexicon.arrays["classes.probability_ln"].tolist()
        )
        counts = [truecaser.training_count(word) for word in words]
        n = truecaser.about()["tokens"]
        scores.append(sum(math.log(max(count / n, unknown)) for count in counts))
        for word, count in zip(words, counts, strict=True):
            if count == 0 and has_other_letter(word, language):
                scores[-1] -= OTHER_LETTER
        known.append(sum(count > 0 for count in counts))
    best = scores.index(max(scores))
    margin = max(scores) - max(s for i, s in enumerate(scores) if i != best)
    return (
        best,
        bool(words) and margin >= LEAST_MARGIN and (known[best] >= LEAST_KNOWN * len(words)),
        abs(margin - LEAST_MARGIN) > 1e-6,
    )


WORDS = [word for code in LANGUAGES for word in TEXTS[code].split()[:40]]
LINES = st.lists(
    st.one_of(st.sampled_from([*WORDS, "腾讯与NBA签署", "ıİ"]), st.text(max_size=4)), max_size=8
).map(" ".join)


@examples(200)
@given(st.lists(LINES, max_size=4))
def test_telling_like_the_plain_twin(truecasers, lines):
    lines = [line.encode("utf-8", "ignore").decode().replace("\n", " ") for line in lines]
    told = LanguageIdentifier(truecasers).identify(lines)
    assert len(told.best) == len(told.is_sure) == len(lines)
    for line, best, is_sure in zip(lines, told.best, told.is_sure, strict=True):
        expected, sure, is_clear = plain(truecasers, line)
        if is_clear:
            assert is_sure == sure
        if sure:
            assert best == expected


@examples(100)
@given(
    st.lists(st.one_of(LINES, st.sampled_from(MIXED.splitlines())), max_size=8),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
    st.lists(st.integers(0, 300), max_size=4),
)
def test_however_a_text_is_cut(mixed, lines, end, is_ended, cuts):
    text = end.join(lines) + (end if is_ended else "")
    block = text.encode("utf-8", "surrogatepass")
    whole = mixed.case_block(block)
    assert fold(whole.decode("utf-8", "surrogatepass")) == fold(text)
    assert mixed.case_block(block, 3) == whole
    places = sorted({block.rfind(b"\n", 0, cut) + 1 for cut in cuts} | {0, len(block)})
    parts = [block[a:b] for a, b in itertools.pairwise(places)]
    assert b"".join(lines.cased() for lines in mixed.identified(parts)) == whole


def test_long_texts_on_threads(mixed):
    block = MIXED.encode() * 3000
    assert mixed.case_block(block, 2) == mixed.case_block(MIXED.encode()) * 3000


def test_any_bytes_come_out(mixed):
    block = b"der hund\xff lief\n\x00\n\r\n\xc3\nle train de lyon"
    cased = mixed.case_block(block)
    assert cased.lower() == block.lower() and cased.count(b"\n") == block.count(b"\n")
    assert mixed.case_block(b"") == b"" and mixed("") == "" and mixed.batch([]) == []


def test_texts_of_a_batch(mixed, truecasers):
    texts = ["der hund lief über\ndie straße", "12", "le train de lyon\narrive à paris", ""]
    german, french = truecasers["de"], truecasers["fr"]
    assert mixed.batch(texts) == [german(texts[0]), "12", french(texts[2]), ""]
    assert mixed.batch(texts, 2, style="upper") == [upper(t) for t in texts]
    assert mixed.batch(texts, input_case="keep") == mixed.batch(texts)


def test_documents_are_told_whole(mixed, truecasers):
    german = "ein auto und der hund lief\nüber die straße. paris madrid\n"
    french = "le train\nde lyon arrive. köln\n"
    block = f"{german}\n{french}\n\n12\n".encode()
    cased = mixed.case_documents(block).decode()
    assert cased == mixed.case_documents(block, 2).decode()
    assert fold(cased) == fold(block.decode())
    first = "\n".join(truecasers["de"].document(german.splitlines())) + "\n"
    assert cased.startswith(first) and "\nÜber" not in cased
    assert "\nde Lyon arrive." in cased
    parted = f"{german}---\n{french}".encode()
    assert mixed.case_documents(parted, separator="---").decode() == (
        first + "---\n" + "\n".join(truecasers["fr"].document(french.splitlines())) + "\n"
    )


def test_an_unknown_name_has_one_form_in_each_language(mixed):
    lines = ["der qorlan lief zum markt.", "le train arrive à qorlan.", "der hund lief, qorlan."]
    german = [lines[0], lines[2]]
    agreed = mixed.with_agreed_names(["\n".join(lines) + "\n", "el tren"])
    alone = with_agreed_names(mixed._truecasers[0], ["\n".join(german)])
    assert agreed.batch(lines) == [
        alone(lines[0]), mixed._truecasers[1](lines[1]), alone(lines[2])
    ]  # fmt: skip
    assert agreed.languages == mixed.languages


def test_copies(mixed):
    copy = pickle.loads(pickle.dumps(mixed))
    assert copy.languages == mixed.languages == LANGUAGES
    assert copy(MIXED) == mixed(MIXED)
    assert repr(copy) == "<MultilingualTruecaser: de, fr, es, ru, tr>"


def test_errors(truecasers, mixed):
    with pytest.raises(LanguagesError, match="expected two or more to choose from, found 1"):
        MultilingualTruecaser({"de": truecasers["de"]})
    with pytest.raises(FileNotFoundError):
        MultilingualTruecaser.load(["en", "no-such"])
    with pytest.raises(WrongTypeError, match="languages: expected a list of str"):
        MultilingualTruecaser.load("de")
    silent = Truecaser(truecasers["de"].model.replace(notes={}))
    with pytest.raises(ModelError, match="x: this model does not say how much text"):
        MultilingualTruecaser({"x": silent, "fr": truecasers["fr"]})
    with pytest.raises(WrongTypeError, match="lines: expected a list of str"):
        mixed.batch("der hund")
    with pytest.raises(ValueError, match="expected 1 or more"):
        mixed.case_block(b"x", 0)
    with pytest.raises(ValueError, match="expected one of evidence, ignore, keep, auto"):
        mixed("der hund", "loud")
    with pytest.raises(ValueError, match="pauses: expected one for each word of each text"):
        mixed.missing_marks(["der hund", "le train"], pauses=[[1.0, 1.0]])
