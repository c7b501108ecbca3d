"""The script that makes training text: its readers, its filter, what is held out."""

import json
import lzma
import subprocess
import sys
import tarfile
from importlib import import_module
from importlib.util import find_spec
from math import inf
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[2] / "scripts"
pytestmark = pytest.mark.skipif(
    find_spec("tomllib") is None and find_spec("tomli") is None, reason="no reader of TOML"
)

EVENTS = """\
Date: '2024-05-06'
Intelligence_Payload:
  Uncategorized:
  - Harbour strike
  - Dockers in Antwerp end
    their strike. Ships leave the port again. (De Haven) (Radio 7)
  - 'The mayor''s office: no ferry will sail before Friday. (Radio 7)'
  - "Mayor \\u017Dofia Novak calls it \\"a good \\
    \\ day\\". (Radio 7) She leaves for Oslo."
"""
DETAILED = """\
date: "2024-05-06"
events:
  - "This was written by a machine and is not read."
"""
ARTICLES = """\
url,title,text
x,Ferry,"The ferry from Malmö was late.


((Ann Berg)) We waited for it, she said."
"""
MARKDOWN = """\
---
title: A title of the page.
---

# How the NumPy harbour works

Boats of [the NumPy fleet](https://example.org/a_(b)) leave *every* day,
and **OpenBLAS** stays here. It uses `numpy.dot`. It needs `x = 1` as well.

<!-- Nobody sees this line of the page. -->

- The `first`, `second` and `third` ones are too many names.
- A boat is an item of
  this list.

```python
This is not a sentence of the page.
```

    This is indented code of the page.

| This is | a row of a table. |

> [!NOTE]
> Some e.g. small boats carry the PyTorch 2.0 crates. See <xref:Foo.Bar> for all of them.

This one has {{ braces }} in it, so it goes.
"""
GETTEXT = """\
msgid ""
msgstr "Language: fr"

#: boats.rst:1
msgid ""
"Call :meth:`~Boat.sail` or :ref:`leave the port <port>`, *not* "
"``sail_away(\\"now\\")``.  See `the docs <https://example.org>`_ [#]_ first::"
msgstr "Appelez"

msgid "One boat"
msgid_plural "Many boat\\\\ s"
msgstr[0] "Un bateau"

msgid "The <gui>Boat&amp;Port</gui> panel"
msgstr ""
msgid "B<boat>(1) knows I<n>, E<lt>portE<gt> and B<\\\\-v>."
msgstr ""
msgid "The |boat| is late"
msgid "Open %s of the port"
msgid "_Open the port"
#~ msgid "Nobody sees this"
"""
DOCBOOK = """\
<!ENTITY boat.note '<note>
 <simpara>
  Boats are <emphasis>never</emphasis> late.
 </simpara>
</note>'>
<refentry xml:id="boat.sail">
 <refname>boat_sail</refname>
 <refpurpose>Sail a boat</refpurpose>
 <methodsynopsis><type>bool</type><methodname>sail</methodname></methodsynopsis>
 &reftitle.description;
 <para>
  Returns &true; if <parameter>boat</parameter> is
  <literal>&lt;late&gt;</literal>. It is &boat.late; today.
  <programlisting><![CDATA[<?php sail(); ?>]]></programlisting>
  <!-- Nobody sees this. -->
 </para>
 <row><entry>8.0.0</entry><entry>The boat leaves</entry></row>
</refentry>
"""
REFERENCE = """\
---
title: Boats
---
# <a name="sail"></a> The `Boat::sail` Method

*`name`*\\
[in] The name, a `__m128` or `__m64`.

| Name | Description |
|------|-------------|
| [`Boat::sail`](#sail) | Sails a `Boat` object. |

```
# No heading of the page
```
"""
HELD_OUT = "Some e.g. small boats carry the PyTorch 2.0 crates"
FLUENT = """\
# The boats
boats-sail = Sail with { -brand-name-mozilla-vpn } on <a { $link }>the sea</a>. Then
    come back.
    .title = A boat
boats-number = We have { $number } boats
"""


