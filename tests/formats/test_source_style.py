"""Strings in the style of their sources."""

import pytest

from truecase import Truecaser
from truecase.formats.file_caser import FileCaser
from truecase.formats.format import ReadOptions
from truecase.formats.languages import Languages
from truecase.formats.lines import CONTINUED, style_of
from truecase.formats.registry import read_document

STYLES = [
    ("Save As", "title"),
    ("The Lord of the Rings", "title"),
    ("Enregistrer sous", "sentence"),
    ("Ouvrir le Fichier", "title"),
    ("Use iPhone", "title"),
    ("Open", "sentence"),
    ("Go to London now", "sentence"),
    ("PDF", "sentence"),
    ("ERROR", "upper"),
    ("NO WAY", "upper"),
    ("ERROR 404:", "upper"),
    ("the name", CONTINUED),
    (" (the name", CONTINUED),
    ("iPhone", "sentence"),
    ("-v, --verbose  be loud", "sentence"),
    ("0 items", "sentence"),
    ("", "sentence"),
    ("…", "sentence"),
    ("日本", "sentence"),
    ("ΌΛΑ ΜΑΖΙ", "upper"),
]


@pytest.mark.parametrize(("source", "style"), STYLES)
def test_style_of_a_source(source, style):
    assert style_of(source) == style


def test_german_has_no_titles():
    assert style_of("Datei Export", "de-AT") == "sentence"
    assert style_of("Datei Export", "fr") == "title"
    assert style_of("FEHLER", "de") == "upper"


PO = r"""
msgid "_Save File As"
msgstr "_save file in london"

msgid "Save %s to London"
msgstr "save %s to london"

msgid "READ ME"
msgstr "read %s me"

msgid "the file"
msgstr "the file in london\n"
"\n"
"it is"

msgid "The file"
msgstr "the file"
"""
AS_SOURCES = r"""
msgid "_Save File As"
msgstr "_Save File in London"

msgid "Save %s to London"
msgstr "Save %s to London"

msgid "READ ME"
msgstr "READ %s ME"

msgid "the file"
msgstr "the file in London\n"
"\n"
"it is"

msgid "The file"
msgstr "The file"
"""


def cased(style, model=None):
    document = read_document(PO.encode(), "a.po", options=ReadOptions(Languages("en", None)))
    return b"".join(FileCaser(document, model or Truecaser.load(), style=style).output(2)).decode()


def test_each_string_as_its_source():
    assert cased("source") == AS_SOURCES


def test_one_style_for_all():
    assert "_Save File in London" in cased("title")
    assert "The File in London\\n" in cased("title")
    assert "READ %s ME" in cased("upper")
    assert "THE FILE IN LONDON\\n" in cased("upper")


def test_a_model_that_does_not_look_at_sources():
    by_words = AS_SOURCES.replace('"it is"', '"It is"')
    assert cased("source", Truecaser.load(decode_with="unigram")) == by_words


TEXT_UNIT = '<trans-unit id="2"><source>le mur</source><target>the wall</target></trans-unit>'


def test_keys_have_no_style():
    keys = b'msgid "page.title"\nmsgstr "save %s as"\n\nmsgid "MENU_OPEN"\nmsgstr "open"\n'
    document = read_document(keys, "a.po", options=ReadOptions(Languages("en", None)))
    assert document.has_sources
    out = b"".join(FileCaser(document, Truecaser.load(), style="source").output())
    assert out == keys.replace(b'"save', b'"Save').replace(b'"open', b'"Open')


@pytest.mark.parametrize(
    "unit",
    [
        '<trans-unit id="1" resname="close"><source>close</source><target>close it</target>',
        '<trans-unit id="close">\n<source>close</source><target>close it</target>',
        '<trans-unit id="1"><source>app::dialog::close</source><target>close it</target>',
        '<trans-unit id="1"><source>list.row[0].shut</source><target>close it</target>',
        '<trans-unit id="1"><source>@list.shut?</source><target>close it</target>',
        '<trans-unit id="1"><source>2.shut</source><target>close it</target>',
    ],
)
def test_the_name_of_a_unit_is_a_key(unit):
    data = f'<xliff version="1.2"><file><body>{unit}</trans-unit>{TEXT_UNIT}</body></file></xliff>'
    document = read_document(data.encode(), "a.xlf")
    out = b"".join(FileCaser(document, Truecaser.load(), style="source").output()).decode()
    assert out == data.replace("<target>close", "<target>Close")


def test_paths_are_keys_where_most_sources_are():
    entries = b'msgid "nav/door"\nmsgstr "the door"\n\nmsgid "nav/top"\nmsgstr "the top"\n\n'
    document = read_document(entries, "a.po")
    out = b"".join(FileCaser(document, Truecaser.load(), style="source").output())
    assert out == entries.replace(b'"the', b'"The')


def test_a_label_that_is_its_source_but_for_case_is_as_its_source():
    labels = b'msgid "Rn"\nmsgstr "rn"\n\nmsgid "Row %d, Cl"\nmsgstr "row %d, cl"\n\n'
    labels += b'msgid "\xc3\x89t TU"\nmsgstr "\xc3\xa9t tu"\n\nmsgid "Ok"\nmsgstr "OK"\n'
    labels += b'msgid "INFO"\nmsgstr "INFO"\n\nmsgid "All Eggs"\nmsgstr "All Eggs"\n'
    wanted = labels.replace(b'"rn"', b'"Rn"').replace(b'"row %d, cl"', b'"Row %d, Cl"')
    wanted = wanted.replace(b'"\xc3\xa9t tu"', b'"\xc3\x89t TU"')
    for style in ("source", "sentence"):
        document = read_document(labels, "a.po")
        out = b"".join(FileCaser(document, Truecaser.load(), style=style).output(2))
        assert out == wanted
    as_title = FileCaser(read_document(labels, "a.po"), Truecaser.load(), style="upper")
    assert b'"ROW %d, CL"' in b"".join(as_title.output())


def test_dialects_that_capitalise_nouns_have_no_titles():
    assert style_of("Datei Export", "gsw") == "sentence"
