"""How the languages of the world are cased, each by a small model of sentences in it.

What Unicode's SpecialCasing.txt and CLDR's transforms say is written down where it is tested; where
they change letters, and not only their case, the text keeps its letters, but for Greek in upper
case (`truecase/rules/_lines.pxd`).
"""

import functools

import pytest
from examples import examples
from hypothesis import assume, example, given
from hypothesis import strategies as st
from language_texts import text_of
from recipes import SMALL_NETWORK, estimated, trained
from reference import casing as twin

from truecase.kernels._unicode import lower
from truecase.kernels.text import capital_rule, is_greek, primary_language
from truecase.rules._lines import StyleWriter


@functools.cache
def model(language, preset="ngram"):
    options = {"min_count": 1, "language": language, "smartcase": True}
    if preset == "ngram":
        return estimated(text_of(language), **options)
    return trained(text_of(language), preset, **SMALL_NETWORK, **options)


def check(language, right, given=None):
    """A line comes back from lower case, or from `given`, by every way in."""
    truecaser = model(language)
    given = lower(right, truecaser.language) if given is None else given
    assert truecaser(given) == right
    assert truecaser.batch([given, given]) == [right, right]
    assert "".join(w.text for w in truecaser.tags(given)[0]) == "".join(right.split())
    assert "".join(w.text for w in truecaser.posteriors(given)[0]) == "".join(right.split())


@pytest.mark.parametrize(
    "line",
    [
        "Die Straße nach Köln ist lang.",
        "Das Essen war gut. Wir essen gern.",
        "Frau Weiß sagte: der Schnee ist weiß.",
        # Compounds that were never seen, made of words that were.
        "Die CDU-Spitze fuhr nach Köln.",
        "Am Montag traf sich die SPD-Spitze mit dem Köln-Chef.",
        "Am 5. Mai kommt die Bahn",
        "„Die Bahn kommt am Montag“, sagte die Kanzlerin.",
    ],
)
def test_german(line):
    check("de", line)


def test_german_sharp_s():
    # SpecialCasing: ß is SS in upper case, and SS is no ß in lower case. A letter stays one here.
    check("de", "Die Straße nach Köln", "DIE STRAẞE NACH KÖLN")
    check("de", "Die Straße nach Köln", "DIE STRAßE NACH KÖLN")
    assert lower("STRASSE") == "strasse" != lower("Straße")
    assert model("de")("STRASSE").lower() == "strasse"
    assert model("de")("die straße", style="upper") == "DIE STRAßE"


@pytest.mark.parametrize(
    "line",
    [
        "In IJsland is het koud.",
        "Het IJsselmeer ligt ten noorden van Utrecht.",
        "IJs is goed als het warm is. IJs eten we graag.",
        # Never seen: the digraph is raised as one letter.
        "IJmuiden ligt ten noorden van Den Haag.",
        "'s Avonds eten we brood.",
        "’s Morgens leest Anna de krant.",
        "'t Is goed. 's Avonds regent het.",
        "“'s Avonds eten we brood.”",
        "'k Lees 's avonds graag 'n boek.",
        "'n Boek ligt op tafel.",
        "We eten 's avonds in Den Haag.",
    ],
)
@pytest.mark.parametrize("preset", ["ngram", "crf-neural"])
def test_dutch(line, preset):
    if preset == "ngram":
        check("nl", line)
    # So small a model is wrong of a word here and there, but not of what a rule decides.
    first = line.split()[:2]
    assert model("nl", preset)(line.lower()).split()[:2] == first


def test_dutch_rules_are_dutch():
    english = estimated(text_of("nl"), min_count=1, language="en", smartcase=True)
    assert english("ijs is goed") == "Ijs is goed"
    assert english("'s avonds eten we").startswith("'S ")
    assert model("nl")("het ijs van jan", style="title") == "Het IJs Van Jan"
    # Also where the training text has it otherwise.
    misspelt = estimated(text_of("nl") + b"Wij zien Ijburg .\n", min_count=1, language="nl")
    assert misspelt("wij zien ijburg .") == "Wij zien IJburg ."


@pytest.mark.parametrize(
    "line",
    [
        "Tá sé ina chónaí i mBaile Átha Cliath anois.",
        "Labhair an tSín leis an tUachtarán.",
        "Tá muintir na hÉireann bródúil.",
        "Bhí Seán ag obair i gCorcaigh agus i nGaillimh.",
        # A verb with an eclipsis at the beginning of a sentence has its first letter raised.
        "Gcloiseann Máire an fharraige?",
    ],
)
def test_irish(line):
    check("ga", line)


def test_irish_names_that_were_never_seen():
    names = "Dún Doire Sligeach Ciarraí Trá Pailís Béal Gort".split()
    lines = [f"Tá Máire i {name} anois." for name in names] * 3
    irish = estimated("\n".join(lines).encode(), min_count=4, language="ga", smartcase=True)
    for name in ("mBanba", "gCill", "nDroichead", "nGráig", "bPortach", "dTamhlacht", "bhFinglas"):
        assert irish(f"tá máire i {lower(name)} anois.") == f"Tá Máire i {name} anois."
        assert irish(f"tá máire i {lower(name)} anois.", style="upper") == (
            f"TÁ MÁIRE I {name[: len(name) - len(name.lstrip('bdgmnth'))]}"
            f"{name.lstrip('bdgmnth').upper()} ANOIS."
        )


