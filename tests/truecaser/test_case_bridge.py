"""Text into sentence case before a system, and its case given back to translations."""

import random

import pytest

from truecase import CaseBridge, TruecaseError, Truecaser
from truecase.errors import AlignmentError, RecordError, WrongTypeError
from truecase.truecaser.bridge import CaseRecord


@pytest.fixture(scope="module")
def bridge():
    return CaseBridge(Truecaser.load())


def before(bridge, line):
    (sentence,), (record,) = bridge.before([line])
    return sentence, str(record)


@pytest.mark.parametrize(
    "line, sentence, record",
    [
        ("THE BANK RAISES RATES IN LONDON", "The bank raises rates in London", "upper"),
        ("ERROR", "Error", "upper"),
        ("PUT THE iPhone ON THE TABLE NOW", "Put the iPhone on the table now", "upper -2"),
        (
            "How to Restore the Old Engine of a Car",
            "How to restore the old engine of a car",
            "title -1 -3 -6 -7",
        ),
        ("Delete All Files", "Delete all files", "title"),
        ("the ferry from dublin was late", "The ferry from Dublin was late", "lower"),
        ("the \ud800 ferry from dublin", "The \ud800 ferry from Dublin", "lower"),
        ("see http://example.com/A now", "See http://example.com/A now", "lower"),
    ],
)
def test_lines_become_sentences(bridge, line, sentence, record):
    assert before(bridge, line) == (sentence, record)


@pytest.mark.parametrize(
    "line",
    ["", " ", "1984", "NASA", "NASA AND ESA"[:4], "New York", "The ferry was late.", "XQZT",
     "Please do NOT open it.", "An ordinary sentence about NASA and Paris.", "%s", "I",
     "http://example.com/A", "12 \udcff 3", "1 \ud800", "James Joyce",
     "1984 was a good year for the farmers ."],
)  # fmt: skip
def test_ordinary_lines_stay(bridge, line):
    assert before(bridge, line) == (line, "cased")
    assert bridge.after(["Même Chose, VOILÀ"], ["cased"]) == ["Même Chose, VOILÀ"]


@pytest.mark.parametrize("style", ["upper", "title", "lower"])
def test_translations_with_any_characters(style):
    bridge = CaseBridge(target_language="en")
    (cased,) = bridge.after(["a \ud800 \udcff door of www.x.org"], [style])
    assert cased.lower() == "a \ud800 \udcff door of www.x.org"


def test_unknown_words_of_headlines_are_names(bridge):
    line = "The Mayor of Zságer Opens a New School"
    assert before(bridge, line) == ("The mayor of Zságer opens a new school", "title -2 -5")


def test_emphasis():
    bridge = CaseBridge(emphasis=True)
    sentence, record = before(bridge, "Please do NOT open the door of NASA.")
    assert (sentence, record) == ("Please do not open the door of NASA.", "cased +2")
    line = "Bitte öffnen Sie die Tür nicht."
    assert bridge.after([line], [record]) == [line]
    assert bridge.after([line], [record], None, ["0-0 3-1 4-3 5-4 2-5"]) == [
        "Bitte öffnen Sie die Tür NICHT."
    ]


def test_a_link_without_its_source_may_point_far_but_not_anywhere():
    bridge = CaseBridge(emphasis=True)
    assert bridge.after(["nicht hier"], ["cased +2"], None, ["2-0 90000-1"]) == ["NICHT hier"]
    with pytest.raises(TruecaseError, match="link '999999999-1'"):
        bridge.after(["nicht hier"], ["cased +2"], None, ["2-0 999999999-1"])


def test_capitals_are_given_back(bridge):
    assert bridge.after(["Die Bank erhöht, straße É"], ["upper"]) == ["DIE BANK ERHÖHT, STRAßE É"]
    line = "Klicken Sie auf <b>OK</b>, %s, {name} und https://example.com/a."
    assert bridge.after([line], ["upper"]) == [
        "KLICKEN SIE AUF <b>OK</b>, %s, {name} UND https://example.com/a."
    ]


def test_words_that_were_not_in_capitals(bridge):
    line, source = "Mettez l'iPhone sur la table", "Put the iPhone on the table"
    assert bridge.after([line], ["upper -2"]) == ["METTEZ L'IPHONE SUR LA TABLE"]
    links = ["0-0 1-1 2-1 3-2 4-3 5-4"]
    assert bridge.after([line], ["upper -1 -2"], None, links) == ["METTEZ l'iPhone SUR LA TABLE"]
    assert bridge.after([line], ["upper -2"], [source], links) == ["METTEZ L'IPHONE SUR LA TABLE"]
    # copied, without an alignment
    assert bridge.after(["Der iPhone dort"], ["upper -2"], [source]) == ["DER iPhone DORT"]
    assert bridge.after(["dort"], ["upper -7"], [source]) == ["DORT"]


