"""Interface strings of many formats: values are cased, and nothing else changes."""

import json

import pytest
from examples import examples
from formats_read import damaged
from hypothesis import given
from hypothesis import strategies as st
from plain_models import Nothing, Upper
from reference.casing import fold

from truecase.errors import FormatError
from truecase.formats.file_caser import FileCaser
from truecase.formats.format import ReadOptions
from truecase.formats.languages import Languages
from truecase.formats.registry import read_document


def expected(text):
    """The text with what is between ‹ and › in upper case, and the text with nothing changed."""
    parts = text.replace("›", "‹").split("‹")
    after = "".join(part.upper() if i % 2 else part for i, part in enumerate(parts))
    return "".join(parts), after.replace("\\U00E9", "\\u00c9")


ANDROID = r"""<?xml version="1.0" encoding="utf-8"?>
<resources xmlns:xliff="urn:oasis:names:tc:xliff:document:1.2">
  <!-- a -->
  <string name="a">‹it\'s› <b>‹here›</b>\n‹caf\u00e9› %1$s &amp; &#8230;</string>
  <string name="b" translatable="false">debug</string>
  <string name="c">@string/a</string>
  <string name="d">‹open› <xliff:g id="x" example="b">name</xliff:g> ‹now›</string>
  <string name="i">‹we› <xliff:g id="a/b"/> ‹saw› <xliff:g id="y">name</xliff:g> ‹there›</string>
  <plurals name="e"><item quantity="one">‹a file›</item></plurals>
  <string-array name="f"><item>‹one›</item><item>?attr/two</item></string-array>
  <integer name="g">1</integer><item type="id" name="h">x</item>
</resources>
"""
RESX = """<root>
  <resheader name="version"><value>b</value></resheader>
  <data name="Open.Text" xml:space="preserve"><value>‹open› {0}</value><comment>c</comment></data>
  <data name=">>open.Name"><value>open</value></data>
  <data name="Open.Size" type="System.Drawing.Size"><value>a</value></data>
</root>
"""
QT = """<!DOCTYPE TS>
<TS version="2.1" language="en_GB" sourcelanguage="fr">
<context><name>Main</name>
<message><source>&amp;Ouvrir</source><translation>&amp;‹open› %1</translation></message>
<message numerus="yes"><source>%n fichier</source>
  <translation><numerusform>%n ‹file›</numerusform><numerusform>%n ‹files›</numerusform>
  </translation></message>
<message><source>x</source><translation type="vanished">gone</translation></message>
<message><source>y</source><translation type="unfinished">‹yes›</translation></message>
</context></TS>
"""
STRINGS = r"""/* a "b" = "c"; */
"open" = "‹open \"it\"›\n‹now›: %@";
// x
key.a = "‹yes›" ;
"b"="@";
"""
XCSTRINGS = r"""{
  "sourceLanguage" : "fr", "version" : "1.0",
  "strings" : {
    "ouvrir" : {"localizations" : {
      "fr" : {"stringUnit" : {"state" : "new", "value" : "ouvrir"}},
      "en" : {"stringUnit" : {"state" : "translated", "value" : "‹open it›"}}}},
    "n" : {"comment" : "c", "localizations" : {"en" : {"variations" : {"plural" : {
      "one" : {"stringUnit" : {"state" : "x", "value" : "%lld ‹file›"}}}}}}},
    "x" : {"shouldTranslate" : false,
      "localizations" : {"en" : {"stringUnit" : {"value" : "x"}}}}
  }
}
"""
JSON = r"""{"@@locale": "en", "open": "‹open› {name} \u2026",
 "@open": {"description": "a"},
 "list": ["‹a›", {"b": "‹caf\u00e9›", "n": 1, "t": true}]}
"""
NOTES = """{"a": {"message": "‹go $X$›", "description": "b c", "placeholders":
  {"x": {"content": "y"}}},
 "list": [{"id": "d", "translation": {"one": "‹a mile›", "other": "‹miles›"}}],
 "f": {"id": "‹name›", "message": "‹go›", "title": "‹no›", "description": "‹yes›"}}
"""
YAML = """# c
en:
  open: ‹open it›   # now
  on: true
  "quoted": "‹caf\\u00e9› \\"‹b›\\" \\x41\\
     ‹c›"
  single: '‹it''s› %{name}'
  block: |-
    ‹first line
    second›
  folded: >
    ‹é one

    two›
  list: [‹a›, 1, ~]
  ? no
  : ‹n›
  date: 2001-01-01
  at: &x !!str ‹yes›
"""
TTML = """<tt xmlns="http://www.w3.org/ns/ttml" xml:lang="en"><head><metadata>a</metadata></head>
<body>
<div><p begin="00:00:01.000" end="00:00:02.000">‹he› <!-- x --><span>‹went›</span><br/>‹on›</p>
<p begin="2.5s" dur="1s"><metadata>x <a>y</a></metadata><metadata/>‹to rome›</p></div></body></tt>
"""

