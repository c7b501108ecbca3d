"""Titles of BibTeX and CSL-JSON: what changes, and that nothing else does."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recipes import estimated
from reference.casing import fold as fold_character

from truecase import TruecaseError, Truecaser, case_bibliography
from truecase.errors import FormatError
from truecase.formats.bibliographies import TitleCaser, bibliography_format

MODEL = Truecaser.load()

BIB = r"""Free Text by me@home.example, with { and "
@string{ trees = {Journal of Old Trees} }
@preamble{ "\newcommand{\Title}{A Title}" # trees }
@comment{ @misc{no, title = {Not This One}} }
% @misc{no, title = {Not This One}}
@Article{elm:1, % The First
  Author = {Old, Ann and Woods, Bob},
  TITLE = {The Old Trees of Paris: {A} {Survey of Trees}},
  Journal = {Journal of Old Trees}, year = 1999 ,
  note = "A Note on {"}Old{"} Trees" }
@inproceedings(elm:2, title = "{\'E}tudes in
  the Old Woods", booktitle = {{ The Old Woods of Paris }}, shorttitle={{BERT}},
  subtitle = {Walking # with 50\% of Birds})
@misc{elm:3, title = "The Old " # trees, booktitle = trees}
@periodical{elm:4, title = {Journal of Old Trees}}
@book{elm:5, title = {Die Alten B{\"a}ume}, langid = {ngerman}}
@book{elm:6, title = {The Old Trees}, language = {{English}}}
@book{elm:7, title = {{\LaTeX: A Guide to Old Trees}}}
@misc{elm:8}
"""

CASED = {
    "The Old Trees of Paris: {A} {Survey": "The old trees of Paris: {A} {Survey",
    "{\\'E}tudes in\n  the Old Woods": "{\\'E}tudes in\n  the old woods",
    "{ The Old Woods of Paris }": "{ The old woods of Paris }",
    "Walking # with 50\\% of Birds": "Walking # with 50\\% of birds",
    "{The Old Trees}, lang": "{The old trees}, lang",
}

CSL = r"""[ {"id": "a", "type": "article-journal",
  "title": "The Old \u00c9tudes of Paris: \"Trees\"",
  "title-short": "The Old Trees", "container-title": "Journal of Old Trees",
  "author": [{"family": "Old", "title": "The Old Trees"}]},
 {"container-title": "The Old Woods", "type": "chapter", "title": "Walking with <i>Old</i> Birds",
  "title-short": ["Odd"]},
 {"type": "book", "title": "The <span class=\"nocase\">Old Woods</span> of Winter"},
 {"type": "book", "title": "Die Alten Wege", "language": "de-AT"},
 {"type": "book", "title": ""}, {"type": "note"}, 3 ]
"""


def cased(text, format="bibtex", **options):
    data = text if isinstance(text, bytes) else text.encode()
    return b"".join(TitleCaser(data, "refs", format, MODEL, **options).output())


def fold(text):
    text = re.sub(r"\\u([0-9A-Fa-f]{4})", lambda code: chr(int(code[1], 16)), text)
    return "".join(map(fold_character, text))


def expected(text):
    for before, after in CASED.items():
        assert text.count(before) == 1
        text = text.replace(before, after)
    return text


@pytest.mark.parametrize("name", ["magyar", "norsk", "Slovene", "francais", "de", "nor", "{czech}"])
def test_titles_of_other_languages_stay(name):
    text = f"@book{{a, title = {{The Old Trees}}, langid = {{{name}}}}}"
    assert cased(text).decode() == text
    csl = json.dumps([{"type": "book", "title": "The Old Trees", "language": name}])
    assert cased(csl, "csl").decode() == csl


def test_headings_of_another_language_stay():
    page = b"---\nlang: %s\n---\n\n# The Old Trees\n"
    assert TitleCaser(page % b"fr-CA", "a.md", "markdown", MODEL).summary.n_other_language == 1
    assert TitleCaser(page % b"", "a.fr.md", "markdown", MODEL).summary.n_other_language == 1
    assert TitleCaser(page % b"en-GB", "a.fr.md", "markdown", MODEL).summary.n_changed == 1


@pytest.mark.parametrize(
    ("code", "names"), [("nb", "norsk nor nob no-NO"), ("hu", "magyar hun"), ("pt", "brazil pt-BR")]
)
def test_titles_of_the_models_own_language_are_cased(code, names):
    model = estimated(b"De gamle treet . A regi fa .\n" * 40, language=code)
    for name in names.split():
        text = f"@book{{a, title = {{The Old Trees}}, langid = {{{name}}}}}".encode()
        assert TitleCaser(text, "refs", "bibtex", model).summary.n_other_language == 0


def test_titles_of_bibtex_and_nothing_else():
    assert cased(BIB).decode() == expected(BIB)
    caser = TitleCaser(BIB.encode(), "refs", "bibtex", MODEL)
    assert caser.summary == (7, 5, 1, 2)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_line_ends_and_encodings(encoding):
    text = BIB.replace("\n", "\r\n").replace("Bob", "Jürgen İ")
    right = expected(BIB).replace("\n", "\r\n").replace("Bob", "Jürgen İ")
    assert cased(text.encode(encoding)).decode(encoding) == right


def test_named_encoding():
    text = "@misc{a, title = {The Étude of Old Trees}, note = {Ärger}}".encode("latin-1")
    assert cased(text, encoding="latin-1") == text.replace(
        b"\xc9tude of Old Trees", b"\xe9tude of old trees"
    )
    with pytest.raises(
        FormatError, match=r"^refs: line 1: byte 22 is not UTF-8: give its encoding$"
    ):
        cased(text)


@pytest.mark.parametrize(
    ("title", "right"),
    [
        ("{The Trees of Paris}", "{The trees of {Paris}}"),
        ("{{The Trees of Paris}}", "{{The trees of {Paris}}}"),
        ('"{The Trees of Paris}"', '"{The trees of {Paris}}"'),
        ("{{The Trees} of {Paris}}", "{{The Trees} of {Paris}}"),
        ("{{NASA}}", "{{NASA}}"),
        ("{The SVMs of\n Trees: A Review}", "{The {SVMs} of\n trees: A review}"),
        ("{}", "{}"),
    ],
)
def test_braces(title, right):
    once = cased(f"@misc{{a, title = {title}, note = {title}}}", braces=True).decode()
    assert once == f"@misc{{a, title = {right}, note = {title}}}"
    assert cased(once, braces=True).decode() == once


def test_after_colon():
    text = "@misc{a, title = {Old Trees: A Review}}"
    assert cased(text, after_colon="lower").decode() == "@misc{a, title = {Old trees: a review}}"


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("\n\n@misc{a, title = {The Trees}", 3, "the entry that begins here does not end"),
        ("@misc{a,\n title = {The {Trees},\n}\n", 1, "the entry that begins here does not end"),
        ('@misc{a,\n title = "The Trees\n}\n', 2, "the value that begins here does not end"),
        ("@misc{a,\n title = ,\n}", 2, "expected a value"),
        ("@misc{a,\n title = {A} # \n}", 3, "expected a value"),
        ("@misc{a,\n title = {A}\n note = {B}}", 3, "expected a comma after the field title"),
        ("@misc{a,\n title = {A},\n@misc{b,\n}", 3, "expected a field"),
        ("\n@misc{title = {A}}", 2, "expected a comma after the key"),
        ("@misc{a", 1, "expected a comma after the key"),
        ("@preamble{ {A} ", 1, "does not end"),
        ("@string{a = {B}", 1, "does not end"),
    ],
)
def test_broken_bibtex(text, line, what):
    with pytest.raises(FormatError, match=f"^refs: line {line}: broken BibTeX: .*{what}"):
        cased(text)


def test_many_comments_do_not_take_long():
    text = "@misc{a, title" + "%" * 4000 + "\n{A}}"
    with pytest.raises(FormatError, match="line 1: broken BibTeX: expected a field"):
        cased(text)


# Each took minutes once, at a hundred thousand: 200 KB.
@pytest.mark.parametrize(
    "text",
    ["@comment{\n" * 100_000, "@" * 200_000, "@a" * 100_000],
    ids=["comments", "signs", "names"],
)
def test_what_does_not_end_does_not_take_long(text):
    assert cased(text).decode() == text


def test_groups_round_groups_do_not_take_long():
    text = "@misc{a, title = " + "{" * 50_000 + "Old Trees" + "}" * 50_000 + "}"
    assert cased(text).decode().lower() == text.lower()


def test_after_a_comment_that_does_not_end():
    entry = "@misc{a, title = {Some Old Trees}}\n"
    text = "@comment{ {\n" + entry + "@comment{" + entry + "}\n" + entry
    right = entry.replace("Old Trees", "old trees")
    assert cased(text).decode() == "@comment{ {\n" + right + "@comment{" + entry + "}\n" + right


def test_titles_of_csl_and_nothing_else():
    right = CSL
    for before, after in (
        (r"Old \u00c9tudes of", r"old \u00e9tudes of"),
        ('"title-short": "The Old Trees"', '"title-short": "The old trees"'),
        ("The Old Woods", "The old woods"),
        ("<i>Old</i> Birds", "<i>old</i> birds"),
        ("> of Winter", "> of winter"),
        (r"\"Trees\"", r"\"Trees\""),
    ):
        assert before in right
        right = right.replace(before, after)
    assert cased(CSL, "csl").decode() == right
    crlf = CSL.replace("\n", "\r\n")
    assert cased(crlf, "csl").decode() == right.replace("\n", "\r\n")
    assert TitleCaser(CSL.encode(), "refs", "csl", MODEL).summary == (5, 5, 1, 0)


def test_titles_of_ris_and_nothing_else():
    text = (
        "TY  - JOUR\r\nAU  - Marsh, A.\r\nTI  - The Old Trees of\r\n      Ohio\r\nT2  - A\r\n"
        "ER  - \r\n\r\nTY  - BOOK\r\nT1  - The Old Trees\r\nLA  - fra\r\nER  - \r\n"
        "%0 Book\r\n%T The Old Woods\r\n%J The Old Trees\r\n\r\nPMID- 1\r\nTI  - The Old Birds\r\n"
    )
    right = text.replace("Old Trees of", "old trees of").replace("Old Woods", "old woods")
    assert cased(text, "ris").decode() == right.replace("Old Birds", "old birds")
    assert bibliography_format("refs.nbib") == "ris"


def test_language_of_an_entry_of_ris_before_its_title():
    french = "TY  - BOOK\nLA  - fr\nTI  - Les Vieux Arbres\nER  - \n"
    text = f"{french}TY  - BOOK\nTI  - The Old Trees\nER  - \n{french}"
    assert cased(text, "ris").decode() == text.replace("Old Trees", "old trees")


def test_entries_of_csl_in_other_places():
    entry = {"type": "book", "title": "The Old Trees"}
    for value in (entry, {"items": [entry]}):
        text = json.dumps(value)
        assert cased(text, "csl").decode() == text.replace("Old Trees", "old trees")
    assert cased("[]", "csl") == b"[]"


def test_broken_csl():
    with pytest.raises(FormatError, match=r"^refs: line 2: broken JSON: "):
        cased('[{"type": "book",\n "title" "A"}]', "csl")
    with pytest.raises(FormatError, match=r"^refs: line 1: not CSL-JSON: "):
        cased('{"greeting": "Hello You"}', "csl")


@given(st.data())
def test_random_changes_of_a_file_are_errors_or_come_back(data):
    format, text = data.draw(st.sampled_from([("bibtex", BIB), ("csl", CSL)]))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        end = min(len(text), at + data.draw(st.integers(0, 3)))
        text = text[:at] + data.draw(st.text('{}"@%,=#()\\\n\r aBÉǅ[]:İ', max_size=3)) + text[end:]
    try:
        done = cased(text, format).decode()
    except FormatError as error:
        message = str(error)
    else:
        message = None
    if message is not None:
        assert message.startswith("refs: line ")
        return
    assert len(done) == len(text)
    assert fold(done) == fold(text)
    if format == "bibtex":
        braced = cased(text, braces=True).decode()
        table = str.maketrans("", "", "{}")
        assert braced.translate(table) == done.translate(table)


def test_files(tmp_path):
    path, out = tmp_path / "refs.bib", tmp_path / "out.bib"
    path.write_bytes(BIB.encode())
    assert case_bibliography(path, out, braces=True).n_changed == 5
    assert out.read_bytes() == cased(BIB, braces=True)
    path.write_bytes(b"@misc{a, title = {")
    with pytest.raises(FormatError, match=r"refs\.bib: line 1: "):
        case_bibliography(path, out)
    assert out.read_bytes() == cased(BIB, braces=True)
    (tmp_path / "refs.txt").write_bytes(BIB.encode())
    with pytest.raises(TruecaseError, match=r"refs\.txt: the name does not show the format"):
        case_bibliography(tmp_path / "refs.txt", out)


def test_options_that_are_none():
    with pytest.raises(TruecaseError, match="titles of CSL-JSON have none"):
        cased(CSL, "csl", braces=True)
    with pytest.raises(TruecaseError, match="expected bibtex, csl, ris, markdown"):
        cased(CSL, "docx")
    assert bibliography_format("A/REFS.BIB.gz") == "bibtex"
    assert bibliography_format("refs.json") == "csl"
    assert bibliography_format("bib") is None


@pytest.mark.parametrize(
    "text, expected",
    [
        (
            "# Walking With The Dog\n\nText With odd Case.\n",
            "# Walking with the dog\n\nText With odd Case.\n",
        ),
        ("Old Trees\n=========\n\n- An Item\n", "Old trees\n=========\n\n- An Item\n"),
        ("## Use `Old Trees` in *Your* Garden ##\n", "## Use `Old Trees` in *your* garden ##\n"),
        ("```\n# Not A Heading\n```\n", "```\n# Not A Heading\n```\n"),
        ("<h1>Old Trees</h1>\n\n> # Young Trees\n", "<h1>Old Trees</h1>\n\n> # Young trees\n"),
        ("---\ntitle: Old Trees\n---\n# New Trees\n", "---\ntitle: Old Trees\n---\n# New trees\n"),
        ("| The Tree | The Owl |\n|---|---|\n", "| The Tree | The Owl |\n|---|---|\n"),
        ("# Les Arbres de la Ville\n", "# Les Arbres de la Ville\n"),
    ],
)
def test_headings_of_markdown(text, expected):
    pytest.importorskip("markdown_it")
    found = TitleCaser(text.encode(), "notes.md", "markdown", Truecaser.load())
    assert b"".join(found.output()).decode() == expected
    assert bibliography_format("notes.md") == "markdown"
    with pytest.raises(TruecaseError, match="titles of Markdown have none"):
        cased(text, "markdown", braces=True)
