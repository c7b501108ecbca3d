"""gettext PO: strings over several lines, plurals, fuzzy and obsolete entries, character sets."""

import pytest

from truecase.errors import FormatError
from truecase.formats.format import ReadOptions
from truecase.formats.languages import Languages
from truecase.formats.registry import read_document

HEADER = """\
# Translators
# of the file
msgid ""
msgstr ""
"Project-Id-Version: name\\n"
"Language: en_GB\\n"
"Content-Type: text/plain; charset=UTF-8\\n"

"""


@pytest.mark.parametrize(
    ("strings", "expected"),
    [
        ('"click ok"', '"CLICK OK"'),
        ('""\n"one "\n  "two"\n', '""\n"ONE "\n  "TWO"\n'),
        ('"one " "two"', '"ONE " "TWO"'),
        (r'"a\nb\tc \"d\" e\\f\r\n"', r'"A\nB\tC \"D\" E\\F\r\n"'),
        (r'"\x41\101b\qc\x4"', r'"\x41\101B\qC\x4"'),
        ('"%s of %d, %-5.2f%% %(name)s %1$s"', '"%s OF %d, %-5.2f%% %(name)s %1$s"'),
        ('"{name} {0} {x.y!r:>10} {see below}"', '"{name} {0} {x.y!r:>10} {SEE BELOW}"'),
        ('"${v} $var $(ARG1) %{who} #{x} {{ y }} {% if z %}"', None),
        (
            '"<a href=\\"x\\">b</a><br/>&nbsp;c &copy d"',
            '"<a href=\\"x\\">B</a><br/>&nbsp;C &COPY D"',
        ),
        ('"100% sure, 100%ig"', '"100% SURE, 100%IG"'),
        ('"émile ß"', '"ÉMILE ß"'),
        (
            '"{n, plural, one {a file} other {# files}}"',
            '"{n, plural, one {A FILE} other {# FILES}}"',
        ),
        (
            '"{n, plural, one {file} other {{name} left}} x"',
            '"{n, plural, one {FILE} other {{name} LEFT}} X"',
        ),
        (
            '"``a`` b :guilabel:`c -> d` :ref:`e <f>` :ref:`g`"',
            '"``a`` B :guilabel:`c -> d` :ref:`E <f>` :ref:`g`"',
        ),
        ('"{d, date, short} x"', '"{d, date, short} X"'),
        ('"%lu x %PATH% %<PRIu64> %PRODUCTNAME"', '"%lu X %PATH% %<PRIu64> %PRODUCTNAME"'),
    ],
)
def test_only_text_changes(cased, strings, expected):
    text = f'{HEADER}#: file.c:10\nmsgid "Source"\nmsgstr {{}}\n\n'
    expected = strings if expected is None else expected
    for end in ("\n", "\r\n"):
        data = text.replace("{}", strings).replace("\n", end)
        assert cased(data) == text.replace("{}", expected).replace("\n", end)
        assert cased(data.rstrip()) == text.replace("{}", expected).replace("\n", end).rstrip()


def test_what_the_model_sees(lines_of):
    data = (
        HEADER
        + r"""
msgid "Le fichier « %s »\nest à New "
"York"
msgstr ""
"the file \"%s\"\n"
"is in ne"
"w york"

msgid "_Ouvrir"
msgstr "_open"

msgid "Tout &fermer"
msgstr "close &all"

msgid "max_size"
msgstr "the max_size"

msgid "<b>Un</b>\n\nDeux"
msgstr "<b>one</b>\n\ntwo<br>three"
"""
    )
    assert lines_of(data, with_source=True) == [
        ("Le fichier « 3,000 » est à New York", 'the file "3,000" is in new york'),
        ("Ouvrir", "open"),
        ("Tout fermer", "close all"),
        ("max_size", "the max_size"),
        ("Un", "one"),
        (" Deux", " two three"),
    ]


def test_plurals(cased, lines_of):
    data = HEADER + (
        'msgid "one file"\nmsgid_plural "%d files"\nmsgstr[0] "ein "\n"file"\nmsgstr[1] "files"\n'
        'msgid "x"\nmsgid_plural "many"\nmsgstr[0] "alle"\n'
    )
    assert lines_of(data, with_source=True) == [
        ("one file", "ein file"),
        ("3,000 files", "files"),
        ("many", "alle"),
    ]
    assert '[0] "EIN "\n"FILE"\nmsgstr[1] "FILES"\nmsgid "x"' in cased(data)


def test_fuzzy_entries_have_their_previous_source(lines_of):
    data = HEADER + (
        '#, fuzzy, c-format\n#| msgctxt "c"\n#| msgid ""\n#| "Old "\n#| "one"\nmsgctxt "c"\n'
        'msgid "New"\nmsgstr "old"\n\n'
        '#, fuzzy\nmsgid "A"\nmsgstr "a"\n\n#| msgid "B"\nmsgid "C"\nmsgstr "c"\n'
    )
    assert lines_of(data, with_source=True) == [("Old one", "old"), ("A", "a"), ("C", "c")]