FILES = [
    ("strings.xml", ANDROID),
    ("a.resx", RESX),
    ("a.ts", QT),
    ("a.strings", STRINGS),
    ("a.xcstrings", XCSTRINGS),
    ("a.arb", JSON),
    ("messages.json", NOTES),
    ("a.yml", YAML),
    ("a.ttml", TTML),
]


def output(document, model=None):
    return b"".join(FileCaser(document, model or Upper()).output())


@pytest.mark.parametrize(("name", "text"), FILES)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_only_values_change(name, text, end):
    before, after = expected(text.replace("\n", end))
    assert output(read_document(before.encode(), name)).decode() == after
    if not name.endswith("yml"):
        assert output(read_document(before.encode(), "file")).decode() == after


def test_other_character_sets():
    before, after = expected(STRINGS)
    assert output(read_document(before.encode("utf-16"), "a.strings")) == after.encode("utf-16")


def test_a_text_that_is_its_key_is_not_translated_yet(lines_of):
    data = '"Go on" = "Go on";\n"go on" = "go on";\n"Off" = "off";\nAn = "An";\n'
    assert lines_of(data, format="strings") == ["off", "An"]
    assert lines_of(data.lower(), format="strings") == ["go on", "go on", "off", "an"]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_escapes_of_yaml_are_no_words(lines_of, end):
    data = f'en:{end}  a: "go \\{end}    on \\e to\\NRome\\_now"{end}'
    assert [line.split() for line in lines_of(data, format="yaml")] == ["go on to Rome now".split()]


def test_codes_of_apple_are_letters_that_stay(lines_of):
    before, after = expected(r'"a" = "‹caf›\U00e9 \U00e9‹t›\U00e9";')
    assert lines_of(before, format="strings") == ["café été"]
    assert output(read_document(before.encode(), "a.strings")).decode() == after


