"""DOCX: what the model is shown, what changes, and that the rest of the archive stays."""

import io
import zipfile

import pytest
from docx_files import docx, field, field_sign, members_of, paragraph, part, run
from examples import examples
from formats_read import EDITS, damaged, output
from hypothesis import given
from plain_models import Nothing, Upper

from truecase.errors import FormatError
from truecase.formats.docx import SEPARATOR
from truecase.formats.registry import read_document

BODIES = {
    "a sentence over runs": (
        paragraph(run("it is "), run("ve"), run("ry old")),
        ["it is very old"],
    ),
    "a link, its address in an attribute": (
        paragraph(
            run("see "), f'<w:hyperlink r:id="rId1" w:anchor="a b">{run("anna")}</w:hyperlink>'
        ),
        ["see anna"],
    ),
    "a link as a field": (
        paragraph(run("see "), field('HYPERLINK "http://a.b/c"', run("anna")), run(" now")),
        ["see anna now"],
    ),
    "an entity and a reference by number": (paragraph(run("a &amp; &#233;t&#xe9;")), ["a & été"]),
    "ends of lines, tabs, a hyphen": (
        paragraph(
            "<w:r><w:t>a</w:t><w:br/><w:t>b</w:t><w:tab/><w:t>c</w:t><w:noBreakHyphen/></w:r>"
        ),
        ["a b c-"],
    ),
    "tabs of a paragraph's looks": (
        f'<w:p><w:pPr><w:tabs><w:tab w:pos="1"/></w:tabs></w:pPr>{run("a b")}</w:p>',
        ["a b"],
    ),
    "a table": (
        f"<w:tbl><w:tr><w:tc>{paragraph(run('a'))}</w:tc><w:tc>{paragraph(run('b'))}</w:tc></w:tr>"
        "</w:tbl>",
        ["a", "b"],
    ),
    "a text box within a sentence": (
        paragraph(
            run("out "),
            f"<w:r><w:pict><w:txbxContent>{paragraph(run('in'))}</w:txbxContent></w:pict></w:r>",
            run("side"),
        ),
        ["in", "out side"],
    ),
    "a text box within what a field shows": (
        paragraph(
            field("REF a", f"<w:r><w:txbxContent>{paragraph(run('in'))}</w:txbxContent></w:r>"),
            run("side"),
        ),
        ["in", "side"],
    ),
    "changes that are tracked": (
        paragraph(
            run("it "),
            "<w:del><w:r><w:delText>was</w:delText></w:r></w:del>",
            f"<w:ins>{run('is')}</w:ins>",
            f"<w:moveFrom>{run('here')}</w:moveFrom>",
            f"<w:moveTo>{run(' there')}</w:moveTo>",
        ),
        ["it is there"],
    ),
    "a formula": (
        paragraph("<m:oMath><m:r><m:t>x</m:t></m:r></m:oMath>", run(" is a length")),
        ["3,000 is a length"],
    ),
    "a control": (f"<w:sdt><w:sdtContent>{paragraph(run('a b'))}</w:sdtContent></w:sdt>", ["a b"]),
    "a style that looks like code and is none": (paragraph(run("a b"), style="C3"), ["a b"]),
    "styles based on each other": (paragraph(run("a b", "L1")), ["a b"]),
    "a contents table over paragraphs": (
        paragraph(
            field_sign("begin"),
            "<w:r><w:instrText>TOC \\o</w:instrText></w:r>",
            field_sign("separate"),
            run("one"),
        )
        + paragraph(run("two"))
        + paragraph(field_sign("end")),
        ["one", "two"],
    ),
    "a field without its sign": (paragraph(field_sign("end"), run("a b")), ["a b"]),
}
# What is shown and stays.
KEPT = {
    "code in a run": (
        paragraph(run("use "), run("ls a", "C1"), run(" now")),
        "use ls a now",
        "ls a",
    ),
    "code by another style": (paragraph(run("use "), run("ls", "C2")), "use ls", "ls"),
    "what a field shows": (
        paragraph(run("on "), field("DATE", run("may")), run(" one")),
        "on may one",
        "may",
    ),
    "what a field in a field shows": (
        paragraph(run("see "), field('HYPERLINK "a"', run("it "), field("REF b", run("part")))),
        "see it part",
        "part",
    ),
    "a simple field": (
        paragraph(run("by "), f'<w:fldSimple w:instr=" AUTHOR ">{run("anna")}</w:fldSimple>'),
        "by anna",
        "anna",
    ),
}