def test_left_alone(cased):
    data = HEADER + (
        'msgid "a"\nmsgstr ""\n\nmsgid "b"\nmsgstr ""\n""\n\n# comment\n#. comment\n'
        'msgctxt ""\nmsgid ""\nmsgstr "context"\n\n'
        '#~ msgid "old"\n#~ msgstr "old"\n#~| msgid "x"\n\n#~ msgid_plural "old"\n'
    )
    assert cased(data) == data.replace('"context"', '"CONTEXT"')
    assert read_document(data.encode(), "f").segments.reasons() == {
        "without a target": 2,
        "obsolete": 1,
    }


def test_no_header_and_no_end_of_line(cased):
    assert cased('msgid "a"\nmsgstr "b"') == 'msgid "a"\nmsgstr "B"'
    assert cased('\ufeffmsgid "a"\nmsgstr "b"') == '\ufeffmsgid "a"\nmsgstr "B"'
    assert cased('domain "d"\nmsgid "a"\nmsgstr "b"') == 'domain "d"\nmsgid "a"\nmsgstr "B"'
    assert cased('msgid\n"a"\nmsgstr\n"b"\n') == 'msgid\n"a"\nmsgstr\n"B"\n'


def test_header_of_a_template(cased):
    data = HEADER.replace("UTF-8", "CHARSET") + 'msgid "a"\nmsgstr "é"\n'
    assert cased(data) == data.replace("é", "É")


def test_language():
    data = (HEADER + 'msgid "a"\nmsgstr "b"\n').encode()
    assert read_document(data, "f").languages == Languages(None, "en_GB")
    assert (
        read_document(data, "f", options=ReadOptions(Languages("fr", "EN"))).languages.source
        == "fr"
    )
    with pytest.raises(FormatError, match=r"^f: no segment is in the language 'fr'; there are en_"):
        read_document(data, "f", options=ReadOptions(Languages(None, "fr")))


@pytest.mark.parametrize(
    ("charset", "codec", "text", "raised"),
    [
        ("ISO-8859-1", "iso-8859-1", "café ÿ µ", None),
        ("windows-1251", "cp1251", "привет", "ПРИВЕТ"),
        ("Shift_JIS", "shift_jis", "表 abc ソ", "表 ABC ソ"),
        ("GB18030", "gb18030", "汉 é", "汉 É"),
        ("us-ascii", "ascii", "abc", "ABC"),
        ("utf8", "utf-8", "é", "É"),
    ],
)
def test_character_sets(cased, charset, codec, text, raised):
    data = HEADER.replace("UTF-8", charset) + 'msgid "a"\nmsgstr "{}"\n'
    out = cased(data.replace("{}", text).encode(codec))
    if raised is None:
        # The capitals of these are not in the set.
        raised = "CAFÉ ÿ µ"
    out = out.encode("utf-8") if isinstance(out, str) else out
    assert out.decode(codec) == data.replace("{}", raised)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ('msgid "a"\nmsgstr "b\n', "line 2: a string in quotation marks is not closed, or"),
        ('msgid "a"\nmsgstr "b" c\n', "line 2: a string in quotation marks is not closed, or"),
        ('msgid "a"\nmsgstr "b\\"\n', "line 2: a string in quotation marks is not closed, or"),
        ('msgid "a"\n"b\\', "line 2: a string in quotation marks is not closed, or"),
        ('msgid "a"\n', "line 1: the entry that begins here has no msgstr"),
        ('\n\nmsgctxt "a"\nmsgid "b"\n# x\n\n', "line 3: the entry that begins here has no msgstr"),
        ('msgid "a"\nmsgid "b"\n', "line 2: a second msgid before the msgstr"),
        ('msgid "a"\nmsgctxt "b"\n', "line 1: the entry that begins here has no msgstr"),
        ('domain "d"\nmsgstr "b"\n', "line 2: this msgstr has no msgid"),
        ('domain "d"\n"b"\n', "line 2: this string belongs to no msgid or msgstr"),
        ('msgid "a"\nmsgstr[0] "b"\n', "line 2: msgstr[0], msgstr[1], … belong to a msgid_plural"),
        ('msgid "a"\nmsgid_plural "b"\nmsgstr "c"\n', "line 3: msgstr[0], msgstr[1], … belong to"),
        ('msgid "a"\nmsgstr "b"\nmsgstr "c"\n', "line 3: a second msgstr of the same entry"),
        ('msgid "a"\nmsgstr "b"\nmsgid_plural "c"\n', "line 3: this msgid_plural does not follow"),
        ('msgid "a"\nmsgid[1] "b"\n', "line 2: msgid has no number"),
        ('msgid "a"\nmsgstring "b"\n', "line 2: 'msgstring \"b\"': expected a comment, a msgid"),
        ('msgid "a"\nmsgstr[99999999999] "b"\n', "line 2: 'msgstr[99999999999] \"b\"': expected"),
        ('<<<<\nmsgid "a"\n', "line 1: broken XML"),
        ('====\nmsgid "a"\n', "line 1: '====': expected a comment"),
    ],
)
def test_broken_files(cased, data, message):
    with pytest.raises(FormatError) as error:
        cased(data)
    assert str(error.value).startswith("file: " + message)