EXTRACTED = """\
<doc id="1" url="https://example.org/?curid=1" title="Hafen">
Hafen

Der Hafen (; ) von Oslo ist alt. Am 3. Mai kam z. B. die Fähre &amp; ein Boot.
Schiffe.
</doc>
"""
WIKITEXT = """\
<page><title>Haven</title><text xml:space="preserve">{{Plaats|naam={{nl}}
|land=x}}
'''Urk''' ([[Plaats:x|y]]) is een [[haven (water)|haven]] in \
''Flevoland''.&lt;ref name="a"&gt;Nee.&lt;/ref&gt; Ans woont er&lt;ref name=a /&gt;.
[[Bestand:Urk.jpg|thumb|De [[haven]] van Urk.]]
* Nee.
{| class=x
| Nee.
|}
Jan vist d'''IJssel''.ref name=b/ Ans ookrefNee./ref.
</text></page>
"""
TRANSLATED = """\
msgid ""
msgstr "Language: da"

#, fuzzy
msgid "Nobody sees this"
msgstr "Ingen ser dette"

msgid "The boat is late. "
"It stays in Oslo."
msgstr ""
"Båden er <b>sen</b>. "
"Den bliver i Oslo."

msgid "Not yet"
msgstr ""
"""
NOVEL = """\
<TEI><teiHeader><p>Nobody reads this.</p></teiHeader><text><body><head>I. poglavje</head>
<p n="1">Ladja je <hi>zdaj</hi> v lu\xadki.
 «Kje?» vpraša.</p><p>Ana<note>Not a sentence of the novel.</note> odide &amp; molči.</p>
</body></text></TEI>
"""
PAGE = """\
#use wml::debian::template title="Nobody reads this"
<!-- Nor this. -->
<h2>Nyheder</h2>
<p>Båden er <a href="x">i
 <q>havn</q></a>.</p>
<ul><li>Den sejler i morgen</ul>
"""
TOKENS = """\
# http://example.org/

Anna\tPER
(\tO
26\tO
)\tO
mondta\tO
:\tO
"\tO
Jó\tO
.\tO
"\tO

1\tKuka\tO
2\ttulee\tO
3\t?\tO
"""
CONTEXTS = {
    "data": [{"title": "x", "paragraphs": [{"context": "Ann kom. Hun gik.\nSlut.", "qas": []}]}]
}
SPACED = [{"tokens": ["Ana", "vine", "."], "space_after": [True, False, False]}]


@pytest.fixture(scope="module")
def scripts():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(SCRIPTS)
        yield import_module


@pytest.fixture(scope="module")
def script(scripts):
    return scripts("training_text")


@pytest.fixture(scope="module")
def text_readers(scripts):
    return scripts("text_readers")


@pytest.fixture(scope="module")
def natural_text(scripts):
    return scripts("natural_text")


def run_git(folder, *arguments):
    identity = ["-c", "user.name=N", "-c", "user.email=n@example.org"]
    return subprocess.run(
        ["git", "-C", str(folder), *identity, *arguments],
        check=True, capture_output=True, text=True,
    ).stdout.strip()  # fmt: skip


@pytest.fixture
def clones(tmp_path):
    """A folder with one clone, whose newest commit lacks what the one before has."""
    clone = tmp_path / "clones" / "owner" / "boats"
    (clone / "docs").mkdir(parents=True)
    run_git(clone, "init", "-q")
    (clone / "docs" / "a.md").write_text(MARKDOWN, "utf-8")
    (clone / "docs" / "b.md").write_text("A boat is an item of this list.\n", "utf-8")
    (clone / "notes.md").write_text("Nobody reads the notes of the clone.\n", "utf-8")
    run_git(clone, "add", ".")
    run_git(clone, "commit", "-q", "-m", "text")
    commit = run_git(clone, "rev-parse", "HEAD")
    run_git(clone, "rm", "-q", "-r", "docs")
    run_git(clone, "commit", "-q", "-m", "no text")
    return tmp_path / "clones", commit


