"""Random segments in random markup: what comes out, and what never changes."""

import html
import itertools
import xml.etree.ElementTree as ET

import pytest
from formats_read import EDITS, damaged
from hypothesis import example, given
from hypothesis import strategies as st
from reference.casing import fold as fold_character
from reference.casing import upper

import truecase.formats.lines as segment_lines
from truecase.errors import FormatError
from truecase.formats.file_caser import FileCaser
from truecase.formats.lines import paragraphs, source_lines
from truecase.formats.placeholders import protected, shown
from truecase.formats.po import po_pieces
from truecase.formats.registry import read_document


def fold(text):
    return "".join(map(fold_character, text))


class Raising:
    """Raises every letter, or as many as a row of yes and no says."""

    def __init__(self, choices=(True,)):
        self.metadata = {}
        self._choices = choices

    def case_block(self, block, threads=1, input_case="ignore"):
        choices = itertools.cycle(self._choices)
        text = block.decode("utf-8")
        return "".join(upper(c) if next(choices) else c for c in text).encode("utf-8")


def output(data, model=None, threads=1):
    document = read_document(data, "file")
    return b"".join(FileCaser(document, model or Raising()).output(threads))


# Nothing that a placeholder or markup could begin with.
LETTERS = st.text("abcßéжǆﬁ日 \t\n\r.'\"-12İ🙂", max_size=8)
ANYTHING = st.text(
    st.one_of(
        st.sampled_from("ab%s{}<>&;#$_~x0 \n\r\t\\\"'[]"),
        st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"),
    ),
    max_size=20,
)


def upper_text(text):
    return "".join(map(upper, text))


def reference(character, form):
    raised = upper(character)
    return form.format(ord(character)), form.format(ord(raised))


def same(markup):
    return markup, markup


XML_TOKENS = st.recursive(
    st.one_of(
        LETTERS.map(lambda text: (text, upper_text(text))),
        st.builds(reference, st.sampled_from("aéж1ß"), st.sampled_from(["&#{};", "&#x{:X};"])),
        st.sampled_from(
            [
                "&amp;", "&lt;", "<!-- a -->", "<?b c?>", "<ph>a</ph>", "<ph x='1' y=\"a>b\"/>",
                '<bpt i="1">&lt;b&gt;</bpt>', "<ept i='1'/>", "<it pos='begin'>a<sub>b</sub>c</it>",
                "<ut>a</ut>", "<![CDATA[]]>", "<x/>",
            ]
        ).map(same),
        LETTERS.map(lambda text: (f"<![CDATA[{text}]]>", f"<![CDATA[{upper_text(text)}]]>")),
    ),
    lambda inner: st.lists(inner, max_size=3).map(
        lambda tokens: (
            "<hi type='a'>" + "".join(a for a, _ in tokens) + "</hi >",
            "<hi type='a'>" + "".join(b for _, b in tokens) + "</hi >",
        )
    ),
)  # fmt: skip


def tmx(*contents):
    units = "".join(
        f"<tu><tuv xml:lang='fr'><seg>s</seg></tuv><tuv xml:lang='en'><seg>{content}</seg></tuv>"
        "</tu>\n"
        for content in contents
    )
    return f"<tmx version='1.4'><header srclang='fr'/><body>{units}</body></tmx>".encode()


@given(segments=st.lists(st.lists(XML_TOKENS, max_size=6), min_size=1, max_size=4))
@example(segments=[[("a", "A"), ("\r\n\n", "\r\n\n"), ("b", "B")]])
def test_text_between_markup_is_cased(segments):
    before = tmx(*("".join(a for a, _ in tokens) for tokens in segments))
    after = tmx(*("".join(b for _, b in tokens) for tokens in segments))
    assert output(before) == after
    assert output(before, Raising([False])) == before


@given(
    texts=st.lists(ANYTHING, min_size=1, max_size=3),
    choices=st.lists(st.booleans(), min_size=1, max_size=9),
)
@example(texts=["&#10;&#10;a %s {b} <br> &nbsp;"], choices=[True])
@example(texts=["{a, plural, one {b} other {c}}"], choices=[True])
def test_any_text_in_xml_keeps_all_but_case(texts, choices):
    data = tmx(*map(html.escape, texts))
    out = ET.fromstring(output(data, Raising(choices)))
    for before, after in zip(ET.fromstring(data).iter(), out.iter(), strict=True):
        assert (before.tag, before.attrib) == (after.tag, after.attrib)
        assert fold(before.text or "") == fold(after.text or "")


PO_TOKENS = st.one_of(
    LETTERS.map(lambda text: "".join(c for c in text if c not in '"\\\r\n\t')).map(
        lambda text: (text, upper_text(text))
    ),
    st.sampled_from(["\\n", "\\t", '\\"', "\\\\", "\\x41", "\\101", "\\q", "\\r\\n"]).map(same),
    st.sampled_from(['"\n"', '"\r\n  "', '" "']).map(same),
)


