"""Rules of languages: files of words, and what they do to lines of German and French."""

import importlib.util
from pathlib import Path

import pytest
from recipes import estimated
from truecase_testing import sentences

import truecase.rules
from truecase.rules import language as reader
from truecase.truecaser import Truecaser

FOLDER = Path(truecase.rules.__file__).parent
LANGUAGES = sorted(path.stem for path in FOLDER.glob("??.toml"))
GERMAN = (
    """\
Die Sitzung beginnt heute . Der Brief von Anna ist da , sie sagt es nicht .
Das Netz hat Strom , und die Leitung ist lang . Wir sehen die Stadt am Mai .
"""
    * 20
)
FRENCH = (
    """\
La séance commence ce soir . La lettre de Marie est là , elle ne le dit pas .
Le disque est grand , et la ligne est longue . Nous voyons la ville en mai .
"""
    * 20
)
TEXTS = {
    "de": GERMAN,
    "fr": FRENCH,
    "es": "La sala abre hoy . La carta de Ana está aquí , ella no lo dice .\n" * 40,
    "nl": "De zaal is open . De brief van K is hier , zij zeggen dat niet , zie je .\n" * 40,
    "it": "La sala apre oggi . La lettera di Anna è qui , lei non lo dice .\n" * 40,
    "pl": "Sala jest dziś czynna . List od Anny jest tutaj , ona tego nie mówi .\n" * 40,
    "cs": "Sál je dnes otevřen . Dopis od Anny je zde , ona to neříká .\n" * 40,
    "ru": "Зал сегодня открыт . Письмо от Анны здесь , она этого не говорит .\n" * 40,
    "uk": "Зала сьогодні працює . Лист від Анни тут , вона цього не каже .\n" * 40,
    "el": "Η αίθουσα ανοίγει σήμερα . Το γράμμα της Άννας είναι εδώ , δεν το λέει .\n" * 40,
    "sv": "Salen är öppen idag . Brevet från Anna är här , hon säger det inte .\n" * 40,
    "sr": "Dvorana je danas otvorena . Ево писма од Ане , она то не каже .\n" * 40,
    "tr": "Salon bugün açık . Ayşe'nin mektubu burada , o bunu söylemiyor .\n" * 40,
}


@pytest.fixture(scope="module")
def truecasers():
    return {
        code: estimated(text.encode(), language=code, min_count=1) for code, text in TEXTS.items()
    }


def without_rules(truecaser):
    model = truecaser.model
    return Truecaser(model.replace(text=model.text.replace(language="")))


@pytest.mark.skipif(importlib.util.find_spec("tomllib") is None, reason="Python 3.11")
@pytest.mark.parametrize("language", LANGUAGES)
def test_reader_reads_toml(language):
    import tomllib

    rules, shared = (
        tomllib.loads((FOLDER / f"{name}.toml").read_text("utf-8")) for name in (language, "common")
    )
    for name, words in shared["forms"].items():
        rules["forms"][name] = words + rules["forms"].get(name, "")
    assert reader.read_rules(language) == rules


@pytest.mark.parametrize("language", LANGUAGES)
def test_lists_are_those_of_english(language):
    english, rules = reader.read_rules("en"), reader.read_rules(language)
    for section, values in rules.items():
        assert {name: type(value) for name, value in values.items()}.items() <= (
            {name: type(value) for name, value in english[section].items()}.items()
        )


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_list_has_a_word_twice(language):
    for values in reader.read_rules(language).values():
        for name, value in values.items():
            if not name.startswith("gains") and isinstance(value, str):
                assert len(value.split()) == len(set(value.split()))


@pytest.mark.parametrize("name", ["gains", "gains_in_speech"])
def test_no_mark_gains_twice_beside_a_word(name):
    found = []
    for line in str(reader.rules_of("en")["marks"][name]).splitlines():
        place, mark, amount, *words = line.split()
        assert place in ("before", "behind")
        assert mark in (",", ".", "?")
        assert 0 < abs(float(amount)) < 4
        found += [(place, mark, word) for word in words]
    assert len(found) == len(set(found)) > 0