def lines_of(data):
    model = Upper()
    output(read_document(data, "a.docx"), model)
    return model.lines


def upper_parts(data):
    return members_of(output(read_document(data, "a.docx"), Upper()))


@pytest.mark.parametrize("body, lines", BODIES.values(), ids=BODIES)
def test_what_the_model_is_shown(body, lines):
    assert lines_of(docx(body)) == lines


def test_only_letters_of_texts_change():
    body, _ = BODIES["changes that are tracked"]
    before = docx(body)
    after = upper_parts(before)["word/document.xml"]
    expected = body
    for text in ("it ", ">is<", " there"):
        expected = expected.replace(text, text.upper())
    assert after == part("document", f"<w:body>{expected}</w:body>")


@pytest.mark.parametrize("body, line, kept", KEPT.values(), ids=KEPT)
def test_what_is_shown_and_stays(body, line, kept):
    data = docx(body)
    assert lines_of(data) == [line]
    document = upper_parts(data)["word/document.xml"].decode()
    assert f">{kept}<" in document
    assert document != members_of(data)["word/document.xml"].decode()


def test_a_paragraph_of_code_is_no_text():
    assert lines_of(docx(paragraph(run("a b"), style="P1") + paragraph(run("c")))) == ["c"]


STYLE_NAMES = {
    True: "Code;Code Char;code block;Inline Code;Source Text;SourceCode;"
    "HTML Preformatted;HTML Code;HTML Keyboard;Preformatted Text;Verbatim Char;macro text",
    False: "Normal;Title;HTML Cite;Source;Code Caption;Zip Code;Heading 1;Encoded;Quote;Plain Text",
}


@pytest.mark.parametrize("is_code", [True, False])
def test_styles_of_code_by_their_names(is_code):
    names = STYLE_NAMES[is_code].split(";")
    styles = "".join(
        f'<w:style w:styleId="S{i}"><w:name w:val="{name}"/></w:style>'
        for i, name in enumerate(names)
    )
    body = "".join(paragraph(run(name), style=f"S{i}") for i, name in enumerate(names))
    assert lines_of(docx(body, styles=styles)) == ([] if is_code else names)


def test_a_style_that_is_described_nowhere():
    data = docx(paragraph(run("a b"), style="SourceCode") + paragraph(run("c d"), style="P9"))
    assert lines_of(data) == ["c d"]


def test_a_style_before_a_tracked_change_does_not_count():
    body = (
        '<w:p><w:pPr><w:pPrChange><w:pPr><w:pStyle w:val="P1"/></w:pPr></w:pPrChange></w:pPr>'
        '<w:r><w:rPr><w:rPrChange><w:rPr><w:rStyle w:val="C1"/></w:rPr></w:rPrChange></w:rPr>'
        "<w:t>a b</w:t></w:r></w:p>"
    )
    assert b"<w:t>A B</w:t>" in upper_parts(docx(body))["word/document.xml"]


def test_all_parts_with_text_and_no_others():
    text = paragraph(run("a b"))
    data = docx(
        text,
        header1=text,
        footer1=text,
        footnotes=f"<w:footnote>{text}</w:footnote>",
        endnotes=f"<w:endnote>{text}</w:endnote>",
        comments=f"<w:comment>{text}</w:comment>",
        settings=text,
    )
    parts = upper_parts(data)
    raised = {name.removeprefix("word/") for name, part in parts.items() if b"A B" in part}
    assert raised == {
        f"{name}.xml"
        for name in ("document", "header1", "footer1", "footnotes", "endnotes", "comments")
    }


def test_the_archive_stays_as_it_is():
    before = docx(
        paragraph(run("a b")), members=[("word/media/a.png", b"\x89PNG\0\0a"), ("b/", b"")]
    )
    after = output(read_document(before, "a.docx"), Upper())

    def described(data):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return archive.comment, [
                (info.filename, info.date_time, info.compress_type, info.external_attr, info.extra)
                for info in archive.infolist()
            ]

    assert described(after) == described(before)
    old, new = members_of(before), members_of(after)
    assert old.pop("word/document.xml") != new.pop("word/document.xml")
    assert new == old


def test_a_file_without_changes_comes_out_byte_for_byte():
    data = docx(paragraph(run("a b")))
    assert output(read_document(data, "a.docx"), Nothing()) == data


def test_letters_that_take_more_bytes_in_upper_case():
    # U+0250 takes two bytes, its capital U+2C6F three.
    data = docx(paragraph(run("ɐ b")), header1=paragraph(run("c ɐ")))
    parts = upper_parts(data)
    assert "Ɐ B".encode() in parts["word/document.xml"]
    assert "C Ɐ".encode() in parts["word/header1.xml"]