def test_sentences_run_over_paragraphs_of_ttml(lines_of):
    lines = lines_of(expected(TTML)[0])
    assert [" ".join(line.split()) for line in lines] == ["he went on to rome"]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("the :egg is by :ham, 1:a", ["THE :egg IS BY :ham, 1:A"]),
        ("see @:egg.ham. @.lower:(egg) is", ["SEE @:egg.ham. @.lower:(egg) IS"]),
        ("<1>an</1> egg <0/>", ["<1>AN</1> EGG <0/>"]),
        ("[b]an[/b] egg [url=a.b]is[/url] [c]", ["[b]AN[/b] EGG [url=a.b]IS[/url] [C]"]),
        ("an <code class='a'>egg</code> is", ["AN <code class='a'>egg</code> IS"]),
        ("an\n- egg\n  2. is", ["AN", "- EGG", "  2. IS"]),
        ("an egg\nÉs is\nan egg", ["AN EGG", "ÉS IS\nAN EGG"]),
        ("<gui>an</gui> is <gui a='b'>Egg</gui>", ["<gui>AN</gui> IS <gui a='b'>Egg</gui>"]),
    ],
)
def test_placeholders_and_markup_of_libraries(cased, lines_of, text, lines):
    data = json.dumps({"a": text})
    assert json.loads(cased(data, format="json")) == {"a": "\n".join(lines)}
    shown = [line for line in lines_of(data, format="json") if line.strip()]
    assert len(shown) == len(lines)
    assert ("3,000" in shown[0]) == any(
        mark in text for mark in (":egg", "<0/>", "<code", "<gui a")
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("{0}eggs are {1}px", "3,000 eggs are 7px"),
        ("the %@. <file> is %1$@kg", "the 3,000. 3,000 is 7kg"),
        ("%<n>d eggs, %<of>.2f", "3,000 eggs, 3,000"),
        ("_fry an egg...", "fry an egg..."),
        ("Fry &As", "Fry As"),
        ("fry _as h&m", "fry _as h&m"),
        ("R&D is AT&T", "R&D is AT&T"),
        ("the _id is", "the _id is"),
        ("an AT&T egg", "an AT&T egg"),
        ("an <big-egg>egg</big-egg> is", "an egg is"),
    ],
)
def test_values_next_to_words_and_in_brackets(lines_of, text, shown):
    assert lines_of(json.dumps({"a": text}), format="json") == [shown]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("an egg is|the eggs are", ["an egg is", "the eggs are"]),
        ("no egg | :n egg | {n} eggs", ["no egg", "3,000 egg", "3,000 eggs"]),
        ("{0} none|{1} one egg|[2,*] :n eggs", ["none", "one egg", "3,000 eggs"]),
        ("]-Inf , 0[ none|[1, Inf] any", ["none", "any"]),
        ("{0} egg|{0} eggs", ["3,000 egg", "3,000 eggs"]),
        ("egg|eggs", ["egg", "eggs"]),
        ("egg|ham", ["egg|ham"]),
        ("run: ham on|off", ["run: ham on|off"]),
        ("take (an egg|the ham)", ["take (an egg|the ham)"]),
        (
            "{{#if a}}an egg{{else}}ham{{/if}} <x id='a'/> {% if b %}is{%- elif c %}was{% endif %}",
            ["an egg", "ham 3,000 is was"],
        ),
        ("{{#a}}{{b}}{{/a}}{{^ a }}an egg{{/a}} is", ["3,000", "an egg is"]),
        ("{{ an egg | upper }} is", ["3,000 is"]),
        ("an `egg<b | c>`<br>is", ["an 3,000 is"]),
        ("|".join(["an egg"] * 13), ["|".join(["an egg"] * 13)]),
    ],
)
def test_forms_for_several_numbers_are_texts(cased, lines_of, text, lines):
    data = json.dumps({"a": text})
    shown = lines_of(data, format="json")
    assert [" ".join(line.split()) for line in shown if line.strip()] == lines
    assert cased(data, format="json").lower() == data.lower()


def test_keys_that_are_texts_are_sources(cased, lines_of):
    data = '{"Le Jambon est l\\u00e0.": "the ham", "%d oeufs": ["an egg", "eggs"], "Ok": "ok",'
    data += ' "a.b": "c"}'
    assert lines_of(data, with_source=True, format="json") == [
        ("Le Jambon est là.", "the ham"), ("3,000 oeufs", "an egg"), ("3,000 oeufs", "eggs"),
        ("Ok", "ok"),
        ("", "c"),
    ]  # fmt: skip
    assert cased(data, format="json") == data.replace("the ham", "THE HAM").replace(
        "an egg", "AN EGG"
    ).replace('"eggs"', '"EGGS"').replace('"ok"', '"OK"').replace('"c"', '"C"')
    data = '{"menu": {"ham": "a ham", "egg": "an egg"}, "of the": "of"}'
    assert not read_document(data.encode(), "a", "json").has_sources