def source(script, commit, **others):
    fields = {
        "name": "boats", "repository": "owner/boats", "commit": commit, "licence": "CC0",
        "kind": "boats", "files": r"docs/.*\.md", "reader": "markdown",
    }  # fmt: skip
    return script.Source(**fields | others)


def test_events_are_items_without_the_names_of_their_sources(text_readers):
    assert list(text_readers.events(EVENTS)) == [
        "Harbour strike",
        "Dockers in Antwerp end their strike. Ships leave the port again.",
        "The mayor's office: no ferry will sail before Friday.",
        'Mayor Žofia Novak calls it "a good day". She leaves for Oslo.',
    ]
    assert list(text_readers.events(DETAILED)) == []


def test_articles_are_paragraphs_of_a_column(text_readers):
    assert list(text_readers.articles(ARTICLES)) == [
        "The ferry from Malmö was late.",
        "We waited for it, she said.",
    ]


def test_markdown_gives_sentences_that_people_wrote(text_readers, natural_text):
    found = [line for line in text_readers.markdown(MARKDOWN) if natural_text.is_natural(line)]
    assert found == [
        "Boats of the NumPy fleet leave every day, and OpenBLAS stays here.",
        "A boat is an item of this list.",
        "Some e.g. small boats carry the PyTorch 2.0 crates.",
    ]


def test_gettext_gives_messages_without_their_marks(text_readers):
    assert [line for line in text_readers.gettext(GETTEXT) if line] == [
        'Call Boat.sail or leave the port, not sail_away("now").',
        "See the docs first:",
        "One boat",
        "Many boats",
        "The Boat&Port panel",
        "boat(1) knows n, <port> and -v.",
    ]


def test_docbook_gives_blocks_without_code_and_unknown_entities(text_readers):
    assert [line for line in text_readers.docbook(DOCBOOK) if line] == [
        "Boats are never late.",
        "Sail a boat",
        "Returns true if boat is <late>.",
        "8.0.0",
        "The boat leaves",
    ]


def test_a_reference_gives_headings_and_cells_and_keeps_names_of_code(text_readers, natural_text):
    found = [line for line in text_readers.reference(REFERENCE) if natural_text.is_item(line)]
    assert found == [
        "The Boat::sail Method",
        "name [in] The name, a __m128 or __m64.",
        "Sails a Boat object.",
    ]


def test_fluent_gives_values_with_the_names_of_brands(text_readers):
    assert list(text_readers.fluent(FLUENT)) == [
        "Sail with Mozilla VPN on the sea.",
        "Then come back.",
        "A boat",
    ]


def test_articles_of_wikipedia_lose_titles_and_empty_brackets(text_readers, natural_text):
    assert list(text_readers.extracted(EXTRACTED, natural_text.LANGUAGES["de"])) == [
        "",
        "Der Hafen von Oslo ist alt.",
        "Am 3. Mai kam z. B. die Fähre & ein Boot.",
        "Schiffe.",
    ]


def test_pages_of_a_wiki_lose_its_marks(text_readers, natural_text):
    assert list(text_readers.wikitext(WIKITEXT, natural_text.LANGUAGES["nl"])) == [
        "Urk is een haven in Flevoland.",
        "Ans woont er.",
        "Jan vist d'IJssel.",
        "Ans ookrefNee.[.",  # filtered: where a note began is not known
    ]


def test_hard_spaces_and_stress_of_wikitext_stay_out(text_readers):
    text = "<text>'''О\u0301рса''' має 5&amp;nbsp;% площі острова.</text>"
    assert list(text_readers.wikitext(text)) == ["Орса має 5 % площі острова."]