def test_irish_in_upper_case():
    # CLDR's Irish upper case leaves prefixes as they are.
    upper = StyleWriter("raw", "ga").upper
    for text, raised in (
        ("i mBaile Átha Cliath", "I mBAILE ÁTHA CLIATH"),
        ("an tSín", "AN tSÍN"),
        ("na hÉireann", "NA hÉIREANN"),
        ("ár nAthair", "ÁR nATHAIR"),
        ("a bhfuil", "A bhFUIL"),
        ("bhí sé", "BHÍ SÉ"),
        ("MBAILE", "MBAILE"),
    ):
        assert upper(text.encode()).decode() == raised
    assert StyleWriter("raw", "").upper(b"i mBaile").decode() == "I MBAILE"


@pytest.mark.parametrize(
    "line",
    [
        "Ο Γιώργος μένει στην Αθήνα με τη Μαρία.",
        "Η οδός Σταδίου είναι στην Αθήνα.",
        "Το σπίτι του Οδυσσέα είναι κοντά στη θάλασσα.",
        "Ο κόσμος είναι μεγάλος. Ο Όλυμπος είναι ψηλός.",
    ],
)
def test_greek(line):
    check("el", line)


def test_greek_sigma_at_the_end_of_a_word():
    # SpecialCasing: Final_Sigma.
    check("el", "Ο Νίκος και ο Γιώργος", "Ο ΝΊΚΟΣ ΚΑΙ Ο ΓΙΏΡΓΟΣ")
    check("el", "Ο ήλιος ανατέλλει", "Ο ΉΛΙΟΣ ΑΝΑΤΈΛΛΕΙ")
    assert lower("ΣΟΦΌΣ ΣΟΦΟΣ. ΟΔΟΣ-ΟΔΟΣ") == "σοφός σοφος. οδος-οδος"


@pytest.mark.parametrize(
    "given, raised",
    [
        # CLDR's Greek upper case (el-Upper): no accents; a diaeresis stays, or comes.
        ("άδικος, κείμενο, ίριδα", "ΑΔΙΚΟΣ, ΚΕΙΜΕΝΟ, ΙΡΙΔΑ"),
        ("Πατάτα και Ωραίο", "ΠΑΤΑΤΑ ΚΑΙ ΩΡΑΙΟ"),
        ("Μαΐου, Πόρος, Ρύθμιση", "ΜΑΪΟΥ, ΠΟΡΟΣ, ΡΥΘΜΙΣΗ"),
        ("πραΰνω, Τηρώ, Μάιος", "ΠΡΑΫΝΩ, ΤΗΡΩ, ΜΑΪΟΣ"),
        ("άυλος", "ΑΫΛΟΣ"),
        ("ΑΫΛΟΣ ΑΘΉΝΑ", "ΑΫΛΟΣ ΑΘΗΝΑ"),
        ("Άκλιτα ρήματα ή άκλιτες μετοχές", "ΑΚΛΙΤΑ ΡΗΜΑΤΑ Ή ΑΚΛΙΤΕΣ ΜΕΤΟΧΕΣ"),
        ("Ή όχι; ΉΛΙΟΣ", "Ή ΟΧΙ; ΗΛΙΟΣ"),
        ("Athens, Αθήνα: https://a.gr/ά", "ATHENS, ΑΘΗΝΑ: https://a.gr/ά"),
    ],
)
def test_greek_in_upper_case(given, raised):
    assert StyleWriter("raw", "el").upper(given.encode()).decode() == raised
    assert len(raised.encode()) == len(given.encode())
    # Without the language nothing is known of it.
    plain = StyleWriter("raw", "").upper(given.encode()).decode()
    assert twin_fold(plain) == twin_fold(given)


def test_a_greek_word_with_an_accent_gets_capitals_from_the_text_alone():
    # All the ships have names in capitals, and those are written without accents.
    ships = "".join(
        f"Το πλοίο της {first}{vowel}{end} είναι εδώ.\n"
        for first in "ΔΚΛΜΝΡΣΤ"
        for vowel in "ΑΕΙΟ"
        for end in ("ΛΟ", "ΡΑ")
    )
    accented = "Η ΛΆΡΑ και το πλοίο της ΛΆΡΑ.\n"
    options = {"min_count": 2, "language": "el", "smartcase": True}
    made = estimated(f"{ships}{3 * accented}".encode(), **options)
    for name in ("ΖΑΡΑ", "Ζάρα", "ΛΆΡΑ"):
        right = f"Το πλοίο της {name} είναι εδώ."
        given = right.lower()
        assert made(given) == right
        for found in (made.tags(given), made.posteriors(given)):
            assert "".join(word.text for word in found[0]) == "".join(right.split())


