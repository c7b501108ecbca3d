"""Tags found by the scanner and by expat, and files that only expat can read."""

import contextlib

import pytest
from examples import examples
from hypothesis import example, given
from hypothesis import strategies as st
from reference import tags as twin

from truecase.errors import FormatError
from truecase.formats._contents import TagScanner
from truecase.formats.languages import Languages
from truecase.formats.registry import read_document
from truecase.formats.xml_file import attribute_pattern

CODES = {"a": 1, "seg": 2, "x:b": 3, "é": 4}
NAMES = [*CODES, "c", "segs", "ab", "x:seg"]
VALUES = st.text("a>/='\" \té&", max_size=6)


def written(value):
    value = value.replace("&", "&amp;").replace("<", "&lt;")
    return f"'{value}'" if '"' in value and "'" not in value else f'"{value.replace(chr(34), "")}"'


ATTRIBUTES = st.dictionaries(st.sampled_from(["a", "ab", "x:a", "b"]), VALUES.map(written)).map(
    lambda found: "".join(f"\n {name} = {value}" for name, value in found.items())
)
LEAVES = st.one_of(
    st.text("ab >='\"/é\n", max_size=5),
    st.sampled_from(["&lt;", "<!-- <a> - -> -->", "<![CDATA[<a>]]>",
                     "<![CDATA[]]]]>", "<?pi <a> ?>", "<!---->"]),
    st.builds(lambda name, a: f"<{name}{a}/>", st.sampled_from(NAMES), ATTRIBUTES),
)  # fmt: skip
ELEMENTS = st.recursive(
    LEAVES,
    lambda inner: st.builds(
        lambda name, a, parts: f"<{name}{a} >{''.join(parts)}</{name} >",
        st.sampled_from(NAMES),
        ATTRIBUTES,
        st.lists(inner, max_size=4),
    ),
    max_leaves=12,
)


def scanned(data, codes, ends, n_bytes, max_depth=1000):
    scanner = TagScanner(data, {name.encode(): c for name, c in codes.items()}, ends, max_depth)
    found = []
    while (part := scanner.tags(n_bytes)) is not None:
        found += part
    assert all(tag[4] is None for tag in found)
    return [tag[:4] for tag in found]


@examples(300)
@given(
    parts=st.lists(ELEMENTS, max_size=5),
    ends=st.sets(st.sampled_from([1, 2, 3, 4])),
    n_bytes=st.sampled_from([1, 7, 1 << 20]),
    doctype=st.sampled_from(["", '<!DOCTYPE r SYSTEM "a>b">', "<!-- <a> -->"]),
)
@example(parts=["<a/><seg b='>'/>"], ends={1}, n_bytes=1, doctype="")
def test_the_scanner_finds_what_expat_finds(parts, ends, n_bytes, doctype):
    data = f"<?xml version='1.0'?>{doctype}<r>{''.join(parts)}</r>\n".encode()
    assert scanned(data, CODES, ends, n_bytes) == twin.tags(data, CODES, ends)


@examples(200)
@given(attributes=ATTRIBUTES, end=st.sampled_from(["/>", " />"]))
def test_attributes_are_those_of_expat(attributes, end):
    tag = f"<r{attributes}{end}"
    found = twin.attributes(tag)
    data = tag.encode()
    for name in ("a", "ab", "x:a", "b", "r", "c"):
        match = attribute_pattern(name).match(data)
        assert (match is None) == (name not in found)
        if match is not None:
            value = match["value"] or match["other"] or b""
            plain = value.decode().replace("\t", " ").replace("&lt;", "<").replace("&amp;", "&")
            assert plain == found[name]


@examples(300)
@given(data=st.binary(max_size=40), cut=st.integers(0, 60))
@example(data=b"<", cut=0)
@example(data=b"<a b='", cut=0)
def test_nothing_is_read_behind_the_end(data, cut):
    """What is not well-formed is found out, or taken for something else, and no more."""
    data = (b"<r><a x='1'><seg>b</seg><!-- c --></a></r>" + data)[-cut:]
    with contextlib.suppress(OverflowError):
        scanned(data, {"a": 1, "seg": 2}, {1, 2}, 1 << 20)


