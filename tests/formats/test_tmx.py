"""TMX: languages, inline tags, entities, and files that are broken or mean harm."""

import pytest

from truecase.errors import FormatError
from truecase.formats.languages import Languages
from truecase.formats.registry import read_document

HEAD = """\
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE tmx SYSTEM "tmx14.dtd">
<tmx version="1.4">
<header srclang="fr" segtype="sentence" adminlang="en" datatype="xml"><note>a note</note></header>
<body>
"""
TAIL = "</body>\n</tmx>\n"


def unit(target, source="Source", languages=("fr", "en")):
    return (
        f'<tu tuid="a"><prop type="p">prop</prop><tuv xml:lang="{languages[0]}"><seg>{source}</seg>'
        f'</tuv><tuv xml:lang="{languages[1]}"><note>n</note><seg>{target}</seg></tuv></tu>\n'
    )


def tmx(*units):
    return HEAD + "".join(units) + TAIL


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("click ok", "CLICK OK"),
        ("  a\r\n\tb ", "  A\r\n\tB "),
        ("a &amp; b &lt;i&gt; &quot;c&quot;", "A &amp; B &lt;i&gt; &quot;C&quot;"),
        ("caf&#233; &#xe9; &#x00E9; &#0233;", "CAF&#201; &#xC9; &#xC9; &#201;"),
        ("caf&#201; &#xC9; &#10; &#x00C9;", "CAF&#201; &#xC9; &#10; &#x00C9;"),
        ("&#" + "0" * 5000 + "65;b", "&#" + "0" * 5000 + "65;B"),
        ("caf&eacute; &unknown;", "CAF&eacute; &unknown;"),
        ("<![CDATA[a <b>c</b> & d]]>e", "<![CDATA[A <b>C</b> & D]]>E"),
        ("a<![CDATA[]]>b", "A<![CDATA[]]>B"),
        ("a<!-- b <i> -->c<?pi d?>e", "A<!-- b <i> -->C<?pi d?>E"),
        ('a <bpt i="1" x="a>b">&lt;b&gt;</bpt>c<ept i="1">x</ept>', None),
        ("a<ph/>b<ph x='1>2' />c<it pos=\"begin\">it</it>d<ut>u</ut>", None),
        ("a<ph>x<sub>sub text</sub>y</ph>b", "A<ph>x<sub>sub text</sub>y</ph>B"),
        ("a<hi type='x'>b<hi>c</hi></hi>d", "A<hi type='x'>B<hi>C</hi></hi>D"),
        ("ß ǆ straße ﬁn ŉ", "ß Ǆ STRAßE ﬁN ŉ"),
        ("%s and %(name)s of {user} at %d%%", "%s AND %(name)s OF {user} AT %d%%"),
        ("&lt;a href=&quot;x&quot;&gt;b&lt;/a&gt;", "&lt;a href=&quot;x&quot;&gt;B&lt;/a&gt;"),
        ("", ""),
        ("<!-- only -->", "<!-- only -->"),
    ],
)
def test_only_text_changes(cased, target, expected):
    if expected is None:
        # Every letter between tags, and none in them.
        parts = {"a ": "A ", ">c<": ">C<", "a<": "A<", ">b<": ">B<", ">d<": ">D<"}
        expected = target
        for before, after in parts.items():
            if not before.startswith("a") or target.startswith(before):
                expected = expected.replace(before, after, 1)
    assert cased(tmx(unit(target))) == tmx(unit(expected))


def test_a_sentence_with_tags_is_one_text(lines_of):
    target = 'in new <bpt i="1">b</bpt>yo<!-- -->r<ept i="1">e</ept>k &amp; caf&#233;'
    assert lines_of(tmx(unit(target))) == ["in new york & café"]


def test_codes_that_stand_for_something(lines_of):
    target = "a<ph>&lt;br/&gt;</ph>b <ph>%s</ph> c <ph x='1'/>d<ut>{0}</ut>kg <ph equiv='{n}'/>kilo"
    assert lines_of(tmx(unit(target))) == ["a b 3,000 c  d7kg 3,000 kilo"]