def test_the_words_of_marks_have_room():
    rules = reader.rules_of("en-GB")["marks"]
    words = {word for value in rules.values() if isinstance(value, str) for word in value.split()}
    assert 0 < len(words) <= 200
    assert all(len(part.encode()) <= 7 for part in str(rules["parts"]).split())
    assert "marks" not in reader.rules_of("cs")


def test_other_languages_have_no_rules():
    assert reader.read_rules("xx") == reader.read_rules("") == {}


@pytest.mark.parametrize("code", [code for code in TEXTS if code != "sr"])
def test_words_written_alike_in_all_languages(truecasers, code):
    line = f"{TEXTS[code].split()[0].lower()} github , iphone , b2b , bluetooth , wi-fi ."
    assert truecasers[code](line).endswith(" GitHub , iPhone , B2B , Bluetooth , Wi-Fi .")


def test_shared_words_have_no_capital_that_is_another_letter_in_turkish():
    shared = (FOLDER / "common.toml").read_text("utf-8").split("written = ")[1]
    assert "I" not in shared


def test_phrases():
    found = list(reader.phrases("minister[|s] secretar[y|ies]_of_state w/o"))
    assert found == [
        (("minister",), False),
        (("ministers",), True),
        (("secretary", "of", "state"), False),
        (("secretaries", "of", "state"), True),
        (("w", "o"), False),
    ]