def test_wrong_arguments():
    with pytest.raises(ValueError, match="more than 32 names"):
        TagScanner(b"", {b"%d" % i: 1 for i in range(33)}, (), 9)
    with pytest.raises(ValueError, match="not positive"):
        TagScanner(b"", {b"a": 0}, (), 9)
    with pytest.raises(OverflowError):
        scanned(b"<a><a></a></a>", {"a": 1}, {1}, 99, max_depth=1)


def unit(target, lang='xml:lang="en"'):
    return (
        f'<tu><tuv xml:lang="fr"><seg>Source</seg></tuv><tuv {lang}><seg>{target}</seg></tuv></tu>'
    )


def tmx(*units, head="", root="", prefix=""):
    text = f'<tmx version="1.4"{root}><header srclang="fr"/><body>{"".join(units)}</body></tmx>'
    if prefix:
        for name in ("tmx", "header", "body", "tuv", "tu", "seg"):
            for before, after in (
                (f"<{name}", f"<{prefix}{name}"),
                (f"</{name}", f"</{prefix}{name}"),
            ):
                for end in (" ", ">"):
                    text = text.replace(before + end, after + end)
    return f"{head}{text}\n"


LATE = '<x:n xmlns:x="urn:x"/>'


class TestOnlyExpatCanRead:
    def test_a_name_space_declared_within(self, cased):
        data = tmx(unit("a") + LATE, '<y:tu xmlns:y="urn:x"><y:tuv/></y:tu>', unit("b"))
        assert cased(data) == data.replace(">a<", ">A<").replace(">b<", ">B<")

    def test_the_default_name_space_changes_within(self, cased):
        other = '<tu xmlns="urn:x"><tuv><seg>c</seg></tuv></tu>'
        data = tmx(unit("a"), other, unit("b"))
        assert cased(data) == data.replace(">a<", ">A<").replace(">b<", ">B<")

    def test_attributes_that_a_document_type_gives(self, cased):
        head = '<!DOCTYPE tmx [<!ATTLIST tuv xml:lang CDATA "en">]>'
        data = tmx(unit("a", ""), head=head)
        assert cased(data) == data.replace(">a<", ">A<")

    def test_attributes_with_entities_of_a_document_type(self, cased):
        head = '<!DOCTYPE tmx SYSTEM "tmx14.dtd">'
        data = tmx(unit("a", 'xml:lang="e&unknown;n"'), head=head)
        assert cased(data) == data.replace(">a<", ">A<")


def test_references_and_white_space_in_attributes(cased):
    data = tmx(
        unit("a", 'xml:lang="&#101;n"'),
        unit("b", "xml:lang='&#x65;n'"),
        unit("c", 'xml:lang="\nen"'),
    )
    assert cased(data) == data.replace(">a<", ">A<").replace(">b<", ">B<").replace(">c<", ">C<")


def test_prefixes(cased):
    root = ' xmlns:t="urn:t"'
    data = tmx(unit("a"), root=root, prefix="t:")
    assert data.startswith('<t:tmx version="1.4" xmlns:t="urn:t"><t:header')
    assert cased(data) == data.replace(">a<", ">A<")
    # Two prefixes of one name space; and elements with a prefix are not those without.
    data = tmx(unit("a"), "<t:tu><t:tuv><seg>b</seg></t:tuv></t:tu>", root=' xmlns:t="urn:t"')
    assert cased(data) == data.replace(">a<", ">A<")
    root = ' xmlns="urn:t" xmlns:t="urn:t"'
    data = tmx(unit("a"), unit("b").replace("seg", "t:seg"), root=root)
    assert cased(data) == data.replace(">a<", ">A<").replace(">b<", ">B<")