def test_source_goes_with_its_target(lines_of):
    data = tmx(
        unit("click ok", "Cliquez sur <hi>OK</hi> &amp; caf&#233;"),
        unit("hello", "Salut"),
        '<tu><tuv xml:lang="en"><seg>alone</seg></tuv></tu>',
        '<tu><tuv xml:lang="en"><seg>first</seg></tuv><tuv xml:lang="fr"><seg>D</seg></tuv></tu>',
        unit("one\n\ntwo\nthree", "Un\n\nDeux"),
        unit("one\n\ntwo", "Un\nDeux"),
    )
    assert lines_of(data, with_source=True) == [
        ("Cliquez sur OK & café", "click ok"),
        ("Salut", "hello"),
        ("", "alone"),
        ("D", "first"),
        ("Un", "one"),
        (" Deux", " two three"),
        ("Un Deux", "one"),
        ("Un Deux", " two"),
    ]


class TestLanguages:
    def test_two_languages_and_the_header(self, cased):
        data = tmx(unit("a", "b", ("FR-ca", "en_GB")))
        assert cased(data) == tmx(unit("A", "b", ("FR-ca", "en_GB")))

    def test_the_header_s_language_is_absent(self, cased):
        data = tmx(unit("a", "b", ("de", "en")))
        with pytest.raises(FormatError, match=r"^file: has segments in de, en: give the target"):
            cased(data)
        assert cased(data, target="de") == tmx(unit("a", "B", ("de", "en")))
        assert cased(data, source="de") == tmx(unit("A", "b", ("de", "en")))

    def test_any_source(self, cased):
        data = tmx(unit("a", "b")).replace('srclang="fr"', 'srclang="*all*"')
        with pytest.raises(FormatError, match="give the target language"):
            cased(data)
        assert ">B<" in cased(data, target="fr")

    def test_three_languages(self, cased, lines_of):
        units = unit("a", "b"), unit("c", "d", ("fr", "de"))
        with pytest.raises(FormatError, match="fr, en, de: give"):
            cased(tmx(*units))
        assert cased(tmx(*units), target="de") == tmx(units[0], unit("C", "d", ("fr", "de")))
        pairs = lines_of(tmx(*units), with_source=True, wanted=Languages(None, "EN"))
        assert pairs == [("b", "a")]

    def test_varieties(self, cased):
        data = tmx(unit("a", "b", ("fr", "en-US")), unit("c", "d", ("fr", "en-GB")))
        assert cased(data) == data.replace(">a<", ">A<").replace(">c<", ">C<")
        assert cased(data, target="en-gb") == data.replace(">c<", ">C<")

    def test_no_such_language(self, cased):
        with pytest.raises(FormatError, match=r"^file: no segment is in the language 'pt'; there"):
            cased(tmx(unit("a")), target="pt")
        with pytest.raises(FormatError, match=r"in the source language 'pt'; there are fr, en$"):
            cased(tmx(unit("a")), source="pt", target="en")

    def test_old_attribute(self, cased):
        data = tmx(unit("a")).replace("xml:lang", "lang")
        assert ">A<" in cased(data)

    def test_no_language(self, cased):
        with pytest.raises(FormatError, match=r"^file: line 7: this tuv has no xml:lang$"):
            cased(tmx(unit("a"), "<tu><tuv><seg>x</seg></tuv></tu>\n"))


def test_empty_and_missing_targets(cased):
    data = tmx(unit(""), '<tu><tuv xml:lang="fr"><seg>x</seg></tuv></tu>', unit("a"))
    assert cased(data) == data.replace(">a<", ">A<")
    assert read_document(data.encode(), "f").segments.reasons() == {"without a target": 1}
    for none in (tmx(), "<tmx/>", "<tmx version='1.4'><body/></tmx>"):
        assert cased(none) == none


def test_default_namespace(cased):
    data = tmx(unit("a")).replace("<tmx", '<tmx xmlns="http://www.lisa.org/tmx14"')
    assert ">A<" in cased(data)


