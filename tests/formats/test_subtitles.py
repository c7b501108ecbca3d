"""Subtitles: what the model is shown, and that nothing but case changes."""

import textwrap

import pytest
from examples import examples
from formats_read import EDITS, check_read_or_refused, damaged, output, read
from hypothesis import given
from hypothesis import strategies as st
from plain_models import Upper
from reference.casing import fold

import truecase.formats.lines as segment_lines
from truecase.errors import FormatError
from truecase.formats.file_caser import FileCaser
from truecase.formats.registry import read_document
from truecase.truecaser import Truecaser


def srt(*cues, gap=0.5):
    """A file of cues of one second, some time apart."""
    parts = []
    start = 1.0
    for i, text in enumerate(cues):
        parts.append(f"{i + 1}\n{stamp(start)} --> {stamp(start + 1)}\n{text}\n")
        start += 1 + gap
    return "\n".join(parts)


def stamp(seconds):
    return f"00:00:{int(seconds):02},{round(seconds % 1 * 1000):03}"


def ass(*events):
    head = "[Script Info]\nTitle: a b\n\n[Events]\nFormat: Start, End, Style, Name, Text\n"
    return head + "".join(f"Dialogue: {event}\n" for event in events)


def seen(lines):
    return [" ".join(line.split()) for line in lines]


@pytest.mark.parametrize(
    ("cues", "lines"),
    [
        (["he went to", "new york."], ["he went to new york."]),
        (["he\r\nwent", "there"], ["he went there"]),
        (["he left.", "she did not", "stay?", "no"], ["he left.", "she did not stay?", "no"]),
        (["he met mr.", "smith"], ["he met mr. smith"]),
        (["i thought...", "...he was"], ["i thought... ...he was"]),
        (['he said "go!"', "she"], ['he said "go!"', "she"]),
        (["- hello\n- hi there", "-you"], ["hello", "hi there", "you"]),
        ([">> so &gt;&gt; ann: it is", "&gt;&gt;&gt; yes"], ["so", "ann", "it is", "yes"]),
        (["egg>>ham is"], ["egg>>ham is"]),
        (["it is ok--", "--i know--it"], ["it is ok -- -- i know -- it"]),
        (["JOHN: it was", "late"], ["it was late"]),
        (["- ANN LEE: no\n- MAN #2: yes"], ["no", "yes"]),
        (["he went and", "said: go"], ["he went and said: go"]),
        (["there are three things he did: run"], ["there are three things he did: run"]),
        (["it is 10:30"], ["it is 10:30"]),
        (["[DOOR\nOPENS]", "oh"], ["DOOR OPENS", "oh"]),
        (["[door opens]", "oh [no]"], ["door opens", "oh", "no"]),
        # Descriptions in lower case are no text where the rest is cased.
        (["[door opens]", "Oh [no]. He", "[Applause] went"], ["Oh . He went", "Applause"]),
        (["he [COUGHS] left"], ["COUGHS", "he left"]),
        (["[KNOCK] ANN: come in"], ["KNOCK", "come in"]),
        (["JOHN: IT WAS", "LATE"], ["JOHN", "IT WAS LATE"]),
        (["[door opens] oh", "ANN: no", "BO: why"], ["door opens", "oh", "no", "why"]),
        (["(sighs) he left (as always) now"], ["sighs", "he left (as always) now"]),
        (["he (SIGHS) left"], ["SIGHS", "he left"]),
        (["the Old Port Office (OPO) left"], ["the Old Port Office (OPO) left"]),
        (["♪ la la\nla ♪ hey", "♪♪", "♪ oh"], ["la la la", "hey", "oh"]),
        (["{\\an8}<i>he</i>llo <font color='red'>you</font>"], ["hello you"]),
        (["1984", "he left"], ["1984 he left"]),
    ],
)
def test_what_the_model_sees(lines_of, cues, lines):
    assert sorted(seen(lines_of(srt(*cues)))) == sorted(lines)


@pytest.mark.parametrize(
    ("cue", "lines"),
    [
        ("[music] " * 2000 + "he left", ["music"] * 2000 + ["he left"]),
        (" \t" * 5000 + "he left", ["he left"]),
        ("(a) " * 2000 + "no\n" + " " * 5000 + "- yes", ["a"] * 2000 + ["no", "yes"]),
    ],
)
def test_a_cue_may_begin_with_any_number_of_descriptions_and_blanks(lines_of, cue, lines):
    assert seen(lines_of(srt(cue))) == lines