def test_items_of_lists_of_a_wiki_are_its_sentences_too(text_readers):
    text = "<text>Орса — острів.\n* Іда живе там.\n:# Ян ловить рибу.\n{| рядок |}</text>"
    assert list(text_readers.wikitext(text)) == ["Орса — острів."]
    assert list(text_readers.wikitext_lists(text)) == [
        "Орса — острів.",
        "Іда живе там.",
        "Ян ловить рибу.",
    ]


def test_lines_lose_their_numbers(text_readers):
    assert list(text_readers.lines("7\tAna vine.\n7 boats sail.\n")) == [
        "Ana vine.",
        "7 boats sail.",
    ]


def test_translations_are_those_that_are_finished(text_readers, natural_text):
    found = text_readers.translations(TRANSLATED, natural_text.LANGUAGES["da"])
    assert [line for line in found if line] == ["Båden er sen.", "Den bliver i Oslo."]


def test_a_novel_gives_its_paragraphs(text_readers, natural_text):
    found = text_readers.tei(NOVEL, natural_text.LANGUAGES["sl"])
    assert [line for line in found if line] == [
        "Ladja je zdaj v luki.",
        "«Kje?» vpraša.",
        "Ana odide & molči.",
    ]


def test_articles_give_summaries_and_sections(text_readers, natural_text):
    section = {"name": "Vida", "text": "Ana salió.[12]\u200b Volvió.", "subsections": []}
    article = {"url": "x", "title": "Ana", "summary": " \nAna vive. ", "sections": [section]}
    found = list(
        text_readers.sections(f"{json.dumps(article)}\n" * 2, natural_text.LANGUAGES["es"])
    )
    assert [line for line in found if line] == ["Ana vive.", "Ana salió.", "Volvió."] * 2


def test_a_debate_gives_its_speeches(text_readers):
    debate = "<body><u><seg>Gracias.</seg><kinesic><desc>Aplausos</desc></kinesic></u><u>No.</u>"
    assert [line for line in text_readers.tei(debate) if line] == ["Gracias.", "No."]
    sitting = (
        "<session><meta><no>4</no></meta><utt>Proszę bardzo.</utt><utt>Sprzeciw!</utt></session>"
    )
    spoken = [line.strip() for line in text_readers.tei(sitting)]
    assert [line for line in spoken if line] == ["4", "Proszę bardzo.", "Sprzeciw!"]


def test_speeches_are_sentences_of_a_column(text_readers):
    table = 'name,speech\nberg," Good morning. The boat is late.\tIt waits."\n'
    found = [line.strip() for line in text_readers.speeches(table)]
    assert found == ["Good morning.", "The boat is late.", "It waits."]


def test_a_page_gives_paragraphs_and_items(text_readers, natural_text):
    found = text_readers.pages(PAGE, natural_text.LANGUAGES["da"])
    assert [line for line in found if line] == ['Båden er i "havn".', "Den sejler i morgen"]


def test_a_debate_in_html_loses_speakers_and_remarks(text_readers, natural_text):
    debate = (
        '<p><b><b><a id="r1">Poslanec Jan Vlk</a></b>:: Vážená paní předsedkyně, děkuji.</p>'
        '<p><b><a id="r2">Ministryně Eva Malá</a>: </b>Ano, viz odst. 2 zákona. (Potlesk.) Ne.</p>'
    )
    found = text_readers.debate(debate, natural_text.LANGUAGES["cs"])
    assert [line for line in found if line] == [
        "Vážená paní předsedkyně, děkuji.",
        "Ano, viz odst. 2 zákona.",
        "Ne.",
    ]


def test_an_article_in_html_loses_references_and_marks_of_stress(text_readers, natural_text):
    article = "<p>Ба\u0301ржа<sup>[1]</sup> там.<sup>[2]</sup> Она плывёт.</p>"
    article += '<ol class="references">\n<li>Иванов И. И. <i>Баржи</i>.</li>\n</ol>'
    found = text_readers.encyclopedia(article, natural_text.LANGUAGES["ru"])
    assert [line for line in found if line] == ["Баржа там.", "Она плывёт."]


