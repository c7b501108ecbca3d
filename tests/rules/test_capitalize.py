"""Capitalising the first word of every sentence."""

import pytest

from truecase.rules.smartcase import capitalizer

CASES = [
    ("the end. a start", "The end. A start"),
    ("COVID stays. iPhone too. mcDonald", "COVID stays. iPhone too. mcDonald"),
    ("where? there! here", "Where? There! Here"),
    ('"quoted." (bracketed.) [so] «that»', '"Quoted." (Bracketed.) [So] «that»'),
    ("“curly.” ‘single.’ so", "“Curly.” ‘Single.’ So"),
    ("¿qué? ¡no! sí", "¿Qué? ¡No! Sí"),
    ("• bullet", "• Bullet"),
    ("- dash", "- Dash"),
    ("1. first. 2) second", "1. First. 2) Second"),
    ("in 1999. then", "In 1999. Then"),
    ("3 men. 3rd man", "3 men. 3rd man"),
    ("seen by mr. brown and dr. no. then", "Seen by mr. brown and dr. no. Then"),
    ("fruit, e.g. pears, of j. smith", "Fruit, e.g. pears, of j. smith"),
    ("the u.s. they", "The u.s. they"),
    ("well... perhaps. well … no", "Well... perhaps. Well … no"),
    ("... and then", "... and then"),
    ('"why?" he asked. "go!" she said', '"Why?" he asked. "Go!" she said'),
    ('"i go." she left', '"I go." She left'),
    ("a rule: none", "A rule: none"),
    ("see www.example.org. x@y.org is. #tag is. /usr/bin is", None),
    ("file.name goes", "File.name goes"),
    ("don't. l'homme. 'tis", "Don't. L'homme. 'Tis"),
    ("tokenised , text . next ? `` why '' . ( so ) .", None),
    ("naïve. élan. ǆep. ﬁne. ß", "Naïve. Élan. ǅep. ﬁne. ß"),
    ("日本。abc", "日本。Abc"),
    ("", ""),
    ("   ", "   "),
]
TOKENISED = "Tokenised , text . Next ? `` Why '' . ( So ) ."
ADDRESSES = "See www.example.org. x@y.org is. #tag is. /usr/bin is"


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_sentences(text, expected):
    if expected is None:
        expected = TOKENISED if "tokenised" in text else ADDRESSES
    assert capitalizer()(text.encode()).decode() == expected


def test_space_segmentation():
    capitalize = capitalizer("space")
    text = b'the mr. brown . next " one " . two ! ! three &quot; . &quot; four ... five'
    expected = b'The mr. brown . Next " one " . Two ! ! Three &quot; . &quot; Four ... five'
    assert capitalize(text) == expected


def test_turkish():
    assert capitalizer(language="tr")("istanbul. ısı".encode()).decode() == "İstanbul. Isı"


def test_line_ends_and_bytes():
    text = b"one\r\ntwo\n\nthree\xff four\0.\n\xff five"
    assert capitalizer()(text) == b"One\r\nTwo\n\nThree\xff four\0.\n\xff Five"