def test_a_line_that_is_said_twice_is_no_copy(lines_of):
    assert seen(lines_of(srt("well,", "well, then", "then"))) == ["well, well, then then"]


def test_what_begins_in_lower_case_goes_on_in_cased_text(lines_of):
    text = srt("In the town", "- we met", "Mary, not", "and", "- Yes", gap=3.0)
    assert seen(lines_of(text)) == ["In the town - we met", "Mary, not and", "Yes"]
    apart = ["in the town", "we met", "mary, not", "and", "yes"]
    assert seen(lines_of(text.lower())) == apart


def test_a_line_without_case_beside_another_is_no_part_of_the_sentence(lines_of):
    data = srt("- 一只猫，\n- A cat of Mary's,", "或是狗\nor a dog")
    assert [" ".join(line.split()) for line in lines_of(data)] == ["A cat of Mary's, or a dog"]
    # All lines of a cue without case stay, as do foreign words within a line.
    assert [" ".join(line.split()) for line in lines_of(srt("一只猫", "the 猫 is"))] == [
        "一只猫 the 猫 is"
    ]


def test_cues_far_apart_are_not_joined(lines_of):
    assert seen(lines_of(srt("he went", "away", gap=1.9))) == ["he went away"]
    assert seen(lines_of(srt("he went", "away", gap=2.0))) == ["he went", "away"]


def test_srt_keeps_all_but_text(cased):
    for end in ("\n", "\r\n"):
        data = srt("{\\an8}<i>he met</i>\nann &amp; <b>bo</b>", "♪ la ♪").replace("\n", end)
        data = "\ufeff" + data.replace("00:00:02,000", "00:00:02,000 X1:10 Y1:20")
        expected = data
        for text in ("he met", "ann", ">bo<", " la "):
            expected = expected.replace(text, text.upper())
        assert cased(data) == expected


def test_other_character_sets(cased):
    data = srt("é où").encode("cp1252")
    assert cased(data, encoding="cp1252") == srt("É OÙ").encode("cp1252")
    with pytest.raises(FormatError, match="file: line 3: byte 32 is not UTF-8"):
        cased(data)
    marked = srt("é où").encode("utf-16")
    assert cased(marked) == srt("É OÙ").encode("utf-16")


VTT = """WEBVTT - a title
Kind: captions

STYLE
::cue { color: red }

NOTE this is
a note --> here

intro
00:01.000 --> 00:02.000 align:start line:0%
<v Ann Lee>it &lt;was&gt; <c.loud>late</c>

00:02.100 --> 00:03.000
<v Bo>no <00:00:02.500>way
"""


def test_vtt(cased, lines_of):
    assert seen(lines_of(VTT)) == ["it <was> late", "no way"]
    expected = VTT
    for a, b in [("it ", "IT "), ("was", "WAS"), ("late<", "LATE<"), ("no <0", "NO <0")]:
        expected = expected.replace(a, b)
    assert cased(VTT) == expected.replace("way", "WAY")


def test_each_voice_of_a_cue_begins_a_sentence(lines_of):
    text = "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann>so <b>late</b></v>\n<v Bo>we go\n\n"
    text += "00:02.100 --> 00:03.000\n<v Bo>home <v Bo>now\n<v.loud Ann>\n"
    assert seen(lines_of(text)) == ["so late", "we go home now"]


def test_captions_that_roll_up(cased, lines_of):
    text = "WEBVTT\n\n"
    lines = ["he went", "to rome", "and back"]
    for i in range(3):
        above = lines[i - 1] if i else " "
        text += f"00:0{i}.000 --> 00:0{i}.990\n{above}\n{lines[i][:2]}<c>{lines[i][2:]}</c>\n\n"
        text += f"00:0{i}.990 --> 00:0{i + 1}.000\n{lines[i]}\n \n\n"
    assert seen(lines_of(text)) == ["he went to rome and back"]
    expected = text
    for line in lines:
        for part in (line, line[:2] + "<", ">" + line[2:]):
            expected = expected.replace(part, part.upper())
    assert cased(text) == expected