def test_tokens_are_joined_as_text_has_them(text_readers):
    assert list(text_readers.tokens(TOKENS)) == ['Anna (26) mondta: "Jó."', "Kuka tulee?"]
    assert list(text_readers.spaced_tokens(json.dumps(SPACED))) == ["Ana vine."]
    titles = "nl:Zij\tO\nnl:liep\tO\nnl:.\tO\n\nnl:''\tO\nnl:Lied\tO\nnl:''\tO\n"
    assert list(text_readers.tokens(titles)) == ["Zij liep."]
    tree = '<node/><sentence sentid="1">Jan &amp; Ans ( 26 ) komen .</sentence>'
    assert list(text_readers.alpino(tree)) == ["Jan & Ans (26) komen."]
    assert list(text_readers.tokens("L'\tO\nAvon\tO\nest\tO\n'\tO\nlà\tO\n'\tO\n")) == [
        "L'Avon est ' là '"
    ]
    assert list(text_readers.treebank("# text = Ana vine.\n1\tAna\n")) == ["Ana vine."]
    assert list(text_readers.treebank("# text = Ana , ( 26 ) gel .\n")) == ["Ana, (26) gel."]


def test_contexts_are_paragraphs_of_questions(text_readers, natural_text):
    found = text_readers.contexts(json.dumps(CONTEXTS), natural_text.LANGUAGES["da"])
    assert list(found) == ["Ann kom.", "Hun gik.", "Slut."]
    lines = '{"choices": [{"para": "Ann <b>kom</b>."}]}\n{"para": "Slut."}\n'
    assert list(text_readers.contexts(lines)) == ["Ann kom.", "Slut."]


def test_an_archive_is_the_text_of_its_files(script, clones):
    folder, _ = clones
    clone = folder / "owner" / "boats"
    (clone / "ann.txt").write_text("Ann sails.\n", "utf-8")
    with tarfile.open(clone / "ann.tar.gz", "w:gz") as archive:
        archive.add(clone / "ann.txt", "ann.txt")
    run_git(clone, "add", "ann.tar.gz")
    run_git(clone, "commit", "-q", "-m", "an archive")
    here = source(script, run_git(clone, "rev-parse", "HEAD"), files=r"ann\.tar\.gz")
    assert list(script.files_of(folder, here)) == ["Ann sails.\n"]


def test_a_compressed_file_is_its_text(script, clones):
    folder, _ = clones
    clone = folder / "owner" / "boats"
    (clone / "ann.xml.xz").write_bytes(lzma.compress(b"Ann moors.\n"))
    run_git(clone, "add", "ann.xml.xz")
    run_git(clone, "commit", "-q", "-m", "a compressed file")
    here = source(script, run_git(clone, "rev-parse", "HEAD"), files=r"ann\.xml\.xz")
    assert list(script.files_of(folder, here)) == ["Ann moors.\n"]


def test_a_file_is_read_in_its_encoding(script, clones):
    folder, _ = clones
    clone = folder / "owner" / "boats"
    (clone / "lodě.htm").write_bytes("Loď čeká.\n".encode("cp1250"))
    run_git(clone, "add", "lodě.htm")
    run_git(clone, "commit", "-q", "-m", "a page of older days")
    commit = run_git(clone, "rev-parse", "HEAD")
    here = source(script, commit, files=r"lod.*\.htm", encoding="cp1250")
    assert list(script.files_of(folder, here)) == ["Loď čeká.\n"]


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("de", "„Das Boot ist im Hafen“, sagte Anna Berg in Oslo."),
        ("el", "Πού είναι το πλοίο της Άννας σήμερα;"),
        ("es", "¿Dónde está el barco de Ana?"),
        ("fr", "Le bateau est là : où est le port ?"),
        ("fr", "— Le bateau est « en retard »."),
        ("ru", "Лодка Анны стоит в порту Осло."),
        ("sr", "Брод је у луци и чека на Ану."),
        ("sr", "Brod je u luci i čeka na Anu."),
        ("uk", "Човен Анни стоїть у порту Осло."),
    ],
)
def test_sentences_of_a_language_stay(language, line, natural_text):
    assert natural_text.is_natural(line, language=natural_text.LANGUAGES[language])


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("de", "das Boot ist im Hafen von Oslo."),
        ("de", "The boat is in the harbour of Oslo."),
        ("de", "„Das Boot ist im Hafen von Oslo."),
        ("el", "Anna is in Oslo today."),
        ("es", "Das Boot ist im Hafen von Oslo und wartet dort lange."),
        ("fr", "Le bateau , il est là."),
        ("ru", "Brod je u luci i čeka na Anu."),
        ("uk", "Эту лодку Анны мы не видели в порту."),
    ],
)
def test_what_is_no_sentence_of_a_language_goes(language, line, natural_text):
    assert not natural_text.is_natural(line, language=natural_text.LANGUAGES[language])