@pytest.mark.parametrize(
    ("charset", "text", "message"),
    [
        ("UTF-8", b"\xe9", "line 11: byte "),
        ("KOI-99", b"x", "line 7: the character set 'KOI-99' is not known here; convert the file"),
        ("UTF-16", b"x", "line 7: the character set 'UTF-16' is not known here"),
        ("cp037", b"x", "line 7: the character set 'cp037' does not fit"),
        ("hex", b"x", "line 7: the character set 'hex' is not known here"),
        ("EUC-JP", b"\xff", "line 11: byte "),
        ("raw_unicode_escape", b"\\u0041", "cannot be kept byte for byte in RAW"),
    ],
)
def test_wrong_character_sets(cased, charset, text, message):
    data = HEADER.replace("UTF-8", charset).encode() + b'\nmsgid "a"\nmsgstr "' + text + b'"\n'
    with pytest.raises(FormatError) as error:
        cased(data)
    assert str(error.value).startswith("file: " + message)


NESTED = ["", "he b c }", "3,000 }"]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (
            "{n, plural, one {a file} other {# of {name}}} left",
            ["", "a file", "3,000 of 3,000 } left"],
        ),
        ("you have {n, plural, =0 {no file} one {a}}.", ["you have no file a }."]),
        ("gone. {n, plural, one {a} other {b}}", ["gone.", "a", "b }"]),
        ("{g, select, a {he {n, plural, one {b} other {c}}} other {{d}}}", NESTED),
        ("{n, plural, one {a", ["", "a"]),
        ("{n, plural, one {a}} or {m, select, b {c} other {d}}", ["", "a } or c d }"]),
        ("{n, plural, one {a}}. {m, select, b {c} other {d}}", ["", "a }.", "c", "d }"]),
        ("<p>an egg</p> {m, select, b {c} other {d}}", ["", "an egg", "c", "d }"]),
        ("{g, select, a {he} b {{n, plural, one {b} other {c}}}}", ["", "he", "b", "c } }"]),
    ],
)
def test_branches_are_sentences(lines_of, text, lines):
    seen = [" ".join(line.split()) for line in lines_of(HEADER + f'msgid "x"\nmsgstr "{text}"\n')]
    assert seen == lines


def _po(*pairs):
    return "".join(f'msgid "{source}"\nmsgstr "{target}"\n\n' for source, target in pairs)


def test_keys_are_no_sources(lines_of):
    """A source that is an identifier counts as missing, and single words beside such sources."""
    keyed = _po(("menu.file.open", "open"), ("page_title", "home"), ("btn-go", "go"), ("go", "go"))
    assert [source for source, _ in lines_of(keyed, with_source=True)] == ["", "", "", ""]
    mixed = _po(("shop:empty", "empty"), ("#btn_go", "go"), ("door2", "the door"), ("go", "go"))
    assert [source for source, _ in lines_of(mixed, with_source=True)] == ["", "", "", ""]
    rare = _po(("go", "go"), ("rue", "street"), ("go_on", "the rest"), ("mp3", "an mp3"))
    assert [source for source, _ in lines_of(rare, with_source=True)] == ["", "", "", ""]
    marked = _po(
        ("%app.title%", "the egg"), ("#top", "top"), ("$ui.go", "go"), ("[a.b]", "an a"),
        ("egg[name][last]", "name"), ("@ham:", "a ham:"),
    )  # fmt: skip
    assert {source for source, _ in lines_of(marked, with_source=True)} == {""}
    ordinary = _po(
        ("ouvrir", "open"), ("lecture-seule", "read-only"), ("iPhone", "iphone 4"),
        ("sa_uver", "sa_ve"), ("Ouvrir tout", "open all"), ("README.txt", "the readme.txt"),
        ("menuTitle", "the menu"), ("FILE_NAME", "name of the file"), ("p. ex.", "e.g."),
    )  # fmt: skip
    assert [source for source, _ in lines_of(ordinary, with_source=True)] == [
        "ouvrir", "lecture-seule", "iPhone", "sauver", "Ouvrir tout", "README.txt", "", "", "p. ex."
    ]  # fmt: skip