def test_ass(cased, lines_of):
    text = ass(
        "0:00:03.00,0:00:04.00,Main,,in rome, {\\i1}ann{\\i0}\\Nand bo",
        "0:00:01.00,0:00:02.90,Main,,he said",
        "0:00:01.00,0:00:02.90,Sign,,{\\p1}m 0 0 l 10 0{\\p0}a\\hshop",
        "0:00:05.00,0:00:06.00,Main,Ann,no",
    ).replace("[Events]", "[V4+ Styles]\nStyle: main\n\n[Events]\nComment: a")
    assert seen(lines_of(text)) == ["he said in rome, ann and bo", "no", "a shop"]
    out = cased(text)
    assert "IN ROME, {\\i1}ANN{\\i0}\\NAND BO" in out
    assert "{\\p1}m 0 0 l 10 0{\\p0}A\\hSHOP" in out
    assert "Comment: a\n" in out


SBV = "0:00:00.599,0:00:04.160\nhe met <i>ann</i>,\nof rome\n\n0:00:04.160,0:00:06.770\nand bo\n"
MICRODVD = "{1}{1}25.0\n{25}{50}he met ann|of rome\n{55}{80}{y:i}and bo\n{500}{}no\n"
MPL2 = "[0][20]/he met|/ann\n[25][40]of rome\n[900][]no\n"
SUBVIEWER = (
    "[INFORMATION]\n[TITLE]the sea\n[END INFORMATION]\n00:00:01.00,00:00:02.00\n"
    "he met ann[br]of rome\n\n00:00:02.50,00:00:03.00\nand bo\n"
)
LRC = "[ar:abba]\n[00:12.00]i have a dream\n[00:15.3][01:15.3]a song <00:16.00>to sing\n"
TMPLAYER = "00:00:01:he met ann|of rome\n00:00:02:and bo\n00:00:03:\n00:00:09,1=no\n"
PRINTED = "[00:01.000 --> 00:02.500]  he met ann\n[00:02.500 --> 00:03.000]  and bo\n"
YOUTUBE = (
    '<?xml version="1.0" encoding="utf-8" ?>\n<transcript><text start="0.5" dur="1.5">he met ann '
    '&amp;amp; bo</text><text start="2" dur="1">of rome</text><text start="9">no</text>'
    "</transcript>\n"
)
TIMED_TEXT = (
    '<?xml version="1.0" encoding="utf-8" ?>\n<timedtext format="3"><head/><body>\n'
    '<p t="500" d="1500"><s>he</s><s t="90" ac="1"> met</s> ann</p><p t="2000" d="9">of rome</p>\n'
    '<p t="9000" d="9">no</p></body></timedtext>\n'
)
SAMI = (
    "<SAMI>\n<HEAD><STYLE><!--\np {a: b}\n--></STYLE></HEAD><BODY>\n"
    "<SYNC Start=1000><P Class=ENCC>he met<br>ann &amp; bo\n"
    "<sync start='2000'><p>&nbsp;\n<SYNC Start=9000><P>no\n</BODY></SAMI>\n"
)


@pytest.mark.parametrize(
    ("text", "format", "lines", "changed"),
    [
        (SBV, "SBV", ["he met ann, of rome and bo"], "HE MET <i>ANN</i>,\nOF ROME"),
        (MICRODVD, "MicroDVD", ["he met ann of rome and bo", "no"], "HE MET ANN|OF ROME"),
        (MPL2, "MicroDVD", ["he met ann of rome", "no"], "[0][20]/HE MET|/ANN\n[25]"),
        (SUBVIEWER, "SBV", ["he met ann of rome and bo"], "HE MET ANN[br]OF ROME"),
        (LRC, "LRC", ["i have a dream", "a song to sing"], "A SONG <00:16.00>TO SING"),
        (SAMI, "SAMI", ["he met ann & bo", "no"], "HE MET<br>ANN &amp; BO"),
        (TMPLAYER, "MicroDVD", ["he met ann of rome and bo", "no"], "00:00:01:HE MET ANN|OF ROME"),
        (PRINTED, "SBV", ["he met ann and bo"], "[00:01.000 --> 00:02.500]  HE MET ANN\n"),
        (
            YOUTUBE,
            "timed text",
            ["he met ann & bo of rome", "no"],
            "HE MET ANN &amp;amp; BO</text>",
        ),
        (TIMED_TEXT, "timed text", ["he met ann of rome", "no"], '<s>HE</s><s t="90" ac="1"> MET<'),
    ],
)
def test_other_subtitles(text, format, lines, changed, cased, lines_of):
    document = read_document(text.encode(), "standard input")
    assert document.format == format
    assert seen(lines_of(text)) == lines
    out = cased(text)
    assert changed in out
    assert out.casefold() == text.casefold()
    returns = text.replace("\n", "\r\n")
    assert cased(returns) == out.replace("\n", "\r\n")