def test_greek_models_write_greek_upper_case():
    assert model("el")("η αθήνα και ο γιώργος", style="upper") == "Η ΑΘΗΝΑ ΚΑΙ Ο ΓΙΩΡΓΟΣ"
    block = "η αθήνα\n".encode() * 3
    assert model("el").case_block(block, style="upper").decode() == "Η ΑΘΗΝΑ\n" * 3


def twin_fold(text):
    return "".join(map(twin.fold, text))


@pytest.mark.parametrize(
    "line",
    [
        "Où est la gare ? À Paris, dit Marie.",
        "« À midi, Jean mange avec Marie. »",
        # The speech ends, the sentence does not.
        "« Où est la gare ? » dit Marie.",
        "« Où est la gare ?» dit Marie.",
        "L'État paie l'école. L'homme habite à Lyon.",
        "– Où est la gare de Lyon ?",
        "École et travail sont loin.",
    ],
)
def test_french(line):
    check("fr", line)


@pytest.mark.parametrize(
    "line",
    [
        "¿Dónde vive María?",
        "Hola. ¿Qué dice Pedro? ¡Qué día tan bueno!",
        "Pedro, ¿dónde vive María?",
        "«¿Qué hora es?», dijo María.",
        "¡¿Qué dice?! ¿¡Qué dice!?",
        "—¿Qué dice Pedro del tren?",
        "(¿Dónde está la estación?)",
    ],
)
def test_spanish(line):
    check("es", line)


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("ru", "Он родился в 1975 г. в Москве."),
        ("ru", "Мы купили хлеб и т. д. в магазине. Мария читает."),
        ("ru", "Он живёт на ул. Пушкина, т. е. рядом с магазином."),
        ("ru", "США и СССР подписали договор."),
        ("uk", "Він народився в 1975 р. у Києві."),
        ("uk", "Ми купили хліб і т. д. у крамниці. Марія читає."),
        ("uk", "Іван живе на вул. Франка."),
        ("uk", "Книга США та СРСР у Львові."),
        ("uk", "Мар'яна читає, п'ять яблук лежать на столі."),
        ("uk", "Мар’яна читає, п’ять яблук лежать на столі."),
        ("uk", "Їжак спить у Львові."),
    ],
)
def test_russian_and_ukrainian(language, line):
    check(language, line)


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("tr", "İstanbul ve Isparta büyük şehirler."),
        ("tr", "Ali İzmir'den geldi. Işık yandı. İnci uyandı."),
        ("tr", "Ilık bir gün, dedi İnci."),
        ("az", "Bakı və İrəvan böyük şəhərlərdir."),
        ("az", "İşıq yandı. Isti bir gün idi, dedi İlqar."),
    ],
)
def test_turkish_and_azeri(language, line):
    # SpecialCasing for tr and az: I and ı, İ and i.
    upper = "".join(twin.upper(c, True) for c in line)
    check(language, line, upper)
    assert model(language)(line, style="upper") == upper


@pytest.mark.parametrize(
    ("tag", "primary", "rule", "greek"),
    [
        ("nl", "nl", "dutch", False),
        ("nl-BE", "nl", "dutch", False),
        ("NL_nl", "nl", "dutch", False),
        ("ga-IE", "ga", "irish", False),
        ("el", "el", "first", True),
        ("de", "de", "first", False),
        ("", "", "first", False),
        ("no such", "", "first", False),
    ],
)
def test_what_languages_are_told_apart_by(tag, primary, rule, greek):
    assert primary_language(tag) == primary
    assert (capital_rule(tag), is_greek(tag)) == (rule, greek)


@examples(200)
@given(
    st.text("ijbhfmgcndptsaé", min_size=1, max_size=6), st.sampled_from(["nl", "ga", "fr", "de"])
)
@example("db", "nl")
def test_capitals_of_words_never_seen_like_the_twin(word, language):
    truecaser = model(language)
    assume(truecaser.training_count(word) == 0)
    # All languages list pH, and German has plurals of acronyms (ABs).
    assume(word != "ph" and not (language == "de" and word.endswith("s")))
    # Right behind a number, db may be the unit dB.
    (words,) = truecaser.posteriors(f"99 , {word} 99")
    assume([w.end - w.start for w in words] == [2, 1, len(word), 2])
    found = {candidate.text for candidate in words[2].candidates}
    assert found == {word, twin.capital(word, language), word.upper()}


@examples(100)
@given(
    st.lists(
        st.sampled_from("ijs ij 's 't k ' mbaile bhf tsín ή άι ΐ ΰ Ά ŉ ß ﬁ - . ? ! » « ¿".split()),
        max_size=12,
    ).map(" ".join),
    st.sampled_from(["nl", "ga", "el"]),
)
def test_rules_change_nothing_but_case(text, language):
    truecaser = model(language)
    assert twin_fold(truecaser(text)) == twin_fold(text)
    once = truecaser(text, "ignore")
    assert truecaser(once, "ignore") == once
    styles = ["title"] if language == "el" else ["title", "upper"]
    for style in styles:
        assert twin_fold(truecaser(text, style=style)) == twin_fold(text)
    raised = truecaser(text, style="upper")
    assert len(raised) == len(text) and truecaser(raised, style="upper") == raised