@given(strings=st.lists(st.lists(PO_TOKENS, max_size=8), min_size=1, max_size=4))
def test_text_between_escapes_is_cased(strings):
    before = "\n".join(f'msgid "s"\nmsgstr "{"".join(a for a, _ in s)}"\n' for s in strings)
    after = "\n".join(f'msgid "s"\nmsgstr "{"".join(b for _, b in s)}"\n' for s in strings)
    assert output(before.encode()).decode() == after


@given(text=ANYTHING, choices=st.lists(st.booleans(), min_size=1, max_size=9))
def test_any_text_in_po_keeps_all_but_case(text, choices):
    string = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    string = string.replace("\r", "\\r").replace("\t", "\\t")
    data = f'msgid "{string}"\nmsgstr "{string}"\n'.encode()
    out = output(data, Raising(choices))
    assert fold(out.decode()) == fold(data.decode())
    start = out.index(b"msgstr")
    kept = "".join(piece.text for piece in po_pieces(out, start, len(out)))
    assert fold(kept) == fold(text)


@given(
    text=st.one_of(ANYTHING, st.lists(st.sampled_from(
        ["%s", "%", "{", "}", "{a}", "<b>", "</", ">", "<br/>", "&amp;", "&", ";", "$a", "${b}",
         "{n, plural,", "one {", "a", "_", " ", "%(x)s", "%%", "{{x}}", "{%y%}", "%PATH%",
         " :a", "@:a", "[b]", "<1>", "<code>", "</code>", "\n- ", "|", " | ", "`", "{0}"]
    ), max_size=12).map("".join)),
)  # fmt: skip
def test_protected_spans_are_in_order_and_apart(text):
    position = 0
    for start, end, _ in protected(text):
        assert position <= start < end <= len(text)
        position = end
    assert shown(text, []) == text


@given(text=st.text("ab \n\r\t", max_size=20), source=st.text("ab \n", max_size=20))
def test_paragraphs_keep_lengths(text, source):
    lines = paragraphs(text)
    assert len(lines) == len(text)
    assert lines.split() == text.split()
    n_lines = lines.count("\n") + 1
    assert source_lines(source, n_lines).count("\n") + 1 == n_lines


def test_a_long_source_is_not_repeated_for_each_of_many_paragraphs():
    assert source_lines("a b " * 100, 3) == "\n".join(["a b " * 100] * 3)
    assert source_lines("a b " * 10000, 10000) == "\n" * 9999


WHOLE_FILES = [
    tmx("a <hi>b</hi>", "c &amp; &#233; <ph>%s</ph>", "<![CDATA[d]]> \u00e9"),
    b'<xliff version="1.2"><file source-language="fr" target-language="en"><body><trans-unit '
    b'id="1"><source>a</source><seg-source><mrk mtype="seg" mid="1">a</mrk></seg-source><target>'
    b'<mrk mtype="seg" mid="1">a <mrk mtype="protected">b</mrk></mrk></target></trans-unit></body>'
    b"</file></xliff>",
    b'<xliff version="2.0" srcLang="a" trgLang="b"><file id="f"><unit id="u"><segment><source>a'
    b'</source><target>a<sm id="s" translate="no"/>b<em startRef="s"/></target></segment></unit>'
    b"</file></xliff>",
    b'#, fuzzy\nmsgid ""\nmsgstr "Content-Type: text/plain; charset=ISO-8859-1\\n"\n\nmsgctxt "c"\n'
    b'msgid "a"\nmsgid_plural "b"\nmsgstr[0] "c %s"\n"d\\n"\nmsgstr[1] "\xe9"\n#~ msgid "x"\n',
]


@pytest.mark.parametrize("data", WHOLE_FILES)
@given(edits=EDITS)
def test_damaged_files_are_read_or_refused(data, edits):
    data = damaged(data, edits)
    trouble, out = None, b""
    try:
        out = output(data)
    except FormatError as error:
        trouble = str(error)
    if trouble is not None:
        assert trouble.startswith("file: ")
        assert "\n" not in trouble
        return
    assert out.count(b"\n") == data.count(b"\n")
    assert output(data, Raising([False])) == data


def test_threads_and_blocks_make_no_difference(monkeypatch):
    data = tmx(*(f"segment {i} <hi>of</hi> many &#233;" for i in range(2000)))
    expected = output(data)
    assert expected.count(b"SEGMENT") == 2000
    for size in (1, 100, 1 << 12):
        monkeypatch.setattr(segment_lines, "_BLOCK_BYTES", size)
        assert output(data) == expected
        assert output(data, threads=3) == expected


def test_a_model_that_does_more_is_refused():
    class Longer(Raising):
        def case_block(self, block, threads=1, input_case="ignore"):
            return block + b"!"

    with pytest.raises(ValueError, match="the model has changed more than the case"):
        output(tmx("a"), Longer())