def test_items_of_a_manual_are_of_its_language(script, clones, natural_text):
    here = source(script, clones[1], reader="lines", manual=True)
    texts = iter(["Open the port\nÅbn havnen\n"])
    found = script.filtered(here, texts, set(), natural_text.LANGUAGES["da"])
    assert list(found) == ["Åbn havnen"]


def test_a_source_of_many_languages_is_one_of_each(script):
    (danish,) = [one for one in script.sources_of("da") if one.name == "tatoeba"]
    assert "dan" in danish.files and "CODE" not in danish.files
    (polish,) = [one for one in script.sources_of("pl") if one.name == "pud"]
    assert polish.repository == "UniversalDependencies/UD_Polish-PUD"
    (swedish,) = [one for one in script.sources_of("sv") if one.name == "wikipedia-leipzig"]
    assert swedish.files == r"data/swedish\.txt"


def test_a_source_of_another_language_is_unknown(script, tmp_path, monkeypatch, capsys):
    arguments = ["training_text.py", "x", str(tmp_path), "--sources", "nerkor"]
    monkeypatch.setattr(sys, "argv", arguments)
    with pytest.raises(SystemExit):
        script.main()
    assert "no source of this language: nerkor" in capsys.readouterr().err


@pytest.mark.parametrize(
    "line", ["Open the port", "open port", "Compiler Error C3077", "See below:"]
)
def test_an_item_of_a_manual_needs_no_stop(line, natural_text):
    assert natural_text.is_item(line)


@pytest.mark.parametrize(
    "line",
    [
        "Open",
        "OPEN THE PORT",
        "PORT_OPEN (int)",
        "See https://example.org for the boats.",
        "The `boat is late",
        "boat->sail (port + sea);",
        "a " * 101,
    ],
)
def test_what_is_no_item_of_a_manual_goes(line, natural_text):
    assert not natural_text.is_item(line)


def test_a_manual_gives_its_items_once(script, clones):
    _, commit = clones
    here = source(script, commit, reader="lines", manual=True)
    text = "Open the port\nopen the PORT\nThe port is open.\nOpen\n"
    assert list(script.filtered(here, iter([text]), set())) == [
        "Open the port",
        "The port is open.",
    ]


def test_only_the_sources_that_are_named_are_made(script, clones, tmp_path, monkeypatch):
    folder, commit = clones
    sources = (source(script, commit, name="ships"), source(script, commit))
    monkeypatch.setattr(script, "sources_of", lambda language: sources)
    arguments = ["training_text.py", str(folder), str(tmp_path / "out"), "--sources", "boats"]
    monkeypatch.setattr(sys, "argv", arguments)
    assert script.main() == 0
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["boats.txt"]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Is it? Yes.", ["Is it?", "Yes."]),
        ('He said "Never." Then he left.', ['He said "Never."', "Then he left."]),
        ("The U.S. Senate met Mr. Berg of Berg Inc. Friday.", None),
        ("It is version 2. 3 boats left.", ["It is version 2.", "3 boats left."]),
    ],
)  # fmt: skip
def test_sentences_are_cut_where_there_is_no_doubt(text, sentences, natural_text):
    assert natural_text.sentences(text) == (sentences or [text])