def test_a_message_without_a_source_has_that_of_no_other(lines_of):
    """Qt's messages may have a name in place of a source."""
    data = '<TS version="2.1"><context><message><source>Un Œuf</source><translation>an egg'
    data += '</translation></message><message id="ham"><translation>the ham</translation>'
    data += "</message></context></TS>"
    assert lines_of(data, with_source=True, format="qt") == [("Un Œuf", "an egg"), ("", "the ham")]


def test_blocks_of_html_end_a_sentence(lines_of):
    texts = ["<p>an <b>egg</b></p> <P>two</P>", "one<br>line<br/> <br>two", "<li>a<br>b</li><li>c"]
    texts += ["see:\nan egg\nis"]
    lines = lines_of(json.dumps(texts), format="json")
    assert [line.split() for line in lines if line.strip()] == [
        ["an", "egg"], ["two"], ["one", "line"], ["two"], ["a", "b"], ["c"],
        ["see:"], ["an", "egg", "is"],
    ]  # fmt: skip


def test_language_of_a_string_catalogue():
    text = expected(XCSTRINGS)[0]
    document = read_document(text.encode(), "a", options=ReadOptions(Languages(None, "fr")))
    assert document.languages.target == "fr"
    assert b'"OUVRIR"' in output(document)
    with pytest.raises(FormatError, match="no string is in the language 'de'; there are fr, en"):
        read_document(text.encode(), "a", options=ReadOptions(Languages(None, "de")))
    more = text.replace('"fr" : {"stringUnit"', '"de" : {"stringUnit"')
    with pytest.raises(FormatError, match="give the target language"):
        read_document(more.encode(), "a")


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.strings", b'"a" = "b";\n"c" = d e;\n', 'line 2: expected "key" = "value"; or a'),
        ("a.xcstrings", b"{}", "line 1: expected a string catalogue"),
        ("a.yml", b"a: b\nc: [d\n", "line 3: broken YAML: "),
        ("a.yml", b"a: \x01\n", "line 1: broken YAML: "),
        ("a.arb", b'{"a":\n b}', "line 1: broken JSON: expected a value"),
        ("a.ts", b"export const a = 1;\n", "line 1: expected XML, this is something else"),
        ("a.resx", b"<resources/>", "line 1: the file is <resources>, expected one of <root>"),
    ],
)
def test_broken_files(name, data, message):
    with pytest.raises(FormatError) as error:
        read_document(data, name)
    assert str(error.value).startswith(f"{name}: {message}")


def folded(text):
    return "".join(map(fold, text))


@pytest.mark.parametrize(("name", "text"), FILES)
@examples(60)
@given(
    edits=st.lists(
        st.tuples(
            st.integers(0, 10_000),
            st.integers(0, 3),
            st.one_of(st.binary(max_size=3), st.sampled_from([b'"', b"<b>", b"\\", b"'", b":\n"])),
        ),
        min_size=1,
        max_size=4,
    )
)
def test_damaged_files_are_read_or_refused(name, text, edits):
    data = damaged(expected(text)[0].encode(), edits)
    trouble, document = "", None
    try:
        document = read_document(data, name)
    except FormatError as error:
        trouble = str(error)
    if document is None:
        assert trouble.startswith(f"{name}: ")
        assert "\n" not in trouble
        return
    assert output(document, Nothing()) == data
    assert output(document).count(b"\n") == data.count(b"\n")


def test_names_for_programs_and_tags_of_languages_stay(cased):
    data = '{"id": "an egg", "of": ["en-US", "zh-Hant-TW", "es_419", "to"], "lang": "en", "list":'
    data += ' [{"id": "egg", "label": "egg", "type": "a b"}]}'
    assert cased(data, format="json") == data.replace("an egg", "AN EGG").replace(
        '"to"', '"TO"'
    ).replace(' "egg", "type": "a b"', ' "EGG", "type": "A B"')
    data = "id: egg\nof: [en-US, to]\nlist:\n- id: egg\n  label: egg\nlocale: en\n"
    assert cased(data, format="yaml") == data.replace("id: egg\no", "id: EGG\no").replace(
        " to", " TO"
    ).replace("label: egg", "label: EGG")