@pytest.mark.parametrize(
    ("data", "format", "message"),
    [
        (b"hello\n", "sbv", "line 1: expected SBV, there is no line with times"),
        (b"\0\1", "microdvd", "line 1: expected MicroDVD, there is no line with times"),
        (b"[ar:abba]\n", "lrc", "line 1: expected LRC, there is no line with times"),
        (b"<sami>", "sami", "line 1: expected SAMI, there is no line with times"),
        (b"hello\n", "srt", "line 1: expected SubRip, there is no line with times"),
        (srt("a").replace("00:00:02", "00:xx").encode(), "srt", "line 2: expected times such as"),
        (b"hello\n", "vtt", "line 1: expected WEBVTT"),
        (b"WEBVTT\n\n00:01 -> x --> \na\n", None, "line 3: expected times such as"),
        (b"[Events]\n", None, "line 1: expected a section"),
        (b"[Events]\nFormat: Start, End, Text\nDialogue: 1\n", None, "line 3: expected 3 values"),
        (b"[Events]\nFormat: Start, End, Text\nDialogue: 1,2,a\n", None, "line 3: expected times"),
        (b"[Events]\nDialogue: 1,2,a\n", None, "line 2: expected a line Format: before it"),
    ],
)
def test_broken_files(data, format, message):
    with pytest.raises(FormatError) as error:
        read_document(data, "file", format)
    assert str(error.value).startswith("file: " + message)


def folded(text):
    return "".join(map(fold, text))


SIGNS = (
    "a É ß . ? ... - — : ♪ [ ] ( ) < > { } \\ & ; <i> </i> {\\an8} \n \\N &amp; JOHN: --> 1"
).split(" ")
TEXTS = st.lists(
    st.one_of(
        st.sampled_from(SIGNS), st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=4)
    ),
    max_size=12,
).map(" ".join)


@examples(60)
@given(texts=st.lists(TEXTS, min_size=1, max_size=5))
def test_any_text_keeps_all_but_case(texts):
    for format, text in (
        ("srt", srt(*texts)),
        ("vtt", "WEBVTT\n\n" + srt(*texts).replace(",", ".")),
        ("ass", ass(*(f"0:00:0{i},0:00:0{i + 1},A,,{text}" for i, text in enumerate(texts)))),
        ("sbv", "".join(f"0:00:01.0,0:00:02.0\n{text}\n\n" for text in texts)),
        ("microdvd", "".join(f"{{25}}{{50}}{text}\n" for text in texts)),
        ("lrc", "".join(f"[00:12.00]{text}\n" for text in texts)),
        ("sami", "".join(f"<SYNC Start=1000><P>{text}\n" for text in texts)),
    ):
        document = read(text.encode(), format)
        if isinstance(document, str):
            assert document.startswith("file: line ")
        else:
            assert folded(output(document, Upper()).decode()) == folded(text)


TWO_LANGUAGES = """<SAMI><HEAD><STYLE TYPE="text/css"><!--
.EN { Name: One; lang: en-GB; }
.FR { Name: Two; lang: fr-FR; }
--></STYLE></HEAD><BODY>
<SYNC Start=1000><P Class=EN>he met<P Class=FR>il a vu
<SYNC Start=2000><P Class=EN>ann<P Class=FR>anne
</BODY></SAMI>
"""
WHOLE = [
    srt("he met", "<i>ann</i>"), VTT, ass("0:00:01,0:00:02,A,,{\\i1}é"), SBV, MICRODVD, LRC, SAMI,
    TWO_LANGUAGES,
]  # fmt: skip


@pytest.mark.parametrize("data", [text.encode() for text in WHOLE])
@examples(60)
@given(edits=EDITS)
def test_damaged_files_are_read_or_refused(data, edits):
    data = damaged(data, edits)
    for format in ("srt", "vtt", "ass", "sbv", "microdvd", "lrc", "sami"):
        check_read_or_refused(data, format)


def test_a_line_of_a_word_is_no_event():
    data = (ass("0:00:01,0:00:02,A,,he") + "Dialogue\nFormat\n").encode()
    document = read_document(data, "a.ass")
    assert output(document, Upper()) == data.replace(b",he", b",HE")


