"""Texts in another language than the model's are noticed, by their commonest words."""

import warnings

import pytest

import truecase
from truecase import Truecaser
from truecase.errors import OtherLanguageWarning
from truecase.model.embedded import other_language

FRENCH = (
    "le maire a dit que les membres de la commission ne sont pas dans la ville et "
    "qu'il faut attendre la fin de la semaine"
)
TEXTS = {
    "fr": FRENCH,
    "it": "quello che non dice è nella lettera",
    "de": "der bürgermeister sagte, dass die mitglieder nicht in der stadt sind und man bis zum "
    "ende der woche auf sie warten muss, wenn es nicht regnet",
    "pl": "burmistrz powiedział, że członkowie komisji nie są w mieście i że trzeba na nich "
    "poczekać do końca tygodnia, bo jeszcze nie przyjechali, ale już jadą przez las",
    "ru": "мэр сказал, что члены комиссии ещё не в городе, и что их надо ждать до конца недели, "
    "потому что они не знали, как было раньше, но это не так",
}
ENGLISH = {
    "names": "angela merkel and emmanuel macron met in the château de la muette with members of "
    "la république en marche and die linke, who came from aix-en-provence to the meeting",
    "code": "def f(a, b): return [x for x in a if x not in b] # le code est la loi\n" * 5,
    "short": "je sais",
    "song": "la la la",
    "list": "we flew from rio de janeiro to las vegas, with juan de la cruz and ursula von der "
    "leyen, then by way of los angeles, la paz and le mans to den haag, la rochelle and el paso",
    "chinese": "这是一个测试。" * 50,
}


@pytest.mark.parametrize("code", TEXTS)
def test_texts_in_other_languages(code):
    assert other_language(TEXTS[code], "en") == code
    assert other_language(TEXTS[code].upper(), "en-GB") == code
    assert other_language(TEXTS[code], code) is None
    # Nobody knows what the text of such a model was in, or how its language looks.
    assert other_language(TEXTS[code], "") is None
    assert other_language(TEXTS[code], "ga") is None


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("ru", "поезд в москву отправляется завтра утром и прибывает вечером"),
        ("ru", "новый мост через реку откроют в конце недели"),
        ("uk", "він сказав що не може прийти бо в нього болить голова"),
        ("bg", "новият мост над реката ще бъде открит в края на седмицата"),
        ("sr", "рекао је да не може да дође јер га боли глава"),
    ],
)
def test_lines_in_languages_with_many_words_in_common(code, line):
    assert other_language(line, "en") == code


@pytest.mark.parametrize("kind", ENGLISH)
def test_what_is_no_evidence(kind):
    assert other_language(ENGLISH[kind], "en") is None


def test_a_beginning_is_looked_at():
    english = "the members of the committee are not in the city, and we have to wait for them . "
    assert other_language(english * 40 + FRENCH * 9, "en") is None
    assert other_language(english * 3 + FRENCH * 9, "en") is None
    assert other_language(FRENCH * 30 + english * 50, "en") == "fr"


def test_each_way_in_warns_once():
    truecaser = Truecaser.load()
    for call in (
        lambda: truecaser(FRENCH),
        lambda: truecaser.batch([FRENCH[:60], FRENCH[60:], FRENCH]),
        lambda: truecaser.document([FRENCH]),
        lambda: truecase.truecase(FRENCH),
    ):
        with pytest.warns(OtherLanguageWarning, match="looks like French, and the model is for E"):
            call()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        truecaser("it is not " * 50)
        truecaser.batch([FRENCH[:20]] * 2)
        session = truecaser.session()
        session.push(FRENCH)
        session.close()
        truecaser.case_block(FRENCH.encode())
        truecaser.batch([])


@pytest.mark.parametrize(
    "arguments", [[], ["-j", "2"], ["--context", "document"], ["--style", "title"], ["--tags"]]
)
def test_the_command_warns_once(truecase, arguments):
    done = truecase(*arguments, text=(FRENCH + "\n").encode() * 5_000)
    assert done.returncode == 0
    assert done.stderr.decode().startswith(
        "truecase: warning: the text looks like French, and the model is for English: "
    )
    assert done.stderr.count(b"\n") == 1
    assert truecase(*arguments, text=b"it is not\n" * 5_000 + FRENCH.encode()).stderr == b""


def test_a_file_warns_once_unless_it_says_its_language(truecase):
    cues = "\n".join(f"{n}\n00:00:0{n},000 --> 00:00:0{n},900\n{FRENCH}\n" for n in (1, 2, 3))
    done = truecase("file", "-q", "--format", "srt", text=cues.encode())
    assert (done.returncode, done.stderr.count(b"looks like French")) == (0, 1)
    options = ["--format", "srt", "--target-language", "en"]
    assert truecase("file", "-q", *options, text=cues.encode()).stderr == b""