@pytest.mark.parametrize(
    ("language", "line", "cased"),
    [
        ("de", "die leitung hat 50hz.", "Die Leitung hat 50Hz."),
        ("de", "strg+c und alt+tab", "Strg+C und Alt+Tab"),
        ("de", "betreff: die sitzung", "Betreff: Die Sitzung"),
        ("de", "wir sehen die stadt bzw. die leitung.", "Wir sehen die Stadt bzw. die Leitung."),
        ("de", "wir sehen am 5. mai die stadt.", "Wir sehen am 5. Mai die Stadt."),
        ("de", "die sitzung ist am mo. um 5.", "Die Sitzung ist am Mo. um 5."),
        ("de", "wir sehen äh die stadt.", "Wir sehen äh die Stadt."),
        ("de", "der brief sagt: „es ist die stadt.“", "Der Brief sagt: „Es ist die Stadt.“"),
        ("de", "wir sagen: »die stadt« ist lang.", "Wir sagen: »die Stadt« ist lang."),
        ("ru", "мы говорим: «письмо от анны здесь».", "Мы говорим: «Письмо от Анны здесь»."),
        ("de", "wir sehen die stadt b. sie ist lang.", "Wir sehen die Stadt B. Sie ist lang."),
        ("fr", "le disque de 16go est grand.", "Le disque de 16Go est grand."),
        (
            "fr",
            "la lettre est là, option c. elle est longue.",
            "La lettre est là, option C. Elle est longue.",
        ),
        ("fr", "maj+c et ctrl+échap", "Maj+C et Ctrl+Échap"),
        ("fr", "objet : la séance", "Objet : la séance"),
        ("fr", "objet: la séance", "Objet: La séance"),
        ("fr", "la lettre de mme. marie est là.", "La lettre de mme. Marie est là."),
        ("fr", "la lettre env. la ligne", "La lettre env. la ligne"),
        ("fr", "la lettre est là, n/a.", "La lettre est là, N/A."),
        (
            "fr",
            "la séance commence le 5. elle est longue.",
            "La séance commence le 5. Elle est longue.",
        ),
        ("es", "la carta está aquí, pág. dos.", "La carta está aquí, pág. dos."),
        ("es", "asunto: la carta", "Asunto: La carta"),
        ("es", "mayús+supr", "Mayús+Supr"),
        ("es", "ella lo dice, ejem, hoy", "Ella lo dice, ejem, hoy"),
        ("it", "la lettera è qui, pag. due.", "La lettera è qui, pag. due."),
        ("it", "oggetto: la sala", "Oggetto: La sala"),
        ("it", "la sig.ra bianchi e il sig. sala", "La sig.ra Bianchi e il sig. Sala"),
        ("nl", "'k zie en 'k zeg niets.", "'k Zie en 'k zeg niets."),
        ("pl", "list jest tutaj, zob. str. druga.", "List jest tutaj, zob. str. druga."),
        ("pl", "temat: list", "Temat: List"),
        ("cs", "dopis je zde, viz čl. druhý.", "Dopis je zde, viz čl. druhý."),
        ("cs", "sál má 50khz a 10mb.", "Sál má 50kHz a 10MB."),
        ("de", "die leitung hat 5g, 60g und 4l.", "Die Leitung hat 5G, 60g und 4l."),
        ("fr", "le mcdo est grand.", "Le McDo est grand."),
        ("it", "la sala ha 2 HG.", "La sala ha 2 hg."),
        ("it", "la lettera di avv. bianchi", "La lettera di avv. Bianchi"),
        ("nl", "de zaal is 2 EL.", "De zaal is 2 el."),
        ("nl", "de zaal is in bergen-op-zoom.", "De zaal is in Bergen-op-Zoom."),
        ("nl", "de brief van dhr. zaal", "De brief van dhr. Zaal"),
        ("pl", "list jest tutaj, szanowna pani.", "List jest tutaj, Szanowna Pani."),
        ("sv", "salen är 2 MSK.", "Salen är 2 msk."),
        ("tr", "mektup linkedin burada", "Mektup Linkedin burada"),
        ("ru", "письмо здесь, см. стр. два.", "Письмо здесь, см. стр. два."),
        ("ru", "тема: письмо", "Тема: Письмо"),
        ("uk", "лист тут, див. табл. два.", "Лист тут, див. табл. два."),
        ("el", "το γράμμα είναι εδώ, σελ. δύο.", "Το γράμμα είναι εδώ, σελ. δύο."),
        ("el", "θέμα: το γράμμα", "Θέμα: Το γράμμα"),
        ("sv", "brevet är här, jfr avd. två.", "Brevet är här, jfr avd. två."),
        ("sv", "ämne: brevet", "Ämne: Brevet"),
        ("sr", "dvorana je otvorena tj. radi.", "Dvorana je otvorena tj. radi."),
        ("sr", "предмет: писмо", "Предмет: Писмо"),
        ("tr", "mektup burada, bkz. sayfa iki.", "Mektup burada, bkz. sayfa iki."),
        ("tr", "konu: mektup", "Konu: Mektup"),
    ],
)
def test_lines(truecasers, language, line, cased):
    assert truecasers[language](line) == cased
    assert truecasers[language].explain(line).output == cased


@pytest.mark.parametrize(
    ("language", "line"),
    [("de", "die leitung hat 50hz."), ("de", "strg+c"), ("fr", "le 16mo"), ("fr", "maj+c")],
)
def test_rules_change_lines(truecasers, language, line):
    assert truecasers[language](line) != without_rules(truecasers[language])(line)
    assert truecasers[language](line, sentence_start="learned") == without_rules(
        truecasers[language]
    )(line, sentence_start="learned")


def test_explanation_has_the_bonus_of_a_node(truecasers):
    word = truecasers["de"].explain("die leitung hat 50hz").words[3]
    gained = {c.feature: c.product for c in word.candidates[word.chosen].contributions}
    assert word.candidates[word.chosen].text == "50Hz"
    assert gained["composed"] == reader.read_rules("de")["forms"]["unit_bonus"]


def test_pronoun_is_english_alone(truecasers):
    assert truecasers["de"]("wir sehen i") == "Wir sehen i"


def test_abbreviations_end_no_sentence(truecasers):
    line = b"wir sehen die stadt bzw. die leitung"
    assert len(sentences(truecasers["de"]._compiled, line)) == 1
    assert len(sentences(without_rules(truecasers["de"])._compiled, line)) == 2
    # Nor is one a sentence by itself.
    assert len(sentences(truecasers["de"]._compiled, b"bzw. die leitung")) == 1