def test_parts_in_utf_16():
    parts = upper_parts(docx(paragraph(run("a é b")), encoding="UTF-16"))
    assert "A É B" in parts["word/document.xml"].decode("utf-16")


def test_a_file_is_known_by_its_content():
    data = docx(paragraph(run("a b")))
    assert read_document(data, "file").format == "DOCX"
    main = (
        f'<Default Extension="xml" ContentType="{"application/vnd.openxmlformats-officedocument"}'
    )
    types = (
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        f'{main}.wordprocessingml.document.main+xml"/><Override PartName="/WORD/styles.xml" '
        'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/>'
        "</Types>"
    )
    assert lines_of(docx(paragraph(run("a b")), types=types)) == ["a b"]


def test_a_place_in_the_file_is_told_in_paragraphs():
    from truecase.formats.file_caser import FileCaser

    data = docx(paragraph(run("a b")) + paragraph() + paragraph(run("c d")))
    changes = FileCaser(read_document(data, "a.docx"), Upper()).changes()
    assert [(change.line, change.after) for change in changes] == [(1, "A B"), (3, "C D")]


def encrypted():
    data = bytearray(docx(paragraph(run("a b"))))
    for sign, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(sign) + at] |= 1
    return bytes(data)


def bomb():
    return docx(paragraph(run("a b")), members=[("a.xml", b"a" * (1 << 27))])


def twice():
    with pytest.warns(UserWarning, match="Duplicate"):
        return docx(paragraph(run("a b")), members=[("a", b"b"), ("a", b"b")])


def wrong_sum():
    data = docx(paragraph(run("a b")))
    return data.replace(b"a b<", b"a c<")


WRONG = {
    "no archive": (b"text", "no DOCX file, or a broken one"),
    "an old document": (
        bytes.fromhex("d0cf11e0a1b11ae1"),
        "is encrypted, or a document of Word 97",
    ),
    "cut off": (docx(paragraph(run("a b")))[:500], "no DOCX file, or a broken one"),
    "another archive": (docx("", types="<Types/>"), "no DOCX file: the archive has no document"),
    "no types": (docx("", types="<other/>"), "Content_Types].xml: line 1: the file is <other>"),
    "encrypted": (encrypted(), "is encrypted: save it without a password"),
    "a bomb": (bomb(), "unpack to .*, which is refused"),
    "a sum that is wrong": (wrong_sum(), "or a broken one: Bad CRC-32"),
    "XML that is broken": (docx("<w:p>"), "word/document.xml: line 2: broken XML"),
    "another character set": (docx("", encoding="ISO-8859-1"), "is in ISO8859-1, expected UTF-8"),
}


@pytest.mark.parametrize("data, message", WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_said(data, message):
    with pytest.raises(FormatError, match=message) as caught:
        read_document(data, "a.docx")
    assert str(caught.value).startswith("a.docx: ")
    assert "\n" not in str(caught.value)


def test_two_members_of_one_name():
    with pytest.raises(FormatError, match="two members have the same name"):
        read_document(twice(), "a.docx")


def test_a_broken_picture_is_found_before_anything_is_written():
    data = docx(paragraph(run("a b")), members=[("a.png", b"abcdefghijklmnop" * 9)])
    start = data.index(b"a.png") + len("a.png")
    data = data[:start] + b"\xff" + data[start + 1 :]
    with pytest.raises(FormatError, match=r"a\.docx: is broken"):
        output(read_document(data, "a.docx"), Upper())


def test_an_encoding_has_no_effect():
    with pytest.raises(FormatError, match="give no encoding"):
        read_document(docx(""), "a.docx", encoding="latin-1")


WHOLE = docx(paragraph(run("a b"), run("c", "C1")), header1=paragraph(run("d")), n_stored=9)


@examples(150)
@given(EDITS)
def test_damaged_files_are_refused_or_keep_all_else(edits):
    data = damaged(WHOLE, edits)
    try:
        document = read_document(data, "a.docx")
        after = output(document, Upper())
    except FormatError:
        return
    texts = {part.member for part in document.charset.parts}
    old, new = members_of(data), members_of(after)
    assert old.keys() == new.keys()
    for name in old.keys() - texts:
        assert new[name] == old[name]
    joined = SEPARATOR.join(new[part.member] for part in document.charset.parts)
    assert joined.lower() == document.data.lower()