@pytest.mark.parametrize("late", ["", LATE])
def test_what_is_wrong_first_is_told(cased, late):
    no_language = "<tu>\n<tuv><seg>x</seg></tuv></tu>\n"
    with pytest.raises(FormatError, match=r"^file: line 3: this tuv has no xml:lang$"):
        cased(tmx(late, "\r", no_language, "<broken"))
    with pytest.raises(FormatError, match=r"^file: line 2: broken XML"):
        cased(tmx(late, "\n<a></b>", no_language))
    deep = "<a>" * 1000
    with pytest.raises(FormatError, match=r"^file: line 2: this tuv has no xml:lang$"):
        cased(tmx(late, no_language, deep, "</a>" * 1000))
    with pytest.raises(FormatError, match=r"^file: line 1: elements are nested more than 1000"):
        cased(tmx(late, deep, no_language, "</a>" * 1000))


@pytest.mark.parametrize("late", ["", LATE])
@pytest.mark.parametrize("version", ["1.2", "2.0"])
def test_xliff_by_expat_and_by_the_scanner(cased, lines_of, version, late):
    if version == "1.2":
        data = f"""<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"
 xmlns:sdl="http://sdl.com/FileTypes/SdlXliff/1.0"><file source-language="fr" target-language="en">
<header>{late}<sdl:x/></header><body>
<trans-unit id="a &amp; b"><source>S1</source><target state="translated">a</target></trans-unit>
<trans-unit id="2" translate="no"><source>S</source><target>b</target></trans-unit>
<trans-unit id="3"><source>S</source><target state="final">c</target></trans-unit>
<trans-unit id="4"><source>S</source><target state="&#102;inal">d</target></trans-unit>
<trans-unit id="5" sdl:locked="true"><source>S</source><target>e</target></trans-unit>
<trans-unit id="6" approved="yes"><source>S</source><target>f</target></trans-unit>
<trans-unit id="7"><source>S7</source><alt-trans><target>g</target></alt-trans><target>h</target>
</trans-unit>
<trans-unit id="8"><source>S</source><seg-source><mrk mtype="seg" mid="1">P</mrk>
<mrk mtype="seg" mid="2">Q</mrk></seg-source><target><mrk mtype="seg" mid="1">i</mrk>
<mrk mtype="seg" mid="2">j</mrk></target>
<sdl:seg-defs><sdl:seg id="1" locked="true"/><sdl:seg id="2"/></sdl:seg-defs></trans-unit>
<group translate="no"><trans-unit id="9"><source>S</source><target>k</target></trans-unit>
<trans-unit id="10" translate="yes"><source>S10</source><target/><target>l</target></trans-unit>
</group>
</body></file></xliff>"""
        expected = [("S1", "a"), ("S7", "h"), ("Q", "j"), ("S10", "l")]
    else:
        data = f"""<xliff version="2.0" xmlns="urn:oasis:names:tc:xliff:document:2.0" srcLang="fr"
 trgLang="en"><file id="f">{late}
<unit id="1"><segment state="translated"><source>S1</source><target>a</target></segment>
<segment state="final"><source>S</source><target>b</target></segment>
<ignorable><source>S</source><target>c</target></ignorable></unit>
<unit id="2" translate="no"><segment><source>S</source><target>d</target></segment></unit>
<unit id="3"><segment><source>S3</source><target>e</target></segment><segment><source/></segment>
</unit></file></xliff>"""
        expected = [("S1", "a"), ("S3", "e")]
    assert lines_of(data, with_source=True) == expected
    out = data
    for _, text in expected:
        out = out.replace(f">{text}<", f">{text.upper()}<")
    assert cased(data) == out
    reasons = read_document(data.encode(), "f").segments.reasons()
    if version == "1.2":
        assert reasons == {"not to be translated": 2, "final": 3, "locked": 2}
    else:
        assert reasons == {"not to be translated": 1, "final": 1, "without a target": 1}


def test_languages_of_tags_with_dates(lines_of):
    """More start tags than are remembered."""
    units = [unit(f"a{i}", f'xml:lang="en" changedate="{i}"') for i in range(1500)]
    pairs = lines_of(tmx(*units), with_source=True, wanted=Languages(None, "en"))
    assert pairs == [("Source", f"a{i}") for i in range(1500)]