@pytest.mark.parametrize(
    "line",
    [
        "the boat is in the harbour.",
        "The boat is in the harbour",
        "The Boats Of The Harbour Leave Every Day For Oslo.",
        "THE BOAT IS IN THE harbour and it stays THERE.",
        "See https://example.org for the boats.",
        "The boat (of the harbour is late.",
        'The boat "of the harbour is late.',
        "Le bateau du port arrive toujours trop tard ici.",
        "Too short here.",
    ],
)
def test_what_is_no_natural_sentence_goes(line, natural_text):
    assert not natural_text.is_natural(line)


def test_short_sentences_stay_where_they_are_wanted(natural_text):
    assert natural_text.is_natural("She smiled.", shortest=1)


def test_files_are_read_at_the_commit_and_each_sentence_once(script, clones):
    folder, commit = clones
    here = source(script, commit)
    texts = list(script.files_of(folder, source(script, commit, words=inf)))
    assert texts == [MARKDOWN, "A boat is an item of this list.\n"]
    found = list(script.filtered(here, iter(texts), set()))
    assert found.count("A boat is an item of this list.") == 1 and len(found) == 3


def test_letters_of_older_files_are_those_of_today_too(script, natural_text):
    here = source(script, "HEAD", reader="lines")
    old, today = "Ana şi Ion au fost în Iaşi.", "Ana și Ion au fost în Iași."
    found = script.filtered(here, iter([f"{old}\n{today}\n"]), set(), natural_text.LANGUAGES["ro"])
    assert list(found) == [old, today]


def test_nothing_held_out_is_written(script, clones, tmp_path, monkeypatch, capsys):
    folder, commit = clones
    held = tmp_path / "dev.txt"
    held.write_text(f"They left. A BOAT is an item, of this list!\n[!TIP] {HELD_OUT}\n", "utf-8")
    monkeypatch.setattr(script, "sources_of", lambda language: (source(script, commit),))
    arguments = ["training_text.py", str(folder), str(tmp_path / "out"), "--held-out", str(held)]
    monkeypatch.setattr(sys, "argv", arguments)
    assert script.main() == 0
    written = (tmp_path / "out" / "boats.txt").read_text("utf-8").splitlines()
    assert written == ["Boats of the NumPy fleet leave every day, and OpenBLAS stays here."]
    assert "boats: 1 lines, 12 words" in capsys.readouterr().err


def test_a_source_gives_no_more_than_its_share(script, clones):
    folder, commit = clones
    here = source(script, commit, words=1)
    texts = script.files_of(folder, here)
    assert len(list(script.filtered(here, texts, set()))) < 4
    assert len(list(texts)) == 1


@pytest.mark.parametrize(
    ("repository", "commit", "says"),
    [("owner/ships", None, "no clone of owner/ships"), ("owner/boats", "0" * 12, "boats")],
)
def test_a_missing_repository_or_commit_is_an_error(
    script, clones, tmp_path, monkeypatch, capsys, repository, commit, says
):
    folder, there = clones
    sources = (source(script, commit or there, repository=repository),)
    monkeypatch.setattr(script, "sources_of", lambda language: sources)
    monkeypatch.setattr(sys, "argv", ["training_text.py", str(folder), str(tmp_path / "out")])
    assert script.main() == 1
    assert says in capsys.readouterr().err


def test_sources_have_names_of_their_own_and_free_licences(script, natural_text):
    for language in natural_text.LANGUAGES:
        sources = script.sources_of(language)
        names = [one.name for one in sources]
        assert len(set(names)) == len(names)
        assert all("." not in name for name in names)
        assert not any("NC" in one.licence or "ND" in one.licence for one in sources)
        assert {one.reader for one in sources} <= script.READERS.keys()