def test_lower_case_is_given_back(bridge):
    line = "Die Fähre aus DUBLIN, %S und https://example.com/A"
    assert bridge.after([line], ["lower"]) == ["die fähre aus dublin, %S und https://example.com/A"]


def test_titles_are_given_back():
    english, other = CaseBridge(target_language="en"), CaseBridge()
    line = "restoring the engine of an old car for him"
    assert english.after([line], ["title"]) == ["Restoring the Engine of an Old Car for Him"]
    assert other.after([line], ["title -1"]) == ["Restoring the Engine of an old car for him"]
    # through the alignment: each word as its own source word
    french = "comment restaurer l'ancien moteur d'une auto"
    links = ["0-0 2-1 3-2 4-2 5-3 6-4 7-4 8-5"]
    assert other.after([french], ["title -1 -3 -6 -7"], None, links) == [
        "Comment Restaurer l'Ancien Moteur d'une Auto"
    ]
    assert other.after(["« l'été » à %s"], ["title"]) == ["« L'été » à %s"]


def test_after_undoes_before(bridge):
    lines = ["THE BANK RAISES RATES", "the ferry from dublin", "Save File", "An old car of Paris."]
    for noise in ("%s {a} ", "№ 1 — ", "\t \xa0"):
        given = [noise + line for line in lines]
        sentences, records = bridge.before(given)
        assert sentences != given
        back = CaseBridge(target_language="en").after(sentences, records)
        assert back == given


def test_only_case_changes(bridge):
    generator = random.Random(3)
    pieces = ["THE", "Old", "car", "ﬁ", "ß", "İ", "ǆ", "\udcff", "\xa0", " ", "\t", "'", "%s",
              "e\u0301", "ΣΑΣ", "http://A.b", "\r", "\u2028", "NOT", "iPhone", "-", ":",
              "{X", "$Y$"]  # fmt: skip
    lines = ["".join(generator.choices(pieces, k=9)) for _ in range(300)]
    sentences, records = bridge.before(lines)
    back = CaseBridge(target_language="de").after(sentences, records, lines)
    for line, sentence, again in zip(lines, sentences, back, strict=True):
        assert sentence.casefold() == line.casefold()
        assert len(sentence) == len(line)
        assert again.casefold() == line.casefold()


def test_lines_do_not_know_each_other(bridge):
    lines = ["SAVE THE FILE", "Save File", "an old car", "", "It rains."]
    together = bridge.before(lines)
    alone = [bridge.before([line]) for line in lines]
    assert together == ([a[0] for a, _ in alone], [b[0] for _, b in alone])


def test_blocks_are_lines(bridge):
    block = b"SAVE THE FILE\n\nan old \xff car"
    sentences, records = bridge.before_block(block)
    assert sentences == b"Save the file\n\nAn old \xff car"
    assert records == b"upper\ncased\nlower\n"
    assert bridge.after_block(sentences, records) == block
    assert bridge.before_block(b"") == (b"", b"")
    with pytest.raises(TruecaseError, match=r"in\.case: there are 3 translations, but 1 records"):
        bridge.after_block(sentences, b"upper\n", name="in.case")


def test_wrong_arguments(bridge):
    with pytest.raises(WrongTypeError, match="lines: expected a list of str, found one str"):
        bridge.before("SAVE")
    with pytest.raises(WrongTypeError, match=r"lines\[1\]: expected a str, found int"):
        bridge.before(["a", 1])
    with pytest.raises(TruecaseError, match=r"lines\[0\]: has a line end"):
        bridge.before(["a\nb"])
    with pytest.raises(TruecaseError, match="there are 1 translations, but 2 lines of records"):
        bridge.after(["a"], ["upper", "upper"])
    with pytest.raises(TruecaseError, match="but 0 lines of source"):
        bridge.after(["a"], ["upper"], [])
    with pytest.raises(RecordError, match=r"records\[0\]: record 'up'"):
        bridge.after(["a"], ["up"])
    with pytest.raises(WrongTypeError, match=r"records\[0\]: expected a CaseRecord or a str"):
        bridge.after(["a"], [3])
    with pytest.raises(WrongTypeError, match="records: expected a list"):
        bridge.after(["a"], "upper")
    assert bridge.after(["a"], [CaseRecord("upper")]) == ["A"]


def test_alignments_are_checked(bridge):
    with pytest.raises(AlignmentError, match="line 1: link '0-1': the target line has only 1 word"):
        bridge.after(["a"], ["upper"], None, ["0-1"])
    with pytest.raises(AlignmentError, match="link '7-0': the source line has only 1 word"):
        bridge.after(["a"], ["upper"], ["b"], ["7-0"])
    assert bridge.after(["a"], ["upper"], None, ["7-0"]) == ["A"]