def test_threads_and_blocks_make_no_difference(monkeypatch):
    text = srt(*(f"he [COUGHS {i}] met <i>ann</i>. no" for i in range(40)), gap=0.1)
    events = [f"0:00:{59 - i},0:00:{59 - i}.9,A,,ann {i} said\\Nno" for i in range(40)]
    for data in (text.encode(), ass(*events).encode()):
        document = read_document(data, "file")
        expected = output(document, Upper())
        assert expected.count(b"NO") == 40
        for size in (1, 50, 1000):
            monkeypatch.setattr(segment_lines, "_BLOCK_BYTES", size)
            assert output(document, Upper()) == expected
            assert b"".join(FileCaser(document, Upper()).output(threads=3)) == expected


@pytest.mark.parametrize(
    "text, auto",
    [
        ("PETER: It rains in Ohio.",) * 2,
        ("MRS. MARSH: It rains in Ohio.",) * 2,
        ("[DOOR CLOSES] It rains in Ohio.",) * 2,
        ("It rains (THUNDER) in Ohio.",) * 2,
        # All in one case.
        ("PETER: IT RAINS.", "Peter: It rains."),
        ("PETER:", "Peter:"),
        ("peter: it rains.", "Peter: It rains."),
        ("Peter: It RAINS in Ohio.",) * 2,
    ],
)
def test_labels_beside_text_of_mixed_case(text, auto):
    document = read_document(srt(text).encode(), "f.srt")
    caser = FileCaser(document, Truecaser.load(), "auto")
    assert b"".join(caser.output()).decode() == srt(auto)


@pytest.mark.parametrize(
    "cues",
    [
        ("The song you sang…", "was about rain."),
        ("The tall man over there...", "is my uncle."),
        ("We were on the way to the lake...", "when it began to snow."),
        ("If you leave now…", "you will miss her."),
        ("When I was a child...", "we lived in Ohio."),
        ("My mother always told me...", "to eat slowly."),
        ("Because of her…", "I am here."),
        ("He drove to the lake...", "and nobody was there."),
        # What begins anew.
        ("I hope that...", "you sleep well."),
        ("He stayed because...", "he was ill."),
        ("So this is...", "the house?"),
        ("Well...", "I don't know."),
        ("I think that...", "Oh, look!"),
        ("Maybe...", "He is late."),
        ("Wait...", "Who are you?"),
        ("I can't...", "Is it too late?"),
        ("I see...", "Let's go."),
        ("He left for...", "Berlin."),
    ],
)
def test_a_cue_goes_on_behind_an_ellipsis(cues):
    for change in (str.lower, str.upper):
        document = read_document(srt(*map(change, cues)).encode(), "f.srt")
        caser = FileCaser(document, Truecaser.load())
        assert b"".join(caser.output()).decode() == srt(*cues)


@pytest.mark.parametrize(
    "cues",
    [
        ("weil der zug heute nicht kommt…", "ich gehe zu fuß."),
        ("das haus hinter dem see...", "ist mit den jahren verfallen."),
        ("si tu pars avec la pluie…", "je serai seule."),
        ("le chien de la ferme…", "dort dans une grange."),
        ("el puente que ves en la foto...", "es muy viejo."),
        ("quando il sole era alto…", "io dormivo."),
        ("os barcos que vemos do cais...", "são muito antigos."),
        ("de brug naar het dorp…", "is al jaren kapot."),
    ],
)
def test_words_of_a_language_tell_that_a_cue_goes_on(cues, lines_of):
    said, following = cues
    assert seen(lines_of(srt(*cues))) == [f"{said.rstrip('.…')}, {following}"]


@pytest.mark.parametrize(
    "cues",
    [
        ("ich habe es nicht gewusst...", "vielleicht ist er da."),
        ("on a vu des loups…", "venez avec nous."),
        ("no sé si es una buena idea...", "¿quién es ese?"),
        ("credo che sia per te…", "grazie, ma non posso."),
        ("não sei para onde ele foi...", "talvez para o mar."),
        ("ik heb het niet gezien…", "waar is het dan?"),
        # A language without such words, and one that is not known.
        ("nie wiem, jak to się stało…", "może jest już w domu."),
        ("abra kadabra…", "simsalabim."),
    ],
)
def test_words_of_a_language_tell_that_a_cue_begins(cues, lines_of):
    assert seen(lines_of(srt(*cues))) == [" ".join(cues)]


def test_each_class_of_sami_is_a_text(cased, lines_of):
    """The first language is cased, or the wanted one."""
    assert seen(lines_of(TWO_LANGUAGES)) == ["he met ann"]
    out = cased(TWO_LANGUAGES, target="fr")
    assert "he met<P Class=FR>IL A VU" in out and "ann<P Class=FR>ANNE" in out
    with pytest.raises(FormatError, match="no segment is in the language 'de'"):
        cased(TWO_LANGUAGES, target="de")