@pytest.mark.parametrize(
    ("codec", "declared", "mark"),
    [
        ("utf-8", "UTF-8", b"\xef\xbb\xbf"),
        ("utf-8", "utf-16", b""),
        ("utf-16-le", "UTF-16", b"\xff\xfe"),
        ("utf-16-be", "UTF-16", b"\xfe\xff"),
        ("utf-16-le", "UTF-16LE", b""),
        ("iso-8859-1", "ISO-8859-1", b""),
        ("cp1252", "windows-1252", b""),
        ("shift_jis", "Shift_JIS", b""),
    ],
)
def test_character_sets(cased, codec, declared, mark):
    text = "日本 abc" if codec == "shift_jis" else "cafe\u00e9 \u00ff abc"
    raised = "日本 ABC" if codec == "shift_jis" else "CAFE\u00c9 \u0178 ABC"
    if codec == "iso-8859-1":
        raised = raised.replace("\u0178", "\u00ff")  # which has no Ÿ
    data = tmx(unit(text)).replace("UTF-8", declared)
    expected = tmx(unit(raised)).replace("UTF-8", declared)
    out = cased(mark + data.encode(codec))
    out = out.encode("utf-8") if isinstance(out, str) else out
    assert out == mark + expected.encode(codec)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "line 1: neither the name nor the content shows the format"),
        (b"hello\n", "line 1: neither the name nor the content shows the format"),
        (b"<div/>", "line 1: the file is <div>, expected one of <tmx>, <xliff>"),
        (b"\n\n<tmx", "line 3: broken XML: unclosed token"),
        (HEAD.encode(), "line 6: broken XML: no element found"),
        (tmx(unit("a & b")).encode(), "line 6: broken XML: not well-formed (invalid token)"),
        (tmx(unit("a</b>")).encode(), "line 6: broken XML: mismatched tag"),
        (tmx(unit("\x00")).encode(), "line 6: broken XML: not well-formed (invalid token)"),
        (tmx(unit("caf\u00e9")).encode("latin-1"), "line 6: broken XML: not well-formed"),
        (tmx(unit("a") * 2)[:400].encode(), "line 7: broken XML: no element found"),
        (b'<?xml version="1.0" encoding="klingon"?><tmx/>', "line 1: the character set 'klingon'"),
        (b'<?xml version="1.0" encoding="rot13"?><tmx/>', "line 1: the character set 'rot13'"),
        (b'<?xml version="1.0" encoding="utf-7"?><tmx/>', "line 1: the character set 'utf-7'"),
        (b"\xff\xfe<\0t\0m\0x\0\0\xd8", "line 1: byte 10 is not UTF-16-LE"),
        (b'<?xml version="1.0" encoding="cp1252"?>\n<tmx>\x81</tmx>', "line 2: byte 45 is not CP"),
    ],
)
def test_broken_files(cased, data, message):
    with pytest.raises(FormatError) as error:
        cased(data)
    assert str(error.value).startswith("file: " + message)


def test_every_beginning_of_a_file(cased):
    data = tmx(unit("a <hi>b</hi> &amp; <![CDATA[c]]><ph x='>'/>")).encode()
    for n in range(len(data) - len("\n")):
        with pytest.raises(FormatError):
            cased(data[:n])


class TestHarm:
    def test_entities_are_refused(self, cased):
        bomb = '<!DOCTYPE tmx [\n<!ENTITY a "aaaaaaaaaa">\n<!ENTITY b "&a;&a;&a;">]>'
        with pytest.raises(FormatError, match=r"line 4: declares the entity 'b', which is refused"):
            cased(tmx(unit("&b;")).replace('<!DOCTYPE tmx SYSTEM "tmx14.dtd">', bomb))
        for declaration in (
            '<!ENTITY % p SYSTEM "x">',
            '<!ENTITY x SYSTEM "file:///etc/passwd">',
            '<!ENTITY % p "x">',
            '<!ENTITY x "<b>">',
            f'<!ENTITY x "{"a" * 301}">',
        ):
            data = f"<!DOCTYPE tmx [{declaration}]><tmx/>"
            with pytest.raises(FormatError, match="refused"):
                cased(data)

    def test_an_entity_of_text_stays(self, cased, lines_of):
        doctype = '<!DOCTYPE tmx [<!ENTITY egg "Ham">]>'
        data = tmx(unit("an &egg; <hi>is &amp;</hi>")).replace(
            '<!DOCTYPE tmx SYSTEM "tmx14.dtd">', doctype
        )
        assert cased(data) == data.replace("an &", "AN &").replace("is &", "IS &")
        assert "an 3,000 is &" in lines_of(data)

    def test_depth(self, cased):
        with pytest.raises(FormatError, match="line 6: elements are nested more than 1000 deep"):
            cased(tmx(unit("<hi>" * 100_000)))

    def test_a_tag_with_many_attributes_and_quotes(self, cased):
        tag = "<hi " + " ".join(f"a{i}='\"/>'" for i in range(5000)) + ">"
        data = tmx(unit(f"a{tag}b</hi>"))
        assert cased(data) == data.replace(">a<", ">A<").replace(">b<", ">B<")

    def test_text_like_the_beginning_of_placeholders(self, cased):
        for text in ("{" * 50_000, "%" * 50_001, "&lt;a" * 20_000, "{a" * 20_000, "x" * 100_000):
            out = cased(tmx(unit(text)))
            assert out.lower() == tmx(unit(text)).lower()