def test_subviewer_has_the_extension_of_microdvd():
    document = read_document(SUBVIEWER.encode(), "a.sub")
    assert document.kind.name == "microdvd" and len(document.segments) == 1


@pytest.mark.parametrize(
    "cue", ["{10}{50}ann", "[00:01.00]ann", "0:00:01.000,0:00:02.000\nann", "[00:01.00]ann\r"]
)
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_hides_no_cue(cue, encoding):
    document = read_document(f"{cue}\n".encode(encoding), "file")
    assert [document.target_pieces(i)[-2:][0].text for i in range(len(document.segments))] == [
        "ann"
    ]


def test_other_marks_of_time(cased):
    """The rate of MicroDVD, the times of words in LRC."""
    given = "{1}{1}25.0\n{10}{50}he met|ann\n"
    assert cased(given) == "{1}{1}25.0\n{10}{50}HE MET|ANN\n"
    assert cased("[ti:a b]\n[00:01.00]<00:01.00>he <00:01.50>met\n", format="lrc") == (
        "[ti:a b]\n[00:01.00]<00:01.00>HE <00:01.50>MET\n"
    )


def test_a_heading_in_subtitles_that_were_filled(lines_of):
    """A cue with room for the next word ends a text, unless many lines have room."""
    story = "the lake was deep and cold when we came down to it at last and nobody had seen a fish"
    rows = textwrap.wrap(f"{story}, for {story} of that size.", 24)
    cues = ["\n".join(rows[i : i + 2]) for i in range(0, len(rows), 2)]
    text = " ".join(rows)
    headed = [*cues, "fishing", *cues]
    assert seen(lines_of(srt(*headed, gap=0.1))) == [text, "fishing", text]
    free = ["we went", "home"]
    assert seen(lines_of(srt(*free, *headed, gap=0.1))) == [
        f"we went home {text}",
        f"fishing {text}",
    ]


@pytest.mark.parametrize(
    ("cues", "lines"),
    [
        (["I saw--", "You saw what?"], ["I saw --", "You saw what?"]),
        (["I saw--", "the man go."], ["I saw -- the man go."]),
        (["i saw--", "you saw what?"], ["i saw --", "you saw what?"]),
        (["i saw the man —", "that bad man — go."], ["i saw the man — that bad man — go."]),
        (["i saw--", "--that he went."], ["i saw -- -- that he went."]),
        (["Ich sah--", "Anna!"], ["Ich sah --", "Anna!"]),
        (["er sah den alten--", "sie ist da!"], ["er sah den alten --", "sie ist da!"]),
        (["han såg den gamla--", "hon är här!"], ["han såg den gamla -- hon är här!"]),
        (["i saw you...", "no, not me"], ["i saw you... no, not me"]),
        (["i saw you...", "no man"], ["i saw you, no man"]),
    ],
)
def test_speech_breaks_off(lines_of, cues, lines):
    """A dash at the end of a cue ends a sentence where the next one begins like another."""
    assert seen(lines_of(srt(*cues))) == lines


@pytest.mark.parametrize(
    ("cues", "lines"),
    [
        (["We rowed\nall night", "Nobody slept"], ["We rowed all night", "Nobody slept"]),
        (["We rowed\nall night", "Ⓘ slept"], ["We rowed all night", "Ⓘ slept"]),
        (["We rowed\nall night", "I slept"], ["We rowed all night I slept"]),
        (["We rowed", "All night", "Nobody slept"], ["We rowed All night Nobody slept"]),
        (
            ["We rowed\nall.", "Night fell", "On the lake.", "We slept\na bit."],
            ["We rowed all.", "Night fell On the lake.", "We slept a bit."],
        ),
    ],
)
def test_a_capital_where_sentences_have_no_full_stops(lines_of, cues, lines):
    """It begins a sentence, unless all lines have one or the file has full stops."""
    assert seen(lines_of(srt(*cues))) == lines


def test_long_texts_without_punctuation_take_little_time(lines_of):
    for end in ("", "..."):
        cues = (f"{{{25 * i}}}{{{25 * i + 24}}}and the egg{end}\n" for i in range(20_000))
        assert len(lines_of("".join(cues), format="microdvd")) == 1
    assert len(lines_of("{1}{2}" + "an egg|" * 20_000, format="microdvd")) == 1
